import type { Account } from '../../../features/accounts/account.ts';
import { stageWords } from '../../../features/status/code-words.ts';
import type { ReportedAccount } from '../../../features/status/model.ts';
import { nextCommand } from '../../../features/status/next-command.ts';

/**
 * Why the account is stuck and what comes next, in the console's words. `asked`: the name or id that the
 * operator typed.
 */
export const stuckFacts = (
  line: ReportedAccount,
  asked: string,
): Readonly<Record<string, string | undefined>> => {
  const { stuck, next, wave } = line;
  return {
    stuck: stuck ? [stuck.words, stuck.detail].filter(Boolean).join(': ') : undefined,
    next: next ? nextFact({ ...line, name: asked }, next) : undefined,
    wave: wave
      ? `${wave.name} (${[wave.state, wave.start?.replace('T', ' ')].filter(Boolean).join(', ')})`
      : undefined,
  };
};

const nextFact = (
  line: ReportedAccount,
  { by, words, action }: NonNullable<ReportedAccount['next']>,
): string => {
  const command = nextCommand(action, line);
  return `${by === 'operator' ? 'you' : by}: ${words}${command === undefined ? '' : ` (${command})`}`;
};

/** The console's label for the stage of an account. */
export const stageLabel = ({ life }: Pick<Account, 'life'>): string =>
  stageWords(life.stage, life.stage === 'lost' ? life.reason : undefined);

/** Adds the console's label to the stage name that filters accept. */
export const stageFact = (account: Account, stage = ''): string =>
  `${stage}, on the console "${stageLabel(account)}"`;
