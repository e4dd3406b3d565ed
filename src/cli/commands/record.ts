/**
 * `causeway record` and `causeway replay`: turn an account's calls into tests, and play them against an
 * edited mapping or a new release.
 */
import { Command } from 'commander';
import { minute } from '../../features/status/report/words.ts';
import { counted } from '../../lib/text/counted.ts';
import { plainText } from '../../lib/text/plain-text.ts';
import { Misuse, Refusal } from '../../lib/log/terminal.ts';
import type { ExportOutcome, ReplayOutcome } from '../../proof/rehearsal/order.ts';
import type { Progress } from '../../lib/progress.ts';
import type { CliParts } from '../parts.ts';
import { jsonOption, jsonText, moment } from '../records.ts';
import { findAccount, withTools } from '../work.ts';
import { durationOf } from './route-canary.ts';

/** Options as commander parses them. `for`: milliseconds. */
interface RecordOptions {
  readonly for?: number;
  readonly stop?: boolean;
  readonly json?: boolean;
}

/** Builds `causeway record` with its subcommand. */
export function record(parts: CliParts): Command {
  const command = new Command('record')
    .description('Records the calls of an account for a limited time, masked, for use as tests')
    .argument('<account>', 'name or id')
    .option(
      '--for <time>',
      'how long (30m, 12h, at most 7d); replaces the time of a current recording',
      durationOf,
    )
    .option('--stop', 'end the recording; recorded calls are kept')
    .addOption(jsonOption('account', 'state', 'since', 'until', 'calls', 'bytes'))
    .action(async (name: string, { for: time, stop, json }: RecordOptions) => {
      if (time !== undefined && stop === true) throw new Misuse('give either --for or --stop');
      await withTools(parts, async ({ accounts, recording }) => {
        const account = await findAccount(accounts, name);
        if (time !== undefined) await recording.start(account, time);
        if (stop === true) await recording.stop(account);
        const shown = await recording.show(account);
        parts.terminal.out(
          json === true
            ? jsonText(recordOf(account.name, shown, parts.now()))
            : `${recordWords(account.name, shown, parts.now())}\n`,
        );
      });
    });
  return command.addCommand(exportRecorded(parts));
}

/** The state of a recording. */
type Shown = Awaited<ReturnType<Parameters<Parameters<typeof withTools>[1]>[0]['recording']['show']>>;

function recordOf(account: string, { recording, samples, bytes }: Shown, now: number): object {
  const state = recording === undefined ? 'none' : recording.until > now ? 'running' : 'ended';
  return {
    ...{ account, state, since: moment(recording?.since), until: moment(recording?.until) },
    ...{ calls: samples, bytes },
  };
}

/** One line: whether calls are recorded, until when, and how many there are. */
function recordWords(name: string, { recording, samples, bytes }: Shown, now: number): string {
  if (recording === undefined) return `${plainText(name)} is not recorded; --for 1h starts a recording`;
  const until = `${minute(new Date(recording.until).toISOString())} UTC`;
  const state = recording.until > now ? `is being recorded until ${until}` : `was recorded until ${until}`;
  return `${plainText(name)} ${state}: ${counted(samples, 'call')}, ${Math.ceil(bytes / 1_024)} KB`;
}

/** `causeway record export`. */
function exportRecorded(parts: CliParts): Command {
  return new Command('export')
    .description('Writes the recorded calls as golden files, with the seed of a sandbox that reproduces them')
    .argument('<account>', 'name or id')
    .requiredOption('--to <folder>', 'a new or empty folder')
    .addOption(jsonOption('account', 'folder', 'exported', 'leftOut', 'differing'))
    .action(async (name: string, { to, json }: { readonly to: string; readonly json?: boolean }) => {
      await withTools(parts, async ({ accounts, recording }) => {
        const account = await findAccount(accounts, name);
        const outcome = await recording.export(account, to, progressOf(parts));
        const { exported, leftOut, differing } = outcome;
        parts.terminal.out(
          json === true
            ? jsonText({ account: account.name, folder: to, exported, leftOut, differing })
            : exportWords(outcome, to),
        );
      });
    });
}

/** The files written, and the calls left out with their reasons. */
function exportWords({ exported, leftOut, differing }: ExportOutcome, folder: string): string {
  const lines = [`${counted(exported, 'golden file')} and their seed are in ${folder}`];
  if (leftOut.length > 0) lines.push('', 'Not exported:');
  for (const { method, calls, why } of leftOut)
    lines.push(`  ${counted(calls, 'call')} of ${method}: ${why}`);
  if (differing.length > 0) lines.push('', 'Exported as answered now, not as on V1:');
  for (const { method, calls, why } of differing)
    lines.push(`  ${counted(calls, 'call')} of ${method}: ${why}`);
  return `${lines.map(plainText).join('\n')}\n`;
}

/** Shows progress, but only on a terminal. */
export function progressOf({ terminal }: CliParts): Progress {
  let last = '';
  return (words, done, of) => {
    if (terminal.screen === undefined) return;
    const line = of > 1 ? `${words}: ${done} of ${of}` : words;
    if (line !== last) terminal.err(`${plainText(line)}\n`);
    last = line;
  };
}

/** Options as commander parses them. */
interface ReplayOptions {
  readonly mappings?: string;
  readonly json?: boolean;
}

/** `causeway replay`: needs neither settings nor a database. Exit code 1 if an answer differs. */
export function replay(parts: CliParts): Command {
  return new Command('replay')
    .description('Replays recorded calls on a separate sandbox, against this release or an edited mapping')
    .argument('<folder>', 'what causeway record export wrote')
    .option('--mappings <folder>', 'folder of mapping files; by default the configured one')
    .option('--json', 'everything, as JSON')
    .action(async (folder: string, { mappings, json }: ReplayOptions) => {
      const outcome = await parts.replay(folder, mappings, progressOf(parts));
      parts.terminal.out(json === true ? `${JSON.stringify(outcome, undefined, 2)}\n` : replayWords(outcome));
      const { findings } = outcome;
      if (findings.length > 0) throw new Refusal(`${counted(findings.length, 'call')} answered differently`);
    });
}

/** A line for each finding; reads whose upstream request differs come last. */
function replayWords({ files, played, findings, asksOtherwise }: ReplayOutcome): string {
  const lines = [
    `${counted(files, 'golden file')}, ${counted(played, 'call')} played: ${played - findings.length} as recorded`,
  ];
  for (const { path, way, what, words } of findings)
    lines.push(
      `${path} on ${way.toUpperCase()}: ${what === 'request' ? 'a different request: ' : ''}${words}`,
    );
  if (asksOtherwise.length > 0)
    lines.push('', `${counted(asksOtherwise.length, 'read')} with the same reply, but a different request:`);
  for (const words of asksOtherwise) lines.push(`  ${words}`);
  return `${lines.map(plainText).join('\n')}\n`;
}
