import type { Account, StageName } from '../features/accounts/account.ts';
import { filterText, unmetWords, type Narrowing } from '../features/status/report/filter-text.ts';
import { isNarrowed } from '../features/status/report/view.ts';
import { filterGiven, type FilterOptions } from './filters-given.ts';
import { Misuse, Refusal } from '../lib/log/terminal.ts';
import type { Tools } from '../app/tools/model.ts';
import { findAccount } from './work.ts';

/** Selects accounts by filters and a saved group, or all of them; names and ids are arguments. */
export interface Choice extends FilterOptions {
  readonly all?: boolean;
}

const isChosen = (options: FilterOptions): boolean =>
  options.group !== undefined || isNarrowed(filterGiven(options));

/**
 * Returns the accounts that match the filters; `stages` applies if the filters name no stage. Throws
 * `AdminRefusal`.
 */
export async function ofGroup(
  tools: Tools,
  options: FilterOptions,
  stages?: readonly StageName[],
): Promise<readonly Account[]> {
  const filter = filterGiven(options);
  const stage = filter.stage ?? stages;
  const { accounts } = await tools.view({ ...filter, stage, group: options.group });
  const wanted = new Set(accounts.map(({ id }) => id));
  return (await tools.accounts.list()).filter(({ id }) => wanted.has(id));
}

/**
 * Returns the filters to store: those given, and those that the saved group has at this time. Throws `Misuse` for a
 * filter that both name, and `Refusal` for an unknown group.
 */
export async function storedFilter(tools: Tools, options: FilterOptions): Promise<Narrowing> {
  const given = filterGiven(options);
  const { group } = options;
  if (group === undefined) return given;
  const saved = (await tools.groups.list()).find(({ name }) => name === group);
  if (saved === undefined) throw new Refusal(`there is no group ${group}`);
  const wanted = Object.entries(given).filter(([, value]) => value !== undefined);
  const itsFilters = new URLSearchParams(filterText(saved.filter));
  const twice = wanted.find(([name]) => itsFilters.has(name));
  if (twice !== undefined)
    throw new Misuse(`the group ${group} already has a filter ${twice[0]}: leave out --${twice[0]}`);
  return { ...saved.filter, ...Object.fromEntries(wanted) };
}

/** Detects typing errors. Throws `Refusal` for a tag, language or application that no account has. */
export async function checkValues(tools: Tools, choice: FilterOptions): Promise<void> {
  const filter = filterText(filterGiven(choice));
  const unmet = filter === '' ? undefined : unmetWords(filter, (await tools.view({})).accounts);
  if (unmet !== undefined) throw new Refusal(unmet);
}

/**
 * Returns the named accounts, each once, or those of a group. Throws `Misuse` for neither or both, `Refusal`
 * for a name that no account or several accounts have, and for a filter value that no account has.
 */
export async function chosen(
  tools: Tools,
  idsOrNames: readonly string[],
  choice: Choice,
  stages: readonly StageName[],
): Promise<readonly Account[]> {
  const ways = [idsOrNames.length > 0, choice.all === true, isChosen(choice)].filter(Boolean).length;
  if (ways !== 1)
    throw new Misuse('name the accounts, or give --all, or choose a group by its options (see --help)');
  if (idsOrNames.length === 0) {
    await checkValues(tools, choice);
    return ofGroup(tools, choice, stages);
  }
  const accounts = await Promise.all(idsOrNames.map((one) => findAccount(tools.accounts, one)));
  return [...new Map(accounts.map((account) => [account.id, account])).values()];
}
