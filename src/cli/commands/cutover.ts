import { Command } from 'commander';
import type { CliParts } from '../parts.ts';
import { Refusal } from '../terminal.ts';
import { findAccount, withTools } from '../work.ts';

interface CutoverOptions {
  readonly acceptUnlearned: boolean;
  readonly yes: boolean;
}

export function cutover(parts: CliParts): Command {
  const { terminal } = parts;
  return new Command('cutover')
    .description('Moves an account to V3. There is no way back: the service does not let it return to V1')
    .argument('<account>', 'name or id')
    .option('--accept-unlearned', 'give new numbers to records whose V1 numbers are not known', false)
    .option('--yes', 'do it; without this only the checks are shown', false)
    .action(async (idOrName: string, { acceptUnlearned, yes }: CutoverOptions) => {
      await withTools(parts, async (tools) => {
        const account = await findAccount(tools.accounts, idOrName);
        if (account.life.stage !== 'consented')
          throw new Refusal(
            `${account.name} is ${account.life.stage}; only an account that is consented can be cut over`,
          );
        const found = await tools.checkCutover(account);
        if (found.verdict === 'waiting') terminal.out(`${account.name}: ${found.reason}\n`);
        if (!yes)
          throw new Refusal(
            `nothing was changed. There is no way back to V1 for ${account.name}; --yes does it`,
          );
        const verdict = await tools.cutover(account, acceptUnlearned);
        if (verdict.verdict === 'waiting')
          throw new Refusal(`${account.name} was not moved: ${verdict.reason}`);
        terminal.out(`${account.name} is migrated: it is served by V3 from now on\n`);
      });
    });
}
