/**
 * The proof before the switch: compares an account that has consented, stores the result, and decides what it
 * means for the move.
 *
 * A comparison may take minutes, because it leaves the service's limit to customers. Each account has at most
 * one at a time; `check` waits briefly for it, or reports its progress. When it is repeated is in `repeating.ts`.
 * One through another connection, or one that could not be repeated, proves nothing.
 */
import type { Account } from '../../features/accounts/account.ts';
import type { AccountRepository } from '../../features/accounts/model.ts';
import type { Samples } from '../../features/samples/samples.ts';
import { findingsOf } from '../../features/cutover/parity/findings.ts';
import {
  acceptedBy,
  judged,
  parityWords,
  signedBy,
  summaryOf,
  verdictOf,
} from '../../features/cutover/parity/judging.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import { SECOND, type Clock } from '../../lib/time/clock.ts';
import { within } from '../../lib/time/within.ts';
import { bindingOf, isOfOrganisation, isSame, ofPresent } from './binding.ts';
import type { Compared, Comparing } from './comparing.ts';
import type { UsedReads } from './never-sampled.ts';
import { repetitionOf, wholeSince, type ComparisonFailure, type Repetition } from './repeating.ts';
import { withStillOpen } from './still-open.ts';
import {
  type Comparison,
  type DifferenceExample,
  type GivenAcceptance,
  type ParityMode,
  type ParityMoment,
  type ParityProof,
  type ParityReport,
  type ParityVerdict,
} from '../../features/cutover/parity/model.ts';
import { counted } from '../../lib/text/counted.ts';
import type { Examples } from '../../features/cutover/parity/examples.ts';
import type { StoredParity } from '../../features/cutover/parity/stored-parity.ts';

/** Dependencies of the proof. */
export interface ParityParts {
  readonly mode: ParityMode;
  readonly repository: Pick<AccountRepository, 'byId' | 'timeline'>;
  readonly samples: Pick<Samples, 'find'>;
  readonly stored: StoredParity;
  readonly comparing: (account: Account) => Comparing | Promise<Comparing>;
  /** What the account's programs use, with or without a sample. */
  readonly used: (accountId: string) => Promise<UsedReads>;
  /** Writes the samples and counts of the account's calls that this process has just served. */
  readonly flush: (accountId: string) => Promise<void>;
  readonly examples: Examples;
  readonly clock: Clock;
  readonly log: Log;
}

/** The result of the check before the switch. */
export interface ParityFinding {
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly detail: string;
  /** Whether an operator cannot override it. */
  readonly isFinal: boolean;
}

const PATIENCE = 5 * SECOND;
const MOST_TURNS = 3;
const CONNECTED_ANEW = 'the connection of the account changed meanwhile';

/** Compares accounts and judges the outcome. */
export class Parity implements ParityProof {
  readonly #parts: ParityParts;
  readonly #running = new Map<string, { readonly run: Promise<void>; done: number; of: number }>();
  /** When and why the last comparison of an account ended without a result. */
  readonly #failures = new Map<string, ComparisonFailure>();

  constructor(parts: ParityParts) {
    this.#parts = parts;
  }

  get mode(): ParityMode {
    return this.#parts.mode;
  }

  /** Judges an account that has consented, before its cut-over. */
  async judge(account: Account, moment: ParityMoment, patience = PATIENCE): Promise<ParityFinding> {
    const { mode } = this.#parts;
    if (mode === 'off') return { result: 'skipped', detail: 'CAUSEWAY_PARITY is off', isFinal: false };
    if (moment === 'forced' && mode === 'report')
      return { result: 'skipped', detail: 'the operator decides', isFinal: false };
    await this.#refresh(account, moment, patience);
    const { verdict, words } = await this.report(account);
    return { result: results[mode][verdict], detail: words, isFinal: mode === 'required' };
  }

  /** Compares now, even if there is a recent comparison, and waits for it. */
  async compare(account: Account): Promise<ParityReport> {
    if ('binding' in account.life) await this.#begin(account, 'everything');
    return this.report(account);
  }

