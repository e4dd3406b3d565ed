import { availableParallelism, totalmem } from 'node:os';
import { counted } from '../../lib/text/counted.ts';
import { ok, warning, type Verdict } from './model.ts';

const MB = 1024 * 1024;

/**
 * The needs of a bridge for up to a number of accounts; docs/operate/doctor.md has the same table, from figures of
 * docs/operate/sizing.md.
 */
interface Size {
  readonly accounts: number;
  readonly cores: number;
  readonly megabytes: number;
  /** Whether one SQLite file is still sufficient. */
  readonly sqlite: boolean;
}

/** The sizing table, smallest first. */
export const sizes: readonly Size[] = [
  { accounts: 500, cores: 1, megabytes: 768, sqlite: true },
  { accounts: 5_000, cores: 2, megabytes: 1_024, sqlite: true },
  { accounts: Infinity, cores: 2, megabytes: 2_048, sqlite: false },
];

/** The resources of a machine, or of the container on it. */
export interface Machine {
  readonly cores: number;
  readonly megabytes: number;
}

/** The processors and memory that this process may use, within the limits of its container. */
export function machine(): Machine {
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return { cores: availableParallelism(), megabytes: Math.round(memory / MB) };
}

/** Compares a machine with the row of the sizing table. */
export function judgeSize(
  { cores, megabytes }: Machine,
  accounts: number,
  isSqlite: boolean,
): readonly Verdict[] {
  const size = sizes.find((one) => accounts <= one.accounts);
  if (size === undefined) return [];
  const lacks = [
    ...(cores < size.cores
      ? [warning(`${cores} processors for ${counted(accounts, 'account')}`, `give it ${size.cores}`)]
      : []),
    ...(megabytes < size.megabytes
      ? [
          warning(
            `${megabytes} MB of memory for ${counted(accounts, 'account')}`,
            `give it ${size.megabytes} MB`,
          ),
        ]
      : []),
    ...(isSqlite && !size.sqlite
      ? [
          warning(
            `one SQLite file for ${counted(accounts, 'account')}`,
            'use PostgreSQL and two bridges (docs/deploy/instances.md)',
          ),
        ]
      : []),
  ];
  return lacks.length > 0
    ? lacks
    : [ok(`${counted(accounts, 'account')}, ${cores} processors, ${megabytes} MB of memory`)];
}
