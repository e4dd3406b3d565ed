import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openStore } from '../../src/app/store.ts';
import { DAY, systemClock } from '../../src/lib/time/clock.ts';
import { callRecord } from '../db/records.ts';
import { CommandLine } from './harness.ts';

const NAME = 'Old Mill';
const ACCOUNT_KEY = 'A0000000000000000000000000000A16';
let commandLine: CommandLine;

beforeEach(async () => {
  commandLine = new CommandLine();
  const added = await commandLine.causeway(['accounts', 'add', NAME, '--account-key', '-'], ACCOUNT_KEY);
  expect(added).toMatchObject({ code: 0 });
});
afterEach(() => {
  commandLine[Symbol.dispose]();
});

/** As many calls of two programs, the first of them eight days ago. */
async function served(calls: number): Promise<void> {
  const store = await openStore(commandLine.env.CAUSEWAY_DATABASE_URL ?? '');
  const [account] = await store.accounts.list();
  const reply =
    '<Response><Client><Name>Otto</Name><DateOfBirth>1980-02-03</DateOfBirth></Client></Response>';
  const now = systemClock.now();
  store.usage.recent.tell(store.usage.recorder);
  for (let n = 0; n < calls; n += 1)
    store.usage.recent.record(
      callRecord(account?.id ?? '', {
        ...{
          at: n === 0 ? now - 8 * DAY : now,
          method: n === 1 ? 'client.list' : 'client.get',
          source: 'v1',
        },
        failed: false,
      }),
      {
        headers: ['User-Agent', n === 1 ? 'Sync/1' : 'Import/2'],
        address: '/client.api/get/1?apiKey=KEY&accountKey=ACCOUNT&detailed=true',
        sent: undefined,
        received: [reply],
      },
    );
  await store.close();
}

const program = async (agent: string): Promise<string> => {
  const { out } = await commandLine.causeway(['usage', NAME]);
  return new RegExp(`^([0-9a-f]{10}) .* ${agent} `, 'm').exec(out)?.[1] ?? '';
};

describe('causeway usage', () => {
  it('says that nothing was counted yet', async () => {
    const told = await commandLine.causeway(['usage', NAME]);
    expect(told).toMatchObject({ code: 0, err: '' });
    expect(told.out).toContain('Old Mill: Nothing has been counted yet.');
  });

  it('shows methods and programs, and what they would lack on V3 and V2', async () => {
    await served(4);
    const { out } = await commandLine.causeway(['usage', NAME]);
    expect(out).toMatch(/^Old Mill uses 2 of \d{3} methods; 4 calls, /);
    expect(out).toContain('V3: ready\n');
    expect(out).toContain(
      'V2: not ready\n  it would miss Client/DateOfBirth of client.get, seen 3 times: V2 has no date of birth\n',
    );
    expect(out).toMatch(/^client\.get +Import \([0-9a-f]{10}\) +3 +0 +detailed +0 +2 /m);
    const { out: json } = await commandLine.causeway(['usage', NAME, '--format', 'json']);
    expect(JSON.parse(json)).toContainEqual(
      expect.objectContaining({
        method: 'client.get',
        kind: 'received',
        name: 'Client/DateOfBirth',
        count: 3,
        of: 3,
      }),
    );
    for (const text of [out, json]) expect(text).not.toMatch(/Otto|1980|KEY/);
  });

  it('names a program, and refuses an unknown one', async () => {
    await served(2);
    const key = await program('Import');
    const named = await commandLine.causeway(['usage', 'name', NAME, key, 'Time import']);
    expect(named).toMatchObject({ code: 0, out: `${key} of Old Mill is Time import\n` });
    expect((await commandLine.causeway(['usage', NAME])).out).toMatch(/^client\.get +Time import /m);
    const unknown = await commandLine.causeway(['usage', 'name', NAME, '0123456789', 'x']);
    expect(unknown).toMatchObject({ code: 1 });
    expect(unknown.err).toContain('Old Mill has no program 0123456789');
  });

  it('is switched off and on for one account, and is erased with the names of programs', async () => {
    await served(2);
    await commandLine.causeway(['usage', 'name', NAME, await program('Import'), 'Time import']);
    expect((await commandLine.causeway(['usage', 'off', NAME])).out).toContain('are no longer counted');
    await served(2);
    const off = await commandLine.causeway(['usage', NAME]);
    expect(off.out).toMatch(/; 2 calls, [^\n]+\nIts calls are not counted: /);
    expect((await commandLine.causeway(['usage', 'on', NAME])).code).toBe(0);
    const refused = await commandLine.causeway(['forget', NAME, '--usage']);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toContain('nothing was changed');
    const forgotten = await commandLine.causeway(['forget', NAME, '--usage', '--yes']);
    expect(forgotten).toMatchObject({ code: 0, err: '6 names forgotten\n' });
    const { out } = await commandLine.causeway(['usage', NAME]);
    expect(out).toContain('Nothing has been counted yet.');
    expect(out).not.toContain('Time import');
  });

  it('shows in a change of route what an account would lack', async () => {
    await served(4);
    const told = await commandLine.causeway(['route', 'set', 'client.get', 'v2', '--account', NAME]);
    expect(told).toMatchObject({ code: 0 });
    expect(told.err).toContain(
      'usage: it uses Client/DateOfBirth of client.get, seen 3 times, and would miss it\n',
    );
    const harmless = await commandLine.causeway(['route', 'set', 'job.*', 'v2', '--account', NAME]);
    expect(harmless.err).toContain('usage: it does not use them\n');
  });
});
