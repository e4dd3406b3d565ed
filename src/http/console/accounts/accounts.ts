import type { ReportedAccount } from '../../../features/status/model.ts';
import type { AdminService } from '../../../features/admin/admin.ts';
import type { sortKeys } from '../../../features/status/report/view.ts';
import { actionNames, actions } from '../../../features/admin/actions/words.ts';
import type { Deed, Visit } from '../session/session-guard.ts';
import { CONSOLE_PATH, type ConsolePages } from '../pages.ts';
import { choicesFor } from './choices.ts';
import { filterQuery, isNarrowed, queryFor, selectionIn, wantedOf, type Selection } from './selection.ts';

export interface AccountsParts {
  readonly admin: Pick<AdminService, 'view' | 'statusReport' | 'latestEvent' | 'groups'>;
  readonly pages: ConsolePages;
}

export const PAGE = 50;

type SortKey = (typeof sortKeys)[number];

const sortWords: Readonly<Record<SortKey, string>> = {
  name: 'name',
  stage: 'stage',
  days: 'days in stage',
  stuck: 'reason stuck',
  next: 'next date',
  'last-call': 'last call',
  calls: 'calls',
  errors: 'errors',
  expiry: 'end of consent',
  invitation: 'invitation',
  ready: 'ready to invite',
};

/** The list of accounts: filtered, sorted, fifty per page. */
export async function accounts({ admin, pages }: AccountsParts, visit: Visit): Promise<void> {
  const { response, session, query } = visit;
  const selection = selectionIn(query);
  const seq = await admin.latestEvent();
  const statusReport = await admin.statusReport();
  const found = (await admin.view(wantedOf(selection))).accounts;
  const last = Math.max(1, Math.ceil(found.length / PAGE));
  const page = Math.min(last, Math.max(1, Math.floor(Number(query.get('page') ?? '1')) || 1));
  const shown: readonly ReportedAccount[] = found.slice((page - 1) * PAGE, page * PAGE);
  const choices = choicesFor(statusReport, selection);
  pages.send(response, 200, 'accounts', {
    title: 'Accounts',
    session,
    seq,
    statusReport,
    selection,
    choices,
    isMore: choices.slice(MAIN_CHOICES).some(({ name }) => selection[name] !== undefined),
    mainChoices: MAIN_CHOICES,
    groups: await admin.groups.list(),
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
    filter: filterQuery(selection),
    csv:
      queryFor({ ...selection, descending: false }).replace(/^\?/, '') +
      (selection.descending ? '&reverse=true' : ''),
    link: (change: Partial<Selection>, to = 1) => queryFor({ ...selection, ...change }, to),
    headOf: (key: SortKey) => headOf(selection, key),
  });
}

/** Choices that are always open; the others unfold. */
const MAIN_CHOICES = 3;

/** The link of a column head, and its present sorting: a second click reverses the order. */
function headOf(selection: Selection, key: SortKey) {
  const isThis = selection.sort === key;
  return {
    href: queryFor({ ...selection, sort: key, descending: isThis && !selection.descending }),
    sorted: isThis ? (selection.descending ? 'descending' : 'ascending') : undefined,
  };
}

/** Saves the filters of the list under a name, and shows the group. */
export async function saveGroup(
  { admin, pages }: AccountsParts,
  { form, response, who }: Deed,
): Promise<void> {
  const { name } = await admin.groups.save((form.get('name') ?? '').trim(), form.get('filter') ?? '', who);
  pages.redirect(response, `${CONSOLE_PATH}/accounts?group=${encodeURIComponent(name)}`);
}

/** Deletes a group; its accounts stay as they are. */
export async function removeGroup(
  { admin, pages }: AccountsParts,
  { form, response, who }: Deed,
): Promise<void> {
  await admin.groups.remove(form.get('name') ?? '', who);
  pages.redirect(response, `${CONSOLE_PATH}/accounts`);
}
