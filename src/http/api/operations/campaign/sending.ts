/**
 * The campaign as a whole: sending, the phone list, notes after calls, and test messages. The console and the command
 * line show the same.
 */
import { z } from 'zod';
import { bounceKinds } from '../../../../features/campaign/bounces/bounce.ts';
import { messageKinds } from '../../../../features/campaign/outbox.ts';
import type { SendingProgress } from '../../../../features/campaign/schedule/progress.ts';
import { hoursWords, type SendingHours } from '../../../../features/campaign/schedule/hours.ts';
import { phoneColumns, phoneRecords, type PhoneLine } from '../../../../features/admin/campaign/sending.ts';
import { csvTable } from '../../../../features/status/report/csv.ts';
import type { MailboxState } from '../../../../features/campaign/bounces/mailbox/record.ts';
import { accountIn, endpoint, fileOf, type Endpoint } from '../../endpoint.ts';
import { count, isoOrNull, orNull, perhaps } from '../../shapes.ts';
import { iso, moment } from '../../../../lib/time/iso.ts';

const progressSchema = z.strictObject({
  due: count.describe('Messages that may be sent now'),
  sent: count.describe('Sent since the oldest of these became due'),
  endsAt: perhaps(moment).describe(
    'When the last of the messages that may be sent now will have been sent; null: none is waiting',
  ),
  lastMinute: count.describe('Sent within the last minute'),
  perMinute: count.describe('The most in a minute'),
  hours: z.string().describe("The sending hours, on the clock of each customer's zone"),
  zone: z.string().describe('Of accounts without one of their own'),
  later: z
    .array(z.strictObject({ at: moment, messages: count }))
    .describe(
      'Messages that wait for their time: for the sending hours, their start, or because one address gets at most ten an hour',
    ),
  allEndAt: perhaps(moment).describe('When the last message of all will have been sent'),
  held: count.describe('Invitations of stopped waves: they are sent when their wave continues'),
});

const progressOf = (
  { endsAt, later, allEndAt, ...counts }: SendingProgress,
  hours: SendingHours,
): z.infer<typeof progressSchema> => ({
  ...counts,
  endsAt: isoOrNull(endsAt),
  hours: hoursWords(hours),
  zone: hours.zone,
  later: later.map(({ at, messages }) => ({ at: iso(at), messages })),
  allEndAt: isoOrNull(allEndAt),
});

/** For a display beside that of the mail server. */
const sending = endpoint({
  id: 'showSending',
  verb: 'GET',
  path: '/campaign/sending',
  area: 'Campaign',
  summary: 'Shows the progress and rate of sending e-mails, and when the last one will be sent',
  scope: 'read',
  reply: { name: 'Sending', schema: progressSchema },
  handle: async ({ admin }) => progressOf(await admin.sending.progress(), admin.sending.hours),
});

const lineSchema = z.strictObject({
  accountId: z.string(),
  name: z.string(),
  organisation: perhaps(z.string()),
  contactName: perhaps(z.string()),
  phone: perhaps(z.string()),
  email: perhaps(z.string()),
  zone: z.string(),
  reason: z.string(),
  words: z.string(),
  invitedAt: perhaps(moment),
  reminders: count,
  calls24h: count,
  talk: perhaps(z.strictObject({ at: moment, by: z.string(), note: z.string() })).describe('The last one'),
});

const lineOf = ({ talk, ...line }: PhoneLine): z.infer<typeof lineSchema> => ({
  ...line,
  organisation: orNull(line.organisation),
  contactName: orNull(line.contactName),
  phone: orNull(line.phone),
  email: orNull(line.email),
  invitedAt: orNull(line.invitedAt),
  talk: talk === undefined ? null : { at: iso(talk.at), by: talk.by, note: talk.note },
});

/** The list of the console's page, complete. */
const phone = endpoint({
  id: 'listPhone',
  verb: 'GET',
  path: '/campaign/phone',
  area: 'Campaign',
  summary:
    'Lists customers to telephone: those who never answered, declined, or cannot be reached by e-mail; those not yet spoken to come first',
  scope: 'read',
  reply: { name: 'PhoneList', schema: z.strictObject({ accounts: z.array(lineSchema) }) },
  handle: async ({ admin }) => ({ accounts: (await admin.sending.phoneList()).map(lineOf) }),
});

/** For a spreadsheet, or a program that dials. */
const phoneFile = endpoint({
  id: 'downloadPhone',
  verb: 'GET',
  path: '/campaign/phone.csv',
  area: 'Campaign',
  summary: 'The same list as a file',
  scope: 'read',
  type: 'text/csv',
  reply: { name: 'PhoneFile', schema: z.string() },
  async handle({ admin }) {
    const records = phoneRecords(await admin.sending.phoneList());
    const columns = Object.keys(phoneColumns);
    return fileOf(
      csvTable([columns, ...records.map((record) => columns.map((one) => record[one]))]),
      'phone.csv',
    );
  },
});

