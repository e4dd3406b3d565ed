/**
 * The rows of exported grants.
 *
 * `take` is the one moment in which a grant leaves: it is lost here, with the accounts, their timelines, the copies and
 * the audit entry, in one transaction that is on disk before anybody can receive a file. The write names the refresh
 * token as it was read and requires the state `held` and a free lease, so a refresh by another instance either came
 * before, and nothing is written, or finds a lost grant.
 */
import { sql } from 'kysely';
import type { Engine } from '../../../../db/engine.ts';
import type { Trx } from '../../../../db/tables.ts';
import { chunks } from '../../../../db/row.ts';
import {
  NO_INTENT,
  NO_LEASE,
  NO_PAIR,
  NO_CONFIRMATION_DUE,
  consenterColumns,
} from '../../../../tokens/grant-row.ts';
import { dropLatePairsOf } from '../../../../tokens/late-pairs.ts';
import { lose } from '../../../accounts/account.ts';
import { lifeOf } from '../../../accounts/sql/account-row.ts';
import type { AccountRow } from '../../../accounts/sql/tables.ts';
import { lockedHolders } from '../../../accounts/sql/lose-accounts.ts';
import { enter } from '../../../accounts/sql/timeline.ts';
import { write } from '../../../campaign/sql/campaign-writes.ts';
import { grantEvents, type ExportCopy, type ExportRepository } from '../model.ts';
import type { GrantExportRow } from './tables.ts';

/** Adds an entry to the audit log, in the transaction of the change it records. */
export type AppendAudit = (
  trx: Trx,
  entry: {
    readonly at: number;
    readonly who: string;
    readonly action: string;
    readonly accountIds: readonly string[];
    readonly detail: string;
  },
) => Promise<void>;

/** Rows read with one statement: databases limit the number of parameters. */
const AT_ONCE = 500;

/** The repository of exported grants. */
export class StoredExports implements ExportRepository {
  readonly #engine: Engine;
  readonly #audit: AppendAudit;

  constructor(engine: Engine, audit: AppendAudit) {
    this.#engine = engine;
    this.#audit = audit;
  }

  async take({ grantId, refreshToken, copies }: Parameters<ExportRepository['take']>[0]): Promise<boolean> {
    const [first] = copies;
    if (first === undefined) return false;
    try {
      await this.#engine.db.transaction().execute(async (trx) => {
        if (!(await this.#end(trx, grantId, refreshToken, first.exportedAt))) throw new Changed();
        await dropLatePairsOf(trx, grantId);
        const accounts = await lockedHolders(trx, this.#engine.rowLocks, grantId);
        if (!areTheSame(accounts, copies)) throw new Changed();
        for (const row of accounts) await leave(trx, row, first);
        for (const copy of copies) await store(trx, copy);
        await this.#audit(trx, entryOf(copies, first, 'exported'));
      });
      return true;
    } catch (error) {
      if (error instanceof Changed) return false;
      throw error;
    }
  }

  async again(copies: readonly ExportCopy[], recipient: string, who: string, now: number): Promise<void> {
    if (copies.length === 0) return;
    await this.#engine.db.transaction().execute(async (trx) => {
      for (const { id } of copies)
        await trx.updateTable('grant_exports').set({ recipient }).where('id', '=', id).execute();
      const entry = { recipient, who, exportedAt: now };
      await this.#audit(trx, entryOf(copies, entry, 'exported before, and written again'));
    });
  }

  async of(accountIds: readonly string[]): Promise<ReadonlyMap<string, ExportCopy>> {
    const found = new Map<string, ExportCopy>();
    for (const ids of chunks(accountIds, AT_ONCE)) {
      const rows = await this.#engine.db
        .selectFrom('grant_exports')
        .innerJoin('accounts', 'accounts.id', 'grant_exports.account_id')
        .selectAll('grant_exports')
        .select(['accounts.name', 'accounts.product'])
        .where('account_id', 'in', ids)
        .execute();
      for (const row of rows) found.set(row.account_id, copyOf(row));
    }
    return found;
  }

  async drop(before: number): Promise<number> {
    const { numDeletedRows } = await this.#engine.db
      .deleteFrom('grant_exports')
      .where('exported_at', '<', before)
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  /** Succeeds only if the grant is not being refreshed, and was not since it was read. */
  async #end(trx: Trx, grantId: string, refreshToken: string, now: number): Promise<boolean> {
    const { numUpdatedRows } = await trx
      .updateTable('grants')
      .set({
        ...NO_PAIR,
        ...NO_INTENT,
        ...NO_LEASE,
        ...NO_CONFIRMATION_DUE,
        state: 'lost',
        lost_reason: 'exported',
        lost_at: now,
        fence: sql<number>`fence + 1`,
      })
      .where('id', '=', grantId)
      .where('state', '=', 'held')
      .where('refresh_token', '=', refreshToken)
      .where('confirm_at', 'is', null)
      .where('withheld_fence', 'is', null)
      .where(sql<boolean>`(lease_until is null or lease_until <= ${this.#engine.now})`)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }
}

