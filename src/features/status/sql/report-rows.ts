/**
 * Reads all rows of the status report in a fixed number of queries, however many accounts there are.
 *
 * Lists are reduced to what matters for an account (the last invitation, the last message, the counts of a day) and
 * joined by account in memory. For a single account the same queries are narrowed to it. The lists may be a moment
 * apart: the report informs people and decides nothing.
 */
import { sql } from 'kysely';
import type {
  StatusRowReader,
  StatusRows,
  HindranceLine,
  InvitationLine,
  MessageLine,
  MovingReader,
} from '../report-rows.ts';
import type { Forecast } from '../../forecast/forecast.ts';
import type { Verdict } from '../../usage/readiness/verdict.ts';
import { consentEvents } from '../../consent/model.ts';
import { grantEvents } from '../../consent/grants/model.ts';
import { v1Events } from '../../identifiers/learning.ts';
import { DAY } from '../../../lib/time/clock.ts';
import { COUNTS, OLDEST_FIRST } from '../../accounts/sql/invitations.ts';
import type { Engine } from '../../../db/engine.ts';
import type { StoredHistory } from '../../accounts/sql/history.ts';
import type { Kind } from '../../../mapping/crosswalk/identifier.ts';
import { callLines } from './call-lines.ts';

const LONGEST_PACE = 28 * DAY;
const OPENED: ReadonlySet<InvitationLine['state']> = new Set(['opened', 'declined'] as const);

const hindrances = {
  'cutover.waiting': 'checks',
  consentRefused: 'consent',
  consentAsked: 'consent',
  'consent.refused': 'refused',
} as const;

const HAS_API_KEY = sql<number>`
  case when accounts.api_key_index is not null
    or exists (select 1 from account_api_keys as pin where pin.account_id = accounts.id) then 1 else 0 end
`.as('has_api_key');

/** The rows of the status report: one query per list, none per account. */
export class StoredStatusRows implements StatusRowReader {
  readonly #engine: Engine;
  readonly #history: Pick<StoredHistory, 'days'>;
  readonly #moving: MovingReader;

  constructor(engine: Engine, history: Pick<StoredHistory, 'days'>, moving: MovingReader) {
    this.#engine = engine;
    this.#history = history;
    this.#moving = moving;
  }

