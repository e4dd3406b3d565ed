import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { openStore } from '../../src/app/store.ts';
import { DAY } from '../../src/lib/time/clock.ts';
import { callRecord } from '../db/records.ts';
import { CommandLine, oauth } from './harness.ts';

const mail = { CAUSEWAY_SMTP_URL: 'smtp://127.0.0.1:9', CAUSEWAY_MAIL_FROM: 'bridge@example.com' };

interface Written {
  readonly who: string;
  readonly line: string;
}

async function written({ env }: CommandLine): Promise<readonly Written[]> {
  const store = await openStore(env.CAUSEWAY_DATABASE_URL ?? '');
  try {
    const rows = await store.audit.list({ limit: 100 });
    return rows.map(({ who, action, detail }) => ({ who, line: `${action}: ${detail}` })).reverse();
  } finally {
    await store.close();
  }
}

it('the command line records its changes as console and API do, and nothing of a dry run', async () => {
  using commandLine = new CommandLine({ ...oauth, ...mail, CAUSEWAY_V2_BASE_URL: 'http://127.0.0.1:9/v2' });
  const run = async (...args: readonly string[]): Promise<number> => (await commandLine.causeway(args)).code;
  const list = commandLine.file('list.csv', 'name,account key\nMill,B0000000000000000000000000000001\n');
  const pairs = commandLine.file(
    'pairs.csv',
    'kind,number,uuid\nclient,7,11111111-2222-4333-8444-555555555555\n',
  );
  for (const dry of [
    ['accounts', 'import', list],
    ['invite', '--all'],
  ])
    expect(await run(...dry, '--dry-run')).toBe(0);
  expect(await run('accounts', 'add', 'Harbour', '--account-key', 'A0000000000000000000000000000001')).toBe(
    0,
  );
  expect(await run('accounts', 'import', list)).toBe(0);
  expect(await run('accounts', 'set', 'Mill', '--email', 'ana@example.com')).toBe(0);
  expect(await run('invite', 'Mill')).toBe(0);
  expect(await run('remind', 'Mill')).toBe(1);
  expect(await run('withdraw', 'Mill')).toBe(0);
  expect(await run('invite', 'Mill', '--link')).toBe(0);
  expect(await run('route', 'set', 'client.list', 'v2', '--account', 'Mill')).toBe(0);
  expect(await run('crosswalk', 'import', 'Mill', pairs)).toBe(0);
  expect(await run('crosswalk', 'learn', 'Mill')).toBe(1);
  expect(await run('accounts', 'close', 'Mill', '--yes')).toBe(0);
  const rows = await written(commandLine);
  expect(new Set(rows.map(({ who }) => who))).toEqual(new Set(['command line']));
  expect(rows.map(({ line }) => line)).toEqual([
    'accounts.add: Harbour',
    'accounts.import: 1 lines were sent',
    'accounts.import: 1 new, 0 changed, 0 unchanged, 0 faulty',
    'accounts.set: e-mail',
    'invite: requested',
    'invite: done: an invitation to ana@example.com was queued',
    'remind: requested',
    'remind: left: an e-mail to it is still waiting to be sent',
    'withdraw: requested',
    'withdraw: done: its invitation was withdrawn',
    'accounts.link: a link was made and shown',
    'route.set: client.list from v2',
    'crosswalk.import: 1 added, 0 known, 0 contradicting',
    'crosswalk.learn: requested',
    'crosswalk.learn: absent',
    'close: requested',
    'close: done: closed',
  ]);
});

it('a change by the command line appears in the timeline under the same name', async () => {
  using commandLine = new CommandLine();
  await commandLine.causeway([
    'accounts',
    'add',
    'Harbour',
    '--account-key',
    'A0000000000000000000000000000001',
  ]);
  await commandLine.causeway(['accounts', 'close', 'Harbour', '--yes']);
  const { out } = await commandLine.causeway(['accounts', 'show', 'Harbour', '--format', 'csv']);
  const actors = out
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[2]);
  expect(actors).toEqual(['command line', 'command line']);
});

it("erasing an account's data is named and confirmed first, and the audit says how much it was", async () => {
  using commandLine = new CommandLine(oauth);
  const run = (...args: readonly string[]) => commandLine.causeway(['forget', 'Mill', ...args]);
  await commandLine.causeway(['accounts', 'add', 'Mill', '--account-key', '-'], 'A'.repeat(32));
  const store = await openStore(commandLine.env.CAUSEWAY_DATABASE_URL ?? '');
  const [account] = await store.accounts.list();
  for (let call = 0; call < 3; call += 1) store.calls.record(callRecord(account?.id ?? ''));
  await store.close();
  expect(await run()).toMatchObject({
    code: 1,
    err: expect.stringMatching(/Mill is not closed, and --yes erases only closed/) as unknown,
  });
  expect(await run('--yes')).toMatchObject({ code: 1, err: expect.stringContaining('close it') as unknown });
  expect(await run('--calls')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/--yes erases for Mill: its calls of the last seven days/) as unknown,
  });
  expect(await run('--calls', '--yes')).toMatchObject({ code: 0, err: '3 calls forgotten\n' });
  expect(await run('--calls', '--yes')).toMatchObject({ code: 0, err: '0 calls forgotten\n' });
  const rows = await written(commandLine);
  expect(rows.map(({ line }) => line).slice(-2)).toEqual([
    'calls.forget: requested',
    'calls.forget: done: 0 calls',
  ]);
});

