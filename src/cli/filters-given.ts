/**
 * The filters of a list of accounts as options, for every command that shows or selects accounts.
 *
 * They are derived from the table of filters, so the command line can filter by everything that the console
 * and the API can, under the same names.
 */
import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  accountFilters,
  choicesOf,
  filterNames,
  type FilterName,
  type Wanted,
} from '../features/status/report/filters.ts';
import type { Narrowing } from '../features/status/report/filter-text.ts';

/** The values of the options of a list of accounts. */
export type FilterOptions = Wanted & {
  readonly stuck?: true;
  readonly search?: string;
  readonly group?: string;
};

/**
 * Adds an option for each row of the table of filters; `what` begins its description: "only", "invite". An
 * option takes several values in a row, unless the command has arguments, which would be taken for values:
 * there it is repeated.
 */
export function withFilters(command: Command, what: string, without: readonly FilterName[] = []): Command {
  const more = command.registeredArguments.length === 0 ? '...' : '';
  for (const name of filterNames)
    if (!without.includes(name))
      command.addOption(
        new Option(`--${name} <${name}${more}>`, describe(what, name)).argParser(valuesOf(name)),
      );
  return command
    .option('--stuck', `${what} stuck accounts`)
    .option(
      '--search <text>',
      `${what} accounts with this in name, organisation, contact, e-mail, phone, notes, talks, tags or id`,
    )
    .option('--group <name>', `${what} accounts of this saved group`);
}

function describe(what: string, name: FilterName): string {
  const choices = choicesOf(name);
  const listed =
    choices === undefined ? '' : ` (choices: ${choices.map((one) => JSON.stringify(one)).join(', ')})`;
  return `${what} accounts ${accountFilters[name].describe}${listed}`;
}

/** Adds one value, or several separated by commas, to earlier ones. */
const valuesOf =
  (name: FilterName) =>
  (text: string, before: readonly string[] = []): readonly string[] => {
    const values = text.toLowerCase().split(',');
    const choices = choicesOf(name);
    if (choices !== undefined && !values.every((value) => choices.includes(value)))
      throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
    return [...before, ...values];
  };

/** Returns the filter that the options describe. */
export function filterGiven(options: FilterOptions): Narrowing {
  const wanted = Object.fromEntries(
    filterNames.flatMap((name) => {
      const values = options[name];
      return values === undefined ? [] : [[name, values]];
    }),
  );
  return { ...wanted, stuck: options.stuck, search: options.search };
}
