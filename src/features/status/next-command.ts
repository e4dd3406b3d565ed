import { terminalText } from '../../lib/text/plain-text.ts';
import type { NextAction } from './codes.ts';
import type { ReportedAccount } from './model.ts';

type Named = Pick<ReportedAccount, 'id' | 'name' | 'wave'>;

/** Capitals stand for values that only the operator knows. */
type Words = (account: Named) => readonly string[];

/**
 * The command line reads a name with a leading dash as an option, and a name that is not printed as it is cannot be
 * pasted.
 */
const isUsable = (name: string): boolean => !name.startsWith('-') && terminalText(name) === name;

const nameOf = ({ id, name }: Named): string => (isUsable(name) ? name : id);

const commands: Readonly<Partial<Record<NextAction, Words>>> = {
  invite: (one) => ['invite', nameOf(one)],
  'invite-again': (one) => ['invite', nameOf(one)],
  'add-address': (one) => ['accounts', 'set', nameOf(one), '--email', 'ADDRESS'],
  'decide-wave': ({ wave }) => ['waves', 'resume', wave && isUsable(wave.name) ? wave.name : 'WAVE'],
  'judge-consent': (one) => ['consents', 'confirm', nameOf(one)],
  'give-api-key': (one) => ['accounts', 'set', nameOf(one), '--api-key', 'KEY'],
  'import-numbers': (one) => ['crosswalk', 'import', nameOf(one), 'FILE'],
  'accept-differences': (one) => ['parity', nameOf(one)],
  cutover: (one) => ['cutover', nameOf(one)],
  'look-at-watch': (one) => ['watch', nameOf(one)],
  'look-at-calls': (one) => ['calls', nameOf(one), '--failed'],
};

/** The words of the command for the operator's next action, without `causeway`; undefined if there is no command. */
export const nextWords = (action: NextAction, account: Named): readonly string[] | undefined =>
  commands[action]?.(account);

/** The same as a line for a shell; the console links to a page instead. */
export function nextCommand(action: NextAction, account: Named): string | undefined {
  const words = nextWords(action, account);
  return words && ['causeway', ...words.map(shellWord)].join(' ');
}

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
