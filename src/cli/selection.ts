import type { Command } from 'commander';
import type { Account, StageName } from '../features/accounts/account.ts';
import { NO_DETAILS } from '../features/accounts/details.ts';
import { productOption, type ProductOption } from './details-given.ts';
import { Misuse } from '../lib/log/terminal.ts';
import type { Tools } from '../app/tools/model.ts';
import { findAccount } from './work.ts';

/** A group of accounts, as the console filters its list; several filters combine. */
export interface Group extends ProductOption {
  readonly stage?: StageName;
  readonly language?: string;
  readonly search?: string;
}

/** A group of accounts, or all of them; names and ids are arguments. */
export interface Choice extends Group {
  readonly all?: boolean;
}

/**
 * The options that narrow a command to a group of accounts. `what` begins their descriptions: "only",
 * "invite".
 */
export const withGroup = (command: Command, what: string): Command =>
  command
    .addOption(productOption(`${what} accounts of this product`))
    .option('--language <code>', `${what} accounts whose e-mails are in this language`)
    .option('--search <words>', `${what} accounts with this in name, organisation or id`);

const isGroup = ({ stage, product, language, search }: Group): boolean =>
  [stage, product, language, search].some((one) => one !== undefined);

/** Accounts at these stages that belong to the group. */
export async function ofGroup(
  tools: Tools,
  { stage, product, language, search }: Group,
  stages?: readonly StageName[],
): Promise<readonly Account[]> {
  const [accounts, details] = [
    await tools.accounts.list(stage === undefined ? stages : [stage]),
    await tools.accounts.allDetails(),
  ];
  const words = search?.trim().toLowerCase() ?? '';
  const wanted = language?.trim().toLowerCase();
  return accounts.filter((account) => {
    const { language: own = tools.language, expected } = details.get(account.id) ?? NO_DETAILS;
    if (product !== undefined && account.product !== product) return false;
    if (wanted !== undefined && own !== wanted && !own.startsWith(`${wanted}-`)) return false;
    const organisation = 'binding' in account.life ? account.life.binding.organisation.name : expected.name;
    return [account.name, organisation ?? '', account.id].some((text) => text.toLowerCase().includes(words));
  });
}

/**
 * The named accounts, each once, or those of a group. Throws `Misuse` for neither or both, `Refusal` for a
 * name that no account or several accounts have.
 */
export async function chosen(
  tools: Tools,
  idsOrNames: readonly string[],
  choice: Choice,
  stages: readonly StageName[],
): Promise<readonly Account[]> {
  const ways = [idsOrNames.length > 0, choice.all === true, isGroup(choice)].filter(Boolean).length;
  if (ways !== 1)
    throw new Misuse('name the accounts, or give --all, or choose a group by its options (see --help)');
  if (idsOrNames.length === 0) return ofGroup(tools, choice, stages);
  const accounts = await Promise.all(idsOrNames.map((one) => findAccount(tools.accounts, one)));
  return [...new Map(accounts.map((account) => [account.id, account])).values()];
}
