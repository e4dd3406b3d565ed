/**
 * The campaign in the database: everything known about one account when a decision is made, and the decision,
 * stored (`campaign-writes.ts`) in one transaction under a lock on the account.
 *
 * `decide` is the only way to write. It locks, reads, asks the given function, and stores run, message,
 * invitation and timeline entry together. `due` and `lostWithoutRun` only find accounts to decide about. Each
 * is read again under its lock, so an account that has changed since is left alone.
 */
import { sql, type Kysely } from 'kysely';
import type { CampaignRepository, Entry, CampaignFacts } from '../model.ts';
import { addressKey } from '../../accounts/details.ts';
import type { Message, Run, Suppression } from '../outbox.ts';
import { lockedAccount } from '../../accounts/sql/account-lock.ts';
import { accountOf } from '../../accounts/sql/account-row.ts';
import { messageOf, runOf, suppressionOf } from './campaign-row.ts';
import { held } from '../waves/held.ts';
import { suppress, write } from './campaign-writes.ts';
import { detailsOf } from '../../accounts/sql/details-row.ts';
import type { Engine } from '../../../db/engine.ts';
import { HOUR } from '../../../lib/time/clock.ts';
import { v1Events } from '../../identifiers/learning.ts';
import { invitationOf, OLDEST_FIRST } from '../../accounts/sql/invitations.ts';
import type { Tables, Trx } from '../../../db/tables.ts';
import type { AccountRow } from '../../accounts/sql/tables.ts';

type Reader = Pick<Kysely<Tables>, 'selectFrom'>;

/**
 * Decides and writes under a lock on the account, so that two processes never queue the same message twice.
 */
