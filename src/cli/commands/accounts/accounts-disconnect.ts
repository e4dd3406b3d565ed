import { Command } from 'commander';
import type { CliParts } from '../../parts.ts';
import { Refusal } from '../../../lib/log/terminal.ts';
import { findAccount, withTools } from '../../work.ts';

/** `causeway accounts disconnect`: needs `--yes`, because it revokes the tokens at the service. */
export const disconnect = (parts: CliParts): Command =>
  new Command('disconnect')
    .description(
      'Ends the connections of accounts: their tokens are revoked at the service (later if it does not answer), the programs of those that have moved get errors, and their customers must be invited and approve again',
    )
    .argument('<account...>', 'names or ids')
    .option('--yes', 'confirm; without it, only shows what would happen', false)
    .action((idsOrNames: readonly string[], { yes }: { readonly yes: boolean }) =>
      withTools(parts, async ({ accounts, actions }) => {
        const found = await Promise.all(idsOrNames.map((one) => findAccount(accounts, one)));
        const ids = found.map(({ id }) => id);
        const action = { action: 'disconnect' } as const;
        const { accounts: lines } = yes
          ? await actions.perform(action, ids)
          : await actions.preview(action, ids);
        for (const line of lines) {
          const caution = 'caution' in line && line.caution !== undefined ? `; ${line.caution}` : '';
          parts.terminal.out(`${line.name ?? line.accountId}: ${line.words}${caution}\n`);
        }
        if (!yes) throw new Refusal('nothing was changed; --yes does it');
        const undone = lines.filter(({ outcome }) => outcome !== 'done').length;
        if (undone > 0) throw new Refusal(`${undone} of ${lines.length} were left as they are`);
      }),
    );
