import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';

/** A name and address from a header. */
export interface Party {
  readonly name: string;
  readonly address: string;
}

/**
 * The sender and recipients of the SMTP dialogue, which decide where the e-mail goes, whatever the headers
 * say.
 */
export interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

/** A caught e-mail, for people and tests to read. */
export interface Message {
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly receivedAt: number;
  readonly envelope: Envelope;
  readonly from: Party;
  readonly to: readonly Party[];
  readonly subject: string;
  /** The text of the header; ISO 8601 if it is a date. */
  readonly date: string | undefined;
  readonly messageId: string | undefined;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly text: string | undefined;
  /** With embedded pictures inserted. */
  readonly html: string | undefined;
  /** The bytes of the message, one character per byte. */
  readonly source: string;
}

export type MessageHead = Pick<Message, 'id' | 'receivedAt' | 'envelope'>;

/** Reads a message as received by SMTP. Rejects if it is nested too deeply or its headers are too long. */
export async function readMessage(head: MessageHead, source: Buffer): Promise<Message> {
  const mail = await PostalMime.parse(source, { attachmentEncoding: 'base64', maxNestingDepth: 20 });
  return {
    ...head,
    from: partiesOf(mail.from)[0] ?? { name: '', address: head.envelope.from },
    to: (mail.to ?? []).flatMap(partiesOf),
    subject: mail.subject ?? '',
    date: mail.date,
    messageId: mail.messageId,
    headers: mail.headers.map(({ originalKey: name, value }) => ({ name, value })),
    text: mail.text,
    html: withPictures(mail),
    source: source.toString('latin1'),
  };
}

const partiesOf = (address: Address | undefined): readonly Party[] => {
  if (address === undefined) return [];
  return address.group ?? [{ name: address.name, address: address.address }];
};

/** Inserts embedded pictures where they are referenced, because browsers do not support `cid:`. */
function withPictures({ html, attachments }: Email): string | undefined {
  return attachments.reduce((text, attachment) => {
    const id = attachment.contentId?.replace(/^<|>$/g, '');
    return id === undefined ? text : text?.replaceAll(`cid:${id}`, dataAddress(attachment));
  }, html);
}

const dataAddress = ({ mimeType, content }: Attachment): string =>
  `data:${mimeType};base64,${typeof content === 'string' ? content : ''}`;

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['#39', "'"],
]);

/** The text of an e-mail's HTML, without markup that only adds space. */
const wordsOf = (html: string): string =>
  html
    .replaceAll(/<(head|style|script)\b.*?<\/\1>|<[^>]*>/gis, ' ')
    .replaceAll(/&(#?\w+);/g, (_whole, name: string) => entities.get(name) ?? ' ');

/** The beginning of the text, which mail lists show below the subject. */
export const previewOf = ({ html, text = '' }: Message): string =>
  (html === undefined ? text : wordsOf(html)).replaceAll(/\s+/g, ' ').trim().slice(0, 160);

/** The link targets of a message, each once, in order. */
export const linksOf = ({ html = '', text = '' }: Message): readonly string[] => [
  ...new Set([
    ...Array.from(html.matchAll(/\shref="([^"]+)"/gi), ([, href = '']) => href.replaceAll('&amp;', '&')),
    ...Array.from(text.matchAll(/https?:\/\/[^\s<>"]+/g), ([href]) => href),
  ]),
];
