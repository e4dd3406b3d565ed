/**
 * Compares one account: makes each read of its programs on V1 and on V3 (and V2), one after the other.
 *
 * The reads come from the samples of its calls. If V1 no longer answers, its answer in the sample is the
 * baseline. What the mapping declares as lost on V2 does not count as a difference.
 */
import type { Account } from '../../features/accounts/account.ts';
import { hashesOf, Masking, unmasked } from '../../features/samples/masking.ts';
import type { KeptSample } from '../../features/samples/packed.ts';
import type { SampledElement } from '../../features/samples/sample.ts';
import { requestKey } from '../../features/samples/samples.ts';
import type { ReadAnswer } from '../../features/writes/settling/reads.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { LONGEST_REPLY } from '../../lib/xml/second/second-reader-thread.ts';
import { isRead } from '../../mapping/compile/reads.ts';
import type { Method } from '../../mapping/compile/model.ts';
import { compare, identifierOf, type ComparisonRules } from '../comparison/compare.ts';
import type { Difference } from '../../features/cutover/parity/difference.ts';
import { differingByDesign, optionalIn, undeclared } from '../comparison/declared.ts';
import { examplesOf, groupsOf, type FoundDifference } from '../comparison/groups.ts';
import { alike, baselineVerdict, givenIn, liveVerdict, type ReadVerdict } from '../comparison/verdict.ts';
import { CountedReads, type ComparedBy } from './alike-reads.ts';
import type { Asking, MovedAnswer } from './asking.ts';
import { changedRecord, isAmong, RecordChanges } from './record-changes.ts';
import { GENERIC } from '../../features/usage/names/account-use.ts';
import {
  isLasting,
  refusedByV1,
  uncompared,
  unread,
  withoutV1,
  FREE_TEXT,
  READ_ONCE,
  type Outcome,
} from './outcome.ts';
import { neverSampled, type UsedReads } from './never-sampled.ts';
import type {
  AlikeReads,
  Comparison,
  DifferenceExample,
  Uncompared,
} from '../../features/cutover/parity/model.ts';

/** Dependencies of a comparison. */
export interface ComparingParts {
  readonly asking: Asking;
  readonly methods: ReadonlyMap<string, Method>;
  readonly seal: Seal;
  /** Where two independent readers understand a reply differently; undefined if they agree. */
  readonly disagreement: (reply: string) => Promise<string | undefined>;
  readonly pageSizes: readonly number[];
  readonly now: () => number;
}

/** The result, with values that are stored only encrypted. */
export interface Compared {
  readonly comparison: Comparison;
  /** Keyed hashes of the compared reads. */
  readonly compared: ReadonlySet<string>;
  /** How many reads were taken over from an earlier comparison. */
  readonly taken: number;
  readonly examples: readonly DifferenceExample[];
}

const takenOver = (by: ComparedBy): Outcome => ({ outcome: 'compared', by, api: '', verdict: alike });

/** Combines reads of one method that have the same reason. */
const together = (missing: readonly Uncompared[]): readonly Uncompared[] =>
  Array.from(
    Map.groupBy(missing, ({ method, why, isTemporary }) =>
      JSON.stringify([method, why, isTemporary]),
    ).values(),
    ([first = unreachable(), ...rest]) => ({ ...first, reads: 1 + rest.length }),
  );

/** One comparison of one account. */
export class Comparing {
  readonly #parts: ComparingParts;
  readonly #account: Account;
  readonly #found: FoundDifference[] = [];
  readonly #changes: RecordChanges;

  constructor(parts: ComparingParts, account: Account) {
    this.#parts = parts;
    this.#account = account;
    this.#changes = new RecordChanges(parts, account);
  }

