/**
 * Moves an account from V1 to V3: first the checks, then the irreversible step (XML specification, "Versioning": a
 * connection that has migrated to V3 cannot move back).
 *
 * A consent and the periodic job call `check`. In mode `auto` an account that passes all checks is moved. In
 * `manual`, or while a check fails, it waits, and its timeline gives the reason, once per reason. A waiting account
 * is checked less and less often, because each check takes calls from its limit. An operator can force the step:
 * token and V3 must still work, unlearned records are accepted.
 *
 * The move is one transaction, and what the operator has accepted is part of it. After it, identifiers are learned once
 * more, as long as V1 still answers; if the process dies in between, `resume` does that at the next start.
 */
import {
  IllegalTransition,
  migrate,
  type Account,
  type AccountEvent,
  type Stage,
} from '../accounts/account.ts';
import type { AccountRepository } from '../accounts/model.ts';
import { CHECKS_PASSED, firstFailure, type Check, type Consented, type CutoverChecks } from './checks.ts';
import { DAY, MINUTE, SECOND, type Clock } from '../../lib/time/clock.ts';
import type { Trx } from '../../db/tables.ts';
import type { Crosswalk } from '../../mapping/crosswalk/identifier.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import type { IdentifierSync } from '../identifiers/identifier-sync.ts';

/** The parts and settings of the cut-over. */
export interface CutoverParts {
  readonly repository: AccountRepository;
  readonly crosswalk: Crosswalk;
  readonly identifierSync: IdentifierSync;
  readonly checks: CutoverChecks;
  /** `manual`: checks run and are reported, the operator decides. */
  readonly mode: 'auto' | 'manual';
  /** Why an account does not move by itself, apart from its checks; undefined: nothing prevents it. */
  readonly held?: (accountId: string) => Promise<string | undefined>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The result of checking an account. */
export type Verdict =
  | { readonly verdict: 'migrated' }
  /** Why it waits, as a text for the operator. */
  | { readonly verdict: 'waiting'; readonly reason: string }
  /** It had moved before; its records without a V1 number get new ones from now on. */
  | { readonly verdict: 'numbered' }
  /** The account is at a stage without checks. */
  | { readonly verdict: 'nothing' };

/** What the operator accepts without a check. */
export interface Override {
  /** Every record without a known number gets a new one; the legacy program will take it for a new record. */
  readonly allotUnlearned: boolean;
}

const isConsented = (account: Account | undefined): account is Consented =>
  account?.life.stage === 'consented';

/** Another consent has bound the account since the checks began. */
class Rebound extends Error {}

/** The present stage of an account that has the binding that was checked, or none. Throws `Rebound`. */
function still(life: Stage, { life: { binding } }: Consented): Stage {
  if (life.stage !== 'consented') return life;
  const { grantId, organisation } = life.binding;
  if (grantId !== binding.grantId || organisation.id !== binding.organisation.id) throw new Rebound();
  return life;
}

const WAITING = 'cutover.waiting';
const FIRST_REST = 30 * SECOND;
const LONGEST_REST = 15 * MINUTE;

/** The pause before a waiting account is checked again, and its end, in milliseconds. */
interface Rest {
  readonly pause: number;
  readonly until: number;
}

/** Runs the checks, and takes the irreversible step. */
export class Cutover {
  readonly #parts: CutoverParts;
  readonly #flights = new Map<string, Promise<Verdict>>();
  readonly #rests = new Map<string, Rest>();

  constructor(parts: CutoverParts) {
    this.#parts = parts;
  }

