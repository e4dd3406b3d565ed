import { expect, it } from '@jest/globals';
import { consent, migrate } from '../../src/features/accounts/account.ts';
import { campaignOf, waveJobOf } from '../../src/app/wiring/features/campaign.ts';
import { minute } from '../../src/features/status/report/words.ts';
import { DAY, MINUTE } from '../../src/lib/time/clock.ts';
import { anna, bindingTo, pair } from '../db/records.ts';
import { KnobPostman } from '../features/campaign/harness.ts';
import { openConsole, type ConsoleSetting } from './console-setting.ts';

const shown = ({ text }: { readonly text: string }): string =>
  text.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');

it('the page of an account says that e-mail ended by a decline, until the customer approves after all', async () => {
  const setting = await openConsole({ postman: new KnobPostman() });
  const { clock } = setting;
  const { store } = setting.services;
  const id = await setting.add('Rata Works', 'rata@example.com');
  await setting.admin.perform({ action: 'invite' }, [id], 'ada');
  const [invitation] = await store.invitations.ofAccount(id);
  const event = { at: clock.now(), kind: 'consentRefused', actor: 'customer', detail: 'declined' };
  expect(await store.consents.decline(invitation?.id ?? '', id, event)).toBe(true);
  const browser = await setting.signedIn('rea');
  const stopped = async () =>
    /E-mails stopped [^:]+:\d\d: ([^.]+)/.exec(shown(await browser.get(`/accounts/${id}`)))?.[1];
  expect(await stopped()).toBe('the customer declined');
  clock.advance(MINUTE);
  const grantId = 'a-grant';
  await store.grants.create({
    id: grantId,
    consenter: anna,
    scope: 'service',
    tokens: pair(1),
    now: clock.now(),
  });
  await store.accounts.change(id, (life) => consent(life, bindingTo(grantId)), {
    ...event,
    kind: 'consented',
  });
  expect(await stopped()).toBeUndefined();
});

it('the pages of the console say in which zone their times are', async () => {
  const setting = await openConsole();
  const browser = await setting.signedIn('olga', 'administer');
  for (const path of [
    '',
    '/accounts',
    '/consents',
    '/writes',
    '/events',
    '/campaign/phone',
    '/tokens',
    '/audit',
  ])
    expect([path, shown(await browser.get(path))]).toEqual([
      path,
      expect.stringContaining('Times are in UTC'),
    ]);
});

it('the page of the campaign names the brown-outs that are announced', async () => {
  const setting = await openConsole({ env: { CAUSEWAY_TIME_ZONE: 'UTC' } });
  await setting.add('Rata Works');
  const browser = await setting.signedIn('rea');
  const announced = async () =>
    /Announced: ([^,]+), 1 account/.exec(shown(await browser.get('/campaign')))?.[1];
  expect(await announced()).toBeUndefined();
  const start = new Date(setting.clock.now() + 2 * DAY).toISOString().slice(0, 16);
  await setting.admin.brownouts.plan({ query: 'stage=legacy', start, minutes: 30 }, 'ada');
  expect(await announced()).toContain(start.replace('T', ' '));
});

it('the page of the campaign says when each wave starts, or when it went out', async () => {
  const setting = await openConsole({ postman: new KnobPostman() });
  const { admin, clock, services } = setting;
  const browser = await setting.signedIn('rea');
  const starts = async () =>
    Array.from((await browser.get('/campaign')).text.matchAll(/data-label="Start">.*?<\/td>/g), ([cell]) =>
      shown({ text: `<td ${cell}` }),
    );
  for (const tag of ['first', 'second']) {
    await services.accounts.set(await setting.add(tag, `${tag}@example.com`), { addTags: tag });
    await admin.waves.save({ name: tag, query: `tag=${tag}` }, 'ada');
  }
  expect(await starts()).toEqual(['when you start it', 'after the previous wave']);
  const [wave] = await admin.waves.list();
  await admin.waves.act('first', 'start', 'ada');
  await waveJobOf(services, campaignOf(services)).invite();
  clock.advance(MINUTE);
  const [out] = await admin.waves.list();
  expect([wave?.firstInvitedAt, typeof out?.firstInvitedAt]).toEqual([null, 'string']);
  expect(await starts()).toEqual([minute(out?.firstInvitedAt ?? ''), 'after the previous wave']);
});

