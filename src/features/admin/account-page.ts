/** All data about one account that an operator sees, read together. */
import { grantOf, type Account, type AccountEvent } from '../accounts/account.ts';
import type { AccountDetails } from '../accounts/details.ts';
import type { Invitation } from '../accounts/invitation.ts';
import type { AccountRepository } from '../accounts/model.ts';
import type { CampaignRepository } from '../campaign/model.ts';
import type { Message, Run, Suppression } from '../campaign/outbox.ts';
import { reasonsOf, type AwaitingConsents } from '../consent/awaiting.ts';
import { healthOf, type GrantHealth } from '../status/grant-health.ts';
import type { ReportedAccount } from '../status/model.ts';
import type { Status } from '../status/status.ts';
import type {
  CallRecord,
  CallRepository,
  CallsWanted,
  HourCount,
  RefusedRecently,
} from '../usage/call-log.ts';
import { DAY, type Clock } from '../../lib/time/clock.ts';
import type { Crosswalk, KindReport } from '../../mapping/crosswalk/identifier.ts';
import { EVERY_ACCOUNT, type RouteOverride, type RouteRepository } from '../../mapping/routes/routes.ts';
import type { GrantRepository } from '../../tokens/grant.ts';
import type { CuttingOver } from './actions/cutting-over.ts';
import { unknownAccount } from './refusal.ts';

/** All data about one account that an operator may see; never a key, a token or a link. */
export interface AccountPage {
  readonly account: Account;
  /** Its line of the status report, including calls that the report counts half a minute later. */
  readonly statusReport: ReportedAccount;
  readonly details: AccountDetails;
  /** The last 500 entries, newest first. */
  readonly timeline: readonly AccountEvent[];
  /** How many entries the timeline has in all. */
  readonly timelineLength: number;
  /** Newest first. */
  readonly invitations: readonly Invitation[];
  readonly run: Run | undefined;
  /** Newest first. */
  readonly messages: readonly Message[];
  /** The suppression of its current address. */
  readonly suppression: Suppression | undefined;
  /** Undefined until somebody has consented. */
  readonly grant: GrantHealth | undefined;
  /** The reasons for and against the consent while it waits for the operator. */
  readonly consent: { readonly reasons: ReturnType<typeof reasonsOf> } | undefined;
  readonly crosswalk: readonly KindReport[];
  /** No record can be without a number, or it has not moved, so that an operator cannot give new ones yet. */
  readonly isNumbered: boolean;
  /** Those set for this account, and those for every account. */
  readonly routes: readonly RouteOverride[];
  /** Newest first. */
  readonly calls: readonly CallRecord[];
  /** Counts of the last day, by source. */
  readonly hours: readonly HourCount[];
  /** Calls with its account key that were refused within a day; undefined if there are none. */
  readonly refused: RefusedRecently | undefined;
}

/** An account's single calls, newest first, and the counts of the last day by hour and source. */
export interface RecentCalls {
  readonly recent: readonly CallRecord[];
  readonly hours: readonly HourCount[];
}

/** The sources of the pages. */
export interface AccountPagesParts {
  readonly repository: Pick<AccountRepository, 'details' | 'timeline'>;
  readonly grants: Pick<GrantRepository, 'find'>;
  readonly awaiting: Pick<AwaitingConsents, 'list'>;
  readonly campaign: Pick<CampaignRepository, 'facts'>;
  readonly crosswalk: Pick<Crosswalk, 'report'>;
  readonly routes: Pick<RouteRepository, 'list'>;
  readonly calls: Pick<CallRepository, 'find' | 'hours' | 'refused'>;
  readonly status: Pick<Status, 'account'>;
  readonly clock: Clock;
  /** Undefined if accounts cannot move. */
  readonly cutover: CuttingOver['cutover'];
  /** How long an unused refresh token lives, in milliseconds. */
  readonly refreshLife: number;
  /** Whether V1 is configured. */
  readonly hasV1: boolean;
}

const LONGEST_TIMELINE = 500;

/** The pages of all accounts. */
export class AccountPages {
  readonly #parts: AccountPagesParts;

  constructor(parts: AccountPagesParts) {
    this.#parts = parts;
  }

