import { Command } from 'commander';
import type { CliParts } from '../parts.ts';
import { formatOption, moment, print, type Format } from '../records.ts';
import { Refusal } from '../terminal.ts';
import { findAccount, withTools } from '../work.ts';

export function invite(parts: CliParts): Command {
  return new Command('invite')
    .description('Makes a link by which an administrator of the account authorises the bridge')
    .argument('<account...>', 'names or ids')
    .addOption(formatOption())
    .action(async (idsOrNames: readonly string[], { format }: { readonly format: Format }) => {
      const links = await withTools(parts, async (tools) => {
        const accounts = await Promise.all(idsOrNames.map((one) => findAccount(tools.accounts, one)));
        const closed = accounts.find(({ life }) => life.stage === 'closed');
        if (closed !== undefined) throw new Refusal(`${closed.name} is closed`);
        const records = [];
        for (const account of accounts) {
          const { link, expiresAt } = await tools.invite(account);
          records.push({ account: account.name, link, expires: moment(expiresAt) });
        }
        return records;
      });
      parts.terminal.out(print(links, ['account', 'expires', 'link'], format, ''));
    });
}
