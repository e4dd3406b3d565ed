import { Command } from 'commander';
import { counted } from '../../features/status/report/words.ts';
import { Misuse } from '../../lib/log/terminal.ts';
import type { CliParts } from '../parts.ts';
import { findAccount, withTools } from '../work.ts';

/** `causeway forget`: erases what is kept about an account and not needed to serve it. */
export function forget(parts: CliParts): Command {
  return new Command('forget')
    .description('Permanently erases what was kept about an account and is not needed to serve it')
    .argument('<account>', 'name or id')
    .option('--snapshot', 'what CAUSEWAY_SNAPSHOT keeps of the data that only V1 had')
    .option('--calls', 'its single calls of the last seven days')
    .option('--usage', 'which methods and elements its programs used, and their names')
    .option('--lists', 'the lists that CAUSEWAY_REPLICA_HOURS keeps')
    .option('--yes', 'confirm: V1 may not be able to return its data again')
    .action(async (idOrName: string, given: Given) => {
      const { snapshot, calls, usage, lists } = given;
      if (![snapshot, calls, usage, lists].includes(true))
        throw new Misuse('say what to erase: --snapshot, --calls, --usage or --lists');
      if (given.yes !== true)
        throw new Misuse('what is erased cannot be read again once the account has moved; --yes does it');
      await withTools(parts, async (tools) => {
        const account = await findAccount(tools.accounts, idOrName);
        if (given.snapshot === true)
          parts.terminal.err(`${counted(await tools.forgetSnapshot(account), 'record')} forgotten\n`);
        if (given.calls === true)
          parts.terminal.err(`${counted(await tools.forgetCalls(account), 'call')} forgotten\n`);
        if (given.usage === true)
          parts.terminal.err(`${counted(await tools.forgetUsage(account), 'name')} forgotten\n`);
        if (given.lists === true)
          parts.terminal.err(`${counted(await tools.forgetLists(account), 'list')} forgotten\n`);
      });
    });
}

interface Given {
  readonly snapshot?: boolean;
  readonly calls?: boolean;
  readonly usage?: boolean;
  readonly lists?: boolean;
  readonly yes?: boolean;
}
