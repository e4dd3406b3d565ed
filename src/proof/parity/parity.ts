/**
 * The proof before the switch: compares an account that has consented, remembers what came of it, and says what it means
 * for the move.
 *
 * A comparison may take minutes, because it leaves the service's limit to customers. It runs once at a time for each
 * account, whoever asks; `check` waits a little for it and otherwise says how far it is. One that is an hour old, or older
 * than the consent, is made again.
 */
import type { Account } from '../../features/accounts/account.ts';
import type { AccountRepository } from '../../features/accounts/model.ts';
import type { Samples } from '../../features/samples/samples.ts';
import { counted } from '../../features/status/report/words.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import { HOUR, MINUTE, SECOND, type Clock } from '../../lib/time/clock.ts';
import { within } from '../../lib/time/within.ts';
import type { Comparing } from './comparing.ts';
import type {
  Acceptance,
  Comparison,
  JudgedGroup,
  ParityMode,
  ParityReport,
  ParityVerdict,
} from './model.ts';
import type { StoredParity } from './stored-parity.ts';

/** What the proof works with. */
export interface ParityParts {
  readonly mode: ParityMode;
  readonly repository: Pick<AccountRepository, 'byId'>;
  readonly samples: Pick<Samples, 'find'>;
  readonly stored: StoredParity;
  readonly comparing: (account: Account) => Comparing;
  /** Writes what was taken of calls that this process has just served. */
  readonly flush: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/** What the check before the switch says. */
export interface ParityFinding {
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly detail: string;
  /** No operator can override it. */
  readonly isFinal: boolean;
}

const PATIENCE = 5 * SECOND;
const FRESH = HOUR;
const FRESH_IF_UNFINISHED = MINUTE;
const LONGEST_NAME = 100;
const LONGEST_REASON = 500;

/** An acceptance cannot be stored. */
export class AcceptanceRefused extends Error {}

/** Compares accounts and judges the outcome. */
export class Parity {
  readonly #parts: ParityParts;
  readonly #running = new Map<string, { readonly run: Promise<void>; done: number; of: number }>();

  constructor(parts: ParityParts) {
    this.#parts = parts;
  }

  get mode(): ParityMode {
    return this.#parts.mode;
  }

  /** Before the cut-over of an account that has consented. */
  async judge(account: Account, patience = PATIENCE): Promise<ParityFinding> {
    const { mode } = this.#parts;
    if (mode === 'off') return { result: 'skipped', detail: 'CAUSEWAY_PARITY is off', isFinal: false };
    await this.#fresh(account, patience);
    const { verdict, words } = await this.report(account);
    return { result: results[mode][verdict], detail: words, isFinal: mode === 'required' };
  }

  /** Compares now, whatever there is, and waits for it. */
  async compare(account: Account): Promise<ParityReport> {
    if ('binding' in account.life) await this.#begin(account);
    return this.report(account);
  }

  /** What is known. */
  async report(account: Account): Promise<ParityReport> {
    const { stored, mode } = this.#parts;
    const runs = await stored.runs(account.id);
    const comparison = runs.at(-1);
    const acceptances = await stored.acceptances(account.id);
    const groups = (comparison?.groups ?? []).map((group) => judged(group, acceptances));
    const running = this.#running.get(account.id);
    const verdict = running === undefined ? verdictOf(comparison, groups) : 'running';
    return {
      account: { id: account.id, name: account.name },
      ...{ mode, verdict, comparison, groups },
      words: wordsFor(verdict, comparison, groups, running),
      trend: runs.map(({ at, reads, alike }) => ({ at, reads, alike })),
    };
  }

  /**
   * Accepts differences as they are now: those with one of the keys, or all. Returns how many. Throws `AcceptanceRefused`.
   */
  async accept(
    account: Account,
    {
      keys,
      forAll,
      name,
      reason,
    }: {
      readonly keys: readonly string[] | undefined;
      readonly forAll: boolean;
      readonly name: string;
      readonly reason: string;
    },
  ): Promise<number> {
    const { stored, clock } = this.#parts;
    const given = { name: name.trim(), reason: reason.trim() };
    if (given.name === '' || given.name.length > LONGEST_NAME)
      throw new AcceptanceRefused('say who accepts it');
    if (given.reason === '' || given.reason.length > LONGEST_REASON)
      throw new AcceptanceRefused('say why it is accepted');
    const { groups } = await this.report(account);
    const wanted = groups.filter(({ key }) => keys === undefined || keys.includes(key));
    const unknown = keys?.find((key) => !groups.some((group) => group.key === key));
    if (unknown !== undefined) throw new AcceptanceRefused(`${account.name} has no difference ${unknown}`);
    for (const { key, signature } of wanted)
      await stored.accept({
        ...{ accountId: forAll ? undefined : account.id, difference: key, signature },
        ...{ ...given, at: clock.now() },
      });
    return wanted.length;
  }

