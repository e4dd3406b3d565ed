import { describe, expect, it } from '@jest/globals';
import type { LineVerdict } from '../../../src/features/accounts/import/import.ts';
import { AdminAccounts, type AdminAccountsParts } from '../../../src/features/admin/accounts.ts';
import { writePauses } from '../../../src/lib/time/pause.ts';
import { ApplicationNames } from '../../../src/upstream/application.ts';
import { HandClock } from '../../support/clock.ts';

/** Each line takes 10 ms. Returns the pauses of the import, each as what was imported before it. */
async function pausesOf(lines: number, dry: boolean): Promise<readonly string[]> {
  const clock = new HandClock();
  const pauses: string[] = [];
  let imported = 0;
  const parts: Pick<AdminAccountsParts, 'audit' | 'clock' | 'applicationNames' | 'importer' | 'pauses'> = {
    audit: { write: async () => undefined },
    clock,
    applicationNames: new ApplicationNames(),
    importer: {
      async *run(all): AsyncGenerator<LineVerdict> {
        for (const { line } of all) {
          clock.advance(10);
          imported += 1;
          yield { line, verdict: 'faulty', faults: [], lines: 1 };
        }
      },
      languageWarnings: () => [],
    },
    pauses: () =>
      writePauses({
        clock,
        pause: async (millis) => {
          pauses.push(`${millis} ms after ${imported}`);
          clock.advance(millis);
        },
      }),
  };
  const admin = new AdminAccounts(parts as AdminAccountsParts);
  const all = Array.from({ length: lines }, (_, at) => ({ line: at + 1, cells: {} }));
  expect(await admin.import(all, dry, 'ann')).toHaveLength(lines);
  return pauses;
}

describe('an import of accounts into a database that other processes write to', () => {
  it('leaves the lock of the database alone for 40 ms after each 100 ms of work', async () => {
    expect(await pausesOf(35, false)).toEqual(['40 ms after 10', '40 ms after 20', '40 ms after 30']);
  });

  it('does not pause if it is short, or only says what it would do', async () => {
    expect(await pausesOf(9, false)).toEqual([]);
    expect(await pausesOf(35, true)).toEqual([]);
  });
});