  async start(account: Account): Promise<ParityReport> {
    // The report shows its outcome later.
    if ('binding' in account.life) void this.#begin(account, 'everything');
    return this.report(account);
  }

  /** Reports what is known. */
  async report(account: Account): Promise<ParityReport> {
    const { mode } = this.#parts;
    const { runs, comparison, groups, verdict, words } = await this.#known(account);
    return {
      account: { id: account.id, name: account.name },
      ...{ mode, comparison: comparison && { ...comparison, alikeReads: undefined }, groups },
      ...{ verdict, words, ...this.#unfinished(account, comparison, words) },
      trend: runs
        .filter((run) => isOfOrganisation(run, account))
        .map(summaryOf)
        .map(({ at, reads, compared, alike }) => ({ at, reads, compared, alike })),
    };
  }

  /** The last comparison through the present connection, and what it means. */
  async #known(account: Account) {
    const { stored, repository } = this.#parts;
    const runs = await stored.runs(account.id);
    const present = await ofPresent(runs, account, (id) => repository.timeline(id));
    const comparison = present.at(-1);
    const acceptances = await stored.acceptances(account.id);
    const findings = comparison === undefined ? [] : findingsOf(comparison);
    const groups = findings.map((group) => judged(group, acceptances));
    const summary = comparison && summaryOf(comparison);
    const verdict = verdictOf(summary, groups);
    return { runs, present, comparison, groups, verdict, words: parityWords(summary, groups) };
  }

