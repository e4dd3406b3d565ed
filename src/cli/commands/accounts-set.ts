import { Command } from 'commander';
import { IllegalTransition } from '../../domain/account.ts';
import {
  detailsGiven,
  productOption,
  withDetails,
  type DetailOptions,
  type ProductOption,
} from '../details-given.ts';
import { keysGiven, type KeyOptions } from '../keys-given.ts';
import type { CliParts } from '../parts.ts';
import { Misuse, Refusal } from '../terminal.ts';
import { findAccount, withTools } from '../work.ts';

interface SetOptions extends Omit<KeyOptions, 'accountKey' | 'accountKeyFile'>, DetailOptions, ProductOption {
  readonly name?: string;
}

export function set(parts: CliParts): Command {
  const { terminal } = parts;
  return withDetails(
    new Command('set')
      .description('Changes what is known of an account; an empty text takes a value out')
      .argument('<account>', 'name or id')
      .option('--name <name>', 'another name')
      .option('--api-key <key>', 'accept calls with this API key only; - reads it from standard input')
      .option('--api-key-file <path>', 'a file that holds the API key')
      .addOption(productOption()),
  ).action(async (idOrName: string, options: SetOptions) => {
    if (Object.keys(options).length === 0) throw new Misuse('nothing to set: give at least one option');
    const { apiKey } = await keysGiven(options, terminal);
    await withTools(parts, async (tools) => {
      const account = await findAccount(tools.accounts, idOrName);
      const { name, product } = options;
      const fields = await tools.setAccount(account, { ...detailsGiven(options), name, product, apiKey });
      terminal.out(
        fields.length === 0
          ? `${account.name} was so already; nothing was changed\n`
          : `${account.name} was changed: ${fields.join(', ')}\n`,
      );
    });
  });
}

export function close(parts: CliParts): Command {
  const { terminal } = parts;
  return new Command('close')
    .description('Ends the service for accounts, for good: their keys, links and letters work no longer')
    .argument('<account...>', 'names or ids')
    .option('--dry-run', 'only say what would be closed', false)
    .action(async (idsOrNames: readonly string[], { dryRun }: { readonly dryRun: boolean }) => {
      await withTools(parts, async (tools) => {
        const accounts = await Promise.all(idsOrNames.map((one) => findAccount(tools.accounts, one)));
        for (const account of accounts) {
          if (account.life.stage === 'closed') throw new Refusal(`${account.name} is closed already`);
          if (!dryRun) await closed(tools.closeAccount(account));
          terminal.out(`${account.name} (${account.life.stage}) ${dryRun ? 'would be' : 'is'} closed\n`);
        }
      });
    });
}

/** Somebody else was faster. */
async function closed(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw error instanceof IllegalTransition ? new Refusal(error.message) : error;
  }
}
