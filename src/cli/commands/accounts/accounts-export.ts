import { Command } from 'commander';
import type { ExportedAccount } from '../../../features/accounts/import/export.ts';
import { accountColumnNames, accountColumns } from '../../../features/accounts/import/columns.ts';
import { counted } from '../../../lib/text/counted.ts';
import { forceOption, saved } from '../../keys-given.ts';
import type { CliParts } from '../../parts.ts';
import { csvLine } from '../../records.ts';
import { withTools } from '../../work.ts';

interface ExportOptions {
  readonly output?: string;
  readonly force: boolean;
  readonly withKeys: boolean;
}

/**
 * `causeway accounts export`: writes CSV that `import` accepts. Includes keys only with `--with-keys`; the
 * file is readable only by its owner.
 */
export function exportAccounts(parts: CliParts): Command {
  const { terminal } = parts;
  return new Command('export')
    .description('Prints every account as CSV, in the columns that import takes')
    .option('--output <file>', 'write to a file, readable by its owner only')
    .addOption(forceOption())
    .option('--with-keys', 'include the keys; anyone who has them can make calls as the customer', false)
    .action(async ({ output, force, withKeys }: ExportOptions) => {
      const lines = await withTools(parts, async (tools) => {
        const all: string[] = [csvLine(Object.values(accountColumns))];
        for await (const account of tools.exportAccounts(withKeys)) all.push(csvLine(cellsOf(account)));
        return all;
      });
      if (output === undefined) {
        terminal.out(lines.join(''));
        return;
      }
      await saved(output, lines.join(''), terminal, force);
      const count = lines.length - 1;
      terminal.out(`${counted(count, 'account')} ${count === 1 ? 'was' : 'were'} written to ${output}\n`);
    });
}

function cellsOf(account: ExportedAccount): readonly (string | undefined)[] {
  return accountColumnNames.map((column) => {
    const value = account[column];
    return typeof value === 'object' ? value.reveal() : value;
  });
}
