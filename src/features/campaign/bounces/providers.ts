/**
 * The forms in which mail providers post bounces: one row for each, with the schema that recognises it and the way its
 * bounces are read. A body that fits no row is a notice of something else, and ignored.
 */
import { z } from 'zod';
import { bounceWords, type Bounce } from './bounce.ts';
import { readDeliveryReport } from './delivery-report.ts';
import { isPassing, namesOther, statusIn } from './smtp-status.ts';

type Read = (body: unknown) => readonly Bounce[] | undefined;

/** Parses a body with the schema; undefined if it does not match. */
const shape =
  <Body>(schema: z.ZodType<Body>, read: (body: Body) => ReturnType<Read>): Read =>
  (body) => {
    const found = schema.safeParse(body);
    return found.success ? read(found.data) : undefined;
  };

/** Providers leave fields out, or send null. */
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);

/** Types after which Postmark sends nothing more to the address, or which say that it does not exist. */
const postmarkDead = ['HardBounce', 'BadEmailAddress', 'ManuallyDeactivated'];

/** A provider's own verdict counts, unless the server's answer names another fault, such as a policy. */
const hardKind = (status = '', said = ''): Bounce['kind'] => (namesOther(status, said) ? 'passing' : 'dead');

/** Postmark: one object for each bounce; `Details` contains the server's answer. */
const postmark = shape(
  z.object({
    RecordType: z.enum(['Bounce', 'SpamComplaint']),
    Type: text,
    Email: z.string(),
    Description: text,
    Details: text,
  }),
  ({ RecordType: record, Type: type = '', Email: address, Description: description, Details: details }) => [
    {
      address,
      kind: record === 'SpamComplaint' ? 'complaint' : postmarkDead.includes(type) ? 'dead' : 'passing',
      words: bounceWords(type, details ?? description),
    },
  ],
);

/**
 * Mailgun sends nothing to an address on one of its own lists, and reports that as a permanent failure, of which the
 * reason or the code names the list; the text may be empty.
 */
const mailgunLists: ReadonlyMap<string, Bounce['kind']> = new Map([
  ['suppress-bounce', 'dead'],
  ['605', 'dead'],
  ['suppress-unsubscribe', 'unsubscribed'],
  ['606', 'unsubscribed'],
  ['suppress-complaint', 'complaint'],
  ['607', 'complaint'],
]);

/** Refusals of the sender are permanent failures, too. */
function mailgunKind(
  event: string,
  severity: string,
  list: Bounce['kind'] | undefined,
  said: string,
): Bounce['kind'] {
  if (event === 'complained') return 'complaint';
  if (event !== 'failed' || severity !== 'permanent') return 'passing';
  return list ?? (isPassing(statusIn(said) ?? '', said) ? 'passing' : 'dead');
}

/** The first that says anything. */
const firstOf = (...texts: readonly (string | undefined)[]): string =>
  texts.find((one) => one !== undefined && one.trim() !== '') ?? '';

/** Mailgun: one event for each; a soft failure has the severity `temporary`. */
const mailgun = shape(
  z.object({
    'event-data': z.object({
      event: z.string(),
      severity: text,
      recipient: z.string(),
      reason: text,
      'delivery-status': z
        .object({ code: z.union([z.number(), z.string()]).nullish(), message: text, description: text })
        .optional(),
    }),
  }),
  ({ 'event-data': { event, severity, recipient: address, reason, 'delivery-status': status } }) => {
    const said = firstOf(status?.message, status?.description, reason);
    const code = String(status?.code ?? '');
    const list = mailgunLists.get(reason ?? '') ?? mailgunLists.get(code);
    return [
      { address, kind: mailgunKind(event, severity ?? '', list, said), words: bounceWords(code, said) },
    ];
  },
);

/** "blocked" is about the sender, not about the address. */
function sendgridKind(event: string, type?: string, status?: string, reason = ''): Bounce['kind'] {
  if (event === 'spamreport') return 'complaint';
  if (event === 'dropped') return sendgridDropped.get(reason.trim().toLowerCase()) ?? 'passing';
  return event === 'bounce' && type !== 'blocked' ? hardKind(status, reason) : 'passing';
}

/**
 * Why SendGrid did not send a message to an address that is on a list of its account. The other reasons, such as spam
 * content or a quota, are not the address's fault (Event Webhook Reference, Dropped).
 */
