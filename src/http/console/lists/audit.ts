import type { AdminService } from '../../../features/admin/admin.ts';
import { auditOrders, auditRows } from '../../../features/admin/audit.ts';
import { pageIn, sortedValues } from './sorted.ts';
import type { Visit } from '../session/session-guard.ts';
import type { ConsolePages } from '../pages.ts';

export interface AuditParts {
  readonly admin: Pick<AdminService, 'audit' | 'statusReport' | 'latestEvent'>;
  readonly pages: ConsolePages;
}

const PAGE = 100;

/** The audit log, newest first unless a column head was followed. */
export async function audit(
  { admin, pages }: AuditParts,
  { response, session, query }: Visit,
): Promise<void> {
  const page = pageIn(query, auditOrders);
  const filter = { who: query.get('who') ?? undefined, action: query.get('action') ?? undefined };
  const seq = await admin.latestEvent();
  const found = await admin.audit(PAGE + 1, { ...page, ...filter });
  const { accounts } = await admin.statusReport();
  pages.send(response, 200, 'audit', {
    title: 'Audit',
    session,
    ...(page.before === undefined ? { seq } : {}),
    filter,
    ...sortedValues({ orders: auditOrders, page, filter, found, shown: PAGE, listRows: auditRows }),
    names: new Map(accounts.map(({ id, name }) => [id, name])),
  });
}
