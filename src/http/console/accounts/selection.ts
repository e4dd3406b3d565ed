import { filterIn, filterText, type Narrowing } from '../../../features/status/report/filter-text.ts';
import { isNarrowed as narrows, sortKeys, type SortKey } from '../../../features/status/report/view.ts';
import type { WantedView } from '../../../features/status/status.ts';

/** The accounts that the list shows, according to its address. */
export interface Selection extends Narrowing {
  /** Name of a saved group. */
  readonly group: string | undefined;
  readonly sort: SortKey;
  readonly descending: boolean;
}

/** Unknown values are ignored. */
export function selectionIn(query: URLSearchParams): Selection {
  const group = (query.get('group') ?? '').slice(0, 100);
  return {
    ...filterIn(query),
    group: group === '' ? undefined : group,
    sort: sortKeys.find((key) => key === query.get('sort')) ?? 'name',
    descending: query.get('order') === 'down',
  };
}

/** The filters and the group as a query string, in the same form as in the API and a saved group. */
export function filterQuery(selection: Selection): string {
  const query = new URLSearchParams(filterText(selection));
  if (selection.group !== undefined) query.set('group', selection.group);
  return query.toString();
}

/** The selection as a query string; defaults are left out. */
export function queryFor(selection: Selection, page = 1): string {
  const query = new URLSearchParams(filterQuery(selection));
  if (selection.sort !== 'name') query.set('sort', selection.sort);
  if (selection.descending) query.set('order', 'down');
  if (page > 1) query.set('page', String(page));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** The view that the address selects. The report's totals stay those of all accounts. */
export const wantedOf = (selection: Selection): WantedView => selection;

/** Whether the list shows fewer than all accounts; the page then offers actions on the selection. */
export const isNarrowed = (selection: Selection): boolean =>
  selection.group !== undefined || narrows(selection);
