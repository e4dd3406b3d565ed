/**
 * What customers see and do on the page of their connection.
 *
 * The link alone shows which organisation is connected, when a program last called and how long the old keys work,
 * and leads to a new approval; that approval is judged like any other. Names, and disconnecting, need a sign-in at
 * the service by the person who approved (`SignIn`).
 */
import type { Account, Stage } from '../accounts/account.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { AccountRepository } from '../accounts/model.ts';
import { STATUS_LINK } from '../campaign/report.ts';
import { nameOf } from '../consent/connecting.ts';
import type { Disconnecting, Disconnection } from '../consent/disconnecting.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { isOurs } from '../../lib/secret/random.ts';
import { Secret } from '../../lib/secret/secret.ts';
import { DAY, type Clock } from '../../lib/time/clock.ts';
import type { Grant, GrantRepository } from '../../tokens/grant.ts';
import type { Approval, ConnectionView, OldKeys, StatusLinkRepository } from './model.ts';

/** The parts of the page. */
export interface ConnectionParts {
  readonly links: StatusLinkRepository;
  readonly repository: Pick<AccountRepository, 'byId' | 'details'>;
  readonly accounts: Pick<Accounts, 'invite'>;
  readonly grants: Pick<GrantRepository, 'find'>;
  readonly disconnecting: Pick<Disconnecting, 'disconnect'>;
  readonly seal: Seal;
  readonly clock: Clock;
  /** The day V1 ends; undefined if unknown. */
  readonly v1End: string | undefined;
}

/** At these stages V1 no longer counts: a closed account's programs get 401. */
const keysAt: Partial<Readonly<Record<Stage['stage'], 'none' | 'moved'>>> = {
  migrated: 'moved',
  lost: 'moved',
  closed: 'none',
};

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

  /** Undefined if there is no such account. */
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

  /** The approval, if this person gave it. */
  async approvalOf({ accountId }: ConnectionView, userId: string): Promise<Approval | undefined> {
    const account = await this.#parts.repository.byId(accountId);
    const grant = account && (await this.#grantOf(account));
    if (grant === undefined || userId === '' || grant.consenter.userId !== userId) return undefined;
    return { grantId: grant.id, by: nameOf(grant.consenter), at: grant.createdAt };
  }

  /** `approval`: the one that the person was shown; a later approval by somebody else stays. */
  disconnect({ accountId }: ConnectionView, { grantId, by }: Approval): Promise<Disconnection> {
    const who = { actor: 'customer', by, reason: 'declined' } as const;
    return this.#parts.disconnecting.disconnect(accountId, who, grantId);
  }

  #keysOf({ life, origin }: Account, now: number): OldKeys {
    const { v1End: day } = this.#parts;
    const known = origin === 'issued' ? 'none' : keysAt[life.stage];
    if (known !== undefined) return { state: known };
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