it('accounts show says that V3 serves an account whose V1 closed with the consent', async () => {
  using commandLine = new CommandLine(oauth);
  await commandLine.causeway(['accounts', 'add', 'Mill', '--account-key', '-'], 'A'.repeat(32));
  const store = await openStore(commandLine.env.CAUSEWAY_DATABASE_URL ?? '');
  const [account] = await store.accounts.list();
  const binding = { grantId: 'g', organisation: { id: 'o', name: 'O' } };
  await store.accounts.change(account?.id ?? '', () => ({ stage: 'consented', binding }), {
    ...{ at: Date.now(), kind: 'consented', actor: 'bridge', detail: '' },
  });
  store.calls.record(callRecord(account?.id ?? '', { at: Date.now(), source: 'v3' }));
  await store.close();
  const shown = async (): Promise<string> => (await commandLine.causeway(['accounts', 'show', 'Mill'])).out;
  expect(await shown()).not.toContain('already serves it');
  commandLine.env.CAUSEWAY_V1_BASE_URL = 'http://127.0.0.1:9';
  expect(await shown()).toMatch(/^v1 +has refused its keys since the consent, so V3 already serves it$/m);
});

it("single calls appear in the console's words for people, and as codes for programs", async () => {
  using commandLine = new CommandLine(oauth);
  await commandLine.causeway(['accounts', 'add', 'Mill', '--account-key', '-'], 'A'.repeat(32));
  const store = await openStore(commandLine.env.CAUSEWAY_DATABASE_URL ?? '');
  const [account] = await store.accounts.list();
  const failed = { at: Date.now(), status: 404, failed: true } as const;
  const requestId = randomUUID();
  for (const changes of [
    { method: 'generic', asked: 'client.lst' },
    { method: 'none', requestId },
  ])
    store.calls.record(callRecord(account?.id ?? '', { ...failed, ...changes }));
  await store.close();
  const table = (await commandLine.causeway(['calls', 'Mill'])).out;
  expect(table).toMatch(/GET +client\.lst +v1 +404 +yes +failed/);
  expect(table).toMatch(/GET +– +v1 /);
  expect(table).not.toMatch(/generic|none/);
  const json = JSON.parse(
    (await commandLine.causeway(['calls', 'Mill', '--format', 'json'])).out,
  ) as object[];
  expect(json).toContainEqual(expect.objectContaining({ method: 'generic', asked: 'client.lst' }));
  const found = async (format: string): Promise<string> =>
    (await commandLine.causeway(['find', requestId, '--format', format])).out;
  expect(await found('table')).toMatch(/^FIELD +VALUE\naccount +Mill\n(?:.+\n)*method +GET –\n/);
  expect(await found('table')).not.toMatch(/undefined|^lost/m);
  expect(JSON.parse(await found('json'))).toMatchObject([{ method: 'GET none' }]);
  expect(await found('csv')).toContain(',GET none,');
});

it('the command line refuses to read events after an entry that does not exist', async () => {
  using commandLine = new CommandLine();
  await commandLine.causeway([
    'accounts',
    'add',
    'Mill',
    '--account-key',
    'A0000000000000000000000000000001',
  ]);
  const beyond = await commandLine.causeway(['events', '--since', '999']);
  expect([beyond.code, beyond.err]).toEqual([
    1,
    expect.stringContaining('there is no entry 999: the last is 1'),
  ]);
});

it('the period of calls is given on the clock of the customer, or with an offset', async () => {
  using commandLine = new CommandLine(oauth);
  const key = 'A0000000000000000000000000000001';
  await commandLine.causeway(['accounts', 'add', 'Mill', '--account-key', key, '--zone', 'Asia/Tokyo']);
  await commandLine.causeway(['accounts', 'add', 'Fern', '--account-key', key.replace('A', 'B')]);
  const store = await openStore(commandLine.env.CAUSEWAY_DATABASE_URL ?? '');
  const day = new Date(Date.now() - DAY).toISOString().slice(0, 10);
  for (const { id } of await store.accounts.list())
    store.calls.record(callRecord(id, { at: Date.parse(`${day}T01:30:20Z`) }));
  await store.close();
  const found = async (name: string, from: string, to: string): Promise<readonly [number, string]> => {
    const args = ['calls', name, '--from', `${day}T${from}`, '--to', `${day}T${to}`, '--format', 'json'];
    const { out, err } = await commandLine.causeway(args);
    return [(JSON.parse(out) as readonly object[]).length, err];
  };
  expect(await found('Mill', '01:30Z', '01:31Z')).toEqual([1, '']);
  expect(await found('Mill', '02:30+01:00', '02:30:20+01:00')).toEqual([0, '']);
  expect(await found('Mill', '02:30+01:00', '02:30:21+01:00')).toEqual([1, '']);
  expect(await found('Mill', '10:30:20', '10:31')).toEqual([1, expect.stringContaining('in Asia/Tokyo\n')]);
  expect(await found('Mill', '01:30', '01:31')).toEqual([0, expect.any(String)]);
  expect(await found('Fern', '01:30', '01:31')).toEqual([1, expect.stringContaining('in UTC, because')]);
  const odd = await commandLine.causeway(['calls', 'Mill', '--from', '2026-02-30T09:00']);
  expect([odd.code, odd.err]).toEqual([2, expect.stringContaining('2026-11-30T09:00+13:00')]);
});
