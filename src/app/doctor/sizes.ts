import { availableParallelism, totalmem } from 'node:os';
import { ok, warning, type Verdict } from './model.ts';

const MB = 1024 * 1024;

/** What a bridge needs for up to so many accounts; docs/operate/doctor.md has the same table, from figures of docs/operate/sizing.md. */
interface Size {
  readonly accounts: number;
  readonly cores: number;
  readonly megabytes: number;
  /** Whether one SQLite file will still do. */
  readonly sqlite: boolean;
}

/** The sizing table, smallest first. */
export const sizes: readonly Size[] = [
  { accounts: 500, cores: 1, megabytes: 768, sqlite: true },
  { accounts: 5_000, cores: 2, megabytes: 1_024, sqlite: true },
  { accounts: Infinity, cores: 2, megabytes: 2_048, sqlite: false },
];

/** What a machine, or the container on it, has. */
export interface Machine {
  readonly cores: number;
  readonly megabytes: number;
}

/** Processors and memory that this process may use; in a container, what its limits leave. */
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
      ? [warning(`${cores} processors for ${accounts} accounts`, `give it ${size.cores}`)]
      : []),
    ...(megabytes < size.megabytes
      ? [warning(`${megabytes} MB of memory for ${accounts} accounts`, `give it ${size.megabytes} MB`)]
      : []),
    ...(isSqlite && !size.sqlite
      ? [
          warning(
            `one SQLite file for ${accounts} accounts`,
            'use PostgreSQL and two bridges (docs/deploy/instances.md)',
          ),
        ]
      : []),
  ];
  return lacks.length > 0
    ? lacks
    : [ok(`${accounts} accounts, ${cores} processors, ${megabytes} MB of memory`)];
}
