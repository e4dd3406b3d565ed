import { terminalText } from '../../lib/text/plain-text.ts';
import type { NextAction } from './codes.ts';
import type { ReportedAccount } from './model.ts';

type Named = Pick<ReportedAccount, 'id' | 'name' | 'wave'>;

/** Capitals stand for what only the operator knows. */
type Words = (account: Named) => readonly string[];

/** A name that looks like an option is none to the command line, and one that is not printed as it is cannot be pasted. */
const isUsable = (name: string): boolean => !name.startsWith('-') && terminalText(name) === name;

const nameOf = ({ id, name }: Named): string => (isUsable(name) ? name : id);

const commands: Readonly<Partial<Record<NextAction, Words>>> = {
  invite: (one) => ['invite', nameOf(one)],
  'invite-again': (one) => ['invite', nameOf(one)],
  'add-address': (one) => ['accounts', 'set', nameOf(one), '--email', 'ADDRESS'],
  'decide-wave': ({ wave }) => ['waves', 'go-on', wave && isUsable(wave.name) ? wave.name : 'WAVE'],
  'judge-consent': (one) => ['consents', 'confirm', nameOf(one)],
  'give-api-key': (one) => ['accounts', 'set', nameOf(one), '--api-key', 'KEY'],
  'import-numbers': (one) => ['crosswalk', 'import', nameOf(one), 'FILE'],
  'accept-differences': (one) => ['parity', nameOf(one)],
  cutover: (one) => ['cutover', nameOf(one)],
  'look-at-watch': (one) => ['watch', nameOf(one)],
  'look-at-calls': (one) => ['calls', nameOf(one), '--failed'],
};

/** The words of the command for what an operator does next, without `causeway`; undefined: there is none. */
export const nextWords = (action: NextAction, account: Named): readonly string[] | undefined =>
  commands[action]?.(account);

/** The same as a line for a shell; the console leads to a page instead. */
export function nextCommand(action: NextAction, account: Named): string | undefined {
  const words = nextWords(action, account);
  return words && ['causeway', ...words.map(shellWord)].join(' ');
}

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