/** For callers who do not use the console. */
const talk = endpoint({
  id: 'noteTalk',
  verb: 'POST',
  path: '/accounts/{account}/talks',
  area: 'Campaign',
  summary: 'Records the result of a conversation with the customer in the timeline of the account',
  scope: 'operate',
  status: 201,
  body: { name: 'Talk', schema: z.strictObject({ note: z.string().max(1_000) }) },
  reply: { name: 'NotedTalk', schema: z.strictObject({ accountId: z.string() }) },
  async handle({ admin, path, who, body }) {
    const { id } = await admin.accounts.find(accountIn(path));
    await admin.sending.talked(id, body.note, who);
    return { accountId: id };
  },
});

/** To any address, but only a few: a token must not become a source of spam. */
const test = endpoint({
  id: 'sendTestMessage',
  verb: 'POST',
  path: '/accounts/{account}/letters/{kind}/test',
  area: 'Campaign',
  summary: 'Sends a message to yourself as the account would receive it; its links do not work',
  notes: `Kinds: ${messageKinds.join(', ')}. At most 20 in an hour; more are refused with 429 \`throttled\`, and \`Retry-After\` says when the next can be sent.`,
  scope: 'operate',
  body: {
    name: 'TestMessage',
    schema: z.strictObject({
      to: z.string().max(254),
      language: z.string().max(40).optional().describe("Instead of the account's own"),
    }),
  },
  reply: {
    name: 'SentTestMessage',
    schema: z.strictObject({ answer: z.string().describe('Of the mail server') }),
  },
  async handle({ admin, path, who, body }) {
    const { id: accountId } = await admin.accounts.find(accountIn(path));
    return { answer: await admin.messages.test({ kind: path.kind ?? '', accountId, ...body }, who) };
  },
});

/** For a mailbox rule that forwards messages. */
const bounce = endpoint({
  id: 'takeBounce',
  verb: 'POST',
  path: '/campaign/bounces',
  area: 'Campaign',
  summary:
    'Reads a delivery report (RFC 3464) and stops e-mail to the addresses that it reports as undeliverable',
  scope: 'operate',
  longest: 1024 * 1024,
  body: {
    name: 'DeliveryReport',
    schema: z.strictObject({ report: z.string().describe('The whole message, as it came') }),
  },
  reply: {
    name: 'TakenBounces',
    schema: z.strictObject({
      recipients: z.array(
        z.strictObject({
          address: z.string(),
          kind: z.enum(bounceKinds),
          outcome: z.enum(['stopped', 'ignored']),
          words: z.string(),
        }),
      ),
    }),
  },
  handle: async ({ admin, who, body }) => ({
    recipients: (await admin.sending.bounced(body.report, who)).map(({ address, kind, outcome, words }) => ({
      ...{ address, kind, outcome, words },
    })),
  }),
});

const readingSchema = z.strictObject({
  at: moment,
  messages: count,
  stopped: count.describe('After which no e-mail goes to an address'),
  ignored: count.describe('Of ours, and nothing follows: a delay, a full mailbox, or known already'),
  unproven: count.describe('Bounces that do not show that they are about a message of ours'),
  other: count.describe('No bounces'),
});

const mailboxSchema = z.strictObject({
  mailbox: perhaps(z.string()).describe('Who, where, which folder; null: none is configured'),
  readAt: perhaps(moment).describe('The last time that it could be read to the end'),
  reading: perhaps(readingSchema).describe('The last time that there was something to read'),
  error: perhaps(z.strictObject({ at: moment, since: moment, words: z.string() })).describe(
    'Why it cannot be read',
  ),
});

const mailboxOf = (state: MailboxState | undefined): z.infer<typeof mailboxSchema> => ({
  mailbox: orNull(state?.mailbox),
  readAt: isoOrNull(state?.readAt),
  reading: state?.reading === undefined ? null : { ...state.reading, at: iso(state.reading.at) },
  error:
    state?.error === undefined
      ? null
      : { ...state.error, at: iso(state.error.at), since: iso(state.error.since) },
});

/** For a display beside that of the mail server. */
const mailbox = endpoint({
  id: 'showBounceMailbox',
  verb: 'GET',
  path: '/campaign/mailbox',
  area: 'Campaign',
  summary: 'Shows when the mailbox for bounces was last read, the result, and any error',
  scope: 'read',
  reply: { name: 'BounceMailbox', schema: mailboxSchema },
  handle: async ({ admin }) => mailboxOf(await admin.sending.mailbox()),
});

/** For operators who do not want to wait. */
const readMailbox = endpoint({
  id: 'readBounceMailbox',
  verb: 'POST',
  path: '/campaign/mailbox/read',
  area: 'Campaign',
  summary: 'Reads the mailbox for bounces now; the reply contains any error',
  scope: 'operate',
  reply: { name: 'BounceMailbox', schema: mailboxSchema },
  handle: async ({ admin, who }) => mailboxOf(await admin.sending.readMailbox(who)),
});

export const campaignOperations: readonly Endpoint[] = [
  ...[sending, phone, phoneFile, talk, test, bounce],
  ...[mailbox, readMailbox],
];
