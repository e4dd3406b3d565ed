/**
 * `causeway parity`: compares the answers of V3 and V1 for the reads that an account really makes, and
 * accepts differences by name.
 */
import { Command } from 'commander';
import { differenceColumns } from '../../features/cutover/parity/shown.ts';
import { parityHtml } from '../../features/cutover/parity/html.ts';
import { markOf } from '../../features/cutover/parity/signature.ts';
import type { JudgedGroup, ParityReport } from '../../features/cutover/parity/model.ts';
import { causeWords, lastSeenWords } from '../../features/cutover/parity/difference.ts';
import { minute, trendWords } from '../../features/status/report/words.ts';
import { counted } from '../../lib/text/counted.ts';
import { Misuse, Refusal } from '../../lib/log/terminal.ts';
import { plainText } from '../../lib/text/plain-text.ts';
import { AT_TERMINAL } from '../../app/tools/model.ts';
import type { CliParts } from '../parts.ts';
import { jsonOption, jsonText, print, printRows } from '../records.ts';
import { findAccount, withTools } from '../work.ts';

interface ShowOptions {
  readonly json?: boolean;
  readonly html?: boolean;
  readonly csv?: boolean;
  readonly stored?: boolean;
  readonly values?: boolean;
}

/** Builds `causeway parity` with its subcommand. */
export function parity(parts: CliParts): Command {
  const command = new Command('parity')
    .description('Compares V3 with V1 for the reads that the programs of an account make')
    .argument('<account>', 'name or id')
    .option('--json', 'everything, as JSON')
    .option('--html', 'a report to print')
    .option('--csv', 'the differences, as CSV')
    .option('--stored', 'the last comparison, instead of a new one')
    .option('--values', 'the values that differed in the last comparison, if they are still kept; audited')
    .action(async (name: string, { json, html, csv, stored, values }: ShowOptions) => {
      if (values === true) return showValues(parts, name, json === true);
      const report = await withTools(parts, async (tools) => {
        const account = await findAccount(tools.accounts, name);
        return stored === true ? tools.parity.show(account) : tools.parity.compare(account);
      });
      const text =
        json === true
          ? `${JSON.stringify(withMarks(report), undefined, 2)}\n`
          : html === true
            ? parityHtml(report)
            : csv === true
              ? printRows(differenceColumns, report.groups, 'csv')
              : textOf(report);
      parts.terminal.out(text);
      if (FAILED.has(report.verdict))
        throw new Refusal(`${plainText(report.account.name)} is not proved: ${report.words}`);
    });
  return command.addCommand(accept(parts));
}

const withMarks = (report: ParityReport) => ({
  ...report,
  groups: report.groups.map((group) => ({ ...group, mark: markOf(group) })),
});

/** Values come from customers' records, so they are shown only on request. */
async function showValues(parts: CliParts, name: string, json: boolean): Promise<void> {
  const values = await withTools(parts, async (tools) =>
    tools.parity.values(await findAccount(tools.accounts, name), AT_TERMINAL),
  );
  const records = values.map(({ key, record, before, after }) => ({
    ...{ difference: key, record, v1: before, v3: after },
  }));
  const nothing = 'No values are kept: nothing differed, or it was too long ago.';
  parts.terminal.out(print(records, ['difference', 'record', 'v1', 'v3'], json ? 'json' : 'table', nothing));
}

const FAILED: ReadonlySet<string> = new Set(['different', 'unfinished', 'incomplete', 'none']);

/** Earlier comparisons listed. */
const MOST_EARLIER = 6;

function textOf({ account, words, groups, comparison, trend }: ParityReport): string {
  const lines = [`${plainText(account.name)}: ${words}`];
  if (comparison !== undefined) {
    const { live, baseline, changed, noise, at } = comparison;
    lines.push(
      `compared ${minute(new Date(at).toISOString())} UTC: ${live} with V1, ${baseline} with the baseline; ${changed} changed meanwhile, ${noise} that change by themselves`,
    );
  }
  const earlier = trend.slice(0, -1).slice(-MOST_EARLIER);
  if (earlier.length > 0)
    lines.push(
      `before: ${trendWords(earlier.map((one) => ({ ...one, at: new Date(one.at).toISOString() })))}`,
    );
  for (const group of groups) lines.push('', ...groupLines(group));
  return `${lines.join('\n')}\n`;
}

function groupLines(group: JudgedGroup): readonly string[] {
  const { key, count, cause, example, isUndecided, accepted, isVoid, lastSeen } = group;
  const state =
    accepted === undefined
      ? `${isVoid ? 'was accepted, and has changed since' : 'open'} (mark ${markOf(group)})`
      : `accepted by ${accepted.name} on ${new Date(accepted.at).toISOString().slice(0, 10)}: ${accepted.reason}`;
  return [
    plainText(key),
    `  ${causeWords(cause)}${isUndecided ? ', or changed since the baseline: undecided' : ''}, ${counted(count, 'time')}${example === '' ? '' : `: ${plainText(example)}`}`,
    ...(lastSeen === undefined ? [] : [`  ${lastSeenWords(new Date(lastSeen).toISOString().slice(0, 10))}`]),
    `  ${plainText(state)}`,
  ];
}

interface AcceptOptions {
  readonly difference?: readonly string[];
  readonly all?: boolean;
  readonly seen?: readonly string[];
  readonly everywhere?: boolean;
  readonly name: string;
  readonly reason: string;
  readonly json?: boolean;
}

function accept(parts: CliParts): Command {
  return new Command('accept')
    .description('Accepts the current differences of an account; the acceptance ends when they change')
    .argument('<account>', 'name or id')
    .option(
      '--difference <key...>',
      'key of a difference, or of a read without a comparison, as causeway parity shows it',
    )
    .option('--all', 'all that are open, except reads that will be retried')
    .option(
      '--seen <mark...>',
      'marks of the differences as causeway parity showed them: nothing is accepted if one has changed since',
    )
    .option('--everywhere', 'for all accounts with the same difference, in any number of records')
    .requiredOption('--name <name>', 'who accepts it')
    .requiredOption('--reason <reason>', 'why')
    .addOption(jsonOption('account', 'accepted'))
    .action(async (idOrName: string, options: AcceptOptions) => {
      if ((options.difference === undefined) === (options.all !== true))
        throw new Misuse('say which: --difference, or --all');
      await withTools(parts, async (tools) => {
        const account = await findAccount(tools.accounts, idOrName);
        const { name, reason, difference: keys, seen, everywhere, json } = options;
        const given = { keys, seen, forAll: everywhere === true, name, reason };
        const accepted = await tools.parity.accept(account, given, AT_TERMINAL);
        parts.terminal.out(
          json === true
            ? jsonText({ account: account.name, accepted })
            : `${counted(accepted, 'difference')} accepted\n`,
        );
      });
    });
}