  /** One check at a time per account. Throws the store's errors. */
  check(accountId: string): Promise<Verdict> {
    this.#rests.delete(accountId);
    const flight = this.#flights.get(accountId);
    if (flight !== undefined) return flight;
    const begun = this.#untilStill(accountId, (account) => this.#check(account)).finally(() => {
      this.#flights.delete(accountId);
    });
    this.#flights.set(accountId, begun);
    return begun;
  }

  /**
   * For the periodic job: a waiting account is checked less and less often, because each check takes calls from its
   * organisation's limit.
   */
  async recheck(accountId: string): Promise<Verdict> {
    const { clock } = this.#parts;
    const rest = this.#rests.get(accountId);
    if (rest !== undefined && clock.now() < rest.until) return { verdict: 'nothing' };
    const verdict = await this.check(accountId);
    if (verdict.verdict === 'waiting') {
      const pause = Math.min(LONGEST_REST, rest === undefined ? FIRST_REST : 2 * rest.pause);
      this.#rests.set(accountId, { pause, until: clock.now() + pause });
    }
    return verdict;
  }

  /**
   * For accounts that moved within the day before this process started: if the process died right after the step, the
   * sync that follows it is missing, and soon V1 will no longer answer.
   */
  async resume(): Promise<void> {
    const { repository, identifierSync, clock } = this.#parts;
    for (const account of await repository.list(['migrated'])) {
      if (account.stageSince <= clock.now() - DAY || identifierSync.knowsFresh(account.id)) continue;
      await this.#afterwards(account);
    }
  }

  /** The current results of the checks, without changing the account; empty if there is nothing to check. */
  async inspect(accountId: string): Promise<readonly Check[]> {
    const account = await this.#parts.repository.byId(accountId);
    return isConsented(account) ? this.#parts.checks.all(account) : [];
  }

  /**
   * Moves the account on the operator's demand: token and V3 must still work, and a required proof must exist;
   * unlearned records are accepted. An account that has moved before only gets its numbers.
   */
  async force(accountId: string, { allotUnlearned }: Override, actor = 'operator'): Promise<Verdict> {
    const { repository, identifierSync, checks } = this.#parts;
    const present = await repository.byId(accountId);
    if (allotUnlearned && present?.life.stage === 'migrated') return this.#accept(present, actor);
    return this.#untilStill(accountId, async (account) => {
      const fault = firstFailure(await checks.final(account));
      if (fault !== undefined) return this.#wait(account, fault.detail);
      await identifierSync.learn(account, actor);
      const accepting = (trx?: Trx): Promise<void> => this.#acceptUnlearned(account, trx);
      const also = allotUnlearned ? accepting : undefined;
      const moved = await this.#flip(account, { actor, detail: 'by the operator' }, also);
      if (moved === undefined) return { verdict: 'nothing' };
      // Another process may have moved it without this.
      await this.#afterwards(moved, also);
      return { verdict: 'migrated' };
    });
  }

  /** V1 may still show some of the numbers; every record without one gets a new one after that. */
  async #accept(account: Account, actor: string): Promise<Verdict> {
    const { identifierSync, crosswalk } = this.#parts;
    await identifierSync.learn(account, actor);
    const report = await crosswalk.report(account.id);
    const isKnown = identifierSync.plan.kinds.every(({ kind }) => {
      const known = report.find((row) => row.kind === kind);
      return known?.complete === true && known.unlearned === 0;
    });
    if (isKnown) return { verdict: 'nothing' };
    await this.#acceptUnlearned(account);
    return { verdict: 'numbered' };
  }

  #acceptUnlearned({ id }: Account, trx?: Trx): Promise<void> {
    const { crosswalk, identifierSync } = this.#parts;
    const kinds = identifierSync.plan.kinds.map(({ kind }) => kind);
    return crosswalk.acceptUnlearned(id, kinds, trx);
  }

  /** Again if another consent binds the account meanwhile: nothing of that one has been checked. */
  async #untilStill(accountId: string, step: (account: Consented) => Promise<Verdict>): Promise<Verdict> {
    for (;;) {
      const account = await this.#parts.repository.byId(accountId);
      if (!isConsented(account)) return { verdict: 'nothing' };
      try {
        return await step(account);
      } catch (error) {
        if (!(error instanceof Rebound)) throw error;
      }
    }
  }

  async #check(account: Consented): Promise<Verdict> {
    const held = await this.#parts.held?.(account.id);
    if (held !== undefined) return this.#wait(account, held);
    const { checks, mode } = this.#parts;
    const fault = firstFailure(await checks.all(account, mode === 'manual' ? 'waiting' : 'moving'));
    if (fault !== undefined) return this.#wait(account, fault.detail);
    if (mode === 'manual') return this.#wait(account, CHECKS_PASSED);
    const moved = await this.#flip(account, { actor: 'bridge', detail: 'all checks passed' });
    if (moved === undefined) return { verdict: 'nothing' };
    await this.#afterwards(moved);
    return { verdict: 'migrated' };
  }

  /**
   * Learns records created through V1 between the last sync and the cut-over, as long as V1 still answers. Never rejects:
   * the account has moved, and must be reported so.
   */
  async #afterwards(account: Account, andThen?: () => Promise<void>): Promise<void> {
    const { identifierSync, log } = this.#parts;
    const { id } = account;
    try {
      const learning = await identifierSync.learn(account);
      log.info('cutover.learned-again', { account: id, outcome: learning.outcome });
      await andThen?.();
    } catch (error) {
      log.error('cutover.resume-failed', { account: id, error: wordsOf(error) });
    }
  }

  /**
   * The account after its move; undefined if it has not moved. `also`: stored with the move. Passes errors of the store
   * on: a move that is not stored must not be reported. Throws `Rebound`.
   */
  async #flip(
    checked: Consented,
    { actor, detail }: Pick<AccountEvent, 'actor' | 'detail'>,
    also?: (trx: Trx) => Promise<void>,
  ): Promise<Account | undefined> {
    const { repository, clock, log } = this.#parts;
    const { id } = checked;
    try {
      const event = { at: clock.now(), kind: 'migrated', actor, detail };
      const moved = await repository.change(id, (life) => migrate(still(life, checked)), event, also);
      log.info('cutover.migrated', { account: id, actor });
      return moved;
    } catch (error) {
      if (!(error instanceof IllegalTransition)) throw error;
      // Another process, the loss of the grant or the operator was faster: the account's present stage decides.
      const account = await repository.byId(id);
      return account?.life.stage === 'migrated' ? account : undefined;
    }
  }

  /** Logged once per reason, not on every run. Throws `Rebound`. */
  async #wait(account: Consented, reason: string): Promise<Verdict> {
    const { repository, clock } = this.#parts;
    still((await repository.byId(account.id))?.life ?? account.life, account);
    const told = (await repository.timeline(account.id)).findLast(({ kind }) => kind === WAITING);
    if (told?.detail !== reason)
      await repository.note(account.id, { at: clock.now(), kind: WAITING, actor: 'bridge', detail: reason });
    return { verdict: 'waiting', reason };
  }
}
