/**
 * The proof before the switch: compares an account that has consented, stores the result, and decides what it
 * means for the move.
 *
 * A comparison may take minutes, because it leaves the service's limit to customers. Each account has at most
 * one at a time; `check` waits briefly for it, or reports its progress. A comparison that is an hour old is
 * repeated. One through another connection, or one that could not be repeated, proves nothing.
 */
import type { Account } from '../../features/accounts/account.ts';
import type { AccountRepository } from '../../features/accounts/model.ts';
import type { Samples } from '../../features/samples/samples.ts';
import { findingsOf } from '../../features/cutover/parity/findings.ts';
import { judged, parityWords, summaryOf, verdictOf } from '../../features/cutover/parity/judging.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import { HOUR, MINUTE, SECOND, type Clock } from '../../lib/time/clock.ts';
import { within } from '../../lib/time/within.ts';
import { bindingOf, isOf, isSame } from './binding.ts';
import type { Compared, Comparing } from './comparing.ts';
import type { UsedReads } from './never-sampled.ts';
import { withStillOpen } from './still-open.ts';
import {
  AcceptanceRefused,
  type Comparison,
  type DifferenceExample,
  type GivenAcceptance,
  type ParityMode,
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
  readonly repository: Pick<AccountRepository, 'byId'>;
  readonly samples: Pick<Samples, 'find'>;
  readonly stored: StoredParity;
  readonly comparing: (account: Account) => Comparing;
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
const FRESH = HOUR;
const FRESH_IF_UNFINISHED = MINUTE;
const LONGEST_NAME = 100;
const LONGEST_REASON = 500;
const CONNECTED_ANEW = 'the connection of the account changed meanwhile';

/** Compares accounts and judges the outcome. */
export class Parity implements ParityProof {
  readonly #parts: ParityParts;
  readonly #running = new Map<string, { readonly run: Promise<void>; done: number; of: number }>();
  /** When and why the last comparison of an account ended without a result. */
  readonly #failures = new Map<string, { readonly at: number; readonly why: string }>();

  constructor(parts: ParityParts) {
    this.#parts = parts;
  }

  get mode(): ParityMode {
    return this.#parts.mode;
  }

  /** Judges an account that has consented, before its cut-over. */
  async judge(account: Account, patience = PATIENCE): Promise<ParityFinding> {
    const { mode } = this.#parts;
    if (mode === 'off') return { result: 'skipped', detail: 'CAUSEWAY_PARITY is off', isFinal: false };
    await this.#fresh(account, patience);
    const { verdict, words } = await this.report(account);
    return { result: results[mode][verdict], detail: words, isFinal: mode === 'required' };
  }

  /** Compares now, even if there is a recent comparison, and waits for it. */
  async compare(account: Account): Promise<ParityReport> {
    if ('binding' in account.life) await this.#begin(account);
    return this.report(account);
  }

  async start(account: Account): Promise<ParityReport> {
    // The report shows its outcome later.
    if ('binding' in account.life) void this.#begin(account);
    return this.report(account);
  }

  /** Reports what is known. */
  async report(account: Account): Promise<ParityReport> {
    const { stored, mode } = this.#parts;
    const runs = await stored.runs(account.id);
    const comparison = runs.findLast((run) => isOf(run, account));
    const acceptances = await stored.acceptances(account.id);
    const findings = comparison === undefined ? [] : findingsOf(comparison);
    const groups = findings.map((group) => judged(group, acceptances));
    const summary = comparison && summaryOf(comparison);
    const known = { verdict: verdictOf(summary, groups), words: parityWords(summary, groups) };
    return {
      account: { id: account.id, name: account.name },
      ...{ mode, comparison, groups, ...known, ...this.#unfinished(account, comparison, known.words) },
      trend: runs.map(summaryOf).map(({ at, reads, compared, alike }) => ({ at, reads, compared, alike })),
    };
  }

  /** Takes the place of the verdict while a comparison runs, or if the last one failed. */
  #unfinished(
    { id }: Account,
    last: Comparison | undefined,
    before: string,
  ): Pick<ParityReport, 'verdict' | 'words'> | undefined {
    const running = this.#running.get(id);
    if (running !== undefined) return { verdict: 'running', words: runningWords(running) };
    const why = this.#failureSince(id, last);
    if (why === undefined) return undefined;
    return { verdict: 'unfinished', words: `the last comparison failed: ${why}; before it: ${before}` };
  }

  /** Why no comparison succeeded after this one; another process may have made one meanwhile. */
  #failureSince(id: string, last: Comparison | undefined): string | undefined {
    const failure = this.#failures.get(id);
    return failure === undefined || (last !== undefined && last.at > failure.at) ? undefined : failure.why;
  }

  examples({ id }: Account): Promise<readonly DifferenceExample[]> {
    return this.#parts.examples.of(id);
  }

  /**
   * Accepts differences as they are now: those with the given keys, or all open ones, except in reads that
   * are repeated anyway. Throws `AcceptanceRefused`.
   */
  async accept(account: Account, { keys, forAll, name, reason }: GivenAcceptance): Promise<number> {
    const { stored, clock } = this.#parts;
    const given = { name: name.trim(), reason: reason.trim() };
    if (given.name === '' || given.name.length > LONGEST_NAME)
      throw new AcceptanceRefused('say who accepts it');
    if (given.reason === '' || given.reason.length > LONGEST_REASON)
      throw new AcceptanceRefused('say why it is accepted');
    const { groups } = await this.report(account);
    const wanted = groups.filter(({ key, cause, accepted }) =>
      keys === undefined ? accepted === undefined && cause !== 'not-yet' : keys.includes(key),
    );
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
    if (!this.#running.has(account.id)) {
      const last = await this.#lastOf(account);
      const age = last?.isUnfinished === true ? FRESH_IF_UNFINISHED : FRESH;
      const isFresh = last !== undefined && this.#parts.clock.now() - last.at < age;
      if (isFresh && last.reads > 0 && this.#failureSince(account.id, last) === undefined) return;
    }
    await within(patience, this.#begin(account));
  }

  /** The last comparison through the present connection. */
  async #lastOf(account: Account): Promise<Comparison | undefined> {
    return (await this.#parts.stored.runs(account.id)).findLast((run) => isOf(run, account));
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

  /**
   * Adds differences that an earlier comparison of this connection found and this one could not check again.
   */
  async #withOpen(account: Account, compared: Compared): Promise<Omit<Compared, 'compared'>> {
    const groups = withStillOpen(await this.#lastOf(account), compared);
    const comparison = { ...compared.comparison, groups };
    const open = groups.filter(({ lastSeen }) => lastSeen !== undefined);
    if (open.length === 0) return { ...compared, comparison };
    const keys = new Set(open.map(({ key }) => key));
    const values = (await this.#parts.examples.of(account.id)).filter(({ key }) => keys.has(key));
    return { comparison, examples: [...compared.examples, ...values] };
  }

  /** Never rejects: the next check compares again. */
  async #run(account: Account, state: { done: number; of: number }): Promise<void> {
    const { clock, log } = this.#parts;
    try {
      const { reads, alike, different, undecided } = await this.#compared(account, state);
      this.#failures.delete(account.id);
      log.info('parity.compared', { account: account.id, reads, alike, different, undecided });
    } catch (error) {
      this.#failures.set(account.id, { at: clock.now(), why: wordsOf(error) });
      log.error('parity.failed', { account: account.id, error: wordsOf(error) });
    }
  }

  /** Rejects if there is no result. */
  async #compared(account: Account, state: { done: number; of: number }): Promise<Comparison> {
    const { repository, samples, stored, examples: kept, comparing, used, flush } = this.#parts;
    await flush(account.id);
    const found = await samples.find(account.id, 'baseline');
    state.of = found.length;
    const compared = await comparing(account).run(
      found,
      await used(account.id),
      (done) => (state.done = done),
    );
    const { comparison: merged, examples } = await this.#withOpen(account, compared);
    const binding = bindingOf(account);
    const now = await repository.byId(account.id);
    // Each call used the connection of its moment, so a part of the answers may be another organisation's.
    if (now === undefined || !isSame(bindingOf(now), binding)) throw new Error(CONNECTED_ANEW);
    const comparison = { ...merged, binding };
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
