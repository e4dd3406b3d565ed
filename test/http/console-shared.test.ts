import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { close, consent } from '../../src/features/accounts/account.ts';
import { DAY, MINUTE } from '../../src/lib/time/clock.ts';
import { RealBrowser, sticksOut } from '../support/browser.ts';
import { chromiumPath } from '../support/chromium-path.ts';
import { anna, bindingTo, pair } from '../db/records.ts';
import { CONSOLE, openConsole, type ConsoleSetting } from './console-setting.ts';

const shown = ({ text }: { readonly text: string }): string =>
  text.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');

/** A planned wave, and a second user. */
async function planned(): Promise<
  ConsoleSetting & { readonly olga: Awaited<ReturnType<ConsoleSetting['signedIn']>> }
> {
  const setting = await openConsole();
  const { admin, services } = setting;
  await services.accounts.set(await setting.add('Alder', 'ana@alder.example'), { addTags: 'pilot' });
  await admin.waves.save({ name: 'Pilot', query: 'tag=pilot', holdHours: 1 }, 'ada');
  return { ...setting, olga: await setting.signedIn('olga', 'operate') };
}

describe('a wave that two users work on', () => {
  it('is not changed back by the form that one of them had opened before, until it is saved again', async () => {
    const { admin, olga } = await planned();
    const form = await olga.get('/campaign?wave=Pilot');
    const plan = /name="shown" value="([^"]+)"/.exec(form.text)?.[1]?.replaceAll('&quot;', '"') ?? '';
    expect(plan).toContain('tag=pilot');
    await admin.waves.save({ name: 'Pilot', query: 'tag=pilot', holdHours: 24, replace: true }, 'eve');
    const save = (seen: string) =>
      olga.act('/campaign/waves', [
        ...Object.entries({ name: 'Pilot', replace: 'yes', tag: 'pilot', most: '10', hold: '1' }),
        ['shown', seen],
      ]);
    const clash = await save(plan);
    expect(clash.status).toBe(409);
    expect(shown(clash)).toContain(
      'Somebody else has changed this wave in the meantime: Hours good before the next wave is now 24. Save again',
    );
    expect(clash.text).toMatch(/id="wave-most"[^>]* value="10"/);
    expect((await admin.waves.show('Pilot')).wave).toMatchObject({
      most: undefined,
      brake: { holdHours: 24 },
    });

    const now = /name="shown" value="([^"]+)"/.exec(clash.text)?.[1]?.replaceAll('&quot;', '"') ?? '';
    expect((await save(now)).status).toBe(303);
    expect((await admin.waves.show('Pilot')).wave).toMatchObject({ most: 10, brake: { holdHours: 1 } });
  });

  it('offers no decision that the other one has taken already', async () => {
    const { admin, clock, olga } = await planned();
    await admin.waves.act('Pilot', 'start', 'eve');
    const decide = (...more: readonly (readonly [string, string])[]) =>
      olga.act('/campaign/waves/decide', [['wave', 'Pilot'], ['deed', 'stop'], ...more]);
    const seen = /name="seen" value="([^"]+)"/.exec((await decide()).text)?.[1] ?? '';
    clock.advance(MINUTE);
    await admin.waves.act('Pilot', 'stop', 'eve');
    for (const late of [await decide(['sure', 'yes'], ['seen', seen]), await decide()]) {
      expect(late.status).toBe(409);
      expect(shown(late)).toContain('Nothing has been changed: the wave is stopped now (stopped by eve).');
      expect(late.text).not.toContain('Stop wave');
    }
  });
});

