import { z } from 'zod';
import type { AuditRow } from '../../../features/admin/audit.ts';
import { csvList } from '../csv-list.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { wholeNumber } from '../queries.ts';
import { count, iso, moment } from '../shapes.ts';

const auditSchema = z.strictObject({
  seq: count,
  at: moment,
  who: z.string(),
  action: z.string(),
  accountIds: z.array(z.string()),
  detail: z.string(),
});

const auditOf = (row: AuditRow): z.infer<typeof auditSchema> => ({
  ...row,
  at: iso(row.at),
  accountIds: [...row.accountIds],
});

const audit = endpoint({
  id: 'listAudit',
  verb: 'GET',
  path: '/audit',
  area: 'Audit',
  summary: 'Who did what, newest first',
  scope: 'read',
  query: z.strictObject({
    limit: wholeNumber(1, 1_000, 100),
    before: wholeNumber(0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER).describe(
      '`seq` of the last row on the previous page',
    ),
  }),
  reply: {
    name: 'AuditList',
    schema: z.strictObject({
      rows: z.array(auditSchema),
      next: count.nullable().describe('`before` of the next page; null: there is none'),
    }),
  },
  async handle({ admin, query: { limit, before } }) {
    const rows = await admin.audit(limit, before);
    return { rows: rows.map(auditOf), next: rows.length < limit ? null : (rows.at(-1)?.seq ?? null) };
  },
});

const csv = endpoint({
  id: 'listAuditCsv',
  verb: 'GET',
  path: '/audit.csv',
  area: 'Audit',
  summary: 'The same as CSV, all of it, with the present names of the accounts',
  scope: 'read',
  type: 'text/csv',
  reply: { name: 'AuditCsv', schema: z.string() },
  async handle({ admin }) {
    // An entry keeps ids alone; an account that was erased since stays one.
    const names = new Map((await admin.statusReport()).accounts.map(({ id, name }) => [id, name]));
    return csvList<AuditRow>({
      file: 'audit.csv',
      columns: {
        seq: ({ seq }) => seq,
        at: ({ at }) => iso(at),
        who: ({ who }) => who,
        action: ({ action }) => action,
        accounts: ({ accountIds }) => accountIds.map((id) => names.get(id) ?? id).join('; '),
        account_ids: ({ accountIds }) => accountIds.join(' '),
        detail: ({ detail }) => detail,
      },
      read: (limit, last) => admin.audit(limit, last?.seq),
    });
  },
});

export const auditOperations: readonly Endpoint[] = [audit, csv];