  /**
   * `progress` is called with the number of finished reads. `earlier`: reads that are taken over as alike instead of
   * being compared.
   */
  async run(
    samples: readonly KeptSample[],
    used: UsedReads,
    progress: (done: number) => void,
    earlier?: AlikeReads,
  ): Promise<Compared> {
    const wanted = samples.filter(({ method }) => this.#isRead(method));
    const counted = new CountedReads(earlier);
    const unsampled = neverSampled(wanted, used).filter(
      ({ method }) => method === GENERIC || this.#isRead(method),
    );
    const missing = [...unsampled];
    const compared = new Set<string>();
    for (const [at, sample] of wanted.entries()) {
      progress(at);
      const hashes = this.#hashesOf(sample);
      const taken = counted.take(hashes);
      const outcome = taken === undefined ? await this.#read(sample) : takenOver(taken);
      if (outcome.outcome === 'uncompared') {
        const { why, isTemporary } = outcome;
        missing.push({ method: sample.method, reads: 1, why, isTemporary });
        continue;
      }
      for (const hash of hashes) compared.add(hash);
      const { verdict, by } = outcome;
      counted.add(by, hashes, verdict);
      this.#note({ api: outcome.api, method: sample.method, read: hashes[0] ?? '' }, verdict);
    }
    const { seal } = this.#parts;
    // Under each key: that of an acceptance may have been made when another one was the first.
    const groups = groupsOf(this.#found, (text) => hashesOf(seal, `parity ${text}`).join(' '));
    const reads = wanted.length + unsampled.length;
    const facts = { at: this.#parts.now(), reads, ...counted.facts };
    return {
      comparison: {
        ...{ ...facts, groups, uncompared: together(missing) },
        isUnfinished: missing.some(({ isTemporary }) => isTemporary === true),
      },
      compared,
      taken: counted.taken,
      examples: examplesOf(this.#found),
    };
  }

  #isRead(id: string): boolean {
    const method = this.#parts.methods.get(id);
    return method !== undefined && isRead(method);
  }

  /** One for each encryption key, because an earlier comparison may have used another one. */
  #hashesOf({ method, request }: KeptSample): readonly string[] {
    return hashesOf(this.#parts.seal, `${this.#account.id} ${requestKey(method, request)}`);
  }

  #note(
    found: Pick<FoundDifference, 'api' | 'method' | 'read'>,
    { different, undecided }: ReadVerdict,
  ): void {
    for (const difference of different) this.#found.push({ ...found, isUndecided: false, difference });
    for (const difference of undecided) this.#found.push({ ...found, isUndecided: true, difference });
  }

  async #read(sample: KeptSample): Promise<Outcome> {
    const { asking } = this.#parts;
    const { request, method: id } = sample;
    if (request.isWithheld === true) return uncompared(FREE_TEXT);
    const method = this.#parts.methods.get(id);
    if (method === undefined) return uncompared('the mapping has no row for it');
    const before = await this.#onV1(request);
    const other = await asking.moved(this.#account, request);
    if (before.answer === 'refused') return refusedByV1(other);
    if (other.answer !== 'read') return this.#unread(before, other, sample);
    const readers = await this.#disagreement(other);
    const api = other.source;
    const verdict =
      before.answer === 'read'
        ? await this.#live(before.root, other, sample, method)
        : await this.#baseline(other, sample, method);
    if (verdict === undefined) return withoutV1(before);
    if (readers === 'too-long' && verdict.different.length === 0) return uncompared(READ_ONCE);
    return {
      outcome: 'compared',
      by: before.answer === 'read' ? 'live' : 'baseline',
      api,
      verdict: withReaders(verdict, readers),
    };
  }

  /** In what V3 sent; a reply of V2 is no XML before the bridge writes it. */
  async #disagreement({
    text,
    received = [],
  }: Extract<MovedAnswer, { answer: 'read' }>): Promise<Disagreement> {
    if (received === 'too-long') return received;
    for (const reply of received.length === 0 ? [text] : received) {
      const read = reply.toString();
      if (read.length > LONGEST_REPLY) return 'too-long';
      const detail = await this.#parts.disagreement(read);
      if (detail !== undefined) return { detail };
    }
    return undefined;
  }

