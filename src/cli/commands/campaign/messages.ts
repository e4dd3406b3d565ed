import { Command } from 'commander';
import type { Account } from '../../../features/accounts/account.ts';
import type { CampaignAnswer } from '../../../features/campaign/asking/campaign-answer.ts';
import { leaveWords, type LeaveReason } from '../../../features/campaign/asking/leave-reason.ts';
import type { SkippedReason } from '../../../features/status/report/skipped.ts';
import { formatOption, moment, print, type Format, type Records } from '../../records.ts';
import { chosen, type Choice } from '../../selection.ts';
import { withFilters } from '../../filters-given.ts';
import { Refusal, type Terminal } from '../../../lib/log/terminal.ts';
import type { Tools } from '../../../app/tools/model.ts';
import type { CliParts } from '../../parts.ts';
import { withTools } from '../../work.ts';
import { noteUnsent } from './unsent-note.ts';

/** Stages whose customers have to consent. */
export const invitable = ['legacy', 'lost'] as const;

/** The options that `invite`, `remind` and `withdraw` share. */
export interface MessageOptions extends Choice {
  readonly dryRun: boolean;
  readonly format: Format;
}

/** The arguments that `invite`, `remind` and `withdraw` share: accounts by name or id, or a group. */
export const forAccounts = (command: Command, what: string): Command =>
  withFilters(
    command
      .argument('[account...]', 'names or ids')
      .option('--all', `${what} every account whose customer has to consent`, false),
    what,
  )
    .option('--dry-run', 'only say what would happen', false)
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nSeveral filters narrow the choice; for each filter, matching any one of its values is enough.',
    );

/** `remind` and `withdraw`: act on every selected account. `refused`: why the command cannot act at all. */
export const messageCommand = (
  parts: CliParts,
  { name, what, verb, sends, refused, act }: MessageCommand,
): Command =>
  forAccounts(new Command(name).description(what), verb).action(
    (idsOrNames: readonly string[], options: MessageOptions) =>
      withTools(parts, async (tools) => {
        const reason = refused?.(tools);
        if (reason !== undefined) throw new Refusal(reason);
        if (sends) await noteUnsent(tools, parts.terminal);
        await carryOut(
          await chosen(tools, idsOrNames, options, invitable),
          (account) => act(tools, account, options.dryRun),
          { named: idsOrNames.length > 0, dryRun: options.dryRun, format: options.format },
          parts.terminal,
        );
      }),
  );

interface MessageCommand {
  readonly name: string;
  readonly what: string;
  /** Start of the options' descriptions: `withdraw the invitations of`. */
  readonly verb: string;
  readonly sends: boolean;
  readonly refused?: (tools: Tools) => string | undefined;
  readonly act: (tools: Tools, account: Account, dry: boolean) => Promise<CampaignAnswer>;
}

const skippedAs = (one: string, several: string, filter: string) => ({
  row: `${one}; its name or ${filter} invites it anyway`,
  note: `${several} (${filter} invites them anyway)`,
});

/** Why an invitation to many skips accounts and what invites them, for the row of one and the note on several. */
export const skippedWords: Readonly<Record<SkippedReason, ReturnType<typeof skippedAs>>> = {
  declined: skippedAs('has declined', 'the customer declined', '--next contact'),
  everyReminder: skippedAs(
    'has had every reminder',
    'every reminder was sent',
    '--next contact,invite-again',
  ),
  linkMade: skippedAs('has a link that was made for it', 'a link was made', '--next consent'),
  inWave: skippedAs('is in a wave', 'in a wave', '--wave'),
};

const leftDetails: Readonly<Record<LeaveReason | SkippedReason, string>> = {
  ...leaveWords,
  awaiting: `${leaveWords.awaiting}; causeway consents lists what to confirm or refuse`,
  connected: `${leaveWords.connected}; invite --link makes a link anyway`,
  noAddress: `${leaveWords.noAddress}; accounts set --email gives it one, invite --link shows a link instead`,
  refused: `${leaveWords.refused}; accounts set --email gives it another one, or tries the same one again`,
  underWay: `${leaveWords.underWay}; remind repeats it`,
  notInvited: `${leaveWords.notInvited}; invite does that`,
  withdrawn: `${leaveWords.withdrawn}; invite makes a new one`,
  declined: skippedWords.declined.row,
  everyReminder: skippedWords.everyReminder.row,
  linkMade: skippedWords.linkMade.row,
  inWave: skippedWords.inWave.row,
};

/** What became of one account. */
type Answer = CampaignAnswer | { readonly outcome: 'left'; readonly reason: SkippedReason };

/** Acts on every account, prints the results, and fails if a named account was skipped. */
export async function carryOut(
  accounts: readonly Account[],
  ask: (account: Account) => Promise<Answer>,
  how: { readonly named: boolean; readonly dryRun: boolean; readonly format: Format },
  terminal: Terminal,
): Promise<void> {
  const answers: { readonly account: Account; readonly answer: Answer }[] = [];
  for (const account of accounts) answers.push({ account, answer: await ask(account) });
  const records: Records = answers.map(({ account, answer }) => ({
    account: account.name,
    result: resultOf(answer, how.dryRun),
    to: answer.outcome === 'queued' ? answer.to : undefined,
    at: answer.outcome === 'queued' ? moment(answer.at) : undefined,
    detail: answer.outcome === 'left' ? leftDetails[answer.reason] : undefined,
  }));
  terminal.out(
    print(
      records,
      ['account', 'result', 'to', 'at', 'detail'],
      how.format,
      'There is no account to do this for.',
    ),
  );
  const left = answers.filter(({ answer }) => answer.outcome === 'left').length;
  const done = answers.length - left;
  terminal.err(`${done} ${how.dryRun ? 'would be done' : 'done'}, ${left} left as they are\n`);
  if (how.named && left > 0) throw new Refusal(`${left} of ${answers.length} accounts were left as they are`);
}

function resultOf(answer: Answer, dryRun: boolean): string {
  switch (answer.outcome) {
    case 'queued':
      return dryRun ? `${answer.kind} would be queued` : `${answer.kind} queued`;
    case 'withdrawn':
      return dryRun ? 'would be withdrawn' : 'withdrawn';
    case 'left':
      return 'left';
  }
}

/** Reports that a message was queued; the command itself sends none. */
export const wordsOf = ({ kind, to }: Extract<CampaignAnswer, { outcome: 'queued' }>): string =>
  `${kind} to ${to} was queued; the running bridge sends it`;
