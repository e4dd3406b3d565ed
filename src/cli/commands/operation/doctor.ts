import { Command } from 'commander';
import type { CliParts } from '../../parts.ts';
import { formatOption, print, type Format } from '../../records.ts';
import { Refusal } from '../../../lib/log/terminal.ts';
import { withTools } from '../../work.ts';

/** `causeway doctor`: calls every configured upstream once; exit code 1 if one fails. */
export function doctor(parts: CliParts): Command {
  return new Command('doctor')
    .description('Tries every configured upstream address and says what is wrong with it')
    .addOption(formatOption())
    .action(async ({ format }: { readonly format: Format }) => {
      const probes = await withTools(parts, (tools) => tools.probe());
      const records = probes.map(({ what, good, detail }) => ({
        what,
        result: good ? 'good' : 'wrong',
        detail,
      }));
      parts.terminal.out(print(records, ['what', 'result', 'detail'], format, 'No upstream is configured.'));
      const wrong = probes.filter(({ good }) => !good).length;
      if (wrong > 0) throw new Refusal(`${wrong} of ${probes.length} are wrong`);
    });
}
