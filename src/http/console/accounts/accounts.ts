import type { ReportedAccount } from '../../../features/status/model.ts';
import type { AdminService } from '../../../features/admin/admin.ts';
import type { sortKeys } from '../../../features/status/report/view.ts';
import { actionNames, actions } from '../../../features/admin/actions/words.ts';
import type { Visit } from '../session/session-guard.ts';
import type { ConsolePages } from '../pages.ts';
import { isNarrowed, queryFor, selected, selectionIn } from './selection.ts';

export interface AccountsParts {
  readonly admin: Pick<AdminService, 'statusReport' | 'latestEvent'>;
  readonly pages: ConsolePages;
}

export const PAGE = 50;

const sortWords: Readonly<Record<(typeof sortKeys)[number], string>> = {
  name: 'name',
  stage: 'stage',
  days: 'days in stage',
  stuck: 'reason',
  next: 'next date',
  'last-call': 'last call',
  calls: 'calls',
  errors: 'errors',
  expiry: 'end of consent',
};

/** The list of accounts: filtered, sorted, fifty per page. */
export async function accounts({ admin, pages }: AccountsParts, visit: Visit): Promise<void> {
  const { response, session, query } = visit;
  const selection = selectionIn(query);
  const seq = await admin.latestEvent();
  const statusReport = await admin.statusReport();
  const found = selected(statusReport, selection);
  const last = Math.max(1, Math.ceil(found.length / PAGE));
  const page = Math.min(last, Math.max(1, Math.floor(Number(query.get('page') ?? '1')) || 1));
  const shown: readonly ReportedAccount[] = found.slice((page - 1) * PAGE, page * PAGE);
  pages.send(response, 200, 'accounts', {
    title: 'Accounts',
    session,
    seq,
    statusReport,
    selection,
    narrowed: isNarrowed(selection),
    found: found.length,
    shown,
    from: (page - 1) * PAGE,
    page,
    last,
    actionNames,
    actions,
    sorts: Object.entries(sortWords),
    here: queryFor(selection, page),
    filter: queryFor(selection),
    link: (change: Partial<typeof selection>, to = 1) => queryFor({ ...selection, ...change }, to),
  });
}
