import type { StatusReport, ReportedAccount } from '../model.ts';
import { isStuck } from './funnel.ts';
import { filterNames, meets, type Wanted } from './filters.ts';

/** Keys to sort accounts by; used by the command line and in addresses. */
export const sortKeys = [
  'name',
  'stage',
  'days',
  'stuck',
  'next',
  'last-call',
  'calls',
  'errors',
  'expiry',
  'invitation',
  'ready',
] as const;
export type SortKey = (typeof sortKeys)[number];

/** Which accounts the report lists and in what order; absent fields do not filter. */
export interface StatusReportFilter extends Wanted {
  /** Only accounts that need somebody to act. */
  readonly stuck?: boolean | undefined;
  /** Matches part of a name, organisation, id or tag, ignoring case. */
  readonly search?: string | undefined;
  /** Accounts that matched by contact, address or notes, which the report itself does not hold. */
  readonly found?: ReadonlySet<string> | undefined;
  /** Undefined: in the order in which the accounts were added. */
  readonly sort?: SortKey | undefined;
  readonly descending?: boolean | undefined;
}

/** The same report with fewer accounts, or in another order. Totals always cover all accounts. */
export function viewOf(statusReport: StatusReport, filter: StatusReportFilter): StatusReport {
  const accounts = statusReport.accounts.filter((account) => isWanted(account, filter));
  if (filter.sort !== undefined) {
    const order = orders[filter.sort];
    accounts.sort((a, b) => order(a, b) || byName(a, b));
  }
  if (filter.descending === true) accounts.reverse();
  return { ...statusReport, accounts };
}

function isWanted(account: ReportedAccount, filter: StatusReportFilter): boolean {
  const { stuck, search, found } = filter;
  if (stuck === true && !isStuck(account)) return false;
  if (!meets(account, filter)) return false;
  return search === undefined || found?.has(account.id) === true || isFound(account, search.toLowerCase());
}

const isFound = ({ name, organisation, id, tags }: ReportedAccount, wanted: string): boolean =>
  [name, organisation ?? '', id, ...tags].some((text) => text.toLowerCase().includes(wanted));

/** Whether a filter leaves any account out. */
export const isNarrowed = (filter: StatusReportFilter): boolean =>
  filter.stuck === true ||
  (filter.search ?? '') !== '' ||
  filterNames.some((name) => (filter[name] ?? []).length > 0);

type Order = (a: ReportedAccount, b: ReportedAccount) => number;

/** Created at first use: Node loads its tables for it (3 MB, 7 ms). */
let collator: Intl.Collator | undefined;
const byName: Order = (a, b) =>
  (collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })).compare(a.name, b.name);

const stageOrder: Readonly<Record<ReportedAccount['stage'], number>> = {
  lost: 0,
  'awaiting-operator': 1,
  legacy: 2,
  consented: 3,
  migrated: 4,
  exported: 5,
  closed: 6,
};

/** Sorts missing values last. */
const text = (value: string | null): string => value ?? '\uffff';
const byText =
  (of: (account: ReportedAccount) => string | null): Order =>
  (a, b) =>
    text(of(a)) < text(of(b)) ? -1 : text(of(a)) > text(of(b)) ? 1 : 0;
/** Sorts the highest first. */
const byNumber =
  (of: (account: ReportedAccount) => number): Order =>
  (a, b) =>
    of(b) - of(a);

const orders: Readonly<Record<SortKey, Order>> = {
  name: byName,
  stage: (a, b) => stageOrder[a.stage] - stageOrder[b.stage],
  days: byNumber(({ daysInStage }) => daysInStage),
  stuck: byText(({ stuck }) => stuck?.reason ?? null),
  next: byText(({ next }) => next?.at ?? null),
  'last-call': byNumber(({ lastCallAt }) => (lastCallAt === null ? 0 : Date.parse(lastCallAt))),
  calls: byNumber(({ calls24h }) => calls24h),
  errors: byNumber(({ errors24h }) => errors24h),
  expiry: byText(({ grant }) => grant?.expiresAt ?? null),
  invitation: byText(({ invitation }) => invitation.issuedAt),
  ready: byNumber(({ inviteReady }) => (inviteReady === null ? -99 : -inviteReady.lacks.length)),
};