it('a brown-out is announced only for the accounts that its preview showed, however many others there are', async () => {
  const setting = await openConsole({ env: { CAUSEWAY_TIME_ZONE: 'UTC' } });
  const { admin, services, clock } = setting;
  const tag = (id: string) => services.accounts.set(id, { addTags: 'north' });
  const [alder, birch] = [await setting.add('Alder'), await setting.add('Birch')];
  await tag(alder);
  const olga = await setting.signedIn('olga', 'administer');
  const start = new Date(clock.now() + 2 * DAY).toISOString().slice(0, 16);
  const form = Object.entries({ tag: 'north', which: 'all', start, minutes: '30' });
  const announce = ({ text }: { readonly text: string }) =>
    olga.act(
      '/campaign/brownouts/plan',
      Array.from(
        /action="[^"]*\/plan">.*/.exec(text)?.[0].matchAll(/name="(\w+)" value="([^"]*)"/g) ?? [],
        ([, name = '', value = '']): [string, string] => [name, value.replaceAll('&amp;', '&')],
      ),
    );
  const preview = await olga.act('/campaign/brownouts/preview', form);
  expect(shown(preview)).toContain('1 account with');
  await tag(birch);
  const more = await announce(preview);
  expect(more.status).toBe(409);
  expect(shown(more)).toMatch(/Nothing has been announced: .*Accounts2 accounts with/);
  await services.accounts.set(alder, { removeTags: 'north' });
  await tag(await setting.add('Cedar'));
  const others = await announce(more);
  expect(others.status).toBe(409);
  expect(shown(others)).toMatch(/Nothing has been announced: .*Accounts2 accounts with/);
  expect(await admin.brownouts.list()).toEqual([]);
  expect((await announce(others)).status).toBe(303);
  expect(await admin.brownouts.list()).toHaveLength(1);
});

describe('a group of accounts that another user has saved', () => {
  it('is replaced by one of the same name only after a confirmation', async () => {
    const setting = await openConsole();
    const { admin } = setting;
    await admin.groups.save('North', 'tag=north', 'eve');
    const olga = await setting.signedIn('olga', 'operate');
    const save = (...more: readonly (readonly [string, string])[]) =>
      olga.act('/groups', [['name', 'North'], ['filter', 'tag=pilot'], ...more]);
    const queries = async () => (await admin.groups.list()).map(({ filter }) => filter.tag);
    const asked = await save();
    expect(asked.status).toBe(409);
    expect(shown(asked)).toContain('There is a group North, saved by eve: tag=north.');
    expect(asked.text).toContain('name="filter" value="tag=pilot"');
    expect(await queries()).toEqual([['north']]);
    expect((await save(['sure', 'yes'])).status).toBe(303);
    expect(await queries()).toEqual([['pilot']]);
  });

  it('is named on the page that asks with its tags as they are, and neither unusable nor equal filters ask', async () => {
    const setting = await openConsole();
    await setting.admin.groups.save('North', 'tag=R%26D&language=da', 'eve');
    const olga = await setting.signedIn('olga', 'operate');
    const save = (filter: string) =>
      olga.act('/groups', [
        ['name', 'North'],
        ['filter', filter],
      ]);
    const asked = await save('tag=pilot');
    expect(shown(asked)).toContain('tag=r&amp;d.');
    expect(shown(asked)).not.toContain('r, d');
    expect((await save('')).text).toContain('needs at least one filter');
    expect((await save('nothing=1')).text).toContain('There is no filter nothing=1.');
    expect((await save('language=da&tag=R%26D')).status).toBe(303);
  });
});