it('the page of an account says that its stopped wave holds its invitation back, and what to do', async () => {
  const setting = await openConsole({ postman: new KnobPostman() });
  const { services, admin } = setting;
  const id = await setting.add('Rata Works', 'rata@example.com');
  await services.accounts.set(id, { addTags: 'north' });
  await admin.waves.save({ name: 'north', query: 'tag=north' }, 'ada');
  await admin.waves.act('north', 'start', 'ada');
  await waveJobOf(services, campaignOf(services)).invite();
  const browser = await setting.signedIn('rea');
  const words = async () => {
    const { text } = await browser.get(`/accounts/${id}`);
    return (/<h2 id="invitation-title">.*?<p>(.*?)<\/p>/s.exec(text)?.[1] ?? '').replaceAll(/<[^>]*>/g, '');
  };
  expect(await words()).toBe('Belongs to the wave north.');
  await admin.waves.act('north', 'stop', 'ada');
  expect(await words()).toBe(
    'Belongs to the stopped wave north, which holds its invitation back: Resume sends it, Remove withdraws it.',
  );
});

it('the page of an account that its stopped wave has not invited names the step that keeps the limits', async () => {
  const setting = await openConsole();
  const { services, admin } = setting;
  const id = await setting.add('Rata Works', 'rata@example.com');
  await services.accounts.set(id, { addTags: 'north' });
  await admin.waves.save({ name: 'north', query: 'tag=north' }, 'ada');
  await admin.waves.act('north', 'start', 'ada');
  await admin.waves.act('north', 'stop', 'ada');
  const browser = await setting.signedIn('rea');
  expect(shown(await browser.get(`/accounts/${id}`))).toContain(
    'Belongs to the stopped wave north: it will be invited when somebody resumes the wave.',
  );
});

it('the list of customers to call has all on one page for paper, and a noted call leads back to its page', async () => {
  const setting = await openConsole();
  for (let n = 0; n < 51; n += 1) await setting.add(`Account ${n}`);
  const browser = await setting.signedIn('rea', 'operate');
  const rows = async (query: string): Promise<number> =>
    (await browser.get(`/campaign/phone${query}`)).text.split('name="account"').length - 1;
  expect([await rows(''), await rows('?page=2'), await rows('?page=all')]).toEqual([50, 1, 51]);
  const { text } = await browser.get('/campaign/phone');
  expect(text).toContain('/campaign/phone?page=all">all on one page, to print</a>');
  for (const page of ['2', 'all']) {
    const { text: shownPage } = await browser.get(`/campaign/phone?page=${page}`);
    expect(shownPage).toContain(`action="/_causeway/console/campaign/phone?page=${page}"`);
    const account = /name="account" value="([^"]+)"/.exec(shownPage)?.[1] ?? '';
    const path = `/campaign/phone?page=${page}`;
    const empty = await browser.act(path, [
      ['account', account],
      ['note', ' '],
    ]);
    expect([empty.status, empty.text.includes(`value="${account}"`)]).toEqual([400, true]);
    const { headers } = await browser.act(path, [
      ['account', account],
      ['note', 'calls back'],
    ]);
    expect(headers.location).toBe(`/_causeway/console/campaign/phone?page=${page}&done=noted`);
  }
});

it('the page of a closed account says which command erases its data, and that of another does not', async () => {
  const setting = await openConsole();
  const id = await setting.add('Rata Works', 'rata@example.com');
  const browser = await setting.signedIn('rea');
  const words = async () => shown(await browser.get(`/accounts/${id}`));
  expect(await words()).not.toContain('causeway forget');
  await setting.admin.perform({ action: 'close' }, [id], 'ada');
  expect(await words()).toContain(`kept, with its timeline, until causeway forget ${id} --yes erases it`);
});

it('the lists of waves and brown-outs show their accounts in the words of the filters, not in codes', async () => {
  const setting = await openConsole();
  await setting.services.accounts.set(await setting.add('Rata Works', 'rata@example.com'), {
    addTags: 'north',
  });
  await setting.admin.waves.save({ name: 'first', query: 'tag=north&ready=no&stuck=true' }, 'ada');
  const start = new Date(setting.clock.now() + 2 * DAY).toISOString().slice(0, 16);
  await setting.admin.brownouts.plan({ query: 'stage=legacy,lost&tag=north', start, minutes: 30 }, 'ada');
  const browser = await setting.signedIn('rea');
  const named = async (path: string) =>
    /<a href="[^"]*\/accounts\?(?:stage|tag)=[^"]*">([^<]*)<\/a>/.exec((await browser.get(path)).text)?.[1];
  expect([await named('/campaign'), await named('/campaign/brownouts')]).toEqual([
    'Tag: north; Ready to invite: not yet; Stuck: for any reason',
    'Stage: Not moved, Lost; Tag: north',
  ]);
});

it('the limit of test messages in an hour counts only those that were sent', async () => {
  const setting = await openConsole({ postman: new KnobPostman() });
  const { admin, clock } = setting;
  const accountId = await setting.add('Rata Works');
  const send = (): Promise<string> =>
    admin.messages.test({ kind: 'invitation', accountId, to: 'me@example.com' }, 'ada');
  for (let n = 0; n < 20; n += 1) await send();
  clock.advance(59 * MINUTE);
  await expect(send()).rejects.toMatchObject({ fault: 'throttled', millis: MINUTE });
  clock.advance(2 * MINUTE);
  for (let n = 0; n < 20; n += 1) await send();
});

