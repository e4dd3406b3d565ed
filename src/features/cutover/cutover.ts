/**
 * Moves an account from V1 to V3: first the checks, then the irreversible step (XML specification, "Versioning": a
 * connection that has migrated to V3 cannot move back).
 *
 * A consent and the periodic job call `check`. In mode `auto` an account that passes all checks is moved. In
 * `manual`, or while a check fails, it waits, and its timeline gives the reason, once per reason. A waiting account
 * is checked less and less often, because each check takes calls from its limit. An operator can override checks by
 * name (`override.ts`); every other check must still pass.
 *
 * The move is one transaction, and the operator's request for new numbers is part of it. What follows the move is in
 * `after-move.ts`.
 */
import {
  authorOf,
  IllegalTransition,
  migrate,
  type Account,
  type AccountEvent,
  type Stage,
} from '../accounts/account.ts';
import type { AccountRepository } from '../accounts/model.ts';
import { CHECKS_PASSED, firstFailure, type Check, type Consented, type CutoverChecks } from './checks.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Trx } from '../../db/tables.ts';
import type { Log } from '../../lib/log/log.ts';
import type { IdentifierSync } from '../identifiers/identifier-sync.ts';
import { AfterMove, type AfterMoveParts, type NumberState } from './after-move.ts';
import type { Override } from './override.ts';
import { Rests } from './rests.ts';

/** The parts and settings of the cut-over. */
export interface CutoverParts extends AfterMoveParts {
  readonly repository: AccountRepository;
  readonly identifierSync: IdentifierSync;
  readonly checks: CutoverChecks;
  /** `manual`: checks run and are reported, the operator decides. */
  readonly mode: 'auto' | 'manual';
  /**
   * Why an account does not move by itself, apart from its checks; undefined: nothing prevents it. `trx`: the transaction
   * of the move.
   */
  readonly held?: (accountId: string, trx?: Trx) => Promise<string | undefined>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The result of checking an account. */
export type Verdict =
  /** `open`: what is left to do after the move, as a text for the operator. */
  | { readonly verdict: 'migrated'; readonly open?: string }
  /** Why it waits, as a text for the operator. */
  | { readonly verdict: 'waiting'; readonly reason: string }
  /** It had moved before; its records without a V1 number get new ones from now on. */
  | { readonly verdict: 'numbered' }
  /** The account is at a stage without checks. */
  | { readonly verdict: 'nothing' };

const isConsented = (account: Account | undefined): account is Consented =>
  account?.life.stage === 'consented';

/** Since the checks began, another consent has bound the account, or an operator has named another organisation. */
class Rebound extends Error {}

/** Something has prevented the account from moving by itself since the checks began. */
class Held extends Error {}

/** The present stage of an account that has the binding that was checked, or none. Throws `Rebound`. */
function still(life: Stage, { life: { binding } }: Consented): Stage {
  if (life.stage !== 'consented') return life;
  const { grantId, organisation } = life.binding;
  if (grantId !== binding.grantId || organisation.id !== binding.organisation.id) throw new Rebound();
  return life;
}

const WAITING = 'cutover.waiting';

interface Moved {
  readonly account: Account;
  /** False: another process has moved it, and `also` is not stored. */
  readonly isOwn: boolean;
}

/** Runs the checks, and takes the irreversible step. */
export class Cutover {
  readonly #parts: CutoverParts;
  readonly #flights = new Map<string, Promise<Verdict>>();
  readonly #rests: Rests;
  readonly #afterMove: AfterMove;

  constructor(parts: CutoverParts) {
    this.#parts = parts;
    this.#rests = new Rests(parts.clock);
    this.#afterMove = new AfterMove(parts);
  }

  /** One check at a time per account. Throws the store's errors. */
  check(accountId: string): Promise<Verdict> {
    this.#rests.end(accountId);
    return this.#checkOnce(accountId);
  }

  #checkOnce(accountId: string): Promise<Verdict> {
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
    if (this.#rests.isResting(accountId)) return { verdict: 'nothing' };
    const verdict = await this.#checkOnce(accountId);
    if (verdict.verdict === 'waiting') this.#rests.lengthen(accountId);
    else this.#rests.end(accountId);
    return verdict;
  }

  /** For the periodic job: continues what follows a move. Throws the store's errors. */
  resume(signal?: AbortSignal): Promise<void> {
    return this.#afterMove.resume(signal);
  }

  /** What is known of the numbers of an account that has moved. Throws the store's errors. */
  numbers(account: Account): Promise<NumberState> {
    return this.#afterMove.numbers(account);
  }

