import { z } from 'zod';
import { auditColumns, auditOrders, auditRows, type AuditRow } from '../../../features/admin/audit.ts';
import { positionText } from '../../../lib/text/list-order.ts';
import { csvList } from '../csv-list.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { cursorQuery, cursorReply, nextCursor, orderQuery } from '../queries.ts';
import { count } from '../shapes.ts';
import { iso, moment } from '../../../lib/time/iso.ts';

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

const filter = {
  who: z.string().max(200).optional().describe('Only what this token or person did, or `command line`'),
  action: z.string().max(100).optional().describe('Only this action, such as `invite`'),
} as const;

const audit = endpoint({
  id: 'listAudit',
  verb: 'GET',
  path: '/audit',
  area: 'Audit',
  summary: 'Lists who did what, newest first by default',
  scope: 'read',
  query: z.strictObject({ ...cursorQuery(auditOrders), ...filter }),
  reply: {
    name: 'AuditList',
    schema: z.strictObject({ rows: z.array(auditSchema), ...cursorReply }),
  },
  async handle({ admin, query: { limit, ...page } }) {
    const rows = await admin.audit(limit, page);
    return {
      rows: rows.map(auditOf),
      next: nextCursor(auditOrders, { ...page, limit }, rows, auditRows),
    };
  },
});

const csv = endpoint({
  id: 'listAuditCsv',
  verb: 'GET',
  path: '/audit.csv',
  area: 'Audit',
  summary: 'The whole list as CSV, with the current names of the accounts',
  scope: 'read',
  type: 'text/csv',
  query: z.strictObject({ ...orderQuery(auditOrders), ...filter }),
  reply: { name: 'AuditCsv', schema: z.string() },
  async handle({ admin, query }) {
    const names = new Map((await admin.statusReport()).accounts.map(({ id, name }) => [id, name]));
    return csvList<AuditRow>({
      file: 'audit.csv',
      columns: auditColumns(names),
      read: (limit, last) =>
        admin.audit(limit, {
          ...query,
          before: last && positionText(auditOrders, query, last, last.seq),
        }),
    });
  },
});

export const auditOperations: readonly Endpoint[] = [audit, csv];