  async #fresh(account: Account, patience: number): Promise<void> {
    const { stored, clock } = this.#parts;
    if (!this.#running.has(account.id)) {
      const last = (await stored.runs(account.id)).at(-1);
      const age = last?.isUnfinished === true ? FRESH_IF_UNFINISHED : FRESH;
      const isFresh = last !== undefined && last.at >= account.stageSince && clock.now() - last.at < age;
      if (isFresh && last.reads > 0) return;
    }
    await within(patience, this.#begin(account));
  }

  #begin(account: Account): Promise<void> {
    const known = this.#running.get(account.id);
    if (known !== undefined) return known.run;
    const state = { run: Promise.resolve(), done: 0, of: 0 };
    state.run = this.#run(account, state).finally(() => {
      this.#running.delete(account.id);
    });
    this.#running.set(account.id, state);
    return state.run;
  }

  /** Never rejects: the next check compares again. */
  async #run(account: Account, state: { done: number; of: number }): Promise<void> {
    const { samples, stored, comparing, flush, log } = this.#parts;
    try {
      await flush();
      const found = await samples.find(account.id, 'baseline');
      state.of = found.length;
      const comparison = await comparing(account).run(found, (done) => (state.done = done));
      await stored.put(account.id, comparison);
      const { reads, alike, different, undecided } = comparison;
      log.info('parity.compared', { account: account.id, reads, alike, different, undecided });
    } catch (error) {
      log.error('parity.failed', { account: account.id, error: wordsOf(error) });
    }
  }
}

const results: Readonly<
  Record<'required' | 'report', Readonly<Record<ParityVerdict, ParityFinding['result']>>>
> = {
  required: {
    ...{ alike: 'passed', accepted: 'passed', different: 'failed', undecided: 'failed' },
    ...{ 'not-provable': 'failed', unfinished: 'failed', running: 'failed', none: 'failed' },
  },
  report: {
    ...{ alike: 'passed', accepted: 'passed', different: 'failed', undecided: 'passed' },
    ...{ 'not-provable': 'skipped', unfinished: 'failed', running: 'failed', none: 'failed' },
  },
};

function judged(group: Comparison['groups'][number], acceptances: readonly Acceptance[]): JudgedGroup {
  const some = acceptances.filter(({ difference }) => difference === group.key);
  const accepted = some.find(({ signature }) => signature === group.signature);
  return { ...group, accepted, isVoid: accepted === undefined && some.length > 0 };
}

function verdictOf(comparison: Comparison | undefined, groups: readonly JudgedGroup[]): ParityVerdict {
  if (comparison === undefined) return 'none';
  const open = groups.filter(({ accepted }) => accepted === undefined);
  if (open.some(({ isUndecided }) => !isUndecided)) return 'different';
  if (comparison.isUnfinished) return 'unfinished';
  if (open.length > 0) return 'undecided';
  if (comparison.live + comparison.baseline === 0) return 'not-provable';
  return groups.length > 0 ? 'accepted' : 'alike';
}

function wordsFor(
  verdict: ParityVerdict,
  comparison: Comparison | undefined,
  groups: readonly JudgedGroup[],
  running: { readonly done: number; readonly of: number } | undefined,
): string {
  if (running !== undefined)
    return `the comparison is under way: ${running.done} of ${counted(running.of, 'read')}`;
  if (comparison === undefined) return 'nothing was compared yet';
  const { reads, live, baseline, alike, isUnfinished, uncompared } = comparison;
  if (verdict === 'not-provable')
    return reads === 0
      ? 'not provable: no read of its programs is known'
      : `not provable: none of ${counted(reads, 'read')} could be compared (${uncompared[0]?.why ?? ''})`;
  const open = groups.filter(({ accepted }) => accepted === undefined);
  const undecided = open.filter(({ isUndecided }) => isUndecided).length;
  const different = open.length - undecided;
  return [
    `${alike} of ${counted(live + baseline, 'read')} alike`,
    ...(different > 0 ? [`${counted(different, 'difference')} to be accepted or resolved`] : []),
    ...(undecided > 0 ? [`${undecided} undecided`] : []),
    ...acceptedWords(groups),
    ...uncomparedWords(uncompared, isUnfinished),
  ].join('; ');
}

function acceptedWords(groups: readonly JudgedGroup[]): readonly string[] {
  const by = Map.groupBy(
    groups.flatMap(({ accepted }) => accepted ?? []),
    ({ name, at, reason }) => `by ${name} on ${new Date(at).toISOString().slice(0, 10)}: ${reason}`,
  );
  return Array.from(by, ([who, some]) => `${counted(some.length, 'named difference')} accepted ${who}`);
}

function uncomparedWords(uncompared: Comparison['uncompared'], isUnfinished: boolean): readonly string[] {
  const reads = uncompared.reduce((sum, one) => sum + one.reads, 0);
  if (reads === 0) return [];
  return [`${counted(reads, 'read')} not compared${isUnfinished ? ', some of them for the time being' : ''}`];
}
