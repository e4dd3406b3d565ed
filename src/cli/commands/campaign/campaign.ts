/**
 * `causeway campaign`: the progress of sending, the customers to call, notes of talks, and a test message to
 * oneself.
 */
import { messageColumns, messageKinds } from '../../../features/campaign/outbox.ts';
import { Command, Option } from 'commander';
import { readingWords, type MailboxState } from '../../../features/campaign/bounces/mailbox/record.ts';
import { hoursWords, type SendingHours } from '../../../features/campaign/schedule/hours.ts';
import type { SendingProgress } from '../../../features/campaign/schedule/progress.ts';
import { phoneColumns, phoneRecords } from '../../../features/admin/campaign/sending.ts';
import { counted } from '../../../lib/text/counted.ts';
import { Refusal } from '../../../lib/log/terminal.ts';
import { minutesIn } from '../../../lib/time/zone.ts';
import { AT_TERMINAL } from '../../../app/tools/model.ts';
import { commandGroup } from '../../command.ts';
import type { CliParts } from '../../parts.ts';
import { loaded } from '../../keys-given.ts';
import { formatOption, print, printRows, type Format } from '../../records.ts';
import { findAccount, withTools } from '../../work.ts';
import { preview } from './previews.ts';

/** Builds `causeway campaign`. */
export const campaign = (parts: CliParts): Command =>
  commandGroup(
    'campaign',
    'The campaign as a whole: sending, whom to call, what a message says',
    sending(parts),
    phone(parts),
    talk(parts),
    preview(parts),
    test(parts),
    bounce(parts),
    mailbox(parts),
    mails(parts),
  );

/** Prints times in the installation's zone. */
const sending = (parts: CliParts): Command =>
  new Command('sending')
    .description('Shows the progress of sending e-mails, and when the last one will be sent')
    .option('--json', 'for programs', false)
    .action(async ({ json }: { readonly json: boolean }) => {
      const text = await withTools(parts, async (tools) => {
        const progress = await tools.sending.progress();
        const { hours } = tools.sending;
        return json ? `${JSON.stringify(progress, undefined, 2)}\n` : textOf(progress, hours);
      });
      parts.terminal.out(text);
    });