  /** The current results of the checks, without changing the account; empty if there is nothing to check. */
  async inspect(accountId: string): Promise<readonly Check[]> {
    const account = await this.#parts.repository.byId(accountId);
    return isConsented(account) ? this.#parts.checks.all(account) : [];
  }

  /**
   * Moves the account on the operator's demand if every check passes that the override does not name. An account that has
   * moved before only gets its numbers.
   */
  async force(accountId: string, override: Override, actor = 'operator'): Promise<Verdict> {
    const { repository, identifierSync, checks } = this.#parts;
    const { obstacleOf, overriddenBy, withOverride } = await import('./override.ts'); // not needed at the start
    const { allotUnlearned } = override;
    const overridden = overriddenBy(override);
    const present = await repository.byId(accountId);
    if (allotUnlearned && present?.life.stage === 'migrated') return this.#accept(present, actor);
    return this.#untilStill(accountId, async (account) => {
      const obstacle = obstacleOf(await checks.all(account, 'moving', overridden), override);
      if (obstacle !== undefined) return this.#wait(account, obstacle);
      // The check of the numbers has read V1.
      if (overridden.has('identifiers')) await identifierSync.learn(account, actor);
      const contradiction = await this.#correctable(account);
      if (contradiction !== undefined) return this.#wait(account, contradiction);
      const request = (trx?: Trx): Promise<void> => this.#afterMove.request(account, actor, trx);
      const also = allotUnlearned ? request : undefined;
      const detail = withOverride('by the operator', override);
      const moved = await this.#flip(account, { actor, detail }, also);
      // Another process may have moved it without the request.
      if (moved?.isOwn === false) await also?.();
      return this.#finished(moved);
    });
  }

  /** What V1 contradicts of an operator's pairs, which no override is for: they can be corrected. */
  async #correctable({ id }: Account): Promise<string | undefined> {
    const { contradictionIn, concernsImport } = await import('../identifiers/contradicted.ts'); // not needed at the start
    const contradiction = contradictionIn(await this.#parts.repository.timeline(id));
    return contradiction !== undefined && concernsImport(contradiction) ? contradiction : undefined;
  }

  async #accept(account: Account, actor: string): Promise<Verdict> {
    return { verdict: (await this.#afterMove.accept(account, actor)) ? 'numbered' : 'nothing' };
  }

  /** Again if another consent binds the account meanwhile, or another organisation is expected: that was not checked. */
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
    try {
      const event = { actor: 'bridge', detail: 'all checks passed' };
      return await this.#finished(await this.#flip(account, event, (trx) => this.#unheld(account, trx)));
    } catch (error) {
      if (error instanceof Held) return this.#wait(account, error.message);
      throw error;
    }
  }

  /** The checks of a large account take minutes, in which its wave may be stopped. Throws `Held`. */
  async #unheld({ id }: Consented, trx: Trx): Promise<void> {
    const held = await this.#parts.held?.(id, trx);
    if (held !== undefined) throw new Held(held);
  }

  async #finished(moved: Moved | undefined): Promise<Verdict> {
    if (moved === undefined) return { verdict: 'nothing' };
    const open = await this.#afterMove.finish(moved.account);
    return { verdict: 'migrated', ...(open === undefined ? {} : { open }) };
  }

  /**
   * The account after its move; undefined if it has not moved. `also`: stored with the move, which does not happen if it
   * throws. Passes errors of the store on: a move that is not stored must not be reported. Throws `Rebound`.
   */
  async #flip(
    checked: Consented,
    { actor, detail }: Pick<AccountEvent, 'actor' | 'detail'>,
    also?: (trx: Trx) => Promise<void>,
  ): Promise<Moved | undefined> {
    const { repository, checks, clock, log } = this.#parts;
    const { id } = checked;
    const alsoStill = async (trx: Trx): Promise<void> => {
      if ((await checks.unexpected(checked, trx)) !== undefined) throw new Rebound();
      await also?.(trx);
    };
    try {
      const event = { at: clock.now(), kind: 'migrated', actor, detail };
      const account = await repository.change(id, (life) => migrate(still(life, checked)), event, alsoStill);
      log.info('cutover.migrated', { account: id, actor: authorOf(actor) });
      return { account, isOwn: true };
    } catch (error) {
      if (!(error instanceof IllegalTransition)) throw error;
      // Another process, the loss of the grant or the operator was faster: the account's present stage decides.
      const account = await repository.byId(id);
      return account?.life.stage === 'migrated' ? { account, isOwn: false } : undefined;
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