  /** A reply that cannot be read may have been damaged on its way, so it is read once more. */
  async #onV1(request: KeptSample['request']): Promise<ReadAnswer> {
    const { asking } = this.#parts;
    const first = await asking.v1(this.#account, request);
    const isUnreadable = first.answer === 'failed' && first.isUnreadable === true;
    return isUnreadable ? asking.v1(this.#account, request) : first;
  }

  #unread(before: ReadAnswer, other: Exclude<ReadAnswer, { answer: 'read' }>, sample: KeptSample): Outcome {
    const isKnown = before.answer === 'read' || sample.reply !== undefined;
    const isPermission = other.answer === 'failed' && other.code === 'notPermitted';
    if (!isKnown) return withoutV1(before);
    if (other.answer === 'failed' && !isLasting(other)) return unread(other);
    const cause = isPermission ? 'permission' : 'refused';
    const difference: Difference = {
      cause,
      path: 'Response',
      records: [],
      before: '',
      after: '',
      detail: '',
    };
    const by = before.answer === 'read' ? 'live' : 'baseline';
    // A record of the baseline may have been deleted since.
    const isUndecided = by === 'baseline' && other.answer === 'refused';
    const verdict = isUndecided
      ? { ...alike, undecided: [difference] }
      : { ...alike, different: [difference] };
    return { outcome: 'compared', by, api: 'v3', verdict };
  }

  async #live(
    root: Parameters<typeof unmasked>[0],
    other: Extract<ReadAnswer, { answer: 'read' }>,
    { request }: KeptSample,
    method: Method,
  ): Promise<ReadVerdict> {
    const rules = this.#rules(method);
    const [one, two] = [unmasked(root), unmasked(other.root)];
    if (compare(one, two, rules).length === 0) return alike;
    const again = await this.#parts.asking.v1(this.#account, request);
    const verdict = liveVerdict(one, two, again.answer === 'read' ? unmasked(again.root) : one, rules);
    return { ...verdict, different: undeclared(verdict.different, method, other.source) };
  }

  async #baseline(
    other: Extract<ReadAnswer, { answer: 'read' }>,
    sample: KeptSample,
    method: Method,
  ): Promise<ReadVerdict | undefined> {
    const masking = Masking.of(this.#parts.seal, this.#account.id, sample.key);
    if (sample.reply === undefined || masking === undefined) return undefined;
    const rules = { ...this.#rules(method), isBaseline: true };
    const after = masking.masked(other.root, method);
    const differences = compare(sample.reply, after, rules);
    const real = undeclared(differences, method, other.source);
    if (real.length === 0) return alike;
    const own = ownIdentifier(sample.reply, method);
    const changed = await this.#changes.among(
      real.flatMap((one) => changedRecord(one, own) ?? []),
      method,
      { at: sample.at, masking },
    );
    return baselineVerdict(real, {
      changedSince: (one) => changed && isAmong(changed, changedRecord(one, own)),
      isOptional: optionalIn(method),
      isGiven: givenIn(after),
    });
  }

  #rules(method: Method): ComparisonRules {
    return { pageSizes: this.#parts.pageSizes, ignored: differingByDesign(method) };
  }
}

function unreachable(): never {
  throw new Error('reads with one reason are at least one');
}

/** Where the readers disagree on a reply; `too-long`: it was not read a second time. */
type Disagreement = { readonly detail: string } | 'too-long' | undefined;

function withReaders(verdict: ReadVerdict, readers: Disagreement): ReadVerdict {
  if (readers === undefined || readers === 'too-long') return verdict;
  const place = { path: 'Response', records: [], before: '', after: '' };
  return { ...verdict, different: [...verdict.different, { cause: 'readers', ...place, ...readers }] };
}

/** The identifier of a reply that is one record. */
function ownIdentifier(root: SampledElement, { reply }: Method): string {
  const record = reply.form === 'one' ? root.children.find(({ name }) => name === reply.element) : undefined;
  return (record && identifierOf(record)) ?? '';
}
