import { stageLabel } from './status-facts.ts';
import { Command } from 'commander';
import { IllegalTransition } from '../../../features/accounts/account.ts';
import { keyWarnings } from '../../../features/accounts/account-keys.ts';
import {
  applicationOption,
  detailsGiven,
  productOption,
  withDetails,
  type DetailOptions,
  type ProductOption,
} from '../../details-given.ts';
import { keysGiven, type KeyOptions } from '../../keys-given.ts';
import { cautionOf } from '../../../features/admin/actions/words.ts';
import type { CliParts } from '../../parts.ts';
import { Misuse, Refusal } from '../../../lib/log/terminal.ts';
import type { Tools } from '../../../app/tools/model.ts';
import { findAccount, withTools } from '../../work.ts';

interface SetOptions extends Omit<KeyOptions, 'accountKey' | 'accountKeyFile'>, DetailOptions, ProductOption {
  readonly name?: string;
  readonly application?: string;
  readonly sameName?: true;
}

/** `causeway accounts set`: changes only what is given. */
export function set(parts: CliParts): Command {
  const { terminal } = parts;
  return withDetails(
    new Command('set')
      .description('Changes an account’s details; an empty text removes a value')
      .argument('<account>', 'name or id')
      .option('--name <name>', 'another name')
      .option('--same-name', 'allow the name of another account')
      .option('--api-key <key>', 'accept calls with this API key only; - reads it from standard input')
      .option('--api-key-file <path>', 'file with the API key')
      .addOption(productOption())
      .addOption(applicationOption('another OAuth application, while no consent is held')),
  ).action(async (idOrName: string, options: SetOptions) => {
    const { sameName, ...details } = options;
    if (Object.keys(details).length === 0) throw new Misuse('nothing to set: give at least one option');
    const { apiKey } = await keysGiven(options, terminal);
    await withTools(parts, async (tools) => {
      const account = await findAccount(tools.accounts, idOrName);
      const { name, product, application } = options;
      const given = { ...detailsGiven(options), name, sameName, product, application, apiKey };
      const fields = await tools.setAccount(account, given);
      for (const warning of [...keyWarnings({ apiKey }), ...tools.accountWarnings(given)])
        terminal.err(`note: ${warning}\n`);
      terminal.out(
        fields.length === 0
          ? `${account.name} already has these values; nothing was changed\n`
          : `${account.name} was changed: ${fields.join(', ')}\n`,
      );
    });
  });
}

/**
 * `causeway accounts close`: needs `--yes`, because it is final. Looks up all accounts before it closes the
 * first.
 */
export function close(parts: CliParts): Command {
  return new Command('close')
    .description(
      'Closes accounts permanently: their keys and links stop working and no more messages are sent',
    )
    .argument('<account...>', 'names or ids')
    .option('--yes', 'confirm; without it, only shows what would happen', false)
    .option('--dry-run', 'only say what would be closed', false)
    .action((idsOrNames: readonly string[], options: CloseOptions) =>
      withTools(parts, (tools) => run(parts, tools, idsOrNames, options)),
    );
}

interface CloseOptions {
  readonly yes: boolean;
  readonly dryRun: boolean;
}

/** Closes nothing until every account has been found and can be closed. Throws `Refusal`. */
async function run(
  { terminal }: CliParts,
  tools: Tools,
  idsOrNames: readonly string[],
  { yes, dryRun }: CloseOptions,
): Promise<void> {
  const accounts = await Promise.all(idsOrNames.map((one) => findAccount(tools.accounts, one)));
  const over = accounts.find(({ life }) => life.stage === 'closed');
  if (over !== undefined) throw new Refusal(`${over.name} is already closed`);
  if (dryRun || !yes) {
    for (const account of accounts)
      terminal.out(
        `${account.name} (${stageLabel(account)}) would be closed: ${cautionOf({ action: 'close' }, account) ?? ''}\n`,
      );
    if (!dryRun)
      throw new Refusal('nothing was changed. A closed account cannot be opened again; --yes does it');
    return;
  }
  for (const account of accounts) {
    await closed(tools.closeAccount(account));
    terminal.out(`${account.name} is closed\n`);
  }
}

/** Turns the error into a refusal if another process was faster. */
async function closed(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw error instanceof IllegalTransition ? new Refusal(error.message) : error;
  }
}