it('the form of a brown-out keeps what was entered when the announcement is refused', async () => {
  const setting = await openConsole({ env: { CAUSEWAY_TIME_ZONE: 'UTC' } });
  const id = await setting.add('Rata Works');
  await setting.services.accounts.set(id, { addTags: 'north' });
  const browser = await setting.signedIn('rea', 'administer');
  const start = new Date(setting.clock.now() + DAY + MINUTE).toISOString().slice(0, 16);
  const preview = await browser.act('/campaign/brownouts/preview', [
    ...Object.entries({ tag: 'north', which: 'all', start, minutes: '30' }),
  ]);
  const fields = Array.from(
    /action="[^"]*\/plan">.*/.exec(preview.text)?.[0].matchAll(/name="(\w+)" value="([^"]*)"/g) ?? [],
    ([, name = '', value = '']): [string, string] => [name, value.replaceAll('&amp;', '&')],
  );
  setting.clock.advance(2 * MINUTE);
  const { text } = await browser.act('/campaign/brownouts/plan', fields);
  expect(text).toContain('at least 24 hours from now');
  expect(text).toContain('name="tag" maxlength="40" value="north"');
  expect(text).toContain('<option value="all" selected>');
});

/** An account that has approved, and what moves it without a look at V1. */
async function consented(setting: ConsoleSetting) {
  const { store } = setting.services;
  const id = await setting.add('Rata Works');
  const event = { at: setting.clock.now(), kind: 'consented', actor: 'customer', detail: '' };
  const grantId = 'a-grant';
  await store.grants.create({
    ...{ id: grantId, consenter: anna, scope: 'service', tokens: pair(1), now: setting.clock.now() },
  });
  await store.accounts.change(id, (life) => consent(life, bindingTo(grantId)), event);
  const move = () => store.accounts.change(id, migrate, { ...event, kind: 'migrated' });
  return { id, move };
}

it('an account that was moved before V1 was ever read can get new numbers before V3 has shown a record', async () => {
  const setting = await openConsole();
  const { store } = setting.services;
  const { id, move } = await consented(setting);
  await move();
  const browser = await setting.signedIn('rea', 'operate');
  const hasButton = async () => (await browser.get(`/accounts/${id}`)).text.includes('Accept new numbers…');
  expect(await store.crosswalk.report(id)).toEqual([]);
  expect(await hasButton()).toBe(true);
  const chosen = [
    ['action', 'accept-numbers'],
    ['account', id],
  ] as const;
  await browser.act('/perform', [...chosen]);
  expect(await hasButton()).toBe(false);
  // A kind that this mapping does not have any more.
  await store.crosswalk.numbers(id, [{ kind: 'gone', uuid: '00000000-0000-4000-8000-000000000078' }]);
  expect(await store.crosswalk.report(id)).toContainEqual(
    expect.objectContaining({ kind: 'gone', complete: false }),
  );
  expect(await hasButton()).toBe(false);
});

it('an account that has moved and has records without a number gets new ones by a button, after a preview', async () => {
  const setting = await openConsole();
  const { store } = setting.services;
  const { id, move } = await consented(setting);
  const browser = await setting.signedIn('rea', 'operate');
  const hasButton = async () => (await browser.get(`/accounts/${id}`)).text.includes('Accept new numbers…');
  expect(await hasButton()).toBe(false);
  await move();
  const client = { kind: 'client', uuid: '00000000-0000-4000-8000-000000000077' };
  expect((await store.crosswalk.numbers(id, [client])).size).toBe(0);
  await store.crosswalk.report(id);
  expect(await hasButton()).toBe(true);
  const chosen = [
    ['action', 'accept-numbers'],
    ['account', id],
  ] as const;
  const preview = shown(await browser.act('/preview', [...chosen]));
  expect(preview).toContain('records whose V1 numbers are unknown would get new ones: 1 record so far');
  expect(preview).toContain('Its programs may take these records for new ones');
  expect((await store.crosswalk.numbers(id, [client])).size).toBe(0);
  expect(shown(await browser.act('/perform', [...chosen]))).toContain('1 account with new numbers');
  expect([...(await store.crosswalk.numbers(id, [client])).values()]).toEqual([1_500_000_000]);
  expect(await hasButton()).toBe(false);
  expect((await store.accounts.timeline(id)).at(-1)).toMatchObject({ kind: 'numbers.given', actor: 'rea' });
  const log = shown(await browser.get('/audit'));
  expect(log).toMatch(/rea\s*Accept new numbers/);
});
