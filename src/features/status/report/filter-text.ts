/**
 * One spelling of a filter wherever it is stored or sent: addresses of the console, saved groups, and what the
 * command line asks of a running bridge.
 */
import { nearest } from '../../../lib/text/nearest.ts';
import type { ReportedAccount } from '../model.ts';
import { choicesOf, filterNames, meets, type FilterName, type Wanted } from './filters.ts';
import type { StatusReportFilter } from './view.ts';

/** The stored part of a filter: which accounts, but not their order. */
export type Narrowing = Wanted & Pick<StatusReportFilter, 'stuck' | 'search'>;

const LONGEST_SEARCH = 200;

/**
 * Customers whom an invitation has reached and who have neither consented nor declined: the first question about a
 * campaign.
 */
export const UNANSWERED: Narrowing = {
  stage: ['legacy', 'lost'],
  invitation: ['issued', 'opened', 'expired'],
};
/** Customers whom an invitation has not reached: it waits, or could not be delivered. */
export const UNSENT: Narrowing = { stage: ['legacy', 'lost'], invitation: ['unsent'] };
/**
 * Accounts with refused calls under their account key: their programs may have no API key or a wrong one, or somebody
 * else sent the calls.
 */
export const REFUSED: Narrowing = { refused: ['yes'] };

/** A filter as a query string, as used in addresses and saved groups; commas separate the values of one filter. */
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

/**
 * The first part of a query string that `filterIn` would ignore, as `name=value`: an action must not rest on a guess.
 */
export function unknownIn(query: URLSearchParams): string | undefined {
  const kept = new URLSearchParams(filterText(filterIn(query)));
  for (const [name, values] of query)
    for (const value of values.split(','))
      if (value.trim() !== '' && !isKept(kept, name, value.trim().toLowerCase())) return `${name}=${value}`;
  return undefined;
}

/** A search may contain commas. */
const isKept = (kept: URLSearchParams, name: string, value: string): boolean =>
  name === 'search' || name === 'stuck'
    ? kept.has(name)
    : (kept.get(name)?.split(',') ?? []).includes(value) || (name === 'reason' && value === 'any');

/** The values of an account for each filter that takes any text. */
const freeValues: Readonly<Partial<Record<FilterName, (account: ReportedAccount) => readonly string[]>>> = {
  tag: ({ tags }) => tags,
  application: ({ application }) => [application],
  language: ({ language }) => [language],
  wave: ({ wave }) => (wave === null ? [] : [wave.name]),
};
/** Longer lists do not help. */
const MOST_VALUES = 12;

/**
 * The first free value in a query that no account has, with the existing ones, the nearest first; undefined: all
 * occur.
 */
export function unmetWords(query: string, accounts: readonly ReportedAccount[]): string | undefined {
  const filter = filterIn(new URLSearchParams(query));
  for (const [name, valuesOf] of Object.entries(freeValues) as [FilterName, typeof freeValues.tag & {}][])
    for (const value of filter[name] ?? [])
      if (!accounts.some((account) => meets(account, { [name]: [value] })))
        return `no account has the ${name} ${value}; ${existing(value, accounts.flatMap(valuesOf))}`;
  return undefined;
}

function existing(given: string, values: readonly string[]): string {
  const all = [...new Set(values)].sort();
  const ordered = [...new Set([...nearest(given, all), ...all])];
  const more = ordered.length > MOST_VALUES ? ` and ${ordered.length - MOST_VALUES} more` : '';
  return ordered.length === 0
    ? 'there are none yet'
    : `there are ${ordered.slice(0, MOST_VALUES).join(', ')}${more}`;
}