  async read(now: number, kinds: readonly Kind[] = []): Promise<StatusRows> {
    return {
      ...(await this.#lines(now, kinds)),
      days: await this.#history.days(now),
      moves: await this.#moves(now),
    };
  }

  async readOne(accountId: string, now: number, kinds: readonly Kind[] = []): Promise<StatusRows> {
    return { ...(await this.#lines(now, kinds, accountId)), days: [], moves: [] };
  }

  async #lines(
    now: number,
    kinds: readonly Kind[],
    only?: string,
  ): Promise<Omit<StatusRows, 'days' | 'moves'>> {
    const accounts = await this.#accounts(only);
    return {
      accounts,
      waves: await this.#moving.waves.list(),
      invitations: await this.#invitations(only),
      grants: await this.#grants(only === undefined ? undefined : (accounts[0]?.grantId ?? '')),
      runs: await this.#runs(only),
      messages: await this.#messages(only),
      calls: await callLines(this.#engine, now, only),
      hindrances: await this.#hindrances(only),
      ...(await this.#v1Says(only)),
      unlearned: await this.#unlearned(only),
      identified: await this.#identified(kinds, only),
      verdicts: await this.#verdicts(only),
      forecasts: await this.#forecasts(only),
      parities: await this.#moving.parity.known(only),
      watches: await this.#moving.watches.known(only),
    };
  }

  async #accounts(only?: string): Promise<StatusRows['accounts']> {
    const rows = await this.#engine.db
      .selectFrom('accounts')
      .leftJoin('account_details', 'account_details.account_id', 'accounts.id')
      .leftJoin('suppressions', 'suppressions.address', 'account_details.email_key')
      .select(['id', 'name', 'product', 'application_id', 'origin', 'stage', 'stage_since', 'last_call_at'])
      .select(['grant_id', 'lost_reason', 'account_details.language', 'account_details.tags'])
      .select('suppressions.reason as suppressed')
      .select(['accounts.organisation_name as organisation', 'accounts.organisation_id'])
      .select('account_details.email as email')
      .select(HAS_API_KEY)
      .$if(only !== undefined, (query) => query.where('accounts.id', '=', only ?? ''))
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map((row) => ({
      ...{ id: row.id, name: row.name, origin: row.origin },
      ...{ product: row.product, application: row.application_id },
      ...{ stage: row.stage, stageSince: row.stage_since },
      lastCallAt: row.last_call_at ?? undefined,
      grantId: row.grant_id ?? undefined,
      ...{ organisation: row.organisation ?? undefined, organisationId: row.organisation_id ?? undefined },
      lostReason: row.lost_reason ?? undefined,
      hasApiKey: row.has_api_key === 1,
      hasAddress: row.email !== null,
      suppressed: row.suppressed ?? undefined,
      language: row.language ?? undefined,
      tags: row.tags ?? undefined,
    }));
  }

  /** The newest invitation of each account that counts: the last one made wins. */
  async #invitations(only?: string): Promise<readonly InvitationLine[]> {
    const rows = await this.#engine.db
      .selectFrom('invitations')
      .select(['id', 'account_id', 'state', 'issued_at', 'expires_at'])
      .where(COUNTS)
      .$if(only !== undefined, (query) => query.where('account_id', '=', only ?? ''))
      .orderBy(OLDEST_FIRST)
      .execute();
    const newest = new Map<string, InvitationLine>();
    for (const row of rows)
      newest.set(row.account_id, {
        ...{ id: row.id, accountId: row.account_id },
        state: row.state,
        issuedAt: row.issued_at,
        expiresAt: row.expires_at,
        openedIssuedAt: OPENED.has(row.state) ? row.issued_at : newest.get(row.account_id)?.openedIssuedAt,
      });
    return [...newest.values()];
  }

  async #grants(only?: string): Promise<StatusRows['grants']> {
    const rows = await this.#engine.db
      .selectFrom('grants')
      .select(['id', 'state', 'renewed_at', 'since', 'next_at'])
      .$if(only !== undefined, (query) => query.where('id', '=', only ?? ''))
      .execute();
    return rows.map((row) => ({
      ...{ id: row.id, state: row.state, renewedAt: row.renewed_at },
      since: row.since ?? undefined,
      nextAt: row.next_at ?? undefined,
    }));
  }

  async #runs(only?: string): Promise<StatusRows['runs']> {
    const rows = await this.#engine.db
      .selectFrom('campaign_runs')
      .select(['account_id', 'began_at', 'reminders', 'next_at', 'stop_reason'])
      .$if(only !== undefined, (query) => query.where('account_id', '=', only ?? ''))
      .execute();
    return rows.map((row) => ({
      ...{ accountId: row.account_id, beganAt: row.began_at, reminders: row.reminders },
      nextAt: row.next_at ?? undefined,
      stopped: row.stop_reason ?? undefined,
    }));
  }

