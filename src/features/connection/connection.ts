/**
 * What a customer can see and do on the page of its connection.
 *
 * The link alone shows which organisation is connected, when a program called last and how long the old keys work, and
 * leads to a new approval; that approval is judged like every other one. Names, and disconnecting, need a sign-in at the
 * service by the person who approved (`SignIn`).
 *
 * To disconnect, the service is asked to revoke first and the account is marked as lost afterwards. If the process dies
 * in between, the next refresh is refused and marks it. A grant that other accounts share stays theirs, and so do the
 * tokens of a person who approved other connections, because a server may take the revocation of one for all of them
 * (`revokeGrant`): then the approval is given up here and the answer says so.
 */
import { lose, type Account } from '../accounts/account.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { AccountRepository } from '../accounts/model.ts';
import type { CampaignRepository } from '../campaign/campaign.ts';
import { STATUS_LINK } from '../campaign/campaign-service.ts';
import { nameOf } from '../consent/connecting.ts';
import { consentEvents } from '../consent/model.ts';
import { revokeGrant, type RevokeParts } from '../consent/revoke-grant.ts';
import type { Log } from '../../lib/log/log.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { isOurs } from '../../lib/secret/random.ts';
import { Secret } from '../../lib/secret/secret.ts';
import { DAY, type Clock } from '../../lib/time/clock.ts';
import type { Grant, GrantRepository, LivingGrant } from '../../tokens/grant.ts';
import type { GrantVault } from '../../tokens/vault.ts';
import { AuthorityRefused } from '../../upstream/model.ts';
import type { Approval, ConnectionView, OldKeys, StatusLinkRepository } from './model.ts';

/** What the page works with. */
export interface ConnectionParts extends Pick<RevokeParts, 'applications'> {
  readonly links: StatusLinkRepository;
  readonly repository: Pick<AccountRepository, 'byId' | 'byGrant' | 'details' | 'timeline' | 'change'>;
  readonly accounts: Pick<Accounts, 'invite'>;
  readonly campaign: Pick<CampaignRepository, 'decide'>;
  readonly grants: Pick<GrantRepository, 'find' | 'list'>;
  readonly vault: Pick<GrantVault, 'abandon'>;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly log: Log;
  /** The day V1 ends; undefined: nobody knows. */
  readonly v1End: string | undefined;
}

/** How disconnecting ended. `here`: the approval was given up here only. */
export type Disconnection = 'revoked' | 'here' | 'later' | 'nothing';

/** The connection of one account, as its customer sees it. */
export class CustomerConnection {
  readonly #parts: ConnectionParts;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  /** Undefined for every link that does not work, whatever the reason. Changes nothing. */
  async look(link: string): Promise<ConnectionView | undefined> {
    const { links, seal, clock } = this.#parts;
    if (!isOurs(link)) return undefined;
    const accountId = await links.accountOf(seal.index(new Secret(link), STATUS_LINK), clock.now());
    return accountId === undefined ? undefined : this.view(accountId);
  }

  /** Undefined: there is no such account. */
  async view(accountId: string): Promise<ConnectionView | undefined> {
    const { repository, clock } = this.#parts;
    const account = await repository.byId(accountId);
    if (account === undefined) return undefined;
    const now = clock.now();
    const { life } = account;
    const { language, zone } = await repository.details(accountId);
    return {
      accountId,
      account: account.name,
      product: account.product,
      application: account.application,
      language,
      zone,
      stage: life.stage,
      organisation: organisationOf(account),
      lastCallAt: account.lastCallAt,
      keys: this.#keysOf(account, now),
      at: now,
    };
  }

