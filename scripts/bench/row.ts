import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { spreadOf } from './figures.ts';

/** One figure of a run, as `--json` writes it. */
export interface Row {
  readonly section: string;
  readonly subject: string;
  /** How many accounts called in turn. */
  readonly accounts: number;
  /** Processor time of one request, median; null: something else was measured. */
  readonly cpuMicros: number | null;
  /** To the peer in the same rounds, median; null: there is none. */
  readonly ratio: number | null;
  readonly peer: string | null;
  /** The most memory it had; null: not measured. */
  readonly peakMb: number | null;
  /** What else was measured, by name: milliseconds, megabytes. */
  readonly other?: Readonly<Record<string, number>>;
}

/** What `--json` writes. */
export interface Report {
  readonly machine: string;
  readonly commit: string;
  readonly rows: readonly Row[];
}

/** The machine in a line: what a figure cannot be judged without. */
export const machine = (): string =>
  `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`;

/** The commit that is measured, with a plus if there are changes; `unknown` outside of a repository. */
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

/** Rows of subjects that were measured in turn. `micros`: how many microseconds of a request one of their figures is. */
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
