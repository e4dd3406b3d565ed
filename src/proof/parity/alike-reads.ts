import type { AlikeReads } from '../../features/cutover/parity/model.ts';
import type { ReadVerdict } from '../comparison/verdict.ts';

/** What a read was compared with. */
export type ComparedBy = 'live' | 'baseline';

/** Enough to tell the few hundred reads of one account apart; before the move all of them are compared again. */
const LENGTH = 10;

/** The reads of a comparison, counted while they are compared. */
export class CountedReads {
  /** How many were taken over from an earlier comparison. */
  taken = 0;
  readonly #counts = { different: 0, undecided: 0, live: 0, baseline: 0, changed: 0, noise: 0 };
  readonly #alike: { live: string[]; baseline: string[]; changed: number; noise: number };
  readonly #earlier: ReadonlyMap<string, ComparedBy>;

  constructor(earlier: AlikeReads | undefined) {
    const { live = [], baseline = [], changed = 0, noise = 0 } = earlier ?? {};
    this.#alike = { live: [], baseline: [], changed, noise };
    this.#earlier = new Map([
      ...live.map((read) => [read, 'live'] as const),
      ...baseline.map((read) => [read, 'baseline'] as const),
    ]);
  }

  /** What an earlier comparison found alike; undefined if it has to be compared. One hash for each encryption key. */
  take(hashes: readonly string[]): ComparedBy | undefined {
    const by = hashes.map(short).flatMap((hash) => this.#earlier.get(hash) ?? [])[0];
    if (by !== undefined) this.taken += 1;
    return by;
  }

  add(by: ComparedBy, hashes: readonly string[], verdict: ReadVerdict): void {
    const { different, undecided, changed, noise } = verdict;
    const isAlike = different.length + undecided.length === 0;
    this.#counts[by] += 1;
    if (isAlike) this.#alike[by].push(short(hashes[0] ?? ''));
    else this.#counts[different.length > 0 ? 'different' : 'undecided'] += 1;
    const values = isAlike ? this.#alike : this.#counts;
    values.changed += changed;
    values.noise += noise;
  }

  get facts() {
    const { live, baseline, changed, noise } = this.#alike;
    return {
      ...{ alikeReads: this.#alike, ...this.#counts, alike: live.length + baseline.length },
      ...{ changed: this.#counts.changed + changed, noise: this.#counts.noise + noise },
    };
  }
}

const short = (hash: string): string => hash.slice(0, LENGTH);
