import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeMigration } from '../../../scripts/bench/migration.ts';
import { boardSchema, stageNames, type Board } from '../../../src/features/status/model.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { Status } from '../../../src/features/status/status.ts';
import { openStore, type Store } from '../../../src/app/store.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const ACCOUNTS = 1_000;

describe('the board of a migration half way', () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-board-'));
  let store: Store;
  let status: Status;
  let board: Board;
  beforeAll(async () => {
    const path = join(folder, 'half-way.db');
    await makeMigration({ path, accounts: ACCOUNTS, now: NOW });
    store = await openStore(`sqlite:${path}`);
    status = new Status({
      rows: store.board,
      clock: { now: () => NOW },
      options: { refreshLife: 60 * DAY, v1End: '2027-06-30', mails: true },
    });
    board = await status.board();
  });
  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it('has the published form and every account', () => {
    expect(boardSchema.safeParse(board).error).toBeUndefined();
    expect(new Set(board.accounts.map(({ id }) => id)).size).toBe(ACCOUNTS);
  });

  it('agrees with the counts of the metrics', async () => {
    const census = await store.census.take(NOW);
    expect(census.accounts).toEqual(board.totals.stages);
    expect(census.unlearned).toBe(board.totals.unlearned);
    // Each account of the set was invited once at most.
    const { none: uninvited, ...invitations } = board.totals.invitations;
    expect(uninvited).toBe(ACCOUNTS / 10);
    expect(census.invitations).toEqual(invitations);
  });

  it('agrees with its own history, which begins on the first day', async () => {
    const { day, ...today } = board.history.at(-1) ?? { day: '' };
    expect({ day, ...today }).toEqual({ day: '2026-11-20', ...board.totals.stages });
    expect(board.history).toHaveLength(91);
    for (const each of board.history)
      expect(stageNames.reduce((sum, stage) => sum + each[stage], 0)).toBe(ACCOUNTS);
    await store.history.record(NOW);
    expect((await status.board()).history).toEqual(board.history);
  });

  it('agrees with the account’s own pages', async () => {
    const calling = board.accounts.find(({ calls24h }) => calls24h > 0);
    const hours = await store.calls.hours(calling?.id ?? '', NOW - DAY);
    expect(hours.reduce((sum, { calls }) => sum + calls, 0)).toBe(calling?.calls24h);
  });

  it('is asked of the database once for all who ask together', async () => {
    const [one, other] = await Promise.all([status.board(), status.board()]);
    expect(one).toBe(other);
  });
});
