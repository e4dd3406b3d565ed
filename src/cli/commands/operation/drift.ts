/**
 * `causeway drift`: changes in the service's answers that several accounts see, and their acknowledgement.
 */
import { Command } from 'commander';
import { AT_TERMINAL } from '../../../app/tools/model.ts';
import { driftColumns, driftShown, type DriftWithAccounts } from '../../../features/usage/drift/shown.ts';
import { printRows } from '../../records.ts';
import { driftSentence } from '../../../features/usage/drift/words.ts';
import { minute } from '../../../features/status/report/words.ts';
import { Misuse } from '../../../lib/log/terminal.ts';
import { plainJson, plainText } from '../../../lib/text/plain-text.ts';
import { iso } from '../../../lib/time/iso.ts';
import type { CliParts } from '../../parts.ts';
import { withTools } from '../../work.ts';

interface DriftOptions {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly all?: boolean;
  readonly acknowledge?: string;
  readonly name?: string;
  readonly reason?: string;
}

const MOST_NAMES = 5;

/** Builds `causeway drift`. */
export function drift(parts: CliParts): Command {
  return new Command('drift')
    .description(
      'Lists changes in the service’s replies that affect several accounts: elements, keys and their types',
    )
    .option('--all', 'include changes that have ended')
    .option('--json', 'for programs: all of them')
    .option('--csv', 'all of them, as CSV')
    .option('--acknowledge <change>', 'accept this change as normal from now on')
    .option('--name <name>', 'who accepts it, with --acknowledge')
    .option('--reason <reason>', 'why, with --acknowledge')
    .action(async ({ json, csv, all, acknowledge, name, reason }: DriftOptions) => {
      const given = [acknowledge, name, reason].filter((one) => one !== undefined);
      if (given.length !== 0 && given.length !== 3)
        throw new Misuse('--acknowledge, --name and --reason go together');
      await withTools(parts, async (tools) => {
        if (acknowledge !== undefined && name !== undefined && reason !== undefined)
          await tools.drift.acknowledge(acknowledge, { name, reason }, AT_TERMINAL);
        const alarms = await tools.drift.list();
        const now = parts.now();
        const shown = all === true ? alarms : alarms.filter(({ state }) => state === 'open');
        const every = alarms.map((alarm) => driftShown(alarm, now));
        if (csv === true) parts.terminal.out(printRows(driftColumns, every, 'csv'));
        else parts.terminal.out(json === true ? `${plainJson(every)}\n` : textOf(shown, now));
      });
    });
}

function textOf(alarms: readonly DriftWithAccounts[], now: number): string {
  if (alarms.length === 0) return 'The service answers as it did before.\n';
  return alarms.map((alarm) => `${linesOf(alarm, now).map(plainText).join('\n')}\n`).join('\n');
}

function linesOf(alarm: DriftWithAccounts, now: number): readonly string[] {
  const { id, area, state, changedAt, acknowledged, methods, effect, shownTo } = alarm;
  const names = shownTo.slice(0, MOST_NAMES).map(({ name }) => name);
  const more = shownTo.length - names.length;
  const at = `${minute(iso(changedAt))} UTC`;
  return [
    `${id}  ${driftSentence(alarm, now)}`,
    `  in ${area}, seen in ${methods.join(', ')}`,
    `  ${effect}`,
    ...(names.length === 0 ? [] : [`  accounts: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]),
    ...(state === 'ended' ? [`  over since ${at}`] : []),
    ...(acknowledged === undefined
      ? []
      : [`  acknowledged by ${acknowledged.by}, ${at}: ${acknowledged.reason}`]),
  ];
}