/** The campaign page of the console as lines. */
function textOf(progress: SendingProgress, hours: SendingHours): string {
  const { due, sent, endsAt, lastMinute, perMinute, later, allEndAt, held } = progress;
  const time = (at: number | undefined): string =>
    at === undefined ? '' : `${minutesIn(hours.zone)(at)} ${hours.zone}`;
  return [
    due === 0
      ? 'No e-mail is waiting to be sent now.'
      : `${sent} of ${counted(due + sent, 'e-mail')} have been sent; the last will be sent at ${time(endsAt)}`,
    `${lastMinute} sent in the last minute, ${perMinute} a minute at most`,
    ...later.map(({ at, messages }) => `from ${time(at)}: ${counted(messages, 'e-mail')}`),
    ...(later.length === 0 ? [] : [`the very last will be sent at ${time(allEndAt)}`]),
    ...(held === 0
      ? []
      : [`held back until their wave continues (causeway waves list): ${counted(held, 'invitation')}`]),
    `sending hours: ${hoursWords(hours)}, on each customer's own clock (${hours.zone} where none is known)`,
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** The table shows the columns that fit; CSV and JSON have every column. */
const phone = (parts: CliParts): Command =>
  new Command('phone')
    .description(
      'Lists customers to telephone: those who never answered, declined, or cannot be reached by e-mail; those not yet spoken to come first',
    )
    .addOption(formatOption())
    .action(async ({ format }: { readonly format: Format }) => {
      const lines = await withTools(parts, (tools) => tools.sending.phoneList());
      const columns =
        format === 'table'
          ? ['account', 'contact', 'phone', 'reason', 'last_talk', 'note']
          : Object.keys(phoneColumns);
      parts.terminal.out(
        print(phoneRecords(lines), columns, format, 'Nobody needs to be called.', parts.terminal),
      );
    });

/** Stores a note in the same way as the console. */
const talk = (parts: CliParts): Command =>
  new Command('talk')
    .description('Records the result of a conversation with a customer in the timeline of the account')
    .argument('<account>', 'name or id')
    .argument('<note>', 'the result of the conversation')
    .action(async (idOrName: string, note: string) => {
      await withTools(parts, async (tools) => {
        const account = await findAccount(tools.accounts, idOrName);
        await tools.sending.talked(account.id, note, AT_TERMINAL);
        parts.terminal.out(`${account.name}: the note is saved\n`);
      });
    });

/** Every message to one account, oldest first. */
const mails = (parts: CliParts): Command =>
  new Command('mails')
    .description('Lists the messages to an account, with the outcome of each')
    .argument('<account>', 'name or id')
    .addOption(formatOption())
    .action(async (idOrName: string, { format }: { readonly format: Format }) => {
      const messages = await withTools(parts, async (tools) => {
        const facts = await tools.messages.facts(await findAccount(tools.accounts, idOrName));
        return facts?.messages ?? [];
      });
      const nothing = 'No e-mail has been written yet: causeway invite does that.';
      parts.terminal.out(printRows(messageColumns, messages, format, nothing));
    });

/** A mail server can hand each bounce to this command. */
const bounce = (parts: CliParts): Command =>
  new Command('bounce')
    .description(
      'Reads a delivery report (RFC 3464) and stops e-mail to the addresses that it reports as undeliverable',
    )
    .argument('<file>', 'the message as received; - reads standard input')
    .addOption(formatOption())
    .action(async (file: string, { format }: { readonly format: Format }) => {
      const { terminal } = parts;
      const message = file === '-' ? await terminal.read() : await loaded(file, terminal);
      const taken = await withTools(parts, (tools) => tools.sending.bounced(message, AT_TERMINAL));
      const records = taken.map(({ address, kind, outcome, words }) => ({ address, kind, outcome, words }));
      terminal.out(
        print(records, ['address', 'kind', 'outcome', 'words'], format, 'The report names no address.'),
      );
    });

/**
 * Reads the mailbox from this process, even while a running bridge does: reading a message twice has no
 * further effect.
 */
const mailbox = (parts: CliParts): Command =>
  new Command('mailbox')
    .description('Shows when the mailbox for bounces was last read, and the result')
    .option('--read', 'read the mailbox first', false)
    .option('--json', 'for programs', false)
    .action(async ({ read, json }: { readonly read: boolean; readonly json: boolean }) => {
      await withTools(parts, async ({ sending: service }) => {
        const state = read ? await service.readMailbox(AT_TERMINAL) : await service.mailbox();
        if (json) parts.terminal.out(`${JSON.stringify(state ?? null, undefined, 2)}\n`);
        else parts.terminal.out(mailboxText(state, service.hours.zone));
        if (read && state?.error !== undefined)
          throw new Refusal(`the mailbox cannot be read: ${state.error.words}`);
      });
    });

/** The mailbox as the console's campaign page shows it. */
function mailboxText(state: MailboxState | undefined, zone: string): string {
  if (state === undefined) return 'No mailbox is read: CAUSEWAY_BOUNCES_MAILBOX_URL is not set.\n';
  const time = (at: number): string => `${minutesIn(zone)(at)} ${zone}`;
  const { readAt, reading, error } = state;
  return [
    `${state.mailbox}: ${readAt === undefined ? 'not read yet' : `last read ${time(readAt)}`}`,
    ...(error === undefined ? [] : [`not readable since ${time(error.since)}: ${error.words}`]),
    ...(reading === undefined ? [] : [`${time(reading.at)}: ${readingWords(reading)}`]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

interface TestOptions {
  readonly to: string;
  readonly kind: string;
  readonly language?: string;
}

/** Sends the message from this process, so no bridge needs to run. */
const test = (parts: CliParts): Command =>
  new Command('test')
    .description('Sends a message to yourself as the account would receive it; its links do not work')
    .argument('<account>', 'name or id')
    .requiredOption('--to <address>', 'your own address')
    .addOption(new Option('--kind <kind>', 'which message').choices(messageKinds).default('invitation'))
    .option('--language <code>', 'instead of the account’s own')
    .action(async (idOrName: string, { to, kind, language }: TestOptions) => {
      await withTools(parts, async (tools) => {
        const account = await findAccount(tools.accounts, idOrName);
        const answer = await tools.testMessage({ kind, accountId: account.id, language, to });
        parts.terminal.out(`sent to ${to}; the mail server says: ${answer}\n`);
      });
    });
