import { Command } from 'commander';
import { counted } from '../../features/status/report/words.ts';
import { Misuse } from '../../lib/log/terminal.ts';
import type { CliParts } from '../parts.ts';
import { findAccount, withTools } from '../work.ts';

/** `causeway forget`: erases what is kept about an account and not needed to serve it. */
export function forget(parts: CliParts): Command {
  return new Command('forget')
    .description('Permanently erases what was kept of the data that only V1 had for an account')
    .argument('<account>', 'name or id')
    .option('--snapshot', 'what CAUSEWAY_SNAPSHOT keeps')
    .option('--yes', 'confirm: V1 may not be able to return it again')
    .action(async (idOrName: string, given: { readonly snapshot?: boolean; readonly yes?: boolean }) => {
      if (given.snapshot !== true) throw new Misuse('say what to erase: --snapshot');
      if (given.yes !== true)
        throw new Misuse('what is erased cannot be read again once the account has moved; --yes does it');
      const records = await withTools(parts, async (tools) =>
        tools.forgetSnapshot(await findAccount(tools.accounts, idOrName)),
      );
      parts.terminal.err(`${counted(records, 'record')} forgotten\n`);
    });
}
