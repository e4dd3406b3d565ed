/**
 * Reads messages returned to a mailbox: the recipients they name, and the message of ours that they concern.
 *
 * Most servers write a delivery report (RFC 3464) and add the message, or its head. Some write text of their own
 * instead: qmail in the form of QSBMF (https://cr.yp.to/proto/qsbmf.txt), Exim with a header `X-Failed-Recipients`.
 * Anybody can write to a mailbox, so a message is only believed if it names the id of one of ours: a random number that
 * only its recipient, and the servers on its way, have seen. A message within a message is never searched for reports:
 * a person who forwards one is not its sender. For the same reason every list is cut before its entries are judged: a
 * message must not cost more than a few milliseconds, whatever its sender puts in.
 */
import type PostalMime from 'postal-mime';
import type { Attachment, Email } from 'postal-mime';
import { fieldsOf, readDeliveryStatus, recipientOf } from '../delivery-report.ts';
import { statusIn } from '../smtp-status.ts';
import type { Bounce } from '../bounce.ts';
import { optionalPackage } from './packages.ts';

/** The content of a returned message. */
export interface ReturnedMessage {
  /** Empty: it is something else, such as a reply. */
  readonly bounces: readonly Bounce[];
  /** Ids that may belong to our messages. */
  readonly messageIds: readonly string[];
}

/** Deepest nesting of parts; servers nest three. */
const DEEPEST = 10;
/** Bytes, in all parts together. */
const LONGEST_HEADERS = 64 * 1024;
/** The parser takes longer for many empty lines than for many bytes. */
const MOST_LINES = 5_000;
/** Servers write three; each costs the judging of its type. */
const MOST_PARTS = 50;
/** Most recipients in one message; a report names few. */
const MOST_RECIPIENTS = 50;
/** Characters of a server's answer. */
const LONGEST_ANSWER = 2_000;
const MOST_IDS = 20;
/** Ids in the form that `RandomSource.id` makes. */
const ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

/** Rejects with `PackageMissing`, and with the parser's error where parts or headers exceed the limits. */
export async function readReturnedMessage(source: Uint8Array): Promise<ReturnedMessage> {
  const { default: parser } = optionalPackage('postal-mime') as {
    readonly default: typeof PostalMime;
  };
  const parsed = await parser.parse(firstLines(source), {
    forceRfc822Attachments: true,
    maxNestingDepth: DEEPEST,
    maxHeadersSize: LONGEST_HEADERS,
  });
  const email = { ...parsed, attachments: parsed.attachments.slice(0, MOST_PARTS) };
  const text = (email.text ?? '').replaceAll(/\r\n?/g, '\n');
  const bounces = bouncesIn(email, text).slice(0, MOST_RECIPIENTS);
  return { bounces, messageIds: bounces.length === 0 ? [] : idsIn(email, text) };
}

/** A report precedes the returned message, of which only the head is needed. */
function firstLines(source: Uint8Array): Uint8Array {
  let end = 0;
  for (let line = 0; line < MOST_LINES; line += 1) {
    const at = source.indexOf(LINE_FEED, end);
    if (at === -1) return source;
    end = at + 1;
  }
  return source.subarray(0, end);
}
const LINE_FEED = 0x0a;

/** The result of the first method that finds any. */
function bouncesIn(email: Email, text: string): readonly Bounce[] {
  for (const read of [reported, failedRecipients, qsbmf]) {
    const found = read(email, text).filter(({ address }) => address.includes('@'));
    if (found.length > 0) return found;
  }
  return [];
}

const isStatus = ({ mimeType }: Attachment): boolean => /^message\/(global-)?delivery-status$/.test(mimeType);

const reported = ({ attachments }: Email): readonly Bounce[] =>
  readDeliveryStatus(
    attachments
      .filter(isStatus)
      .map((part) => textOf(part))
      .join('\n\n'),
    MOST_BLOCKS,
  );
/** Each part has a block about the message, too. */
const MOST_BLOCKS = MOST_RECIPIENTS + MOST_PARTS;

/** Exim names them in a header; its text contains the last server's answer. */
function failedRecipients(email: Email, text: string): readonly Bounce[] {
  const named = headersOf(email, 'x-failed-recipients').join(',').split(',', MOST_RECIPIENTS);
  const answer = answerIn(beforeCopy(text));
  return named.map((one) => said(one.trim(), answer));
}

/**
 * The first paragraph is fixed; each one that begins with a recipient is about that recipient; then the message
 * follows.
 */
function qsbmf(_email: Email, text: string): readonly Bounce[] {
  if (!/^\s*Hi\. This is /.test(text)) return [];
  return beforeCopy(text)
    .split(/\n{2,}/, MOST_RECIPIENTS)
    .flatMap((paragraph) => {
      const [, address, answer = ''] = /^<([^<>\s]+)>:\n?([^]*)$/.exec(paragraph.trim()) ?? [];
      return address === undefined ? [] : [said(address, answer.slice(0, LONGEST_ANSWER))];
    });
}

/** `550 5.1.1 User unknown`, `Sorry, no mailbox here by that name. (#5.1.1)`. */
function said(address: string, answer: string): Bounce {
  const basic = /(?<![\d.])([45])\d\d(?=[ -])/.exec(answer)?.[1];
  const status = statusIn(answer) ?? (basic === undefined ? '' : `${basic}.0.0`);
  return { ...recipientOf(address, '', answer), kind: recipientOf(address, status, answer).kind };
}

/** Below such a line is the returned message. */
const beforeCopy = (text: string): string => text.split(COPY, 1)[0] ?? '';
const COPY = /^-{3,} ?(?:Below this line is a copy|This is a copy) of .*$/m;

/** From the first answer of a server to the end of its paragraph; empty without an answer. */
const answerIn = (text: string): string =>
  (/(?<![\d.])[45]\d\d[ -][^]*?(?=\n[^\S\n]*\n|$)/.exec(text)?.[0] ?? '').slice(0, LONGEST_ANSWER);

/** The places where servers leave the id of a message: in its returned head, and where replies refer to it. */
function idsIn(email: Email, text: string): readonly string[] {
  const places = [
    ...headersOf(email, 'in-reply-to', 'references'),
    ...email.attachments.filter(isStatus).flatMap((part) => fieldsIn(textOf(part), 'original-envelope-id')),
    ...email.attachments.filter(isHead).flatMap((part) => namedIn(textOf(part))),
    ...text.split(COPY, 2).slice(1).flatMap(namedIn),
  ];
  const ids = places.flatMap((place) => place.toLowerCase().match(ID) ?? []);
  return [...new Set(ids)].slice(0, MOST_IDS);
}

const isHead = ({ mimeType }: Attachment): boolean =>
  /^(message\/(rfc822|global|global-headers)|text\/rfc822-headers)$/.test(mimeType);

/**
 * Ids in a message, or in its head alone. Some senders replace `Message-ID`, but keep the address for unsubscribing.
 */
const namedIn = (message: string): readonly string[] =>
  fieldsIn(message.trimStart().split(/\n{2,}/, 1)[0] ?? '', 'message-id', 'list-unsubscribe');

function fieldsIn(block: string, ...names: readonly string[]): readonly string[] {
  const fields = fieldsOf(block);
  return names.flatMap((name) => fields.get(name) ?? []);
}

const headersOf = ({ headers }: Email, ...names: readonly string[]): readonly string[] =>
  headers.filter(({ key }) => names.includes(key)).map(({ value }) => value);

const textOf = ({ content }: Attachment): string =>
  (typeof content === 'string' ? content : new TextDecoder().decode(content)).replaceAll(/\r\n?/g, '\n');
