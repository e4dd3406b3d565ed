/**
 * Connects accounts to a grant, or revokes the grant.
 *
 * `connect` binds each account in a transaction of its own, together with its invitations and the notice to its
 * contact. The organisation is judged again inside that transaction, because the account may have changed since. An
 * organisation that is not proved is proposed to the operator instead
 * (docs/decisions/tokens/0006-organisation-of-a-consent.md). An account's previous grant is deleted only after the new
 * one has replaced it. A consent that does not connect is logged, counted and recorded in the account's timeline.
 */
import { addressKey } from '../accounts/details.ts';
import type { Entry } from '../campaign/model.ts';
import { consent, holders, propose, type Account } from '../accounts/account.ts';
import type { Organisation, Consenter } from '../../upstream/organisation.ts';
import { consentEvents, type ConsentRefusal, type JudgedOrganisation } from './model.ts';
import { judgedStill, RuledOut } from './judging/judged-again.ts';
import { SealBroken } from '../../lib/secret/seal.ts';
import type { Grant } from '../../tokens/grant.ts';
import { wordsOf } from '../../lib/log/log.ts';
import { AuthorityRefused } from '../../upstream/model.ts';
import {
  bindingOf,
  PATIENCE,
  type Awaiting,
  type Connected,
  type Connection,
  type ConsentParts,
  type Refused,
} from './parts.ts';
import { hindranceOf, unchanged, Unproved } from './hindrance.ts';
import { revokeGrant } from './revoke-grant.ts';
import { within } from '../../lib/time/within.ts';

/** Tokens that are held but not bound yet. */
export interface HeldTokens {
  readonly choiceId: string;
  readonly grantId: string;
  /** Name of the OAuth application that obtained them. */
  readonly application: string;
  readonly consenter: Consenter;
}

/** An account as it was when its organisation was found to be this one. */
export interface Match {
  readonly account: Account;
  readonly organisation: JudgedOrganisation;
}

/** A person's name, e-mail address or user id, whichever is known first. */
export const nameOf = ({ name, email, userId }: Consenter): string => name ?? email ?? userId;

const named = (
  { name, origin }: Account,
  organisation: Organisation,
): Pick<Connection, 'account' | 'organisation' | 'origin'> => ({
  account: name,
  organisation: organisation.name,
  origin,
});

/** The organisation without its judgement. */
export const plainOrganisation = ({ id, name }: Organisation): Organisation => ({ id, name });

/** An account that was bound; see `Connected`. */
interface Bound {
  readonly mailed: boolean;
}

/** Whether the person who consented gets an e-mail: a receipt, or the notice if that person is the contact. */
const isMailed = (entry: Entry | undefined, { email = '' }: Consenter): boolean =>
  entry?.receipt !== undefined ||
  (entry?.message !== undefined && addressKey(entry.message.to) === addressKey(email));

/** Stores the result of a consent. */
export class Connecting {
  readonly #parts: ConsentParts;

  constructor(parts: ConsentParts) {
    this.#parts = parts;
  }