  /** A link to the page on which the connection can be approved again. */
  async again({ accountId }: ConnectionView): Promise<string> {
    return (await this.#parts.accounts.invite(accountId, 'customer')).path;
  }

  /** Who approved, if it was this person. */
  async approvalOf({ accountId }: ConnectionView, userId: string): Promise<Approval | undefined> {
    const account = await this.#parts.repository.byId(accountId);
    const grant = account && (await this.#grantOf(account));
    if (grant === undefined || userId === '' || grant.consenter.userId !== userId) return undefined;
    const kinds: readonly string[] = [consentEvents.connected, consentEvents.confirmed];
    const events = await this.#parts.repository.timeline(accountId);
    return {
      grantId: grant.id,
      by: nameOf(grant.consenter),
      at: events.findLast(({ kind }) => kinds.includes(kind))?.at,
    };
  }

  /** `approval`: what the person has seen; a connection approved since by somebody else stays. */
  async disconnect({ accountId }: ConnectionView, approval: Approval): Promise<Disconnection> {
    const { repository, log } = this.#parts;
    const account = await repository.byId(accountId);
    const grant = account && (await this.#grantOf(account));
    if (account === undefined || grant?.id !== approval.grantId || grant.state === 'lost') return 'nothing';
    const isShared = (await repository.byGrant(grant.id)).length > 1;
    const outcome = isShared ? await this.#leave(account) : await this.#giveUp(grant);
    if (outcome === 'later') return outcome;
    await this.#settle(accountId, approval.by);
    log.info('connection.disconnected', { account: accountId, outcome });
    return outcome;
  }

  /** The same consent serves other accounts, which keep it. */
  async #leave({ id }: Account): Promise<Disconnection> {
    const { repository, clock } = this.#parts;
    const event = {
      at: clock.now(),
      kind: 'lost',
      actor: 'customer',
      detail: 'disconnected by the customer',
    };
    await repository.change(id, (life) => lose(life, 'disconnected'), event);
    return 'here';
  }

  async #giveUp(grant: LivingGrant): Promise<Disconnection> {
    const { vault, log } = this.#parts;
    let revoked: boolean;
    try {
      revoked = await revokeGrant(this.#parts, grant);
    } catch (error) {
      if (!(error instanceof AuthorityRefused)) throw error;
      log.warn('connection.revocation', { grant: grant.id, error: error.error });
      return 'later';
    }
    const abandoned = await vault.abandon(grant.id, grant.tokens.generation, 'revoked');
    // A refresh is in progress. If the tokens are revoked, it will be refused and mark the loss.
    if (!abandoned && !revoked) return 'later';
    return revoked ? 'revoked' : 'here';
  }

  /** Whoever disconnects gets no message about a lost connection. */
  async #settle(accountId: string, by: string): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#parts.campaign.decide(accountId, () => ({
      now,
      run: {
        accountId,
        cause: 'lost',
        beganAt: now,
        reminders: 0,
        state: 'stopped',
        reason: 'declined',
        at: now,
      },
      recall: 'the customer disconnected the account',
      event: { at: now, kind: 'disconnected', actor: 'customer', detail: `disconnected by ${by}` },
    }));
  }

  #keysOf({ life, origin }: Account, now: number): OldKeys {
    const { v1End: day } = this.#parts;
    if (origin === 'issued') return { state: 'none' };
    if (life.stage === 'migrated' || life.stage === 'lost') return { state: 'moved' };
    if (day === undefined) return { state: 'open' };
    const daysLeft = Math.round((Date.parse(day) - startOfDay(now)) / DAY);
    return daysLeft < 0 ? { state: 'ended', day } : { state: 'until', day, daysLeft };
  }

  async #grantOf({ life }: Account): Promise<Grant | undefined> {
    return 'binding' in life ? this.#parts.grants.find(life.binding.grantId) : undefined;
  }
}

const startOfDay = (at: number): number => Math.floor(at / DAY) * DAY;

function organisationOf({ life }: Account): string | undefined {
  if (life.stage === 'awaiting-operator') return life.proposal.organisation.name;
  return 'binding' in life ? life.binding.organisation.name : undefined;
}
