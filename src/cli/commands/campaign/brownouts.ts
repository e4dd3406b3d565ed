/**
 * `causeway brownouts`: announced periods in which the bridge refuses the reads of accounts that still use
 * V1.
 */
import { Command, InvalidArgumentError } from 'commander';
import { AT_TERMINAL } from '../../../app/tools/model.ts';
import type { BrownoutPlan } from '../../../features/admin/campaign/brownouts.ts';
import { brownoutColumns, brownoutShown } from '../../../features/campaign/brownouts/shown.ts';
import { filterText } from '../../../features/status/report/filter-text.ts';
import { counted } from '../../../lib/text/counted.ts';
import { Refusal } from '../../../lib/log/terminal.ts';
import { commandGroup, listCommand, listed } from '../../command.ts';
import { withFilters, type FilterOptions } from '../../filters-given.ts';
import type { CliParts } from '../../parts.ts';
import { storedFilter } from '../../selection.ts';
import { withTools } from '../../work.ts';

/** Builds `causeway brownouts`. */
export const brownouts = (parts: CliParts): Command =>
  commandGroup(
    'brownouts',
    'Announced hours in which reads on V1 are refused, so that somebody notices; writes never are',
    listCommand(parts, {
      what: 'Lists brown-outs, newest first, with the effect of each',
      nothing: 'No brown-out was ever announced.',
      ...listed(brownoutColumns, async (tools) => (await tools.brownouts.list()).map(brownoutShown)),
    }),
    plan(parts),
    stop(parts),
  );

interface PlanOptions extends FilterOptions {
  readonly start: string;
  readonly minutes: number;
  readonly yes: boolean;
}

/** Throws before anything is opened. */
function minutesOf(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError('It must be 5 to 240.');
  return Number(text);
}

const plan = (parts: CliParts): Command =>
  withFilters(
    new Command('plan').description(
      'Announces a brown-out for the accounts matching a filter that still use V1',
    ),
    'only',
  )
    .requiredOption(
      '--start <time>',
      'at least 24 hours from now, in the installation’s time zone: 2026-11-30T09:00',
    )
    .requiredOption('--minutes <count>', 'duration in minutes: 5 to 240', minutesOf)
    .option('--yes', 'announce it; without it, only shows what would be affected', false)
    .action(async (options: PlanOptions) => {
      const { start, minutes, yes } = options;
      const found = await withTools(parts, async (tools) => {
        const given = { query: filterText(await storedFilter(tools, options)), start, minutes };
        return yes ? tools.brownouts.plan(given, AT_TERMINAL) : tools.brownouts.preview(given);
      });
      parts.terminal.out(linesOf(found));
      if (!yes) throw new Refusal('nothing was announced; --yes does it');
    });

const linesOf = ({ from, to, accounts, calls24h, untold, leftAlone }: BrownoutPlan): string =>
  [
    `from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`,
    `reads of ${counted(accounts, 'account')}, which made ${counted(calls24h, 'call')} on V1 in the last 24 hours`,
    ...(untold > 0 ? [`no e-mail reaches ${counted(untold, 'account')} of them: call first`] : []),
    ...(leftAlone > 0
      ? [`${counted(leftAlone, 'account')} left alone: not on V1, or with another brown-out ahead`]
      : []),
    'From the announcement on, their replies and e-mails say so: causeway remind sends an e-mail.',
    '',
  ].join('\n');

const stop = (parts: CliParts): Command =>
  new Command('stop')
    .description('Stops an announced or current brown-out at once')
    .argument('<id>', 'id of the brown-out')
    .action(async (id: string) => {
      await withTools(parts, (tools) => tools.brownouts.stop(id, AT_TERMINAL));
      parts.terminal.out(`${id} is stopped\n`);
    });
