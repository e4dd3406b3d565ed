import { sql } from 'kysely';
import { noInvitations, type Census, type CensusTaker } from '../census.ts';
import { noAccounts } from '../../accounts/history.ts';
import type { Engine } from '../../../db/engine.ts';
import { BREAKER } from '../../campaign/model.ts';
import { StoredDeliveries } from '../../events/deliveries.ts';
import { counted } from '../../writes/rows/write-queries.ts';

const noMessages: Census['messages'] = {
  queued: 0,
  sending: 0,
  sent: 0,
  failed: 0,
  refused: 0,
  unknown: 0,
  abandoned: 0,
  withdrawn: 0,
};
const noGrants: Census['grants'] = { held: 0, unresolved: 0, lost: 0 };

/** A loss is followed by e-mails; only a disconnection on purpose ends them in the moment in which they begin. */
const SHOWN = sql<string>`case
  when stage = 'lost' and lost_reason = 'exported' then 'exported'
  when stage = 'lost' and lost_reason = 'disconnected' and exists (
    select 1 from campaign_runs
    where account_id = accounts.id and cause = 'lost' and state = 'stopped' and stopped_at = began_at
      and began_at = accounts.stage_since
  ) then 'disconnected'
  else stage end`;

interface Group {
  readonly state: string;
  readonly found: number;
}

const countsOf = <Counts extends Readonly<Record<string, number>>>(
  none: Counts,
  groups: readonly Group[],
): Counts => ({
  ...none,
  ...Object.fromEntries(groups.map(({ state, found }) => [state, found])),
});

/** Counts for the metrics, by grouped queries: no account is read individually. */
export class StoredCensus implements CensusTaker {
  readonly #engine: Engine;
  readonly #deliveries: StoredDeliveries;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#deliveries = new StoredDeliveries(engine);
  }

  async take(now: number): Promise<Census> {
    const messages = countsOf(noMessages, await this.#groups('outbox', 'state'));
    return {
      accounts: await this.#accounts(),
      invitations: await this.#invitations(now),
      messages,
      isMailPaused: messages.queued + messages.failed > 0 && (await this.#mailFails()),
      grants: countsOf(noGrants, await this.#groups('grants', 'state')),
      oldestGrantAt: await this.#oldestGrant(),
      ...(await this.#unsettled()),
      deliveries: await this.#deliveries.counts(),
      unlearned: await this.#unlearned(),
      flagged: await this.#flagged(),
      drift: await this.#drift(),
      writes: await counted(this.#engine.db),
    };
  }

  async #mailFails(): Promise<boolean> {
    const row = await this.#engine.db
      .selectFrom('outbox_sending')
      .select('errors')
      .where('errors', '>=', BREAKER.after)
      .executeTakeFirst();
    return row !== undefined;
  }

  async #groups(table: 'outbox' | 'grants' | 'invitations', column: 'state'): Promise<Group[]> {
    return this.#engine.db
      .selectFrom(table)
      .select([
        sql<string>`${sql.ref(column)}`.as('state'),
        (query) => query.fn.countAll<number>().as('found'),
      ])
      .groupBy(sql.ref(column))
      .execute();
  }

  /** Counts separately which lost accounts were exported or disconnected on purpose: those need no attention. */
  async #accounts(): Promise<Census['accounts']> {
    const rows = await this.#engine.db
      .selectFrom((query) => query.selectFrom('accounts').select(SHOWN.as('state')).as('shown'))
      .select(['state', (query) => query.fn.countAll<number>().as('found')])
      .groupBy('state')
      .execute();
    return countsOf({ ...noAccounts, exported: 0, disconnected: 0 }, rows);
  }

  /** No state is stored when an invitation expires. */
  async #invitations(now: number): Promise<Census['invitations']> {
    const counts = countsOf(noInvitations, await this.#groups('invitations', 'state'));
    const over = await this.#engine.db
      .selectFrom('invitations')
      .select(['state', (query) => query.fn.countAll<number>().as('found')])
      .where('state', 'in', ['issued', 'opened'])
      .where('expires_at', '<=', now)
      .groupBy('state')
      .execute();
    const { issued, opened } = countsOf({ issued: 0, opened: 0 }, over);
    return {
      ...counts,
      issued: counts.issued - issued,
      opened: counts.opened - opened,
      expired: counts.expired + issued + opened,
    };
  }

  async #oldestGrant(): Promise<number | undefined> {
    const row = await this.#engine.db
      .selectFrom('grants')
      .select((query) => query.fn.min('renewed_at').as('at'))
      .where('state', '=', 'held')
      .executeTakeFirst();
    return row?.at ?? undefined;
  }

  async #unsettled(): Promise<Pick<Census, 'oldestUnresolvedAt' | 'firstConfirmAt'>> {
    const row = await this.#engine.db
      .selectFrom('grants')
      .select((query) => [query.fn.min('since').as('since'), query.fn.min('confirm_at').as('confirmAt')])
      .where('state', '!=', 'lost')
      .executeTakeFirst();
    return { oldestUnresolvedAt: row?.since ?? undefined, firstConfirmAt: row?.confirmAt ?? undefined };
  }

  async #flagged(): Promise<number> {
    const row = await this.#engine.db
      .selectFrom('watches')
      .select((query) => query.fn.countAll<number>().as('found'))
      .where('flagged_at', 'is not', null)
      .executeTakeFirst();
    return row?.found ?? 0;
  }

  async #drift(): Promise<number> {
    const row = await this.#engine.db
      .selectFrom('drift_alarms')
      .select((query) => query.fn.countAll<number>().as('found'))
      .where('state', '=', 'open')
      .executeTakeFirst();
    return row?.found ?? 0;
  }

  async #unlearned(): Promise<number> {
    const row = await this.#engine.db
      .selectFrom('crosswalk_unlearned')
      .innerJoin('accounts', 'accounts.id', 'account_id')
      .where('stage', '<>', 'closed')
      .where((where) =>
        where.or([
          where('lost_reason', 'is', null),
          where('lost_reason', 'not in', ['exported', 'disconnected']),
        ]),
      )
      .select((query) => query.fn.countAll<number>().as('found'))
      .executeTakeFirst();
    return row?.found ?? 0;
  }
}
