import { Command } from 'commander';
import { filterText } from '../../features/status/report/filter-text.ts';
import { commandGroup } from '../command.ts';
import { withFilters, type FilterOptions } from '../filters-given.ts';
import type { CliParts } from '../parts.ts';
import { formatOption, moment, print, type Format } from '../records.ts';
import { storedFilter } from '../selection.ts';
import { withTools } from '../work.ts';

/** `causeway groups`: named filters, for every command that selects accounts. */
export const groups = (parts: CliParts): Command =>
  commandGroup('groups', 'Filters saved under a name, for --group', list(parts), save(parts), remove(parts));

const list = (parts: CliParts): Command =>
  new Command('list')
    .description('The saved groups')
    .addOption(formatOption())
    .action(async ({ format }: { readonly format: Format }) => {
      const saved = await withTools(parts, (tools) => tools.groups.list());
      const records = saved.map(({ name, filter, savedAt, savedBy }) => ({
        name,
        filter: filterText(filter),
        saved: moment(savedAt),
        by: savedBy,
      }));
      const nothing = 'No group is saved yet: causeway groups save saves one.';
      parts.terminal.out(print(records, ['name', 'filter', 'saved', 'by'], format, nothing));
    });

const save = (parts: CliParts): Command =>
  withFilters(
    new Command('save')
      .description('Saves filters under a name; the group always contains the accounts that match them')
      .argument('<name>', 'name of the group'),
    'only',
  ).action(async (name: string, options: FilterOptions) => {
    const { filter } = await withTools(parts, async (tools) =>
      tools.groups.save(name, await storedFilter(tools, options)),
    );
    parts.terminal.out(`${name} is saved: ${filterText(filter)}\n`);
  });

const remove = (parts: CliParts): Command =>
  new Command('remove')
    .description('Deletes a group; its accounts are not changed')
    .argument('<name>', 'name of the group')
    .action(async (name: string) => {
      await withTools(parts, (tools) => tools.groups.remove(name));
      parts.terminal.out(`${name} is removed\n`);
    });
