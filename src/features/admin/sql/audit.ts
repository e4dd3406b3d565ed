import type { AuditRepository, AuditRow } from '../audit.ts';
import { raise } from '../../../db/counters.ts';
import type { Engine } from '../../../db/engine.ts';
import type { Trx } from '../../../db/migrations/shape.ts';
import type { AuditTableRow } from './tables.ts';

/** Who did what, to which accounts. `seq` becomes visible in order, so a reader of pages misses no row. */
export class StoredAudit implements AuditRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async write(entry: Omit<AuditRow, 'seq'>): Promise<void> {
    await this.#engine.db.transaction().execute((trx) => appendAudit(trx, entry));
  }

  async list({ limit, before }: Parameters<AuditRepository['list']>[0]): Promise<readonly AuditRow[]> {
    const rows = await this.#engine.db
      .selectFrom('audit')
      .selectAll()
      .$if(before !== undefined, (query) => query.where('seq', '<', before ?? 0))
      .orderBy('seq', 'desc')
      .limit(limit)
      .execute();
    return rows.map(auditOf);
  }
}

/** Adds an entry in the transaction of what it records. */
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
