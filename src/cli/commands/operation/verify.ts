/**
 * `causeway verify`: checks every statement of the mapping against the service and records where the answers
 * differ.
 *
 * The report, the patch and the golden files contain no values, so they can be sent to the mapping's
 * maintainer.
 */
import { Command } from 'commander';
import { Misuse, Refusal } from '../../../lib/log/terminal.ts';
import type { CliParts } from '../../parts.ts';
import { withTools } from '../../work.ts';

interface VerifyOptions {
  readonly organisation: string;
  readonly writes?: boolean;
  readonly out?: string;
  readonly perMinute?: string;
  readonly json?: boolean;
}

/** Builds `causeway verify`. */
export function verify(parts: CliParts): Command {
  return new Command('verify')
    .description(
      'Calls the methods of the mapping on V1, V3 and V2 of one organisation, and reports where the service differs',
    )
    .requiredOption(
      '--organisation <name>',
      'name or id of an organisation that an account is connected with',
    )
    .option('--writes', 'tries the writes, too: only in an organisation of CAUSEWAY_DISPOSABLE_ORGANISATIONS')
    .option('--out <folder>', 'a new folder for the report; by default causeway-verify- and the time')
    .option('--per-minute <calls>', 'calls of V3 and V2 in a minute; by default half of the limit')
    .option('--json', 'the report as JSON on standard output, besides the folder')
    .action(async (options: VerifyOptions) => {
      const perMinute = options.perMinute === undefined ? undefined : callsIn(options.perMinute);
      const { folder, summary, json, words } = await withTools(parts, (tools) =>
        tools.verify({
          ...{ organisation: options.organisation, writes: options.writes === true, perMinute },
          ...{ out: options.out, version: parts.version },
          progress: (text) => {
            parts.terminal.err(`${text}\n`);
          },
        }),
      );
      parts.terminal.out(options.json === true ? json : `${summary}Report: ${folder}/report.md\n`);
      if (words !== undefined) throw new Refusal(words);
    });
}

function callsIn(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Misuse('--per-minute takes a number of calls');
  return Number(text);
}
