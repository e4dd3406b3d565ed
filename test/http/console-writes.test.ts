import { describe, expect, it } from '@jest/globals';
import { Metrics } from '../../src/app/metrics/metrics.ts';
import { outgoing } from '../../src/features/events/outgoing-event.ts';
import { completeSteps, jobSteps, lose } from '../support/writes.ts';
import { openConsole, type ConsoleSetting } from './console-setting.ts';

const values = { Name: 'VALUE-CANARY <b>' };
const stateOf = async ({ services }: ConsoleSetting, id: string): Promise<unknown> => {
  const { state, settlement, made, settledBy } = (await services.store.writes.find(id)) ?? {};
  return { state, settlement, made, settledBy };
};

describe('the page of writes', () => {
  it('says so if no outcome is unknown', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    expect((await browser.get('/writes')).text).toContain('No unknown outcomes');
    expect((await browser.get('')).text).toContain('no unknown outcomes');
  });

  it('lists unknown and undecidable writes, counts both on the overview, and shows no value', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    const accountId = await setting.add('Fern & Sons');
    const unknown = await lose(setting.services, { accountId, values });
    const undecidable = await lose(setting.services, { accountId, values, settlement: 'undecidable' });
    const list = (await browser.get('/writes')).text;
    for (const id of [unknown, undecidable]) expect(list).toContain(`<code>${id}</code>`);
    expect(list).toContain('Fern &amp; Sons');
    expect(list).not.toContain('CANARY');
    const one = (await browser.get('/writes?state=undecidable')).text;
    expect(one).toContain(undecidable);
    expect(one).toContain('href="/_causeway/api/writes.csv?state=undecidable"');
    expect(one).not.toContain(unknown);
    const overview = (await browser.get('')).text;
    expect(overview).toContain('2 with unknown outcome');
    // The bridge looks an unknown outcome up by itself.
    expect(overview).toMatch(
      /writes\?state=undecidable"[^\n]*>you<[^\n]*and settle it<\/span> <strong>1<[^\n]*\n<li>[^\n]*writes\?state=unknown"[^\n]*>bridge<[^\n]*looks up[^\n]*<strong>1</,
    );
  });

  it('lists every write of an account, whatever became of it', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    const accountId = await setting.add('Fern');
    const unknown = await lose(setting.services, { accountId, values });
    const settled = await lose(setting.services, { accountId, values, settlement: 'not-done' });
    const all = (await browser.get(`/writes?state=all&account=${accountId}`)).text;
    for (const id of [unknown, settled]) expect(all).toContain(`<code>${id}</code>`);
    expect(all).toContain(`href="/_causeway/api/writes.csv?account=${accountId}"`);
    expect((await browser.get('/writes')).text).toContain('/writes?state=all"');
  });

  it('shows the completed steps of a write with several calls, and asks for the unknown one', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    const id = await lose(setting.services, { accountId: await setting.add('Fern'), steps: jobSteps });
    const page = (await browser.get(`/writes/${id}`)).text;
    expect(page).toContain('<li>the job was added: done (J9)</li>');
    expect(page).toContain('<li>the template was applied: outcome unknown</li>');
    expect(page).toContain('Check in the service whether the template was applied');
    expect(page).not.toContain('CANARY');
  });

  it('shows a write with the values that were sent, and settles it after a preview', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob', 'operate');
    const accountId = await setting.add('Fern');
    const id = await lose(setting.services, { accountId, values, settlement: 'undecidable' });
    const page = (await browser.get(`/writes/${id}`)).text;
    expect(page).toContain('VALUE-CANARY &lt;b&gt;');
    expect(page).not.toContain('KEY-CANARY');
    expect(page).toContain('Mark as done…');
    const fields = [
      ['settlement', 'done'],
      ['number', ' 812 '],
    ] as const;
    const preview = await browser.act(`/writes/${id}/preview`, fields);
    expect(preview.text).toContain('Mark as done with number 812?');
    expect(await stateOf(setting, id)).toMatchObject({ settlement: 'undecidable' });
    const done = await browser.act(`/writes/${id}/settle`, fields);
    expect(done.headers.location).toBe(`/_causeway/console/writes/${id}?done`);
    expect(await stateOf(setting, id)).toEqual({
      state: 'settled',
      settlement: 'done',
      made: '812',
      settledBy: 'bob',
    });
    expect((await browser.get(`/writes/${id}`)).text).not.toContain('Mark as done');
  });

  it('refuses a number that another write made, and a read token', async () => {
    const setting = await openConsole();
    const [browser, reader] = [await setting.signedIn('bob'), await setting.signedIn('eve', 'read')];
    const accountId = await setting.add('Fern');
    await lose(setting.services, { accountId, settlement: 'done', made: '7' });
    const id = await lose(setting.services, { accountId });
    expect((await reader.get(`/writes/${id}`)).text).not.toContain('Mark as');
    const fields = [
      ['settlement', 'done'],
      ['number', '7'],
    ] as const;
    expect((await reader.act(`/writes/${id}/settle`, fields)).status).toBe(403);
    const taken = await browser.act(`/writes/${id}/settle`, fields);
    expect(taken.status).toBe(409);
    expect(taken.text).toContain('Another write of the account made the record 7');
    expect((await browser.get('/writes/nobody')).status).toBe(404);
    expect(await stateOf(setting, id)).toMatchObject({ state: 'unknown' });
  });

  it('says in event and timeline what was done of a write that a person marks as not done', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    const accountId = await setting.add('Fern');
    const [id, none] = [
      await lose(setting.services, { accountId, method: 'job.add', steps: jobSteps }),
      await lose(setting.services, { accountId, method: 'job.add', steps: jobSteps.slice(1) }),
    ];
    for (const one of [id, none]) await browser.act(`/writes/${one}/settle`, [['settlement', 'not-done']]);
    const account = await setting.services.store.accounts.byId(accountId);
    const told = (await setting.admin.events(0, 100)).flatMap(
      (line) => (account && outgoing(line, account)) ?? [],
    );
    const settled = { method: 'job.add', settlement: 'not-done', number: null, by: 'bob' };
    expect(told.slice(-2).map(({ payload }) => (JSON.parse(payload) as { data: unknown }).data)).toEqual([
      { ...settled, write: id, done: 'the job was added' },
      { ...settled, write: none },
    ]);
    const page = (await browser.get(`/accounts/${accountId}`)).text;
    expect(page).toContain(`job.add ${id} (done in part; the job was added): not-done`);
    const list = (await browser.get(`/writes?state=all&account=${accountId}`)).text;
    expect(
      [...list.matchAll(/settled: not carried out( in full)?/g)].map(([words]) => words).toSorted(),
    ).toEqual(['settled: not carried out', 'settled: not carried out in full']);
  });

  it('does not call a write done in part in event, timeline, page and list if only its reply is missing', async () => {
    const setting = await openConsole();
    const browser = await setting.signedIn('bob');
    const accountId = await setting.add('Fern');
    const id = await lose(setting.services, { accountId, method: 'job.add', steps: completeSteps });
    await browser.act(`/writes/${id}/settle`, [['settlement', 'not-done']]);
    const account = await setting.services.store.accounts.byId(accountId);
    const told = (await setting.admin.events(0, 100)).flatMap(
      (line) => (account && outgoing(line, account)) ?? [],
    );
    const done = 'every step was done, and only the reply is missing';
    expect(JSON.parse(told.at(-1)?.payload ?? '')).toMatchObject({
      type: 'write.settled',
      data: { write: id, done },
    });
    const page = (await browser.get(`/accounts/${accountId}`)).text;
    expect(page).toContain(`job.add ${id} (${done}): not-done`);
    const without = 'settled: carried out, without its reply';
    expect((await browser.get(`/writes/${id}`)).text).toContain(without);
    const list = (await browser.get(`/writes?state=all&account=${accountId}`)).text;
    expect(list).toContain(without);
    expect(list).not.toContain('CANARY');
  });

  it('leaves no value in logs, events, audit or metrics', async () => {
    const setting = await openConsole();
    const { services, admin, log, clock } = setting;
    const browser = await setting.signedIn('bob');
    const accountId = await setting.add('Fern');
    const id = await lose(services, { accountId, values });
    await browser.get(`/writes/${id}`);
    await browser.act(`/writes/${id}/settle`, [['settlement', 'not-done']]);
    const account = await services.store.accounts.byId(accountId);
    const lines = await admin.events(0, 100);
    const told = lines.flatMap((line) => (account && outgoing(line, account)) ?? []);
    expect(told.map(({ type, payload }) => [type, (JSON.parse(payload) as { data: unknown }).data])).toEqual([
      ['write.unknown', { write: id, method: 'client.add' }],
      ['write.settled', { write: id, method: 'client.add', settlement: 'not-done', number: null, by: 'bob' }],
    ]);
    const metrics = new Metrics();
    metrics.takesCensus(
      () => services.store.census.take(clock.now()),
      () => clock.now(),
    );
    const scraped = await metrics.text();
    expect(scraped).toContain('causeway_writes{state="undecidable"} 0');
    const everything = JSON.stringify([lines, told, await admin.audit(100), log.lines]) + scraped;
    expect(everything).not.toContain('CANARY');
  });
});