  /** `wanted`: selects calls, given the customer's time zone. Throws `AdminRefusal` unknown. */
  async of(account: Account, wanted?: (zone: string | undefined) => CallsWanted): Promise<AccountPage> {
    const { repository, campaign, crosswalk } = this.#parts;
    const [statusReport, details, timeline, facts, grant] = [
      await this.#line(account),
      await repository.details(account.id),
      await repository.timeline(account.id),
      await campaign.facts(account.id),
      await this.#grant(account),
    ];
    const { recent, hours } = await this.calls(account.id, wanted?.(details.zone));
    return {
      account: { ...account, lastCallAt: lastOf(recent, account.lastCallAt) },
      statusReport: { ...statusReport, ...figuresOf(hours) },
      details,
      timeline: timeline.slice(-LONGEST_TIMELINE).reverse(),
      timelineLength: timeline.length,
      invitations: (facts?.invitations ?? []).toReversed(),
      run: facts?.run,
      messages: (facts?.messages ?? []).toReversed(),
      suppression: facts?.suppression,
      grant,
      consent: await this.#consent(account),
      crosswalk: await crosswalk.report(account.id),
      isNumbered: await this.#isNumbered(account),
      routes: await this.#routes(account.id),
      calls: recent,
      hours,
      refused: await this.refused(account.id),
    };
  }

  /** By the kinds that have numbers: before V3 has shown a record, the crosswalk of an account may have no row at all. */
  async #isNumbered(account: Account): Promise<boolean> {
    const { cutover } = this.#parts;
    if (cutover === undefined || account.life.stage !== 'migrated') return true;
    return (await cutover.numbers(account)).isKnown;
  }

  /**
   * V1 has refused its keys since the consent, and V3 or V2 has answered its programs within a day, before the move.
   * V1 never knew an account that was issued here.
   */
  isServedEarly(
    { life, origin }: Pick<Account, 'life' | 'origin'>,
    hours: readonly Pick<HourCount, 'source'>[],
  ): boolean {
    const isV1s = this.#parts.hasV1 && origin !== 'issued';
    return (
      isV1s && life.stage === 'consented' && hours.some(({ source }) => source === 'v3' || source === 'v2')
    );
  }

  /** Calls with its account key that were refused within a day; undefined if there are none. */
  refused(accountId: string): Promise<RefusedRecently | undefined> {
    return this.#parts.calls.refused(accountId, this.#parts.clock.now());
  }

  /** Single calls, newest first, and the counts of the last day by hour and source. */
  async calls(accountId: string, wanted?: CallsWanted): Promise<RecentCalls> {
    const { calls, clock } = this.#parts;
    const recent = await calls.find(accountId, wanted);
    return { recent, hours: await calls.hours(accountId, clock.now() - DAY) };
  }

  /** The account's own line of the status report. */
  async #line({ id, name }: Account): Promise<ReportedAccount> {
    const line = await this.#parts.status.account(id);
    if (line === undefined) throw unknownAccount(name);
    return line;
  }

  async #routes(accountId: string): Promise<readonly RouteOverride[]> {
    const all = await this.#parts.routes.list();
    return all.filter(({ account }) => account === accountId || account === EVERY_ACCOUNT);
  }

  async #grant({ life }: Account): Promise<GrantHealth | undefined> {
    const id = grantOf(life);
    const grant = id === undefined ? undefined : await this.#parts.grants.find(id);
    return grant && healthOf(grant, this.#parts.refreshLife);
  }

  async #consent({ id, life }: Account): Promise<AccountPage['consent']> {
    if (life.stage !== 'awaiting-operator') return undefined;
    const consent = (await this.#parts.awaiting.list()).find(({ accountId }) => accountId === id);
    return consent && { reasons: reasonsOf(consent) };
  }
}

/** What is so if `isServedEarly`, as a sentence without its end. */
export const EARLY = 'has refused its keys since the consent, so V3 already serves it';

/** Calls that were refused for their keys are not the account's. */
const lastOf = (recent: readonly CallRecord[], known: number | undefined): number | undefined =>
  recent.reduce((last, { at, refused }) => (refused === undefined && at > (last ?? 0) ? at : last), known);

function figuresOf(
  hours: readonly HourCount[],
): Pick<ReportedAccount, 'calls24h' | 'errors24h' | 'v1Calls24h'> {
  const sum = (of: (one: HourCount) => number): number => hours.reduce((all, one) => all + of(one), 0);
  return {
    calls24h: sum(({ calls }) => calls),
    errors24h: sum(({ errors }) => errors),
    v1Calls24h: sum(({ source, calls }) => (source === 'v1' ? calls : 0)),
  };
}
