/**
 * Reads delivery reports (RFC 3464), the form in which mail servers return a message.
 *
 * Such a message has a part `message/delivery-status`: blocks of fields, one for the message and one for each
 * recipient. Only these blocks are read, wherever they are; the text around them is not.
 */
import { bounceWords, type Bounce } from './bounce.ts';
import { isPassing } from './smtp-status.ts';

/** `name: value` of one block, names in lower case; folded lines are joined. */
export function fieldsOf(block: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of block.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return fields;
}

/** `rfc822; ada@example.com` ⇒ `ada@example.com`. */
const afterType = (value: string): string =>
  value
    .replace(/^[^;]*;/, '')
    .trim()
    .replace(/^<(.*)>$/, '$1');

/** The outcome for one recipient, from a delivery report or a server's own words. */
export const recipientOf = (address: string, status: string, said: string): Bounce => ({
  address,
  kind: isPassing(status, said) ? 'passing' : 'dead',
  words: bounceWords(said.startsWith(status) ? '' : status, said),
});

/** The bounces in the first blocks of a part `message/delivery-status`; lines end in `\n`. */
export function readDeliveryStatus(lines: string, mostBlocks?: number): readonly Bounce[] {
  return lines.split(/\n{2,}/, mostBlocks).flatMap((block) => {
    const fields = fieldsOf(block);
    const address = fields.get('original-recipient') ?? fields.get('final-recipient');
    const action = fields.get('action')?.toLowerCase();
    if (address === undefined || action === undefined) return [];
    const [status, said] = [fields.get('status') ?? '', afterType(fields.get('diagnostic-code') ?? '')];
    const bounce = recipientOf(afterType(address), status, said);
    // A report of a delay has the action `delayed`.
    return [action === 'failed' ? bounce : { ...bounce, kind: 'passing' }];
  });
}

/** The bounces in a report; none in any other message, such as an automatic reply. */
export function readDeliveryReport(message: string): readonly Bounce[] {
  const lines = message.replaceAll(/\r\n?/g, '\n');
  return /^content-type:\s*(message\/(global-)?delivery-status|multipart\/report)/im.test(lines)
    ? readDeliveryStatus(lines)
    : [];
}
