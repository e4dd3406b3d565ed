import { Command } from 'commander';
import type { CliParts } from '../parts.ts';
import { formatOption, print, type Format } from '../records.ts';
import { Refusal } from '../terminal.ts';

export function mappings(parts: CliParts): Command {
  return new Command('mappings').description('The mapping of legacy methods').addCommand(check(parts));
}

function check(parts: CliParts): Command {
  return new Command('check')
    .description('Reads the mapping files as a start would; a fault is told with file, line and rule')
    .argument('[folder]', 'folder of mapping files; by default the configured one')
    .addOption(formatOption())
    .action((folder: string | undefined, { format }: { readonly format: Format }) => {
      const { families, faults } = parts.checkMappings(folder);
      if (faults.length > 0)
        throw new Refusal(`the mappings cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
      parts.terminal.out(
        print(
          families.map((family) => ({ ...family })),
          ['family', 'methods'],
          format,
          'There is no mapping.',
        ),
      );
    });
}
