/**
 * `causeway verify`: checks every statement of the mapping against the service and records where the answers
 * differ.
 *
 * The report, the patch and the golden files contain no values, so they can be sent to the mapping's
 * maintainer.
 */
import { Command } from 'commander';
import { stopSignal } from '../../../app/wiring/signals.ts';
import { Misuse, Refusal } from '../../../lib/log/terminal.ts';
import { MINUTE } from '../../../lib/time/clock.ts';
import type { CliParts } from '../../parts.ts';
import { withTools } from '../../work.ts';

interface VerifyOptions {
  readonly organisation: string;
  readonly writes?: boolean;
  readonly out?: string;
  readonly perMinute?: string;
  readonly json?: boolean;
}

/** In milliseconds: a stop waits for the call in progress, which takes ten minutes at most, and writes the report. */
const LONGEST_STOP = 11 * MINUTE;

/** Builds `causeway verify`. */
export function verify(parts: CliParts): Command {
  return new Command('verify')
    .description(
      'Calls the methods of the mapping on V1, V3 and V2 for one organisation, and reports where the service differs from the mapping',
    )
    .requiredOption(
      '--organisation <name>',
      'name or id of an organisation that an account is connected with',
    )
    .option('--writes', 'also try the writes; only in an organisation in CAUSEWAY_DISPOSABLE_ORGANISATIONS')
    .option('--out <folder>', 'new folder for the report; by default causeway-verify- followed by the time')
    .option('--per-minute <calls>', 'calls to V3 and V2 per minute; by default half the limit')
    .option('--json', 'also print the report as JSON on standard output')
    .action(async (options: VerifyOptions) => {
      const perMinute = options.perMinute === undefined ? undefined : callsIn(options.perMinute);
      const stop = new AbortController();
      void stopSignal(process, LONGEST_STOP).then(() => {
        stop.abort();
      });
      const { summary, json, words } = await withTools(parts, (tools) =>
        tools.verify({
          ...{ organisation: options.organisation, writes: options.writes === true, perMinute },
          ...{ out: options.out, version: parts.version },
          signal: stop.signal,
          progress: (text) => {
            parts.terminal.err(`${text}\n`);
          },
        }),
      );
      parts.terminal.out(options.json === true ? json : summary);
      if (words !== undefined) throw new Refusal(words);
    });
}

function callsIn(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Misuse('--per-minute takes a number of calls');
  return Number(text);
}
