import type { Command } from 'commander';
import { Option } from 'commander';
import type { Account } from '../../domain/account.ts';
import type { CampaignAnswer } from '../../migration/campaign.ts';
import { leaveWords } from '../../migration/campaign-plan.ts';
import { formatOption, print, type Format, type Records } from '../records.ts';
import { Misuse, Refusal, type Terminal } from '../terminal.ts';
import type { Tools } from '../tools.ts';
import { findAccount } from '../work.ts';

/** Stages whose customers have to consent. */
const invitable = ['legacy', 'lost'] as const;

export interface Selection {
  readonly all: boolean;
  readonly stage?: (typeof invitable)[number];
}

export interface LetterOptions extends Selection {
  readonly dryRun: boolean;
  readonly format: Format;
}

export const forAccounts = (command: Command, what: string): Command =>
  command
    .argument('[account...]', 'names or ids')
    .option('--all', `${what} every account whose customer has to consent`, false)
    .addOption(new Option('--stage <stage>', `${what} every account of this stage`).choices(invitable))
    .option('--dry-run', 'only say what would happen', false)
    .addOption(formatOption());

/** Throws `Misuse` unless exactly one way of choosing is used, `Refusal` for a name nobody has. */
export async function chosen(
  tools: Tools,
  idsOrNames: readonly string[],
  { all, stage }: Selection,
): Promise<readonly Account[]> {
  const ways = [idsOrNames.length > 0, all, stage !== undefined].filter(Boolean).length;
  if (ways !== 1) throw new Misuse('name the accounts, or give --all, or --stage');
  if (idsOrNames.length === 0) return tools.accounts.list(stage === undefined ? invitable : [stage]);
  const accounts = await Promise.all(idsOrNames.map((one) => findAccount(tools.accounts, one)));
  return [...new Map(accounts.map((account) => [account.id, account])).values()];
}

/** Asks for every account, tells, and fails where somebody who was named got nothing. */
export async function carryOut(
  accounts: readonly Account[],
  ask: (account: Account) => Promise<CampaignAnswer>,
  how: { readonly named: boolean; readonly dryRun: boolean; readonly format: Format },
  terminal: Terminal,
): Promise<void> {
  const answers: { readonly account: Account; readonly answer: CampaignAnswer }[] = [];
  for (const account of accounts) answers.push({ account, answer: await ask(account) });
  const records: Records = answers.map(({ account, answer }) => ({
    account: account.name,
    result: resultOf(answer, how.dryRun),
    to: answer.outcome === 'queued' ? answer.to : undefined,
    detail: answer.outcome === 'left' ? leaveWords[answer.reason] : undefined,
  }));
  terminal.out(
    print(records, ['account', 'result', 'to', 'detail'], how.format, 'There is no account to do this for.'),
  );
  const left = answers.filter(({ answer }) => answer.outcome === 'left').length;
  const done = answers.length - left;
  terminal.err(`${done} ${how.dryRun ? 'would be done' : 'done'}, ${left} left as they are\n`);
  if (how.named && left > 0) throw new Refusal(`${left} of ${answers.length} accounts were left as they are`);
}

function resultOf(answer: CampaignAnswer, dryRun: boolean): string {
  switch (answer.outcome) {
    case 'queued':
      return dryRun ? `${answer.kind} would be queued` : `${answer.kind} queued`;
    case 'withdrawn':
      return dryRun ? 'would be withdrawn' : 'withdrawn';
    case 'left':
      return 'left';
  }
}

export const wordsOf = ({ kind, to }: Extract<CampaignAnswer, { outcome: 'queued' }>): string =>
  `${kind} to ${to} was queued; the running bridge sends it`;
