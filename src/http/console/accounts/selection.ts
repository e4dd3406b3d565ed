import {
  nextActions,
  stageNames,
  stuckReasons,
  type StatusReport,
  type ReportedAccount,
  type NextAction,
  type StuckReason,
} from '../../../features/status/model.ts';
import { sortKeys, viewOf, type SortKey } from '../../../features/status/report/view.ts';

/** Which accounts the list shows, according to its address. */
export interface Selection {
  readonly search: string;
  readonly stage: ReportedAccount['stage'] | undefined;
  /** `any`: stuck for whatever reason. */
  readonly reason: StuckReason | 'any' | undefined;
  readonly next: NextAction | undefined;
  readonly sort: SortKey;
  readonly descending: boolean;
}

const LONGEST_SEARCH = 200;

const oneOf = <Name extends string>(names: readonly Name[], given: string | null): Name | undefined =>
  names.find((name) => name === given);

/** Unknown values are ignored. */
export const selectionIn = (query: URLSearchParams): Selection => ({
  search: (query.get('search') ?? '').trim().slice(0, LONGEST_SEARCH),
  stage: oneOf(stageNames, query.get('stage')),
  reason: oneOf([...(Object.keys(stuckReasons) as StuckReason[]), 'any' as const], query.get('reason')),
  next: oneOf(Object.keys(nextActions) as NextAction[], query.get('next')),
  sort: oneOf(sortKeys, query.get('sort')) ?? 'name',
  descending: query.get('order') === 'down',
});

/** The selection as a query string; defaults are left out. */
export function queryFor(selection: Selection, page = 1): string {
  const { search, stage, reason, next, sort, descending } = selection;
  const query = new URLSearchParams();
  if (search !== '') query.set('search', search);
  if (stage !== undefined) query.set('stage', stage);
  if (reason !== undefined) query.set('reason', reason);
  if (next !== undefined) query.set('next', next);
  if (sort !== 'name') query.set('sort', sort);
  if (descending) query.set('order', 'down');
  if (page > 1) query.set('page', String(page));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** The accounts the page's address asks for, in its order. The report's totals stay unchanged. */
export function selected(statusReport: StatusReport, selection: Selection): readonly ReportedAccount[] {
  const { search, stage, reason, next, sort, descending } = selection;
  return viewOf(statusReport, {
    search,
    stages: stage && [stage],
    stuck: reason !== undefined,
    reasons: reason === undefined || reason === 'any' ? undefined : [reason],
    next: next && [next],
    sort,
    descending,
  }).accounts;
}

/** Whether the list shows fewer than all accounts; the page then offers actions on the selection. */
export const isNarrowed = ({ search, stage, reason, next }: Selection): boolean =>
  search !== '' || stage !== undefined || reason !== undefined || next !== undefined;
