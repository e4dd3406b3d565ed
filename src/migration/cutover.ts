import { consent, migrate, type Account } from '../domain/account.ts';
import { IllegalTransition } from '../domain/account.ts';
import type { AccountBook } from '../domain/accounts.ts';
import { MINUTE, type Clock } from '../domain/clock.ts';
import { Failure } from '../domain/failure.ts';
import type { GrantBook } from '../domain/grant.ts';
import type { Crosswalk } from '../domain/identifier.ts';
import type { Log } from '../domain/log.ts';
import type { UpstreamAnswer, V3Lane } from '../domain/upstream.ts';
import type { Learner } from './learner.ts';
import { statusOf, type ReadReply } from './reading.ts';

/** A small read that proves that token, organisation and V3 go together. */
export interface Probe {
  readonly segments: readonly string[];
  readonly query: readonly (readonly [string, string])[];
}

export interface CutoverParts {
  readonly book: AccountBook;
  readonly grants: GrantBook;
  readonly crosswalk: Crosswalk;
  readonly learner: Learner;
  readonly v3: V3Lane;
  readonly probe: Probe;
  readonly read: ReadReply;
  /** `manual`: checks run and are told, the operator decides. */
  readonly mode: 'auto' | 'manual';
  readonly clock: Clock;
  readonly log: Log;
}

export type Verdict =
  | { readonly verdict: 'migrated' }
  /** Why it stays as it is, in words for the operator. */
  | { readonly verdict: 'waiting'; readonly reason: string }
  /** The account is in a stage that has nothing to check. */
  | { readonly verdict: 'nothing' };

export interface Override {
  /** Every record whose number nobody knows gets a new one; the old program will take it for a new record. */
  readonly allotUnlearned: boolean;
}

type Consented = Account & { readonly life: { readonly stage: 'consented' } };

const isConsented = (account: Account | undefined): account is Consented =>
  account?.life.stage === 'consented';
const WAITING = 'cutover.waiting';
const PROBE_TIME = 2 * MINUTE;

/** Checks before the one step that cannot be taken back, and the step. */
export class Cutover {
  readonly #parts: CutoverParts;
  readonly #flights = new Map<string, Promise<Verdict>>();

  constructor(parts: CutoverParts) {
    this.#parts = parts;
  }

  /** One at a time for each account. Throws what the store throws. */
  check(accountId: string): Promise<Verdict> {
    const flight = this.#flights.get(accountId);
    if (flight !== undefined) return flight;
    const begun = this.#check(accountId).finally(() => {
      this.#flights.delete(accountId);
    });
    this.#flights.set(accountId, begun);
    return begun;
  }

  /** The operator's word: token and V3 must work all the same, what is not learned is accepted. */
  async force(accountId: string, { allotUnlearned }: Override, actor = 'operator'): Promise<Verdict> {
    const { book, crosswalk, learner } = this.#parts;
    const account = await book.byId(accountId);
    if (!isConsented(account)) return { verdict: 'nothing' };
    const fault = await this.#unreadable(account);
    if (fault !== undefined) return this.#wait(account, fault);
    await learner.learn(account, actor);
    await this.#flip(account, actor, 'by the operator');
    if (allotUnlearned) await crosswalk.allotUnlearned(account.id);
    return { verdict: 'migrated' };
  }

  async #check(accountId: string): Promise<Verdict> {
    const account = await this.#parts.book.byId(accountId);
    if (account?.life.stage === 'lost') return this.#regain(account);
    if (!isConsented(account)) return { verdict: 'nothing' };
    const reason = (await this.#unreadable(account)) ?? (await this.#unlearned(account));
    if (reason !== undefined) return this.#wait(account, reason);
    if (this.#parts.mode === 'manual') return this.#wait(account, 'all checks passed: the operator decides');
    await this.#flip(account, 'bridge', 'all checks passed');
    await this.#afterwards(account);
    return { verdict: 'migrated' };
  }

  /** Records made through V1 between the last lesson and the flip, as long as V1 still answers. */
  async #afterwards(account: Account): Promise<void> {
    const learning = await this.#parts.learner.learn(account);
    this.#parts.log.info('cutover.learned-again', { account: account.id, outcome: learning.outcome });
  }

  async #flip(account: Account, actor: string, detail: string): Promise<void> {
    const { book, clock, log } = this.#parts;
    try {
      await book.change(account.id, migrate, { at: clock.now(), kind: 'migrated', actor, detail });
    } catch (error) {
      // Another process, or the loss of the grant, was faster: the account is what it has become.
      if (!(error instanceof IllegalTransition)) throw error;
    }
    log.info('cutover.migrated', { account: account.id, actor });
  }

  /** A reason, in words, when token, organisation or V3 do not work. */
  async #unreadable(account: Consented): Promise<string | undefined> {
    const { v3, probe } = this.#parts;
    const to = {
      accountId: account.id,
      product: account.product,
      grantId: account.life.binding.grantId,
      organisationId: account.life.binding.organisation.id,
    };
    try {
      const signal = AbortSignal.timeout(PROBE_TIME);
      const answer = await v3.send(to, { verb: 'GET', ...probe, signal });
      return await this.#judged(answer);
    } catch (error) {
      if (error instanceof Failure) return `V3 does not answer: ${error.text}`;
      throw error;
    }
  }

  async #judged(answer: UpstreamAnswer): Promise<string | undefined> {
    const status = await statusOf(this.#parts.read, answer);
    if (status === 'ok') return undefined;
    if (answer.status !== 200) return `V3 answers with status ${answer.status}`;
    return status === 'refused'
      ? 'V3 refuses to show the organisation'
      : 'V3 answers with something that cannot be read';
  }

  /** A reason, in words, while numbers are missing that old programs may hold. */
  async #unlearned(account: Consented): Promise<string | undefined> {
    const { learner, crosswalk } = this.#parts;
    const learning = await learner.learn(account);
    const report = await crosswalk.report(account.id);
    const missing = learner.plan.kinds.filter(
      ({ kind }) => report.find((row) => row.kind === kind)?.complete !== true,
    );
    if (missing.length === 0) return undefined;
    const kinds = missing.map(({ kind }) => kind).join(', ');
    return `${why[learning.outcome]}; not learned: ${kinds}. Import them, or override`;
  }

  /** Told once for each reason, not in every round. */
  async #wait(account: Account, reason: string): Promise<Verdict> {
    const { book, clock } = this.#parts;
    const told = (await book.timeline(account.id)).findLast(({ kind }) => kind === WAITING);
    if (told?.detail !== reason)
      await book.note(account.id, { at: clock.now(), kind: WAITING, actor: 'bridge', detail: reason });
    return { verdict: 'waiting', reason };
  }

  /** A repeated consent whose last write was lost with its process: the grant is good, the account still says lost. */
  async #regain(account: Account): Promise<Verdict> {
    const { book, grants, clock } = this.#parts;
    if (account.life.stage !== 'lost') return { verdict: 'nothing' };
    const { binding } = account.life;
    const grant = await grants.find(binding.grantId);
    if (grant === undefined || grant.state === 'lost') return { verdict: 'nothing' };
    await book.change(account.id, (life) => (life.stage === 'lost' ? consent(life, binding) : life), {
      at: clock.now(),
      kind: 'consented',
      actor: 'bridge',
      detail: 'the grant had been renewed by a consent',
    });
    return { verdict: 'migrated' };
  }
}

const why = {
  learned: 'V1 does not show every number',
  refused: 'V1 refuses the keys',
  absent: 'V1 or its API key for this account is not known',
  failed: 'V1 cannot be read at the moment',
} as const;