export class StoredCampaign implements CampaignRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async facts(accountId: string): Promise<CampaignFacts | undefined> {
    const { db } = this.#engine;
    const row = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst();
    return row && factsOf(db, row);
  }

  async decide(
    accountId: string,
    decide: (facts: CampaignFacts) => Entry | undefined,
    isAllowed?: (trx: Trx) => Promise<boolean>,
  ): Promise<Entry | undefined> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const row = await lockedAccount(this.#engine, trx, accountId);
      if (isAllowed !== undefined && !(await isAllowed(trx))) return undefined;
      const entry = decide(await factsOf(trx, row));
      if (entry !== undefined) await write(trx, accountId, entry);
      return entry;
    });
  }

  async factsWith(trx: Trx, accountId: string): Promise<CampaignFacts> {
    const row = await trx
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    return factsOf(trx, row);
  }

  readonly writeWith = write;

  async run(accountId: string): Promise<Run | undefined> {
    return oneRun(this.#engine.db, accountId);
  }

  async due(now: number): Promise<readonly string[]> {
    const rows = await this.#engine.db
      .selectFrom('campaign_runs')
      .innerJoin('accounts', 'accounts.id', 'campaign_runs.account_id')
      .select('campaign_runs.account_id')
      .where('campaign_runs.state', '=', 'running')
      .where((query) =>
        query.or([
          query('campaign_runs.next_at', '<=', now),
          query('accounts.stage', 'not in', ['legacy', 'lost']),
          query.exists(
            query
              .selectFrom('invitations')
              .select('invitations.id')
              .whereRef('invitations.account_id', '=', 'campaign_runs.account_id')
              .where('invitations.state', '=', 'declined')
              .where((either) =>
                either.or([
                  either('invitations.issued_at', '>=', either.ref('campaign_runs.began_at')),
                  either('invitations.state_since', '>=', either.ref('campaign_runs.began_at')),
                ]),
              ),
          ),
        ]),
      )
      .orderBy('campaign_runs.next_at')
      .orderBy('campaign_runs.account_id')
      .execute();
    return rows.map((row) => row.account_id);
  }

  /**
   * An account that was only `consented` returns to `legacy`; its accepted invitation distinguishes it from
   * the others.
   */
  async lostWithoutRun(): Promise<readonly string[]> {
    const rows = await this.#engine.db
      .selectFrom('accounts')
      .innerJoin('account_details', 'account_details.account_id', 'accounts.id')
      .leftJoin('campaign_runs', 'campaign_runs.account_id', 'accounts.id')
      .leftJoin('suppressions', 'suppressions.address', 'account_details.email_key')
      .select('accounts.id')
      .where('account_details.email_key', 'is not', null)
      .where('suppressions.address', 'is', null)
      .where((query) =>
        query.or([
          query('accounts.stage', '=', 'lost'),
          query.and([
            query('accounts.stage', '=', 'legacy'),
            query.exists(
              query
                .selectFrom('invitations')
                .select('invitations.id')
                .whereRef('invitations.account_id', '=', 'accounts.id')
                .where('invitations.state', '=', 'accepted'),
            ),
          ]),
        ]),
      )
      .where((query) =>
        query.or([
          query('campaign_runs.cause', 'is distinct from', 'lost'),
          query('campaign_runs.stop_reason', '=', 'consented'),
          query('campaign_runs.began_at', '<', query.ref('accounts.stage_since')),
        ]),
      )
      .orderBy('accounts.stage_since')
      .orderBy('accounts.id')
      .execute();
    return rows.map(({ id }) => id);
  }

  async message(id: string): Promise<Message | undefined> {
    const row = await this.#engine.db
      .selectFrom('outbox')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row && messageOf(row);
  }

  async messages(accountId: string): Promise<readonly Message[]> {
    return allMessages(this.#engine.db, accountId);
  }

  async suppression(address: string): Promise<Suppression | undefined> {
    return oneSuppression(this.#engine.db, addressKey(address));
  }

  async suppress(suppression: Suppression): Promise<void> {
    await this.#engine.db.transaction().execute((trx) => suppress(trx, suppression));
  }

  async relent(address: string): Promise<boolean> {
    const { numDeletedRows } = await this.#engine.db
      .deleteFrom('suppressions')
      .where('address', '=', addressKey(address))
      .where('reason', '=', 'refused')
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }
}

/** The facts that decide about one account, read within the transaction that holds its lock. */
export async function factsOf(db: Reader, row: AccountRow): Promise<CampaignFacts> {
  const { id } = row;
  const details = await db
    .selectFrom('account_details')
    .selectAll()
    .where('account_id', '=', id)
    .executeTakeFirst();
  const invitations = await db
    .selectFrom('invitations')
    .selectAll()
    .where('account_id', '=', id)
    .orderBy(OLDEST_FIRST)
    .execute();
  const key = details?.email_key;
  return {
    account: accountOf(row),
    details: detailsOf(details),
    run: await oneRun(db, id),
    invitations: invitations.map(invitationOf),
    messages: await allMessages(db, id),
    suppression: typeof key === 'string' ? await oneSuppression(db, key) : undefined,
    isRefusedByV1: invitations.some(({ state }) => state === 'accepted') && (await isRefusedByV1(db, row)),
  };
}

async function oneRun(db: Reader, accountId: string): Promise<Run | undefined> {
  const row = await db
    .selectFrom('campaign_runs')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row && runOf(row);
}

async function allMessages(db: Reader, accountId: string): Promise<readonly Message[]> {
  const rows = await db
    .selectFrom('outbox')
    .leftJoin('suppressions', 'suppressions.address', 'outbox.to_key')
    .selectAll('outbox')
    .select(['suppressions.reason as suppressed', held])
    .where('account_id', '=', accountId)
    .orderBy('queued_at')
    .orderBy('id')
    .execute();
  return rows.map(messageOf);
}

async function oneSuppression(db: Reader, key: string): Promise<Suppression | undefined> {
  const row = await db.selectFrom('suppressions').selectAll().where('address', '=', key).executeTakeFirst();
  return row && suppressionOf(row);
}

/**
 * Whether V1 no longer serves an account whose approval was lost before its move. The latest sign counts. The
 * identifier sync notes what V1 says of the keys of accounts without an approval; while there is one, V3 answers
 * exactly the calls that V1 refuses. Calls are counted in whole hours: if both answered in the last one, V1 did so
 * before the approval.
 */
async function isRefusedByV1(db: Reader, { id, stage, stage_since: since }: AccountRow): Promise<boolean> {
  if (stage !== 'legacy') return false;
  const said = await db
    .selectFrom('account_events')
    .select(['kind', 'at'])
    .where('account_id', '=', id)
    .where('kind', 'in', Object.values(v1Events))
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const answered = await db
    .selectFrom('call_hours')
    .select([
      sql<number | null>`max(case when source in ('v3', 'v2') then hour end)`.as('elsewhere'),
      sql<number | null>`max(case when source = 'v1' and calls > errors then hour end)`.as('v1'),
    ])
    .where('account_id', '=', id)
    .executeTakeFirst();
  const [elsewhere, v1] = [answered?.elsewhere ?? 0, answered?.v1 ?? 0];
  if (said !== undefined && said.at >= Math.min(since, Math.max(elsewhere, v1) + HOUR))
    return said.kind === v1Events.refused;
  return elsewhere > 0 && elsewhere >= v1;
}