  /**
   * The order of the writes matters if the process dies in between. First each account with its binding, its
   * invitations and the notice to its contact, in a transaction of its own, which decides. Then the clean-up, which the
   * sweep would also do by itself. An account's previous grant is deleted after the new one has replaced it, never
   * before.
   *
   * The first match decides; the others are connected if they still can be. If the first is refused, the grant is
   * revoked. A match that is no longer proved when it would be bound waits for the operator, whatever was found before.
   */
  async connect(
    held: HeldTokens,
    [first, ...others]: readonly [Match, ...Match[]],
  ): Promise<Connected | Awaiting | Refused> {
    const binding = await this.#bind(held, first);
    const isProved = binding !== 'organisationUnconfirmed';
    const hindrance = isProved ? binding : await this.#propose(held, first);
    if (typeof hindrance === 'string') {
      await this.discard(held);
      return this.refused(hindrance, first.account, [first.organisation.name]);
    }
    const bound: Match[] = [];
    for (const match of others) {
      const outcome = await this.#bind(held, match);
      if (typeof outcome === 'object') bound.push(match);
      else await this.refused(outcome, match.account, [match.organisation.name]);
    }
    await this.#parts.choices.drop(held.choiceId);
    const connected = typeof binding === 'object' ? [first, ...bound] : bound;
    for (const { account } of connected) await this.#forgetFormer(account, held);
    const [by, at] = [nameOf(held.consenter), this.#parts.clock.now()];
    const connections = await this.#checked(connected);
    if (typeof binding === 'object') {
      const [one, ...more] = connections;
      if (one === undefined) throw new Error('nothing was bound');
      return { outcome: 'connected', connections: [one, ...more], by, at, mailed: binding.mailed };
    }
    const { account, organisation } = first;
    return { outcome: 'awaiting', ...named(account, organisation), by, at, connections };
  }

  /** Records a consent that connected nothing: in the log, the metrics and, if its account is known, the timeline. */
  async refused(
    reason: ConsentRefusal,
    account?: Account,
    found: readonly string[] = [],
    expected?: string,
  ): Promise<Refused> {
    await this.tell('refused', reason, account);
    return {
      outcome: 'refused',
      reason,
      account: account && { id: account.id, name: account.name },
      found,
      expected,
    };
  }

  async tell(how: 'refused' | 'asked', reason: ConsentRefusal, account: Account | undefined): Promise<void> {
    const { repository, clock, log, told } = this.#parts;
    log.info(`consent.${how}`, { account: account?.id, reason });
    told?.(reason);
    if (account === undefined) return;
    const kind = consentEvents[how];
    await repository.note(account.id, { at: clock.now(), kind, actor: 'customer', detail: reason });
  }

  /**
   * Revokes tokens that will not be used, if that is safe, and deletes them (`revokeGrant`). Returns true to the caller
   * that took the pending choice out.
   */
  async discard({ grantId, choiceId }: Pick<HeldTokens, 'grantId' | 'choiceId'>): Promise<boolean> {
    const { repository, grants, choices } = this.#parts;
    if (holders(await repository.byGrant(grantId)).length === 0) {
      const grant = await grants.find(grantId);
      if (grant !== undefined) await this.#revoke(grant);
      await grants.forget(grantId);
    }
    return choices.drop(choiceId);
  }

  async #revoke(grant: Grant): Promise<void> {
    const { log } = this.#parts;
    try {
      log.info('consent.forgotten', { grant: grant.id, revoked: await revokeGrant(this.#parts, grant) });
    } catch (error) {
      // Tokens that no key opens cannot be revoked by anybody.
      if (error instanceof SealBroken) log.error('grant.unreadable', { grant: grant.id });
      else if (error instanceof AuthorityRefused)
        log.warn('consent.revocation', { grant: grant.id, error: error.error });
      else throw error;
    }
  }

  async #bind(held: HeldTokens, { account, organisation }: Match): Promise<ConsentRefusal | Bound> {
    const { consents, clock, log, told, notice } = this.#parts;
    const { grantId, consenter } = held;
    let entry: Entry | undefined;
    try {
      await consents.bind({
        accountId: account.id,
        transition: (_, present) => {
          if (!judgedStill(present, organisation, consenter, this.#parts.proofMode).proved)
            throw new Unproved();
          return consent(unchanged(present.account, account, held), {
            grantId,
            organisation: plainOrganisation(organisation),
          });
        },
        event: {
          at: clock.now(),
          kind: consentEvents.connected,
          actor: 'customer',
          detail: `${organisation.name} connected by ${nameOf(consenter)}`,
        },
        notice: notice && ((facts) => (entry = notice(facts, consenter))),
      });
    } catch (error) {
      return hindranceOf(error);
    }
    told?.('connected');
    log.info('consent.connected', { account: account.id, grant: grantId });
    return { mailed: isMailed(entry, consenter) };
  }

  async #propose(held: HeldTokens, { account, organisation }: Match): Promise<ConsentRefusal | undefined> {
    const { awaiting, clock, log, told } = this.#parts;
    const { grantId, consenter } = held;
    try {
      await awaiting.propose({
        accountId: account.id,
        transition: (_, present) => {
          // A connection that is in use ends only with proof: the operator's refusal would not restore it.
          if (bindingOf(present.account) !== undefined) throw new RuledOut('otherOrganisation');
          const life = propose(unchanged(present.account, account, held), {
            grantId,
            organisation: plainOrganisation(organisation),
          });
          return {
            life,
            findings: judgedStill(present, organisation, consenter, this.#parts.proofMode).findings,
          };
        },
        event: {
          at: clock.now(),
          kind: consentEvents.awaiting,
          actor: 'customer',
          detail: `${organisation.name} approved by ${nameOf(consenter)}: the operator confirms or refuses it`,
        },
      });
    } catch (error) {
      return hindranceOf(error);
    }
    told?.('awaiting');
    log.info('consent.awaiting', { account: account.id, grant: grantId });
    return undefined;
  }

  /**
   * Not revoked: it belongs to the same person, and a server that revokes per user might revoke the new one with it.
   */
  async #forgetFormer(account: Account, { grantId }: HeldTokens): Promise<void> {
    const former = bindingOf(account)?.grantId;
    if (former !== undefined && former !== grantId) await this.#parts.grants.forget(former);
  }

  /** The checks may take longer than a browser waits; the consent job continues with them. */
  async #checked(bound: readonly Match[]): Promise<readonly Connection[]> {
    const { repository, patience } = this.#parts;
    const checks = bound.map(({ account }) => this.#check(account.id));
    await within(patience ?? PATIENCE, Promise.all(checks));
    const connections: Connection[] = [];
    for (const { account, organisation } of bound) {
      const now = await repository.byId(account.id);
      const migrated = now?.life.stage === 'migrated';
      connections.push({ ...named(account, organisation), migrated });
    }
    return connections;
  }

  async #check(accountId: string): Promise<void> {
    try {
      await this.#parts.cutover.check(accountId);
    } catch (error) {
      this.#parts.log.error('cutover.failed', { account: accountId, error: wordsOf(error) });
    }
  }
}
