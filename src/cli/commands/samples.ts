import { Command } from 'commander';
import { formatOption, print, type Format } from '../records.ts';
import { plainText } from '../../lib/text/plain-text.ts';
import type { CliParts } from '../parts.ts';
import { findAccount, withTools } from '../work.ts';

/** `causeway samples`: how much of an account's replies is kept, and whether any are kept at all. */
export function samples(parts: CliParts): Command {
  const command = new Command('samples')
    .description(
      'Shows how many replies of an account are kept, for the comparison before its move and for support',
    )
    .argument('<account>', 'name or id')
    .addOption(formatOption())
    .action(async (account: string, { format }: { readonly format: Format }) => {
      await withTools(parts, async (tools) => {
        const found = await findAccount(tools.accounts, account);
        const { isOn, counts } = await tools.samples.show(found);
        const none = `No replies of ${plainText(found.name)} are kept${isOn ? ' yet' : ': it is switched off'}.`;
        parts.terminal.out(
          print(
            counts.map((one) => ({ ...one })),
            columns,
            format,
            none,
          ),
        );
      });
    });
  return command.addCommand(turn(parts, true)).addCommand(turn(parts, false));
}

const columns = ['purpose', 'samples', 'bytes'];

function turn(parts: CliParts, isOn: boolean): Command {
  return new Command(isOn ? 'on' : 'off')
    .description(
      isOn
        ? 'Resumes keeping samples of an account'
        : 'Stops keeping samples of an account; existing samples are kept',
    )
    .argument('<account>', 'name or id')
    .action(async (account: string) => {
      await withTools(parts, async (tools) => {
        const found = await findAccount(tools.accounts, account);
        await tools.samples.switch(found, isOn);
        const words = isOn
          ? 'are kept; running bridges follow within five minutes'
          : 'are no longer kept; causeway forget --samples erases those already kept';
        parts.terminal.out(`Samples of ${plainText(found.name)} ${words}\n`);
      });
    });
}