  async #messages(only?: string): Promise<readonly MessageLine[]> {
    const rows = await this.#engine.db
      .selectFrom('outbox')
      .leftJoin('suppressions as bar', 'bar.address', 'outbox.to_key')
      .select(['account_id', 'invitation_id', 'state', 'next_at', 'outbox.reason', 'bar.reason as barred'])
      .where('kind', '!=', 'receipt') // it says nothing about the account's address
      .$if(only !== undefined, (query) => query.where('account_id', '=', only ?? ''))
      .orderBy('queued_at')
      .orderBy('id')
      .execute();
    const newest = new Map<string, MessageLine>();
    for (const { account_id: accountId, ...row } of rows) {
      const before = newest.get(accountId);
      const isDead = row.barred === 'refused';
      const anySent = (row.state === 'sent' && !isDead) || before?.anySent === true;
      // A withdrawn message changes nothing for the customer.
      const isToDead = isDead || (row.state === 'withdrawn' && before?.isToDead === true);
      newest.set(accountId, {
        ...{ accountId, invitationId: row.invitation_id, state: row.state, anySent, isToDead },
        ...{ nextAt: row.next_at, reason: row.reason ?? undefined },
      });
    }
    return [...newest.values()];
  }

  async #hindrances(only?: string): Promise<readonly HindranceLine[]> {
    const rows = await this.#engine.db
      .selectFrom('account_events as event')
      .innerJoin('accounts as account', 'account.id', 'event.account_id')
      .select(['event.account_id', 'event.kind', 'event.at', 'event.detail'])
      .where('event.kind', 'in', Object.keys(hindrances))
      .where('account.stage', 'in', ['legacy', 'consented', 'lost'])
      .whereRef('event.at', '>=', 'account.stage_since')
      .$if(only !== undefined, (query) => query.where('event.account_id', '=', only ?? ''))
      .orderBy('event.seq')
      .execute();
    const last = new Map<string, HindranceLine>();
    for (const { account_id: accountId, kind, at, detail } of rows)
      last.set(accountId, { accountId, kind: hindrances[kind as keyof typeof hindrances], at, detail });
    return [...last.values()];
  }

  /** The last entry of each account counts. */
  async #v1Says(only?: string): Promise<Pick<StatusRows, 'v1Refused' | 'approvedElsewhere'>> {
    const rows = await this.#engine.db
      .selectFrom('account_events')
      .select(['account_id', 'kind', 'at', 'detail'])
      .where('kind', 'in', [...Object.values(v1Events), consentEvents.elsewhere])
      .$if(only !== undefined, (query) => query.where('account_id', '=', only ?? ''))
      .where('detail', '<>', '') // erased with the other account
      .orderBy('seq')
      .execute();
    const refused = new Map<string, number>();
    const elsewhere = new Map<string, string>();
    for (const { account_id: id, kind, at, detail } of rows)
      if (kind === v1Events.refused) refused.set(id, at);
      else if (kind === consentEvents.elsewhere) elsewhere.set(id, detail);
      else refused.delete(id);
    return { v1Refused: refused, approvedElsewhere: elsewhere };
  }

  async #unlearned(only?: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#engine.db
      .selectFrom('crosswalk_unlearned')
      .select(['account_id', (query) => query.fn.countAll<number>().as('found')])
      .$if(only !== undefined, (query) => query.where('account_id', '=', only ?? ''))
      .groupBy('account_id')
      .execute();
    return new Map(rows.map((row) => [row.account_id, row.found]));
  }

  /** A kind of which V1 has shown nothing has no row. */
  async #identified(kinds: readonly Kind[], only?: string): Promise<ReadonlySet<string>> {
    if (kinds.length === 0) return new Set();
    const rows = await this.#engine.db
      .selectFrom('crosswalk_kinds')
      .select(['account_id', (query) => query.fn.countAll<number>().as('complete')])
      .where('complete', '=', 1)
      .where('kind', 'in', kinds)
      .$if(only !== undefined, (query) => query.where('account_id', '=', only ?? ''))
      .groupBy('account_id')
      .execute();
    return new Set(rows.filter((row) => row.complete === kinds.length).map((row) => row.account_id));
  }

  async #verdicts(only?: string): Promise<ReadonlyMap<string, Verdict>> {
    const rows = await this.#engine.db
      .selectFrom('usage_accounts')
      .select(['account_id', 'verdict'])
      .where('verdict', 'is not', null)
      .where('verdict', '!=', '')
      .$if(only !== undefined, (query) => query.where('account_id', '=', only ?? ''))
      .execute();
    return new Map(rows.map((row) => [row.account_id, JSON.parse(row.verdict ?? '') as Verdict]));
  }

  async #forecasts(only?: string): Promise<ReadonlyMap<string, Forecast>> {
    const rows = await this.#engine.db
      .selectFrom('forecasts')
      .select(['account_id', 'content'])
      .where('content', '!=', '')
      .$if(only !== undefined, (query) => query.where('account_id', '=', only ?? ''))
      .execute();
    return new Map(rows.map((row) => [row.account_id, JSON.parse(row.content) as Forecast]));
  }

  /** A lost account counts against the pace only while it has to move again: not if it has left the bridge. */
  async #moves(now: number): Promise<StatusRows['moves']> {
    const rows = await this.#engine.db
      .selectFrom('account_events as event')
      .leftJoin('accounts as account', 'account.id', 'event.account_id')
      .select(['event.at', 'event.to_stage'])
      .where('event.at', '>=', now - LONGEST_PACE)
      .where((query) =>
        query.or([
          query('event.to_stage', '=', 'migrated'),
          query.and([
            query('event.to_stage', '=', 'lost'),
            query('event.from_stage', '=', 'migrated'),
            query('event.kind', '!=', grantEvents.exported),
            query('account.stage', '!=', 'closed'),
          ]),
        ]),
      )
      .execute();
    return rows.map(({ at, to_stage: to }) => ({ at, change: to === 'migrated' ? 1 : -1 }));
  }
}
