/**
 * One spelling of a filter for everything that is kept or sent: addresses of the console, saved groups, and what
 * the command line asks of a running bridge.
 */
import { choicesOf, filterNames, type Wanted } from './filters.ts';
import type { StatusReportFilter } from './view.ts';

/** What is kept of a filter: which accounts, but not their order. */
export type Narrowing = Wanted & Pick<StatusReportFilter, 'stuck' | 'search'>;

const LONGEST_SEARCH = 200;

/** Who was asked and has neither consented nor declined: the first thing that is asked of a campaign. */
export const UNANSWERED: Narrowing = { stage: ['legacy'], invitation: ['issued', 'opened', 'expired'] };

/**
 * A filter as a query string, the form in which it stands in addresses and in a saved group; values of one
 * filter are separated by commas.
 */
export function filterText(filter: Narrowing): string {
  const query = new URLSearchParams();
  for (const name of filterNames) {
    const values = filter[name] ?? [];
    if (values.length > 0) query.set(name, values.join(','));
  }
  if (filter.stuck === true) query.set('stuck', 'true');
  const search = filter.search?.trim() ?? '';
  if (search !== '') query.set('search', search);
  return query.toString();
}

/** The filter of a query string; unknown names and values are ignored. */
export function filterIn(query: URLSearchParams): Narrowing {
  const wanted: Partial<Record<keyof Wanted, readonly string[]>> = {};
  for (const name of filterNames) {
    const choices = choicesOf(name);
    const values = (query.get(name) ?? '')
      .split(',')
      .map((value) => value.trim().toLowerCase())
      .filter((value) => value !== '' && choices?.includes(value) !== false);
    if (values.length > 0) wanted[name] = values;
  }
  // The console's own choice "stuck for any reason".
  const stuck = query.get('stuck') === 'true' || query.get('reason') === 'any';
  const search = (query.get('search') ?? '').trim().slice(0, LONGEST_SEARCH);
  return { ...wanted, ...(stuck ? { stuck } : {}), ...(search === '' ? {} : { search }) };
}

/** The first part of a query string that `filterIn` would ignore, as `name=value`: somebody who acts must not guess. */
export function unknownIn(query: URLSearchParams): string | undefined {
  const kept = new URLSearchParams(filterText(filterIn(query)));
  for (const [name, values] of query)
    for (const value of values.split(','))
      if (value.trim() !== '' && !isKept(kept, name, value.trim().toLowerCase())) return `${name}=${value}`;
  return undefined;
}

/** A search holds commas as it holds anything. */
const isKept = (kept: URLSearchParams, name: string, value: string): boolean =>
  name === 'search' || name === 'stuck'
    ? kept.has(name)
    : (kept.get(name)?.split(',') ?? []).includes(value) || (name === 'reason' && value === 'any');
