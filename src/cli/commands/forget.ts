import { Command } from 'commander';
import { counted } from '../../features/status/report/words.ts';
import { Misuse } from '../../lib/log/terminal.ts';
import type { CliParts } from '../parts.ts';
import { findAccount, withTools } from '../work.ts';

/** `causeway forget`: erases what is kept of an account and not needed to serve it. */
export function forget(parts: CliParts): Command {
  return new Command('forget')
    .description('Erases what was kept of an account from what only V1 knew, for good')
    .argument('<account>', 'name or id')
    .option('--snapshot', 'what CAUSEWAY_SNAPSHOT keeps')
    .option('--yes', 'really do it: V1 may not tell it again')
    .action(async (idOrName: string, given: { readonly snapshot?: boolean; readonly yes?: boolean }) => {
      if (given.snapshot !== true) throw new Misuse('say what is to be forgotten: --snapshot');
      if (given.yes !== true)
        throw new Misuse('what is forgotten cannot be had again once the account has moved: add --yes');
      const records = await withTools(parts, async (tools) =>
        tools.forgetSnapshot(await findAccount(tools.accounts, idOrName)),
      );
      parts.terminal.err(`${counted(records, 'record')} forgotten\n`);
    });
}
