import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

/** What somebody finds who goes through a page by Tab alone. */
export interface Walk {
  /** What the focus came to, in order. */
  readonly stops: readonly Stop[];
  /** What can be pressed or filled in and was never reached. */
  readonly missed: readonly string[];
}

export interface Stop {
  readonly what: string;
  /** Its look differs from what it is without the focus; what has the focus within a frame is not looked at. */
  readonly shown: boolean;
  /** Something lies over it, or it is outside of the window. */
  readonly hidden: boolean;
}

/**
 * Goes once through the page, from its beginning to its end. Each stop is looked at while it has the focus. Of the buttons of a
 * group of choices Tab reaches one.
 */
export async function walk(page: Page): Promise<Walk> {
  const most = await page.evaluate<number>(BEGIN);
  for (let time = 0; time < most; time += 1) {
    await page.keyboard.press('Tab');
    await frameReached(page);
    if (await page.evaluate<boolean>('globalThis.walk.look()')) break;
  }
  return page.evaluate<Walk>('globalThis.walk.end()');
}

/** On its way into a frame, which has a process of its own, the focus is nowhere for a while. */
async function frameReached(page: Page): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks += 1) {
    if (!(await page.evaluate<boolean>('globalThis.walk.isOnItsWay()'))) return;
    await pause(100);
  }
}

const LOOKS = 20;

/** A look at one page: what is wrong with its way for the keyboard, in words; empty where all is well. */
export async function keyboardFaults(page: Page): Promise<readonly string[]> {
  const { stops, missed } = await walk(page);
  return [
    ...missed.map((what) => `never reached: ${what}`),
    ...stops.filter(({ shown }) => !shown).map(({ what }) => `does not show the focus: ${what}`),
    ...stops.filter(({ hidden }) => hidden).map(({ what }) => `has the focus out of sight: ${what}`),
  ];
}

/** In the page: the functions that `walk` calls; the number of Tabs after which something must be a trap. */
const BEGIN = `(() => {
  const nameOf = (element) => {
    const { tagName, id, name, type } = element;
    const words = (element.innerText || element.labels?.[0]?.innerText || element.getAttribute('aria-label') || element.value || '').trim().replace(/\\s+/g, ' ').slice(0, 60);
    return [tagName.toLowerCase() + (id ? '#' + id : ''), type && tagName === 'INPUT' ? type : '', name ?? '', words].filter(Boolean).join(' ');
  };
  const lookOf = (element) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(element);
    return [outlineStyle === 'none' || outlineWidth === '0px' ? 'none' : outlineStyle + outlineWidth + outlineColor, boxShadow].join();
  };
  const isThere = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled && element.getClientRects().length > 0;
  const everything = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, iframe, [tabindex], [contenteditable=true], audio[controls], video[controls]')]
    .filter((element) => isThere(element) && element.tabIndex >= 0);
  const group = (element) => (element.type === 'radio' ? 'group ' + element.name : element);
  const reached = new Set();
  const stops = [];
  let first, nowhere = 0;
  // Tab begins where the last focus was, also when that is gone: at the beginning of the page.
  const begin = document.body.insertBefore(document.createElement('span'), document.body.firstChild);
  begin.tabIndex = -1;
  begin.focus();
  begin.remove();
  const before = new Map(everything.map((element) => [element, lookOf(element)]));
  const isHidden = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const [x, y] = [(Math.max(left, 0) + Math.min(right, innerWidth)) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2];
    if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) return true;
    const over = [[x, y], [left + 4, top + 4], [right - 4, bottom - 4]].map(([a, b]) => document.elementFromPoint(a, b)).filter(Boolean);
    return over.length > 0 && !over.some((one) => one === element || element.contains(one) || one.contains(element) || [...(element.labels ?? [])].some((label) => label.contains(one)));
  };
  globalThis.walk = {
    isOnItsWay() {
      const isNowhere = document.activeElement === null || document.activeElement === document.body;
      return isNowhere && everything.some((element) => element.tagName === 'IFRAME' && isThere(element) && !reached.has(element));
    },
    look() {
      const element = document.activeElement;
      // Between the end and the beginning nothing has the focus, nor while a frame is loaded that is near only now.
      if (element === null || element === document.body) return (nowhere += 1) > 3;
      if (element === first) return true;
      nowhere = 0;
      first ??= element;
      reached.add(group(element));
      stops.push({ what: nameOf(element), shown: element.tagName === 'IFRAME' || before.get(element) !== lookOf(element), hidden: isHidden(element) });
      return false;
    },
    end() {
      const missed = everything.filter((element) => isThere(element) && !reached.has(group(element)));
      delete globalThis.walk;
      return { stops, missed: missed.map(nameOf) };
    },
  };
  return everything.length * 2 + 10;
})()`;

/** Presses Tab until the focus is there, as somebody does who looks for it. Throws where it never comes. */
export async function tabTo(page: Page, wanted: Locator, most = 200): Promise<void> {
  for (let time = 0; time < most; time += 1) {
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never came to ${wanted.toString()} on ${page.url()}`);
}

/** Goes there by Tab and presses that key. */
export async function press(page: Page, wanted: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press(key);
}
