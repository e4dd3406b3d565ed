import { auditOrders, type AuditPage, type AuditRepository, type AuditRow } from '../audit.ts';
import { raise } from '../../../db/counters.ts';
import type { Engine } from '../../../db/engine.ts';
import { pageOf } from '../../../db/ordered.ts';
import type { Trx } from '../../../db/tables.ts';
import type { AuditTableRow } from './tables.ts';

/** The audit log. `seq` becomes visible in order, so a reader of pages misses no row. */
export class StoredAudit implements AuditRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async write(entry: Omit<AuditRow, 'seq'>): Promise<void> {
    await this.#engine.db.transaction().execute((trx) => appendAudit(trx, entry));
  }

  async list({ who, action, ...page }: AuditPage): Promise<readonly AuditRow[]> {
    const query = this.#engine.db
      .selectFrom('audit')
      .selectAll()
      .$if(who !== undefined, (one) => one.where('who', '=', who ?? ''))
      .$if(action !== undefined, (one) => one.where('action', '=', action ?? ''));
    const find = (seq: string): Promise<AuditRow | undefined> => this.#row(Number(seq));
    const rows = await pageOf(query, auditOrders, page, { column: 'seq', type: 'number', find });
    return rows.map(auditOf);
  }

  async #row(seq: number): Promise<AuditRow | undefined> {
    if (!Number.isSafeInteger(seq)) return undefined;
    const row = await this.#engine.db
      .selectFrom('audit')
      .selectAll()
      .where('seq', '=', seq)
      .executeTakeFirst();
    return row && auditOf(row);
  }
}

/** Adds an entry in the transaction of the change it records. */
export async function appendAudit(
  trx: Trx,
  { at, who, action, accountIds, detail }: Omit<AuditRow, 'seq'>,
): Promise<void> {
  const seq = await raise(trx, 'audit');
  await trx
    .insertInto('audit')
    .values({ seq, at, who, action, account_ids: JSON.stringify(accountIds), detail })
    .execute();
}

const auditOf = ({ account_ids: ids, ...row }: AuditTableRow): AuditRow => ({
  ...row,
  accountIds: JSON.parse(ids) as readonly string[],
});
