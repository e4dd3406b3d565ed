/** `causeway forecast`: how V3's rate limit would have affected the recent calls of an account's programs. */
import { Command, Option } from 'commander';
import { FORECAST_DAYS } from '../../features/forecast/forecasts.ts';
import type { Forecast } from '../../features/forecast/forecast.ts';
import { adviceWords, forecastWords } from '../../features/forecast/words.ts';
import { counted } from '../../lib/text/counted.ts';
import { minute } from '../../features/status/report/words.ts';
import { plainText } from '../../lib/text/plain-text.ts';
import type { CliParts } from '../parts.ts';
import { moment } from '../records.ts';
import { findAccount, withTools } from '../work.ts';

/** Builds `causeway forecast`. */
export function forecast(parts: CliParts): Command {
  return new Command('forecast')
    .description(
      `Simulates the calls of the last ${FORECAST_DAYS} days under the rate limit of V3: which would have waited, and why`,
    )
    .argument('<account>', 'name or id')
    .addOption(new Option('--json', 'for programs'))
    .action(async (account: string, { json }: { readonly json?: boolean }) => {
      await withTools(parts, async (tools) => {
        const found = await findAccount(tools.accounts, account);
        const made = await tools.forecast(found);
        parts.terminal.out(json === true ? jsonOf(made) : linesOf(plainText(found.name), made));
      });
    });
}

function linesOf(name: string, made: Forecast | undefined): string {
  if (made === undefined)
    return `${name} has made no call in the last ${FORECAST_DAYS} days: there is nothing to simulate.\n`;
  const { from, to, calls, requests, causes } = made;
  const day = (at: number): string => minute(new Date(at).toISOString());
  return [
    `${name}: ${forecastWords(made)}`,
    `  simulated: ${counted(calls, 'call')} from ${day(from)} to ${day(to)} UTC, ${counted(requests, 'request')} at V3`,
    ...causes.map((cause) => `  ${adviceWords(cause)}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function jsonOf(made: Forecast | undefined): string {
  const shown = made && { ...made, from: moment(made.from), to: moment(made.to) };
  return `${JSON.stringify(shown ?? null, undefined, 2)}\n`;
}
