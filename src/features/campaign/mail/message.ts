import type { OutgoingMessage } from '../outbox.ts';
import { contentOf, plainName, type Wording } from './content.ts';
import { htmlOf } from './html.ts';
import { plainText } from './plain.ts';

/** A name and one plain address (`parseAddress`). */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

export interface Stationery extends Wording {
  readonly from: Sender;
}

const LOGO = 'logo@causeway';

/** The bytes of a message as SMTP sends them. `now`: milliseconds since the epoch. */
export async function messageOf(
  message: OutgoingMessage,
  stationery: Stationery,
  now: number,
): Promise<Buffer> {
  const content = contentOf(message, stationery);
  const { from } = stationery;
  const { brand } = content;
  const logo = embeddedLogo(brand.logo);
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  return new MailComposer({
    from: { name: plainName(from.name), address: from.address },
    to: { name: plainName(message.to.name ?? ''), address: message.to.address },
    ...(brand.support !== undefined && {
      replyTo: { name: plainName(brand.name), address: brand.support },
    }),
    subject: plainName(content.subject),
    messageId: message.messageId,
    date: new Date(now),
    text: plainText(content),
    html: htmlOf(content, logo === undefined ? brand.logo : `cid:${LOGO}`),
    ...(logo !== undefined && { attachments: [{ ...logo, cid: LOGO, contentDisposition: 'inline' }] }),
    headers: [
      // A mail program may POST to the address without asking its user again (RFC 8058).
      asItIs('List-Unsubscribe', `<${oneWord(message.unsubscribe.reveal())}>`),
      asItIs('List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'),
      // Tells auto-responders not to answer (RFC 3834).
      asItIs('Auto-Submitted', 'auto-generated'),
      asItIs('X-Auto-Response-Suppress', 'All'),
      asItIs('Content-Language', content.language),
    ],
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
  })
    .compile()
    .build();
}

/** A header that must not be folded, because its readers do not unfold. */
const asItIs = (key: string, value: string) => ({ key, value: { prepared: true, foldLines: false, value } });

/** An address in a form that is valid in a header. */
const oneWord = (address: string): string => new URL(address).href;

/** Mail programs do not show `data:` pictures, but they show attached ones. */
function embeddedLogo(
  logo: string | undefined,
): { readonly content: Buffer; readonly contentType: string; readonly filename: string } | undefined {
  const [, contentType = '', form = '', coded = ''] =
    /^data:(image\/[a-z.+-]+)((?:;[^,;]*)*),(.*)$/s.exec(logo ?? '') ?? [];
  if (contentType === '') return undefined;
  const content = form.includes(';base64')
    ? Buffer.from(coded, 'base64')
    : Buffer.from(decodeURIComponent(coded));
  return { content, contentType, filename: `logo.${contentType.slice('image/'.length).replace(/\+.*/, '')}` };
}