const sendgridDropped: ReadonlyMap<string, Bounce['kind']> = new Map([
  ['bounced address', 'dead'],
  ['invalid', 'dead'],
  ['spam reporting address', 'complaint'],
  ['unsubscribed address', 'unsubscribed'],
]);

/** One event about a message. */
const sendgridEvent = shape(
  z.object({ event: z.string(), email: z.string(), type: text, status: text, reason: text }),
  ({ event, email: address, type, status, reason }) => [
    {
      address,
      kind: sendgridKind(event, type, status, reason),
      words: bounceWords(event === 'dropped' ? 'not sent, SendGrid says:' : status, reason),
    },
  ],
);

/** SendGrid: a list of events of every kind, up to a thousand; some are about its account and have no address. */
const sendgrid = shape(z.array(z.unknown()), (events) => {
  const read = events.map(sendgridEvent).filter((bounces) => bounces !== undefined);
  return read.length === 0 ? undefined : read.flat();
});

/** Amazon SES: `notificationType` in notifications, `eventType` in published events. */
const sesNotice = z.object({
  notificationType: z.string().optional(),
  eventType: z.string().optional(),
  bounce: z
    .object({
      bounceType: z.string(),
      bouncedRecipients: z.array(z.object({ emailAddress: z.string(), status: text, diagnosticCode: text })),
    })
    .optional(),
  complaint: z
    .object({
      complaintFeedbackType: text,
      complainedRecipients: z.array(z.object({ emailAddress: z.string() })),
    })
    .optional(),
});

/** Types of feedback reports that nobody sends who wants no more e-mail (RFC 5965, section 7.3; RFC 6591). */
const NO_COMPLAINTS = ['not-spam', 'auth-failure'];

/** Every recipient of one notice. */
const readSes = ({ bounce, complaint }: z.infer<typeof sesNotice>): readonly Bounce[] => [
  ...(bounce?.bouncedRecipients ?? []).map(({ emailAddress: address, status, diagnosticCode }) => ({
    address,
    kind: bounce?.bounceType === 'Permanent' ? hardKind(status, diagnosticCode) : ('passing' as const),
    words: bounceWords(status, diagnosticCode),
  })),
  ...(complaint?.complainedRecipients ?? []).map(({ emailAddress: address }) => ({
    address,
    kind: NO_COMPLAINTS.includes(complaint?.complaintFeedbackType ?? '')
      ? ('passing' as const)
      : ('complaint' as const),
    words: bounceWords('complained', complaint?.complaintFeedbackType),
  })),
];

/** SES posts through SNS, which wraps the notice as text; with "raw message delivery" it is not wrapped. */
const ses: Read = (body) => {
  const wrapped = z.object({ Type: z.literal('Notification'), Message: z.string() }).safeParse(body);
  const notice = sesNotice.safeParse(wrapped.success ? parsed(wrapped.data.Message) : body);
  return notice.success && (notice.data.bounce ?? notice.data.complaint) !== undefined
    ? readSes(notice.data)
    : undefined;
};

/** A whole message, from a forwarder of delivery reports. */
const report = shape(z.object({ report: z.string() }), ({ report: message }) => readDeliveryReport(message));

/** Each provider by its name. */
export const providers = { postmark, mailgun, sendgrid, ses, report } as const satisfies Readonly<
  Record<string, Read>
>;

/** The bounces of a body, and its provider; undefined: it has none of the known shapes. */
export function readBounces(
  body: unknown,
): { readonly source: string; readonly bounces: readonly Bounce[] } | undefined {
  for (const [source, read] of Object.entries(providers)) {
    const bounces = read(body);
    if (bounces !== undefined) return { source, bounces };
  }
  return undefined;
}

/** SNS asks once whether it may post to an address: somebody has to open the link. */
export interface ConfirmationRequest {
  readonly link: string;
  /** Undefined: it is not named. */
  readonly topic: string | undefined;
}

/** Undefined: the body is something else. */
export function confirmationIn(body: unknown): ConfirmationRequest | undefined {
  const asked = z
    .object({
      Type: z.literal('SubscriptionConfirmation'),
      SubscribeURL: z.url({ protocol: /^https$/ }),
      TopicArn: text,
    })
    .safeParse(body);
  return asked.success ? { link: asked.data.SubscribeURL, topic: asked.data.TopicArn } : undefined;
}

/** Undefined if the text is not JSON. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
