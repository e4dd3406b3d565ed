import { Command, Option } from 'commander';
import { products, type Account, type Product } from '../../domain/account.ts';
import { DuplicateAccount } from '../../domain/accounts.ts';
import { Secret } from '../../domain/secret.ts';
import type { CliParts } from '../parts.ts';
import { formatOption, moment, print, type Format, type Records } from '../records.ts';
import { Misuse, Refusal, type Terminal } from '../terminal.ts';
import type { Tools } from '../tools.ts';
import { findAccount, withTools } from '../work.ts';

interface AddOptions {
  readonly accountKey?: string;
  readonly accountKeyFile?: string;
  readonly apiKey?: string;
  readonly apiKeyFile?: string;
  readonly product: Product;
}

export function accounts(parts: CliParts): Command {
  return new Command('accounts')
    .description('The accounts the bridge serves')
    .addCommand(add(parts))
    .addCommand(list(parts))
    .addCommand(show(parts));
}

function add(parts: CliParts): Command {
  return new Command('add')
    .description(
      'Adds an account, which begins as legacy: served through V1 until its customer has consented',
    )
    .argument('<name>', 'name of the organisation')
    .option(
      '--account-key <key>',
      'its V1 account key; - reads it from standard input, so that no list of processes shows it',
    )
    .option('--account-key-file <path>', 'a file that holds the account key')
    .option(
      '--api-key <key>',
      'accept calls with this API key only; - reads it from standard input, after the account key',
    )
    .option('--api-key-file <path>', 'a file that holds the API key')
    .addOption(
      new Option('--product <product>', 'which product of the service').choices(products).default('standard'),
    )
    .action(async (name: string, options: AddOptions) => {
      const { accountKey, apiKey } = await keysOf(options, parts.terminal);
      await withTools(parts, async (tools) => {
        const account = await added(tools, { name, product: options.product, accountKey, apiKey });
        parts.terminal.out(`${account.name} was added as ${account.id}, stage ${account.life.stage}\n`);
      });
    });
}

async function added(tools: Tools, account: Parameters<Tools['addAccount']>[0]): Promise<Account> {
  try {
    return await tools.addAccount(account);
  } catch (error) {
    throw error instanceof DuplicateAccount ? new Refusal(error.message) : error;
  }
}

async function keysOf(
  options: AddOptions,
  terminal: Terminal,
): Promise<{ readonly accountKey: Secret; readonly apiKey: Secret | undefined }> {
  const lines = [options.accountKey, options.apiKey].includes('-')
    ? (await terminal.read()).split(/\r?\n/).values()
    : [].values();
  const accountKey = await keyOf('account', options.accountKey, options.accountKeyFile, lines, terminal);
  const apiKey = await keyOf('API', options.apiKey, options.apiKeyFile, lines, terminal);
  if (accountKey === undefined) throw new Misuse('--account-key or --account-key-file is needed');
  return { accountKey, apiKey };
}

async function keyOf(
  which: 'account' | 'API',
  given: string | undefined,
  file: string | undefined,
  lines: Iterator<string>,
  terminal: Terminal,
): Promise<Secret | undefined> {
  if (given !== undefined && file !== undefined) throw new Misuse(`the ${which} key is given twice`);
  if (given === undefined && file === undefined) return undefined;
  const text = file !== undefined ? await loaded(file, terminal) : given === '-' ? nextLine(lines) : given;
  const key = text?.trim() ?? '';
  if (key === '') throw new Misuse(`the ${which} key is empty`);
  if (/[\s\p{Cc}]/u.test(key)) throw new Misuse(`the ${which} key must be one word`);
  return new Secret(key);
}

function nextLine(lines: Iterator<string>): string {
  const next = lines.next();
  return next.done === true ? '' : next.value;
}

async function loaded(path: string, terminal: Terminal): Promise<string> {
  try {
    return await terminal.load(path);
  } catch {
    throw new Refusal(`${path} cannot be read`);
  }
}

const listColumns = ['name', 'stage', 'since', 'product', 'origin', 'organisation', 'lastCall', 'id'];

function list(parts: CliParts): Command {
  return new Command('list')
    .description('All accounts with their stages')
    .addOption(formatOption())
    .action(async ({ format }: { readonly format: Format }) => {
      const all = await withTools(parts, ({ accounts: book }) => book.list());
      parts.terminal.out(
        print(
          all.map(listRecord),
          listColumns,
          format,
          'There is no account yet: causeway accounts add adds one.',
        ),
      );
    });
}

const listRecord = (account: Account): Records[number] => ({
  name: account.name,
  stage: account.life.stage,
  since: moment(account.stageSince),
  product: account.product,
  origin: account.origin,
  organisation: 'binding' in account.life ? account.life.binding.organisation.name : undefined,
  lastCall: moment(account.lastCallAt),
  id: account.id,
});

function show(parts: CliParts): Command {
  return new Command('show')
    .description('One account: its stage, its organisation, its identifiers and its timeline')
    .argument('<account>', 'name or id')
    .addOption(formatOption())
    .action(async (idOrName: string, { format }: { readonly format: Format }) => {
      const text = await withTools(parts, async (tools) =>
        shown(tools, await findAccount(tools.accounts, idOrName), format),
      );
      parts.terminal.out(text);
    });
}

async function shown(tools: Tools, account: Account, format: Format): Promise<string> {
  const timeline = await tools.accounts.timeline(account.id);
  const kinds = await tools.crosswalk.report(account.id);
  const facts = factsOf(account);
  if (format === 'json')
    return `${JSON.stringify({ ...facts, identifiers: kinds, timeline: timeline.map((event) => ({ ...event, at: moment(event.at) })) }, null, 2)}\n`;
  const events: Records = timeline.map(({ at, kind, actor, detail }) => ({
    at: moment(at),
    kind,
    actor,
    detail,
  }));
  if (format === 'csv') return print(events, ['at', 'kind', 'actor', 'detail'], format, '');
  const widest = Math.max(...Object.keys(facts).map((name) => name.length));
  return [
    Object.entries(facts)
      .map(([name, value]) => `${name.padEnd(widest)}  ${value ?? ''}`.trimEnd() + '\n')
      .join(''),
    print(
      kinds.map((kind) => ({ ...kind })),
      ['kind', 'learned', 'allotted', 'unlearned', 'complete'],
      format,
      'No identifiers are known yet: causeway crosswalk learn asks V1 for them.',
    ),
    print(events, ['at', 'kind', 'actor', 'detail'], format, 'Nothing has happened yet.'),
  ].join('\n');
}

function factsOf(account: Account): Readonly<Record<string, string | undefined>> {
  const { life } = account;
  const binding = 'binding' in life ? life.binding : undefined;
  return {
    name: account.name,
    id: account.id,
    stage: life.stage === 'lost' ? `lost (${life.reason})` : life.stage,
    since: moment(account.stageSince),
    product: account.product,
    origin: account.origin,
    organisation:
      binding === undefined ? undefined : `${binding.organisation.name} (${binding.organisation.id})`,
    grant: binding?.grantId,
    lastCall: moment(account.lastCallAt) ?? 'never',
  };
}
