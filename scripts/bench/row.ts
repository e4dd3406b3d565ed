import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { spreadOf } from './figures.ts';

/** One figure of a run, as written by `--json`. */
export interface Row {
  readonly section: string;
  readonly subject: string;
  /** The number of accounts that called in turn. */
  readonly accounts: number;
  /** Median processor time of one request; null: something else was measured. */
  readonly cpuMicros: number | null;
  /** Median ratio to the peer in the same rounds; null: there is no peer. */
  readonly ratio: number | null;
  readonly peer: string | null;
  /** Its peak memory; null: not measured. */
  readonly peakMb: number | null;
  /** Further measurements, by name: milliseconds, megabytes. */
  readonly other?: Readonly<Record<string, number>>;
}

/** The report written by `--json`. */
export interface Report {
  readonly machine: string;
  readonly commit: string;
  readonly rows: readonly Row[];
}

/** The machine in one line, without which a figure cannot be judged. */
export const machine = (): string =>
  `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`;

/** The measured commit, with a plus if there are changes; `unknown` outside of a repository. */
export function commit(): string {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no').trim() !== '';
    return git('rev-parse', '--short', 'HEAD').trim() + (changed ? '+' : '');
  } catch {
    return 'unknown';
  }
}

/** Rows of subjects that were measured in turn. `micros`: converts one of their figures to microseconds per request. */
export function rowsOf(
  figures: ReadonlyMap<string, readonly number[]>,
  about: {
    readonly section: string;
    readonly peer: string;
    readonly micros: number;
    readonly accounts?: ReadonlyMap<string, number>;
    readonly peakMb?: ReadonlyMap<string, number>;
  },
): readonly Row[] {
  const base = figures.get(about.peer);
  return Array.from(figures, ([subject, values]) => ({
    section: about.section,
    subject,
    accounts: about.accounts?.get(subject) ?? 1,
    cpuMicros: spreadOf(values).median * about.micros,
    ratio:
      base === undefined
        ? null
        : spreadOf(values.map((value, run) => value / (base[run] ?? Number.NaN))).median,
    peer: base === undefined ? null : about.peer,
    peakMb: about.peakMb?.get(subject) ?? null,
  }));
}
