import { Argument, Command } from 'commander';
import type { AdminAction } from '../../../features/admin/actions/words.ts';
import { stageNames } from '../../../features/accounts/account.ts';
import type { CliParts } from '../../parts.ts';
import { withFilters } from '../../filters-given.ts';
import { formatOption, print, type Format } from '../../records.ts';
import { chosen, type Choice } from '../../selection.ts';
import { Refusal } from '../../../lib/log/terminal.ts';
import { withTools } from '../../work.ts';

interface TagOptions extends Choice {
  readonly dryRun: boolean;
  readonly format: Format;
}

/** `causeway accounts tag`: adds tags to the named or selected accounts. */
export const tag = (parts: CliParts): Command => tagging(parts, 'tag', 'Adds tags to accounts');

/** `causeway accounts untag`: removes tags from the named or selected accounts. */
export const untag = (parts: CliParts): Command => tagging(parts, 'untag', 'Removes tags from accounts');

/** Closed accounts are excluded. */
const open = stageNames.filter((stage) => stage !== 'closed');

/** Both commands select their accounts in the same way. */
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
    .action((tags: string, idsOrNames: readonly string[], options: TagOptions) =>
      perform(parts, { action, tags }, idsOrNames, options),
    );

/** `causeway accounts notices`: whether V1's replies tell the accounts' programs when V1 ends. */
export const notices = (parts: CliParts): Command =>
  withFilters(
    new Command('notices')
      .description(
        'Turns notices of V1’s end (CAUSEWAY_V1_END) in replies of V1 on or off for accounts; off by default',
      )
      .addArgument(new Argument('<switch>', 'on or off').choices(['on', 'off']))
      .argument('[account...]', 'names or ids')
      .option('--all', 'every account that is not closed', false),
    'only',
  )
    .option('--dry-run', 'only say what would happen', false)
    .addOption(formatOption())
    .action((position: 'on' | 'off', idsOrNames: readonly string[], options: TagOptions) =>
      perform(parts, { action: `notices-${position}` }, idsOrNames, options),
    );

/** Makes the change, or prints what would change, with a line for each account. */
async function perform(
  parts: CliParts,
  action: AdminAction,
  idsOrNames: readonly string[],
  { dryRun, format, ...choice }: TagOptions,
): Promise<void> {
  await withTools(parts, async (tools) => {
    const accounts = await chosen(tools, idsOrNames, choice, open);
    const ids = accounts.map(({ id }) => id);
    const result = dryRun
      ? await tools.actions.preview(action, ids)
      : await tools.actions.perform(action, ids);
    const records = result.accounts.map(({ name, outcome, words }) => ({
      account: name,
      result: outcome,
      detail: words,
    }));
    parts.terminal.out(print(records, ['account', 'result', 'detail'], format, 'There is no such account.'));
    if ('failed' in result && result.failed > 0)
      throw new Refusal(`${result.failed} of ${ids.length} failed`);
  });
}
