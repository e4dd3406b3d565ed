import type { AccountGroup } from '../../../features/status/groups.ts';
import type { ReportedAccount } from '../../../features/status/model.ts';
import { filterText } from '../../../features/status/report/filter-text.ts';
import type { AdminService } from '../../../features/admin/admin.ts';
import type { sortKeys } from '../../../features/status/report/view.ts';
import { filterWords } from '../../../lib/text/address-text.ts';
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
export async function saveGroup(parts: AccountsParts, deed: Deed): Promise<void> {
  const { form, response, who } = deed;
  const { admin, pages } = parts;
  const [name, filter] = [(form.get('name') ?? '').trim(), form.get('filter') ?? ''];
  const wanted = filterText(admin.groups.checked(name, filter));
  const before = (await admin.groups.list()).find((group) => group.name === name);
  if (before !== undefined && filterText(before.filter) !== wanted && form.get('sure') !== 'yes')
    askToReplace(parts, deed, before, filter);
  else {
    await admin.groups.save(name, filter, who);
    pages.redirect(response, `${CONSOLE_PATH}/accounts?group=${encodeURIComponent(name)}`);
  }
}

/** Shows the confirmation page: the name may be of another person's group. */
function askToReplace({ pages }: AccountsParts, deed: Deed, before: AccountGroup, filter: string): void {
  const { name, savedBy } = before;
  pages.send(deed.response, 409, 'confirm', {
    title: `Replace the group ${name}`,
    under: '/accounts',
    session: deed.session,
    ...{ from: 'Accounts', back: `${CONSOLE_PATH}/accounts?${filter}`, action: `${CONSOLE_PATH}/groups` },
    button: 'Replace group',
    kept: [
      ['name', name],
      ['filter', filter],
    ],
    lines: [
      `There is a group ${name}, saved by ${savedBy}: ${filterWords(filterText(before.filter))}.`,
      'Its name would then stand for the accounts found now, also in commands with --group. Nothing happens until you confirm.',
    ],
  });
}

/** Deletes a group; its accounts stay as they are. */
export async function removeGroup(
  { admin, pages }: AccountsParts,
  { form, response, who }: Deed,
): Promise<void> {
  await admin.groups.remove(form.get('name') ?? '', who);
  pages.redirect(response, `${CONSOLE_PATH}/accounts`);
}
