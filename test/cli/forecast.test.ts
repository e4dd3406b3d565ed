import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openStore } from '../../src/app/store.ts';
import { MINUTE, systemClock } from '../../src/lib/time/clock.ts';
import { callRecord } from '../db/records.ts';
import { CommandLine } from './harness.ts';

const NAME = 'Old Mill';
let commandLine: CommandLine;

beforeEach(async () => {
  commandLine = new CommandLine();
  const key = 'A0000000000000000000000000000A16';
  expect(await commandLine.causeway(['accounts', 'add', NAME, '--account-key', '-'], key)).toMatchObject({
    code: 0,
  });
});
afterEach(() => {
  commandLine[Symbol.dispose]();
});

async function served(calls: number): Promise<void> {
  const store = await openStore(commandLine.env.CAUSEWAY_DATABASE_URL ?? '');
  const [account] = await store.accounts.list();
  const at = systemClock.now() - 5 * MINUTE;
  for (let n = 0; n < calls; n += 1)
    store.calls.record(callRecord(account?.id ?? '', { at, method: 'client.get', upstreamMillis: 1 }));
  await store.close();
}

describe('causeway forecast', () => {
  it('says that an account without calls has nothing to simulate', async () => {
    const told = await commandLine.causeway(['forecast', NAME]);
    expect(told).toMatchObject({ code: 0, err: '' });
    expect(told.out).toBe('Old Mill has made no call in the last 7 days: there is nothing to simulate.\n');
    expect((await commandLine.causeway(['forecast', NAME, '--json'])).out).toBe('null\n');
  });

  it('says how long calls would have waited, and why', async () => {
    await served(70);
    const { out } = await commandLine.causeway(['forecast', NAME]);
    expect(out).toMatch(
      /^Old Mill: would have waited in \d minutes?, .* at the longest; \d+ calls refused; mainly/,
    );
    expect(out).toMatch(/^ {2}simulated: 70 calls from .* UTC, 70 requests at V3$/m);
    expect(out).toMatch(/^ {2}client\.get at \d\d:00 UTC: 100 % of the waiting, 1 request a call; spread/m);
    const told = JSON.parse((await commandLine.causeway(['forecast', NAME, '--json'])).out) as object;
    expect(told).toMatchObject({ calls: 70, requests: 70, causes: [{ method: 'client.get', share: 1 }] });
    const report = await commandLine.causeway(['status', '--format', 'json']);
    const words: unknown = expect.stringContaining('mainly because of client.get');
    expect(JSON.parse(report.out)).toMatchObject({ accounts: [{ forecast: { words } }] });
  });

  it('is erased with the calls', async () => {
    await served(70);
    await commandLine.causeway(['forecast', NAME]);
    expect(await commandLine.causeway(['forget', NAME, '--calls', '--yes'])).toMatchObject({ code: 0 });
    const report = await commandLine.causeway(['status', '--format', 'json']);
    expect(JSON.parse(report.out)).toMatchObject({ accounts: [{ forecast: null }] });
  });
});
