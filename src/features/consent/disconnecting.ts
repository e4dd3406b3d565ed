/**
 * Ends the connection of one account, for its customer or for an operator.
 *
 * The account is marked as lost first, in one transaction with the end of its e-mails. The service is asked to revoke
 * afterwards: what a process that dies, or a service that does not answer, leaves of that is done by
 * `TokenRevocations`. A grant that other accounts use stays theirs; the last one gives it up, or `TokenRevocations` if
 * the last ones end at the same moment. The tokens of a person who approved other connections stay, too, because a
 * server may apply a revocation to all of them (`revokeGrant`): then the approval is only given up here.
 */
import {
  grantOf,
  holders,
  holdsGrant,
  IllegalTransition,
  lose,
  type Account,
  type Stage,
} from '../accounts/account.ts';
import type { AccountRepository } from '../accounts/model.ts';
import type { CampaignFacts, CampaignRepository, Entry } from '../campaign/model.ts';
import type { Run } from '../campaign/outbox.ts';
import type { Log } from '../../lib/log/log.ts';
import { SealBroken } from '../../lib/secret/seal.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Grant, GrantRepository, LivingGrant } from '../../tokens/grant.ts';
import type { GrantVault } from '../../tokens/vault.ts';
import { AuthorityRefused } from '../../upstream/model.ts';
import { consentEvents } from './model.ts';
import { revokeGrant, type RevokeParts } from './revoke-grant.ts';

/** The parts for ending connections. */
export interface DisconnectingParts extends RevokeParts {
  readonly repository: Pick<AccountRepository, 'byId' | 'byGrant' | 'change'>;
  readonly campaign: Pick<CampaignRepository, 'writeWith' | 'factsWith'>;
  /** The notice to the contact when a customer has ended the connection, or the entry that says why none is sent. */
  readonly notice: (facts: CampaignFacts) => Entry | undefined;
  readonly grants: Pick<GrantRepository, 'find' | 'hasAnotherOf'>;
  readonly vault: Pick<GrantVault, 'abandon'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The outcome. `here`: the approval was only given up here. `later`: the same, and the service is asked again, because
 * it did not accept the revocation. `unreadable`: no key opens the tokens, so nobody can revoke them. `nothing`: the
 * connection no longer existed.
 */
export type Disconnection = 'revoked' | 'here' | 'later' | 'unreadable' | 'nothing';

/** The person or operator who ends it: the actor in the timeline, and the name there. */
export interface DisconnectedBy {
  readonly actor: string;
  readonly by: string;
  /** Why the customer gets no more e-mail. */
  readonly reason: Extract<Run, { readonly state: 'stopped' }>['reason'];
}

/** Ends connections. */
export class Disconnecting {
  readonly #parts: DisconnectingParts;

  constructor(parts: DisconnectingParts) {
    this.#parts = parts;
  }

  /** The grant of a connection that can be ended, and how many accounts use it; undefined if there is none. */
  async look({
    life,
  }: Account): Promise<{ readonly grant: LivingGrant; readonly users: number } | undefined> {
    const { repository, grants } = this.#parts;
    if (!('binding' in life) || !holdsGrant(life)) return undefined;
    const grant: Grant | undefined = await grants.find(life.binding.grantId);
    if (grant === undefined || grant.state === 'lost') return undefined;
    return { grant, users: holders(await repository.byGrant(grant.id)).length };
  }

  /** Whether the service would not be asked to revoke, because other connections rest on the same approval. */
  restsOnMore(grant: LivingGrant): Promise<boolean> {
    return this.#parts.grants.hasAnotherOf(grant);
  }

  /** `grantId`: the one that was shown; a connection that was approved again since then stays. */
  async disconnect(accountId: string, who: DisconnectedBy, grantId?: string): Promise<Disconnection> {
    const { repository, log } = this.#parts;
    const account = await repository.byId(accountId);
    const found = account && (await this.look(account));
    if (found === undefined) return 'nothing';
    if (grantId !== undefined && found.grant.id !== grantId) return 'nothing';
    const { grant, users } = found;
    if (!(await this.#end(accountId, grant, who))) return 'nothing';
    let outcome: Disconnection = users > 1 ? 'here' : 'later';
    try {
      if (outcome === 'later') outcome = await this.#giveUp(grant);
    } finally {
      log.info('connection.disconnected', { account: accountId, outcome });
    }
    return outcome;
  }

  /**
   * Only the account, and only while it has this grant: a consent given meanwhile stays. Nobody is asked to authorise a
   * connection again that was ended on purpose; the contact is told if a customer, perhaps somebody else, ended it.
   */
  async #end(accountId: string, grant: LivingGrant, { actor, by, reason }: DisconnectedBy): Promise<boolean> {
    const { repository, campaign, notice, clock } = this.#parts;
    const now = clock.now();
    const run = { accountId, cause: 'lost', beganAt: now, reminders: 0 } as const;
    const entry = {
      now,
      run: { ...run, state: 'stopped', reason, at: now },
      recall: 'the account was disconnected',
      event: { at: now, kind: consentEvents.disconnected, actor, detail: `disconnected by ${by}` },
    } as const;
    const event = { at: now, kind: 'lost', actor, detail: 'the grant was lost: disconnected' };
    try {
      await repository.change(
        accountId,
        (life) => left(life, grant),
        event,
        async (trx) => {
          await campaign.writeWith(trx, accountId, entry);
          const told = actor === 'customer' ? notice(await campaign.factsWith(trx, accountId)) : undefined;
          if (told !== undefined) await campaign.writeWith(trx, accountId, told);
        },
      );
      return true;
    } catch (error) {
      if (error instanceof IllegalTransition) return false;
      throw error;
    }
  }

  async #giveUp(grant: LivingGrant): Promise<Disconnection> {
    const { vault, log } = this.#parts;
    try {
      const revoked = await revokeGrant(this.#parts, grant);
      // False if a refresh is in progress, or its process has died: `TokenRevocations` ends the grant.
      const reason = revoked ? 'revoked' : 'disconnected';
      await vault.abandon(grant.id, grant.tokens.generation, { reason, isWanted: true });
      return revoked ? 'revoked' : 'here';
    } catch (error) {
      if (error instanceof SealBroken) {
        log.error('grant.unreadable', { grant: grant.id });
        return 'unreadable';
      }
      if (!(error instanceof AuthorityRefused)) throw error;
      log.warn('connection.revocation', { grant: grant.id, error: error.error });
      return 'later';
    }
  }
}

function left(life: Stage, { id }: LivingGrant): Stage {
  if (!holdsGrant(life) || grantOf(life) !== id) throw new IllegalTransition(life.stage, 'lost');
  return lose(life, 'disconnected');
}
