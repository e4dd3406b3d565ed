/**
 * Ends the connection of one account, for its customer or for an operator.
 *
 * The service is asked to revoke first, and the account is marked as lost afterwards: if the process dies in between,
 * the next refresh is refused and marks it. A grant that other accounts use stays theirs; the last one gives it up, or
 * `TokenRevocations` if the last ones end at the same moment. The tokens of a person who approved other connections
 * stay, too, because a server may apply a revocation to all of them (`revokeGrant`): then the approval is only given
 * up here.
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
import type { CampaignRepository } from '../campaign/model.ts';
import type { Run } from '../campaign/outbox.ts';
import type { Log } from '../../lib/log/log.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Grant, GrantRepository, LivingGrant } from '../../tokens/grant.ts';
import type { GrantVault } from '../../tokens/vault.ts';
import { AuthorityRefused } from '../../upstream/model.ts';
import { consentEvents } from './model.ts';
import { restsOnMore, revokeGrant, type RevokeParts } from './revoke-grant.ts';

/** The parts for ending connections. */
export interface DisconnectingParts extends RevokeParts {
  readonly repository: Pick<AccountRepository, 'byId' | 'byGrant' | 'change'>;
  readonly campaign: Pick<CampaignRepository, 'decide'>;
  readonly grants: Pick<GrantRepository, 'find' | 'list'>;
  readonly vault: Pick<GrantVault, 'abandon'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The outcome. `here`: the approval was only given up here. `later`: the service did not accept the revocation, or a
 * refresh is in progress; nothing was done. `nothing`: the connection no longer existed.
 */
export type Disconnection = 'revoked' | 'here' | 'later' | 'nothing';

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
    return restsOnMore(this.#parts.grants, grant);
  }

  /** `grantId`: the one that was shown; a connection that was approved again since then stays. */
  async disconnect(accountId: string, who: DisconnectedBy, grantId?: string): Promise<Disconnection> {
    const { repository, log } = this.#parts;
    const account = await repository.byId(accountId);
    const found = account && (await this.look(account));
    if (found === undefined) return 'nothing';
    if (grantId !== undefined && found.grant.id !== grantId) return 'nothing';
    const { grant, users } = found;
    const outcome = await (users > 1
      ? this.#leave(accountId, grant, who)
      : this.#giveUp(accountId, grant, who));
    if (outcome === 'later' || outcome === 'nothing') return outcome;
    await this.#settle(accountId, who);
    log.info('connection.disconnected', { account: accountId, outcome });
    return outcome;
  }

  /** Only the account, and only while it has this grant: a consent given meanwhile stays. */
  async #leave(id: string, grant: LivingGrant, { actor, by }: DisconnectedBy): Promise<'here' | 'nothing'> {
    const { repository, clock } = this.#parts;
    const event = { at: clock.now(), kind: 'lost', actor, detail: `disconnected by ${by}` };
    try {
      await repository.change(id, (life) => left(life, grant), event);
      return 'here';
    } catch (error) {
      if (error instanceof IllegalTransition) return 'nothing';
      throw error;
    }
  }

  async #giveUp(id: string, grant: LivingGrant, who: DisconnectedBy): Promise<Disconnection> {
    const { vault, log } = this.#parts;
    let revoked: boolean;
    try {
      revoked = await revokeGrant(this.#parts, grant);
    } catch (error) {
      if (!(error instanceof AuthorityRefused)) throw error;
      log.warn('connection.revocation', { grant: grant.id, error: error.error });
      return 'later';
    }
    const reason = revoked ? 'revoked' : 'disconnected';
    const abandoned = await vault.abandon(grant.id, grant.tokens.generation, reason);
    if (abandoned) return revoked ? 'revoked' : 'here';
    // A refresh is in progress, or its process has died. If the tokens are revoked, it will be refused later, which
    // must not look like a loss of which the customer knows nothing.
    if (!revoked) return 'later';
    await this.#leave(id, grant, who);
    return 'revoked';
  }

  /** Nobody gets a message about a connection that was ended on purpose. */
  async #settle(accountId: string, { actor, by, reason }: DisconnectedBy): Promise<void> {
    const now = this.#parts.clock.now();
    const run = { accountId, cause: 'lost', beganAt: now, reminders: 0 } as const;
    await this.#parts.campaign.decide(accountId, () => ({
      now,
      run: { ...run, state: 'stopped', reason, at: now },
      recall: 'the account was disconnected',
      event: { at: now, kind: consentEvents.disconnected, actor, detail: `disconnected by ${by}` },
    }));
  }
}

function left(life: Stage, { id }: LivingGrant): Stage {
  if (!holdsGrant(life) || grantOf(life) !== id) throw new IllegalTransition(life.stage, 'lost');
  return lose(life, 'disconnected');
}
