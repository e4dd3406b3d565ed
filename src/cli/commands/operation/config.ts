import { Command } from 'commander';
import type { CliParts } from '../../parts.ts';
import { formatOption, print, type Format } from '../../records.ts';

/**
 * `causeway config check`: reads the configuration as on a start and reports every error at once (exit code
 * 2).
 */
export function config(parts: CliParts): Command {
  return new Command('config').description('The configuration').addCommand(check(parts));
}

function check(parts: CliParts): Command {
  const { terminal } = parts;
  return new Command('check')
    .description(
      'Reads the configuration as at start, reports every fault (exit code 2) and shows the effective values',
    )
    .addOption(formatOption())
    .action(async ({ format }: { readonly format: Format }) => {
      const { settings, notices } = await parts.checkConfig();
      terminal.out(
        print(
          settings.map((line) => ({ ...line })),
          ['setting', 'value', 'from'],
          format,
          '',
        ),
      );
      notices.forEach((notice) => {
        terminal.err(`note: ${notice}\n`);
      });
      terminal.err('The configuration can be used\n');
    });
}
