import type { AdminService } from '../../features/admin/admin.ts';
import type { Visit } from './session/session-guard.ts';
import type { ConsolePages } from './pages.ts';

export interface AuditParts {
  readonly admin: Pick<AdminService, 'audit' | 'statusReport' | 'latestEvent'>;
  readonly pages: ConsolePages;
}

const PAGE = 100;

/** Who did what, newest first. */
export async function audit(
  { admin, pages }: AuditParts,
  { response, session, query }: Visit,
): Promise<void> {
  const given = Number(query.get('before') ?? '');
  const before = Number.isSafeInteger(given) && given > 0 ? given : undefined;
  const seq = await admin.latestEvent();
  const rows = await admin.audit(PAGE, before);
  const { accounts } = await admin.statusReport();
  pages.send(response, 200, 'audit', {
    title: 'Audit',
    session,
    ...(before === undefined ? { seq } : {}),
    rows,
    before,
    older: rows.length === PAGE ? rows.at(-1)?.seq : undefined,
    names: new Map(accounts.map(({ id, name }) => [id, name])),
  });
}