/** The grant has changed since it was read: nothing is written. */
class Changed extends Error {
  constructor() {
    super('the grant has changed');
    this.name = 'Changed';
  }
}

function areTheSame(accounts: readonly AccountRow[], copies: readonly ExportCopy[]): boolean {
  const wanted = new Set(copies.map(({ account }) => account.id));
  return (
    accounts.length === wanted.size &&
    accounts.every(({ id, stage }) => wanted.has(id) && stage !== 'awaiting-operator')
  );
}

/** Sends the customer no e-mail about a lost connection: the connection is not lost, but elsewhere. */
async function leave(
  trx: Trx,
  row: AccountRow,
  { exportedAt: at, who, recipient }: ExportCopy,
): Promise<void> {
  const detail = `exported to the key ${recipient}`;
  await enter(trx, row, lose(lifeOf(row), 'exported'), {
    at,
    kind: grantEvents.exported,
    actor: who,
    detail,
  });
  const run = { accountId: row.id, cause: 'lost', beganAt: at, reminders: 0 } as const;
  await write(trx, row.id, {
    now: at,
    run: { ...run, state: 'stopped', reason: 'withdrawn', at },
    recall: 'the connection was exported',
    revoke: true,
  });
}

async function store(trx: Trx, copy: ExportCopy): Promise<void> {
  await trx.deleteFrom('grant_exports').where('account_id', '=', copy.account.id).execute();
  await trx
    .insertInto('grant_exports')
    .values({
      id: copy.id,
      account_id: copy.account.id,
      grant_id: copy.grantId,
      application_id: copy.application,
      organisation_id: copy.account.organisation.id,
      organisation_name: copy.account.organisation.name,
      ...consenterColumns(copy.consenter),
      scope: copy.scope,
      generation: copy.tokens.generation,
      access_token: copy.tokens.accessToken,
      access_expires_at: copy.tokens.accessExpiresAt,
      refresh_token: copy.tokens.refreshToken,
      exported_at: copy.exportedAt,
      who: copy.who,
      recipient: copy.recipient,
    })
    .execute();
}

const entryOf = (
  copies: readonly ExportCopy[],
  { exportedAt: at, who, recipient }: Pick<ExportCopy, 'exportedAt' | 'who' | 'recipient'>,
  words: string,
): Parameters<AppendAudit>[1] => ({
  at,
  who,
  action: 'grants.export',
  accountIds: copies.map(({ account }) => account.id),
  detail: `${words}: to the key ${recipient}`,
});

type Row = GrantExportRow & Pick<AccountRow, 'name' | 'product'>;

const copyOf = (row: Row): ExportCopy => ({
  id: row.id,
  account: {
    id: row.account_id,
    name: row.name,
    product: row.product,
    organisation: { id: row.organisation_id, name: row.organisation_name },
  },
  grantId: row.grant_id,
  application: row.application_id,
  consenter: {
    userId: row.user_id,
    name: row.user_name ?? undefined,
    email: row.user_email ?? undefined,
  },
  scope: row.scope,
  tokens: {
    generation: row.generation,
    accessToken: row.access_token,
    accessExpiresAt: row.access_expires_at,
    refreshToken: row.refresh_token,
  },
  exportedAt: row.exported_at,
  who: row.who,
  recipient: row.recipient,
});
