import { isPassing, namesAddress, statusIn } from '../bounces/smtp-status.ts';
import type { PostVerdict } from '../outbox.ts';

const LONGEST_WORDS = 200;
/** An answer may have 64 KB, and the pattern of an address tries each character of a long word. */
const MOST_READ = 2_000;

/** The parts of a failed conversation, as nodemailer reports it, on which the verdict rests. */
interface Trouble {
  /** The mail server's answer, if there was one. */
  readonly code: number | undefined;
  readonly command: string;
  readonly words: string;
}

function troubleOf(error: unknown): Trouble {
  const { responseCode, command, response, message, originalCode, code } = (error ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const said = typeof response === 'string' ? response : typeof message === 'string' ? message : '';
  const reason = [originalCode, code].find((one): one is string => typeof one === 'string');
  return {
    code: typeof responseCode === 'number' ? responseCode : undefined,
    command: typeof command === 'string' ? command : '',
    words: shortened(
      typeof response === 'string' || reason === undefined || said.includes(reason)
        ? said
        : `${said} (${reason})`,
    ),
  };
}

/** The server's text for the operator: one line, without addresses, limited in length. */
function shortened(words: string): string {
  const line = words
    .slice(0, MOST_READ)
    .replaceAll(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replaceAll(/<?[^\s<>:;,"']+@[^\s<>:;,"']+>?/g, '<address>')
    .trim();
  return line.length > LONGEST_WORDS ? `${line.slice(0, LONGEST_WORDS - 1)}…` : line;
}

/** The mail server's reply in a form that may be stored and shown. */
export const responseOf = (response: string): string => shortened(response);

/** A text for the operator about a mail server's behaviour when it did not accept. */
export function wordsOf(error: unknown): string {
  const { command, words } = troubleOf(error);
  if (command.startsWith('AUTH')) return `refuses the user name or password: ${words}`;
  return words === '' ? 'cannot be reached' : words;
}

/**
 * A refusal that means "not from you" rather than "not to this address". It would be the same for every
 * message, so no address is to blame (RFC 4954, codes 530 and 535; relaying is 5.7.1 with this text in every
 * server we know).
 */
const isOurFault = ({ code, words }: Trouble): boolean =>
  code === 530 || code === 535 || /\brelay|authenticat/i.test(words);

/**
 * 5yz is permanent (RFC 5321, section 4.2.1), except 503, which means that the conversation went wrong, and
 * 521: nobody is here.
 */
const isForGood = (code: number): boolean => code >= 500 && code < 600 && code !== 503 && code !== 521;

/** "No such mailbox", if status and words do not speak against it (RFC 5321, section 4.2.3; 556: RFC 7504). */
const NO_MAILBOX: readonly number[] = [501, 550, 551, 553, 556];

/** Whether the answer proves that the address is dead; nothing more is then sent to it, for any account. */
function isDead({ code = 0, command, words }: Trouble): boolean {
  const status = statusIn(words) ?? '';
  if (!isForGood(code) || isPassing(status, words)) return false;
  if (command === 'RCPT TO') return namesAddress(status) || NO_MAILBOX.includes(code);
  return command === 'DATA' && namesAddress(status);
}

/**
 * The outcome of a message whose conversation failed. `contentLeft`: the server had asked for the content and
 * began to receive it; without an answer after that, nobody knows.
 */
export function verdictOf(error: unknown, contentLeft: boolean): PostVerdict {
  const trouble = troubleOf(error);
  if (trouble.code === undefined && contentLeft)
    return { verdict: 'unknown', reason: `no answer after the content: ${trouble.words}` };
  const refused = isDead(trouble) && !isOurFault(trouble);
  return { verdict: refused ? 'refused' : 'postponed', reason: wordsOf(error) };
}
