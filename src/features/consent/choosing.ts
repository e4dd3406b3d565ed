/**
 * Asks the browser that consented which organisation it meant, and handles the answer.
 *
 * A question is needed if several organisations were connected or nothing proves the only one (`arriving.ts`). The
 * tokens are held meanwhile. An answer is accepted once, only from that browser, and only for the offered choices; then
 * everything is judged again with the current rows. `sweep` revokes the tokens of unanswered questions.
 */
import type { Account } from '../accounts/account.ts';
import type { Organisation } from '../../upstream/organisation.ts';
import { MINUTE } from '../../lib/time/clock.ts';
import { wordsOf } from '../../lib/log/log.ts';
import { isAway } from '../../lib/store-fault.ts';
import { isChoosable, type JudgedOrganisation, type PendingChoice } from './model.ts';
import { Secret } from '../../lib/secret/secret.ts';
import { isOurs } from '../../lib/secret/random.ts';
import { nameOf, type Connecting, type HeldTokens, type Match } from './connecting.ts';
import {
  bindingOf,
  expectedName,
  type Answer,
  type ConsentParts,
  type Outcome,
  type Question,
} from './parts.ts';

/** An answer given in time is carried out within this, in milliseconds. */
const LONGEST_ANSWER = 2 * MINUTE;

/** Asks the question, accepts its answer, and sweeps unanswered ones. */
export class Choosing {
  readonly #parts: ConsentParts;
  readonly #connecting: Connecting;

  constructor(parts: ConsentParts, connecting: Connecting) {
    this.#parts = parts;
    this.#connecting = connecting;
  }

  /** Changes nothing. Undefined if there is nothing to ask this browser, or no longer. */
  async question(key: string, browser: Secret | undefined): Promise<Question | undefined> {
    const { repository, grants } = this.#parts;
    const pending = await this.#pending('look', key, browser);
    const account = pending && (await repository.byId(pending.accountId));
    const grant = pending && (await grants.find(pending.grantId));
    if (pending === undefined || account === undefined || grant === undefined) return undefined;
    const companions: {
      account: string;
      id: string;
      organisation: Organisation;
    }[] = [];
    for (const { accountId, organisation } of pending.companions) {
      const other = await repository.byId(accountId);
      if (other !== undefined)
        companions.push({
          account: other.name,
          id: accountId,
          organisation,
        });
    }
    return {
      account: { id: account.id, name: account.name },
      expected: (await expectedName(repository, account)) ?? account.name,
      organisations: pending.organisations,
      companions,
      by: nameOf(grant.consenter),
      expiresAt: pending.expiresAt,
    };
  }

  /**
   * Accepts the answer, once. `again`: it was not among the possible answers, and the question remains.
   * Choosing nothing revokes the tokens: the customer can start again with the link, which is still valid.
   */
  async choose(
    key: string,
    browser: Secret | undefined,
    answer: Answer,
  ): Promise<Outcome | { outcome: 'again' }> {
    const seen = await this.#pending('look', key, browser);
    if (seen === undefined) return this.#connecting.refused('stateUnknown');
    const chosen = seen.organisations.find(({ id }) => id === answer.organisationId);
    if (!isPossible(seen, answer, chosen)) return { outcome: 'again' };
    const pending = await this.#pending('take', key, browser);
    const grant = pending && (await this.#parts.grants.find(pending.grantId));
    if (pending === undefined || grant === undefined) return this.#connecting.refused('stateUnknown');
    const { application, consenter } = grant;
    const held = { choiceId: pending.id, grantId: pending.grantId, application, consenter };
    const account = await this.#parts.repository.byId(pending.accountId);
    return this.#carryOut(held, pending, account, chosen, answer);
  }

  /**
   * Revokes the tokens of unanswered questions, and of answers that a dying process did not carry out. Deletes a grant
   * that was replaced, or whose account was closed. A question that fails by itself holds up no other.
   */
  async sweep(): Promise<void> {
    const { choices, grants, clock, log } = this.#parts;
    for (const pending of await choices.overdue(clock.now() - LONGEST_ANSWER))
      try {
        await this.#expire(pending);
      } catch (error) {
        if (isAway(error)) throw error;
        log.error('consent.sweep-failed', { account: pending.accountId, error: wordsOf(error) });
      }
    for (const grantId of await choices.orphans()) await grants.forget(grantId);
  }

  async #expire({ id: choiceId, grantId, accountId }: PendingChoice): Promise<void> {
    const { repository } = this.#parts;
    const bound = (await repository.byGrant(grantId)).length > 0;
    const swept = await this.#connecting.discard({ choiceId, grantId });
    if (swept && !bound) await this.#connecting.refused('choiceExpired', await repository.byId(accountId));
  }

  /** The earlier judgement may no longer hold: `connect` judges again when it binds. */
  async #carryOut(
    held: HeldTokens,
    pending: PendingChoice,
    account: Account | undefined,
    chosen: JudgedOrganisation | undefined,
    answer: Answer,
  ): Promise<Outcome> {
    const wanted: Match[] = [];
    if (chosen !== undefined && account !== undefined) wanted.push({ account, organisation: chosen });
    const asked = await this.#stillAsked(pending.accountId, account);
    for (const { accountId, organisation } of pending.companions) {
      if (!answer.companions.includes(accountId) || organisation.id === chosen?.id) continue;
      if (!asked.has(accountId)) continue;
      const companion = await this.#parts.repository.byId(accountId);
      if (companion !== undefined) wanted.push({ account: companion, organisation });
    }
    const [first, ...others] = wanted;
    if (first === undefined) return this.#giveBack(held, pending, account);
    return this.#connecting.connect(held, [first, ...others]);
  }

  /**
   * The other accounts that this person may still connect: meanwhile an invitation may have been withdrawn,
   * or an address corrected.
   */
  async #stillAsked(accountId: string, account: Account | undefined): Promise<ReadonlySet<string>> {
    const { repository, choices, clock } = this.#parts;
    const former = account && bindingOf(account)?.grantId;
    const together = former === undefined ? [] : await repository.byGrant(former);
    return new Set([...(await choices.beside(accountId, clock.now())), ...together.map(({ id }) => id)]);
  }

  async #giveBack(held: HeldTokens, pending: PendingChoice, account: Account | undefined): Promise<Outcome> {
    await this.#connecting.discard(held);
    const expected = account && (await expectedName(this.#parts.repository, account));
    const found = pending.organisations.map(({ name }) => name);
    return this.#connecting.refused('choiceDeclined', account, found, expected);
  }

  async #pending(
    how: 'look' | 'take',
    key: string,
    browser: Secret | undefined,
  ): Promise<PendingChoice | undefined> {
    const { choices, seal, clock } = this.#parts;
    if (!isOurs(key) || browser === undefined) return undefined;
    return choices[how](seal.index(new Secret(key), 'choice'), seal.index(browser, 'browser'), clock.now());
  }
}

function isPossible(seen: PendingChoice, answer: Answer, chosen: JudgedOrganisation | undefined): boolean {
  if (answer.organisationId !== undefined && (chosen === undefined || !isChoosable(chosen))) return false;
  return answer.companions.every((id) => seen.companions.some(({ accountId }) => accountId === id));
}
