import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openStore } from '../../src/app/store.ts';
import { lose } from '../../src/features/accounts/account.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
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

async function flag(words: string): Promise<void> {
  const store = await openStore(commandLine.env.CAUSEWAY_DATABASE_URL ?? '');
  const [account] = await store.accounts.list();
  const now = systemClock.now();
  const accountId = account?.id ?? '';
  await store.watches.begin(
    { accountId, movedAt: now },
    { until: now + 1_000, before: '', calls: { calls: 0, errors: 0 } },
  );
  await store.watches.found(accountId, [{ key: 'errors', words }], now);
  await store.close();
}

it('causeway watch says why an account is not watched', async () => {
  const store = await openStore(commandLine.env.CAUSEWAY_DATABASE_URL ?? '');
  const [account] = await store.accounts.list();
  const binding = { grantId: 'g', organisation: { id: 'o', name: 'O' } };
  await store.accounts.change(account?.id ?? '', () => ({ stage: 'migrated', binding }), {
    ...{ at: systemClock.now(), kind: 'migrated', actor: 'bridge', detail: '' },
  });
  await store.close();
  expect((await commandLine.causeway(['watch', NAME])).out).toBe(
    'Old Mill is not watched: its watch begins 2 minutes after its move.\n',
  );
  const again = await openStore(commandLine.env.CAUSEWAY_DATABASE_URL ?? '');
  await again.accounts.change(account?.id ?? '', (life) => lose(life, 'disconnected'), {
    ...{ at: systemClock.now(), kind: 'lost', actor: 'bridge', detail: '' },
  });
  await again.close();
  expect((await commandLine.causeway(['watch', NAME])).out).toBe(
    'Old Mill is not watched: its connection has ended.\n',
  );
  commandLine.env.CAUSEWAY_WATCH_DAYS = '0';
  expect((await commandLine.causeway(['watch', NAME])).out).toBe(
    'Old Mill is not watched: CAUSEWAY_WATCH_DAYS is 0.\n',
  );
});

it('causeway watch shows the differences since a move, and removes the flag only with a reason', async () => {
  expect((await commandLine.causeway(['watch', NAME])).out).toBe(
    'Old Mill is not watched: it has not moved.\n',
  );
  await flag('8 of 12 calls failed since the move, 0 of 90 before');
  expect((await commandLine.causeway(['watch', NAME])).out).toMatch(
    /^Old Mill: flagged since [\d-]+ [\d:]+ UTC; watched until .*\n {2}8 of 12 calls failed since the move, 0 of 90 before\n$/,
  );
  expect((await commandLine.causeway(['watch', NAME, '--dismiss'])).code).not.toBe(0);
  const dismissed = await commandLine.causeway(['watch', NAME, '--dismiss', '--reason', 'a test run']);
  expect(dismissed.out).toMatch(/nothing to look at.*\n.*\(dismissed\)\n {2}dismissed by .*: a test run\n$/);
  const again = await commandLine.causeway(['watch', NAME, '--dismiss', '--reason', 'again']);
  expect([again.code !== 0, again.err]).toEqual([true, expect.stringContaining('is not flagged')]);
});
