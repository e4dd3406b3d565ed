import { Command, Option } from 'commander';
import type { CliParts } from '../../parts.ts';

/** `causeway start`: runs the bridge with the settings of the environment until it is stopped. */
export function start(parts: CliParts): Command {
  return new Command('start')
    .description('Runs the bridge in this process until SIGTERM or Ctrl-C stops it')
    .addOption(new Option('--json', 'changes nothing: the log on standard output is always JSON'))
    .action(() => {
      parts.start();
    });
}
