/**
 * `causeway rehearse`: performs the whole move of an account on a sandbox with its numbers, using its own
 * calls. Touches nothing real.
 */
import { Command } from 'commander';
import type { Account } from '../../features/accounts/account.ts';
import type { Tools } from '../../app/tools/model.ts';
import type { Rehearsal, RehearsedWay } from '../../features/cutover/rehearsal/model.ts';
import { rehearsalHtml } from '../../features/cutover/rehearsal/html.ts';
import { causeWords } from '../../features/cutover/parity/difference.ts';
import { counted } from '../../lib/text/counted.ts';
import { plainText } from '../../lib/text/plain-text.ts';
import { Misuse, Refusal } from '../../lib/log/terminal.ts';
import type { CliParts } from '../parts.ts';
import { findAccount, withTools } from '../work.ts';
import { progressOf } from './record.ts';

/** Options as commander parses them. */
interface RehearseOptions {
  readonly json?: boolean;
  readonly html?: boolean;
  readonly values?: boolean;
  readonly last?: boolean;
}

/** Exit code 1 if the account would not move, or if an answer differs. */
export function rehearse(parts: CliParts): Command {
  return new Command('rehearse')
    .description(
      'Rehearses the whole move of an account on a sandbox with its numbers, then replays its own calls',
    )
    .argument('<account>', 'name or id')
    .option('--json', 'everything, as JSON')
    .option('--html', 'a report to print')
    .option(
      '--values',
      'show names and texts unmasked; otherwise they are masked before they leave the process',
    )
    .option(
      '--last',
      'show the report of the last rehearsal, whether from the console, the API or the command line, without starting one',
    )
    .action(async (name: string, { json, html, values, last }: RehearseOptions) => {
      if (last === true && values === true)
        throw new Misuse('--values cannot be used with --last: a stored report is masked');
      await withTools(parts, async (tools) => {
        const account = await findAccount(tools.accounts, name);
        const rehearsal =
          last === true
            ? await lastOf(tools, account)
            : await tools.rehearse(account, values !== true, progressOf(parts));
        if (json === true) parts.terminal.out(`${JSON.stringify(rehearsal, undefined, 2)}\n`);
        else if (html === true) parts.terminal.out(rehearsalHtml(account.name, rehearsal));
        else parts.terminal.out(textOf(account.name, rehearsal));
        if (FAILED.has(rehearsal.verdict)) throw new Refusal(`${plainText(account.name)} is not ready`);
      });
    });
}

/** The last report kept. Throws `Refusal` if there is none. */
async function lastOf(tools: Pick<Tools, 'rehearsed'>, account: Account): Promise<Rehearsal> {
  const { state, attempt, report } = await tools.rehearsed(account);
  if (report !== undefined) return report;
  const why =
    state === 'none' ? 'it has never been rehearsed' : `the last is ${state}: ${attempt?.words ?? ''}`;
  throw new Refusal(`${plainText(account.name)} has no report: ${why}`);
}

/** Results that need attention before the move: exit code 1. */
const FAILED: ReadonlySet<string> = new Set(['different', 'stuck', 'unsure']);

/** The whole report as lines: what was read and played, and the result on each way. */
function textOf(name: string, rehearsal: Rehearsal): string {
  const { words, calls, faithful, reads, millis, missing, unplayed, ways } = rehearsal;
  const records = Object.values(rehearsal.records).reduce((sum, one) => sum + one, 0);
  const lines = [
    `${name}: ${words}`,
    `  ${counted(records, 'record')} by ${counted(reads, 'read')} of V1, ${Math.ceil(millis / 1_000)} s`,
    `  ${counted(calls, 'call')} of its programs, ${faithful} answered before the move exactly as by V1`,
    ...missing.map((one) => `  not read: ${one}`),
    ...unplayed.map((one) => `  ${counted(one.calls, 'call')} of ${one.method}: ${one.why}`),
    ...ways.flatMap(wayLines),
  ];
  return `${lines.map(plainText).join('\n')}\n`;
}

/** The steps of the move on one way, the failed checks, and the way's calls by method. */
const wayLines = ({ way, steps, checks, methods, differences }: RehearsedWay): readonly string[] => [
  '',
  `On ${way.toUpperCase()}`,
  ...steps.map(({ step, outcome, words }) => `  ${step} ${outcome}: ${words}`),
  ...checks.filter(({ result }) => result === 'failed').map(({ name, detail }) => `    ${name}: ${detail}`),
  ...methods.map(
    ({ method, calls, alike, requests, served = calls }) =>
      `  ${method}: ${alike} of ${counted(calls, 'call')} alike, ${counted(requests, 'request')}${served < calls ? `, ${served} served by ${way.toUpperCase()}` : ''}`,
  ),
  ...differences.map(
    ({ method, path, cause, count, example }) =>
      `  ${method} ${path}: ${causeWords(cause)}, ${counted(count, 'time')}${example === '' ? '' : `: ${example}`}`,
  ),
];