  /** Takes the place of the verdict while a comparison runs, or if the last one failed. */
  #unfinished(
    { id }: Account,
    last: Comparison | undefined,
    before: string,
  ): Pick<ParityReport, 'verdict' | 'words'> | undefined {
    const running = this.#running.get(id);
    if (running !== undefined) return { verdict: 'running', words: runningWords(running) };
    const failure = this.#failureSince(id, last);
    if (failure === undefined) return undefined;
    const words = `the last comparison failed: ${failure.why}; before it: ${before}`;
    return { verdict: 'unfinished', words };
  }

  /** The failure of a comparison after this one; another process may have made one meanwhile. */
  #failureSince(id: string, last: Comparison | undefined): ComparisonFailure | undefined {
    const failure = this.#failures.get(id);
    return failure === undefined || (last !== undefined && last.at > failure.at) ? undefined : failure;
  }

  examples({ id }: Account): Promise<readonly DifferenceExample[]> {
    return this.#parts.examples.of(id);
  }

  /**
   * Accepts differences as they are now: those with the given keys, or all open ones, except in reads that
   * are repeated anyway. Throws `AcceptanceRefused`, also if one is not as it was seen.
   */
  async accept(account: Account, given: GivenAcceptance): Promise<number> {
    const { stored, clock } = this.#parts;
    const by = signedBy(given);
    const wanted = acceptedBy(account.name, (await this.report(account)).groups, given);
    for (const { key, signature } of wanted)
      await stored.accept({
        ...{ accountId: given.forAll ? undefined : account.id, difference: key, signature },
        ...{ ...by, at: clock.now() },
      });
    return wanted.length;
  }

  /** Makes the comparisons that are due, or waits for the one that is running, as long as there is patience. */
  async #refresh(account: Account, moment: ParityMoment, patience: number): Promise<void> {
    const begun = this.#parts.clock.now();
    // One that was running, then what was open, and if that has passed before a move, everything.
    for (let turn = 0; turn < MOST_TURNS; turn += 1) {
      const isRunning = this.#running.has(account.id);
      const due = isRunning ? 'open' : await this.#due(account, moment, begun);
      if (due === 'nothing') return;
      await within(patience, this.#begin(account, due));
      if (this.#running.has(account.id)) return;
    }
  }

  async #due(account: Account, moment: ParityMoment, begun: number): Promise<Repetition> {
    const { mode, clock } = this.#parts;
    const { present: runs, comparison, verdict } = await this.#known(account);
    const known = {
      runs,
      failure: this.#failureSince(account.id, comparison),
      passes: mode !== 'off' && results[mode][verdict] !== 'failed',
    };
    return repetitionOf(known, moment, begun, clock.now());
  }

  /** Joins one in progress. */
  #begin(account: Account, what: Repetition): Promise<void> {
    const known = this.#running.get(account.id);
    if (known !== undefined) return known.run;
    const state = { run: Promise.resolve(), done: 0, of: 0 };
    state.run = this.#run(account, what, state).finally(() => {
      this.#running.delete(account.id);
    });
    this.#running.set(account.id, state);
    return state.run;
  }

  /** Adds what an earlier comparison of this organisation found, through any grant, and this one could not check. */
  async #withOpen(account: Account, compared: Compared): Promise<Pick<Compared, 'comparison' | 'examples'>> {
    const runs = await this.#parts.stored.runs(account.id);
    const last = runs.findLast((run) => isOfOrganisation(run, account));
    const groups = withStillOpen(last, compared);
    const comparison = { ...compared.comparison, groups };
    const open = groups.filter(({ lastSeen }) => lastSeen !== undefined);
    if (open.length === 0) return { ...compared, comparison };
    const keys = new Set(open.map(({ key }) => key));
    const values = (await this.#parts.examples.of(account.id)).filter(({ key }) => keys.has(key));
    return { comparison, examples: [...compared.examples, ...values] };
  }

  /** Never rejects: the next check compares again. */
  async #run(account: Account, what: Repetition, state: { done: number; of: number }): Promise<void> {
    const { clock, log } = this.#parts;
    try {
      const { reads, alike, different, undecided } = await this.#compared(account, what, state);
      this.#failures.delete(account.id);
      log.info('parity.compared', { account: account.id, reads, alike, different, undecided });
    } catch (error) {
      const why = wordsOf(error);
      const isAgain = this.#failures.get(account.id)?.why === why;
      this.#failures.set(account.id, { at: clock.now(), why, isAgain });
      log.error('parity.failed', { account: account.id, error: why });
    }
  }

  /** Rejects if there is no result. */
  async #compared(
    account: Account,
    what: Repetition,
    state: { done: number; of: number },
  ): Promise<Comparison> {
    const { repository, samples, stored, examples: kept, comparing, used, flush } = this.#parts;
    await flush(account.id);
    const found = await samples.find(account.id, 'baseline');
    state.of = found.length;
    const { comparison: last } = await this.#known(account);
    const own = await comparing(account);
    const compared = await own.run(
      found,
      await used(account.id),
      (done) => (state.done = done),
      what === 'open' ? last?.alikeReads : undefined,
    );
    const { comparison: merged, examples } = await this.#withOpen(account, compared);
    const binding = bindingOf(account);
    const now = await repository.byId(account.id);
    // Each call used the connection of its moment, so a part of the answers may be another organisation's.
    if (now === undefined || !isSame(bindingOf(now), binding)) throw new Error(CONNECTED_ANEW);
    const wholeAt = compared.taken > 0 && last !== undefined ? wholeSince(last) : merged.at;
    const comparison = { ...merged, binding, wholeAt };
    await stored.put(account.id, comparison, await kept.sealed(account.id, examples));
    return comparison;
  }
}

const runningWords = ({ done, of }: { readonly done: number; readonly of: number }): string =>
  `the comparison is under way: ${done} of ${counted(of, 'read')}`;

const results: Readonly<
  Record<'required' | 'report', Readonly<Record<ParityVerdict, ParityFinding['result']>>>
> = {
  required: {
    ...{ alike: 'passed', accepted: 'passed', different: 'failed', undecided: 'failed' },
    incomplete: 'failed',
    ...{ 'not-provable': 'failed', unfinished: 'failed', running: 'failed', none: 'failed' },
  },
  report: {
    ...{ alike: 'passed', accepted: 'passed', different: 'failed', undecided: 'passed' },
    // Reported, but passed: what cannot be compared is not known to differ.
    incomplete: 'passed',
    ...{ 'not-provable': 'skipped', unfinished: 'failed', running: 'failed', none: 'failed' },
  },
};