// `npm test` says how to get a Chromium where there is none.
(chromiumPath() === undefined ? describe.skip : describe)('an open page of the console', () => {
  let browser: RealBrowser;

  beforeAll(async () => {
    browser = await RealBrowser.start();
  });

  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
  });

  it('of an account offers what is possible after another user has acted, and says when the account has been erased', async () => {
    const setting = await openConsole();
    const { port, token, services, clock } = setting;
    const id = await setting.add('Alder', 'ana@alder.example');
    const page = await browser.page();
    await page.goto(`http://127.0.0.1:${port}${CONSOLE}/accounts/${id}`);
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Live').waitFor();
    await page.getByRole('button', { name: 'Close…' }).focus();

    const event = { at: clock.now(), kind: 'changed', actor: 'eve', detail: '' };
    await services.accounts.set(id, { name: 'Birch' });
    await page.getByRole('heading', { level: 1, name: 'Birch' }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Close…');
    await services.store.accounts.change(id, (life) => close(life), { ...event, kind: 'closed' });
    await page.getByText('Closed').first().waitFor();
    expect(await page.getByRole('button', { name: 'Close…' }).count()).toBe(0);

    await page.route(`**/accounts/${id}`, (one) => one.fulfill({ status: 404, body: '' }));
    await services.accounts.set(await setting.add('Cedar', 'ana@cedar.example'), { name: 'Cedar & Sons' });
    await services.store.accounts.change(id, (life) => life, event);
    await page.getByRole('status').getByText('No longer there: reload the page').waitFor();
  });

  it('of the campaign follows what another user decides on a wave, and keeps the focus in its row', async () => {
    const setting = await planned();
    const { admin, port, token, services } = setting;
    await services.accounts.set(await setting.add('Birch', 'ana@birch.example'), { addTags: 'second' });
    await admin.waves.save({ name: 'Second', query: 'tag=second' }, 'ada');
    const page = await browser.page();
    await page.goto(`http://127.0.0.1:${port}${CONSOLE}/campaign`);
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Live').waitFor();
    const [pilot, second] = ['Pilot', 'Second'].map((name) =>
      page.getByRole('row', { name: new RegExp(name) }),
    );
    await second?.getByRole('button', { name: 'Remove' }).focus();

    await admin.waves.act('Pilot', 'start', 'eve');
    await services.accounts.set(await setting.add('Cedar', 'ana@cedar.example'), { name: 'Cedar & Sons' });
    await pilot?.getByText('started by eve').waitFor();
    expect(
      await page.evaluate(`document.activeElement.closest('tr').querySelector('.name').textContent`),
    ).toContain('Second');
  });

  it('of the accounts is no wider than the narrowest phone, whatever the stages in its list', async () => {
    const setting = await openConsole();
    const { services, port, token, clock } = setting;
    const id = await setting.add('Rata Works', 'rata@example.com');
    await services.store.grants.create({
      ...{ id: 'a-grant', consenter: anna, scope: 'service', tokens: pair(1), now: clock.now() },
    });
    await services.store.accounts.change(id, (life) => consent(life, bindingTo('a-grant')), {
      ...{ at: clock.now(), kind: 'consented', actor: 'customer', detail: '' },
    });
    const page = await browser.page();
    await page.setViewportSize({ width: 320, height: 700 });
    await page.goto(`http://127.0.0.1:${port}${CONSOLE}/accounts`);
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: /Consented, not moved/ }).waitFor();
    expect(await sticksOut(page)).toBe(false);
  });

  it('of the campaign has its buttons within their card on the narrowest phone', async () => {
    const setting = await openConsole();
    const { services, admin, port, token } = setting;
    await services.accounts.set(await setting.add('Rata Works', 'rata@example.com'), { addTags: 'north' });
    await admin.waves.save({ name: 'North', query: 'tag=north' }, 'ada');
    await admin.waves.act('North', 'start', 'ada');
    await admin.waves.act('North', 'stop', 'ada');
    const page = await browser.page();
    await page.setViewportSize({ width: 320, height: 700 });
    await page.goto(`http://127.0.0.1:${port}${CONSOLE}/campaign`);
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    const button = page.getByRole('button', { name: 'Continue anyway' });
    await button.waitFor();
    const [own, card] = [await button.boundingBox(), await page.locator('#waves tbody tr').boundingBox()];
    const rightOf = (box: typeof own): number => (box?.x ?? 0) + (box?.width ?? 0);
    expect(rightOf(own)).toBeLessThanOrEqual(rightOf(card));
  });

  it('of the audit is no wider than a tablet, however long the words of an entry', async () => {
    const setting = await openConsole();
    const { admin, port, token } = setting;
    await admin.note('ada', 'groups.save', `North: invitation=${'issued,'.repeat(20)}expired`);
    const page = await browser.page();
    await page.setViewportSize({ width: 768, height: 900 });
    await page.goto(`http://127.0.0.1:${port}${CONSOLE}/audit`);
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    expect(await sticksOut(page)).toBe(false);
  });
});
