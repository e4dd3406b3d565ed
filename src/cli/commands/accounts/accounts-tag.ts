import { Command } from 'commander';
import { stageNames } from '../../../features/status/model.ts';
import type { CliParts } from '../../parts.ts';
import { withFilters } from '../../filters-given.ts';
import { formatOption, print, type Format } from '../../records.ts';
import { chosen, type Choice } from '../../selection.ts';
import { withTools } from '../../work.ts';

interface TagOptions extends Choice {
  readonly dryRun: boolean;
  readonly format: Format;
}

/** `causeway accounts tag`: adds tags to the accounts that are named or chosen. */
export const tag = (parts: CliParts): Command => tagging(parts, 'tag', 'Adds tags to accounts');

/** `causeway accounts untag`: removes them. */
export const untag = (parts: CliParts): Command => tagging(parts, 'untag', 'Removes tags from accounts');

const open = stageNames.filter((stage) => stage !== 'closed');

const tagging = (parts: CliParts, action: 'tag' | 'untag', description: string): Command =>
  withFilters(
    new Command(action)
      .description(description)
      .argument('<tags>', 'separated by spaces or commas')
      .argument('[account...]', 'names or ids')
      .option('--all', 'every account that is not closed', false),
    action,
  )
    .option('--dry-run', 'only say what would happen', false)
    .addOption(formatOption())
    .action((tags: string, idsOrNames: readonly string[], { dryRun, format, ...choice }: TagOptions) =>
      withTools(parts, async (tools) => {
        const accounts = await chosen(tools, idsOrNames, choice, open);
        const ids = accounts.map(({ id }) => id);
        const { accounts: lines } = dryRun
          ? await tools.actions.preview({ action, tags }, ids)
          : await tools.actions.perform({ action, tags }, ids);
        const records = lines.map(({ name, outcome, words }) => ({
          account: name,
          result: outcome,
          detail: words,
        }));
        parts.terminal.out(
          print(records, ['account', 'result', 'detail'], format, 'There is no such account.'),
        );
      }),
    );
