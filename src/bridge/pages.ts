import type { Profile } from '../domain/profile.ts';
import { CLOSE_RESPONSE } from '../xml/document.ts';
import type { ReplyPart, XmlElement } from '../xml/element.ts';
import { openAnswer, type Asked } from './answer.ts';
import type { Send } from './delivery.ts';

interface ListForm {
  readonly container: string;
  /** Everything before the container. */
  readonly open: string;
  /** An element beside the list that the legacy form has, too: how many records there are in all. */
  readonly total: string | undefined;
  /** Records asked for per page; `own`: the service takes no size. undefined: it answers the list in one piece. */
  readonly pageSize: number | 'own' | undefined;
}

/** Characters that are worth a write of their own. */
const PIECE = 65_536;

/** What one page held, to know whether another follows. */
class Page {
  readonly #container: string;
  readonly #totalElement: string;
  #records = 0;
  #total: number | undefined;
  #size: number | undefined;
  first: string | undefined;

  constructor({ container, total = 'TotalRecords' }: ListForm) {
    this.#container = container;
    this.#totalElement = total;
  }

  /** As the service gave it. */
  get total(): number | undefined {
    return this.#total;
  }

  get records(): number {
    return this.#records;
  }

  take(parts: readonly ReplyPart[]): XmlElement[] {
    const records: XmlElement[] = [];
    for (const part of parts) {
      if (part.part === 'record' && part.container === this.#container) records.push(part.element);
      if (part.part === 'scalar' && part.element.name === this.#totalElement)
        this.#total = count(part.element);
      if (part.part === 'scalar' && part.element.name === 'PageSize') this.#size = count(part.element);
    }
    this.first ??= records[0]?.children[0]?.text;
    this.#records += records.length;
    return records;
  }

  /**
   * By the service's own count where it gives one: it may take fewer records per page than were asked for, and half a
   * list must never pass for whole. Without a count a full page is followed, or every page where nobody knows when it
   * is full. Some lists ignore paging and give everything at once.
   */
  isFollowed(before: number, asked: number | 'own'): boolean {
    if (this.#records === 0) return false;
    if (this.#total !== undefined) return before + this.#records < this.#total;
    const full = this.#size ?? asked;
    return full === 'own' || this.#records === full;
  }
}

/** undefined for anything but a number. */
function count(element: XmlElement): number | undefined {
  const text = element.text.trim();
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/**
 * The whole list, as V1 gave it, never split: walks the pages of V3 and writes records as they arrive. Throws in the
 * middle when a page fails; the door then cuts the connection, so that half a list is never taken for whole.
 */
export async function* wholeList(
  list: ListForm,
  profile: Profile,
  send: Send,
  asked: Asked,
  translate: (records: readonly XmlElement[]) => Promise<string>,
): AsyncGenerator<string> {
  const { pageParameter, sizeParameter } = profile.v3;
  let pending = list.open;
  let opened = false;
  let counted = list.total === undefined;
  let late = '';
  let previous: string | undefined;
  let before = 0;
  for (let number = 1; ; number += 1) {
    const query = list.pageSize === undefined ? [] : pageQuery(number, list.pageSize);
    const parts = await openAnswer(await send(query, number === 1 ? 'first-byte' : 'continued'), asked);
    const page = new Page(list);
    for await (const batch of parts) {
      const records = page.take(batch);
      if (number > 1 && page.first !== undefined && page.first === previous) break; // the same page again: no paging here
      if (records.length === 0) continue;
      const first = !opened;
      if (first) pending += `${total(page)}<${list.container}>`;
      opened = true;
      pending += await translate(records);
      if (pending.length < PIECE && !first) continue; // the first records go out at once
      yield pending;
      pending = '';
    }
    if (!opened) pending += total(page);
    else late += total(page);
    if (page.first === previous || list.pageSize === undefined || !page.isFollowed(before, list.pageSize))
      break;
    // The next page may have to wait for the budget.
    if (pending !== '') yield pending;
    pending = '';
    previous = page.first;
    before += page.records;
  }
  yield `${pending}${opened ? `</${list.container}>` : `<${list.container} />`}${late}${CLOSE_RESPONSE}`;

  function pageQuery(number: number, size: number | 'own'): (readonly [string, string])[] {
    const page = [pageParameter, String(number)] as const;
    return size === 'own' ? [page] : [page, [sizeParameter, String(size)]];
  }

  /** Once; before the list where the service counts before it. */
  function total(page: Page): string {
    if (counted || page.total === undefined) return '';
    counted = true;
    return `<${list.total ?? ''}>${page.total}</${list.total ?? ''}>`;
  }
}
