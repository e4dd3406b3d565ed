import { Command } from 'commander';
import type { CliParts } from '../parts.ts';
import { Misuse } from '../terminal.ts';

export function keys(parts: CliParts): Command {
  return new Command('keys').description('Encryption keys').addCommand(generate(parts));
}

function generate(parts: CliParts): Command {
  return new Command('generate')
    .description('Prints a new key for CAUSEWAY_ENCRYPTION_KEYS; it is stored nowhere')
    .option('--id <id>', 'name of the key; by default a random one')
    .action(({ id }: { readonly id?: string }) => {
      if (id !== undefined && !/^[A-Za-z0-9_-]{1,32}$/.test(id))
        throw new Misuse('an id is 1 to 32 letters, digits, - or _');
      parts.terminal.out(`${parts.newKey(id)}\n`);
    });
}
