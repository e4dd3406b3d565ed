import { stageLabel } from './status-facts.ts';
import { Command } from 'commander';
import type { Account } from '../../../features/accounts/account.ts';
import { keyWarnings } from '../../../features/accounts/account-keys.ts';
import type { Product } from '../../../upstream/organisation.ts';
import type { Secret } from '../../../lib/secret/secret.ts';
import {
  applicationOption,
  detailsGiven,
  productOption,
  withDetails,
  type DetailOptions,
} from '../../details-given.ts';
import { keysGiven, type KeyOptions } from '../../keys-given.ts';
import type { CliParts } from '../../parts.ts';
import { Misuse, type Terminal } from '../../../lib/log/terminal.ts';
import type { Tools } from '../../../app/tools/model.ts';
import { withTools } from '../../work.ts';
import { wordsOf } from '../campaign/messages.ts';

interface AddOptions extends KeyOptions, DetailOptions {
  readonly product: Product;
  readonly application?: string;
  readonly new: boolean;
  readonly sameName?: true;
}

/**
 * `causeway accounts add`: adds an account with the keys its program already uses, or (`--new`) with a pair
 * generated here and shown once. A key can be read from standard input or a file, so that no process list
 * shows it.
 */
export function add(parts: CliParts): Command {
  const { terminal } = parts;
  return withDetails(
    new Command('add')
      .description(
        'Adds an account at the stage legacy: it is served through V1 until its customer has consented',
      )
      .argument('<name>', 'name of the customer')
      .option(
        '--account-key <key>',
        'its V1 account key; - reads it from standard input, so that no process list shows it',
      )
      .option('--account-key-file <path>', 'file with the account key')
      .option(
        '--api-key <key>',
        'accept calls with this API key only; - reads it from standard input, after the account key',
      )
      .option('--api-key-file <path>', 'file with the API key')
      .option(
        '--new',
        'for a customer that never had V1 keys: generates a key pair, shows it once, and invites',
        false,
      )
      .option('--same-name', 'allow the name of another account')
      .addOption(productOption().default('standard'))
      .addOption(applicationOption()),
  ).action(async (name: string, options: AddOptions) => {
    const keys = await keysGiven(options, terminal);
    if (options.new && (keys.accountKey ?? keys.apiKey) !== undefined)
      throw new Misuse('--new generates the keys: do not combine it with --account-key or --api-key');
    const { product, application, sameName } = options;
    const account = { name, product, application, sameName, details: detailsGiven(options) };
    await withTools(parts, (tools) =>
      options.new ? issue(tools, account, terminal) : take(tools, { ...account, ...needed(keys) }, terminal),
    );
  });
}

const needed = (
  keys: Awaited<ReturnType<typeof keysGiven>>,
): { accountKey: Secret; apiKey: Secret | undefined } => {
  if (keys.accountKey === undefined) throw new Misuse('--account-key or --account-key-file is needed');
  return { accountKey: keys.accountKey, apiKey: keys.apiKey };
};

async function take(
  tools: Tools,
  account: Parameters<Tools['addAccount']>[0],
  terminal: Terminal,
): Promise<void> {
  const added = await tools.addAccount(account);
  warn([...keyWarnings(account), ...tools.accountWarnings(account.details ?? {})], terminal);
  terminal.out(`${added.name} was added as ${added.id}, stage: ${stageLabel(added)}\n`);
}

function warn(warnings: readonly string[], terminal: Terminal): void {
  for (const warning of warnings) terminal.err(`note: ${warning}\n`);
}

async function issue(
  tools: Tools,
  given: Parameters<Tools['issueAccount']>[0],
  terminal: Terminal,
): Promise<void> {
  const { account, keys } = await tools.issueAccount(given);
  warn(tools.accountWarnings(given.details ?? {}), terminal);
  terminal.out(
    [
      `${account.name} was added as ${account.id}, stage: ${stageLabel(account)}`,
      `API key      ${keys.apiKey.reveal()}`,
      `account key  ${keys.accountKey.reveal()}`,
      '',
    ].join('\n'),
  );
  terminal.err('The keys are shown only once. They work as soon as the customer has consented.\n');
  await invite(tools, account, terminal);
}

/** Sends the invitation by e-mail if possible, or shows its link. */
async function invite(tools: Tools, account: Account, terminal: Terminal): Promise<void> {
  if (tools.messages.mailed) {
    const answer = await tools.messages.invite(account, false);
    if (answer.outcome === 'queued') {
      terminal.out(`an ${wordsOf(answer)}\n`);
      return;
    }
  }
  const { link } = await tools.invite(account);
  terminal.out(`link         ${link}\n`);
}
