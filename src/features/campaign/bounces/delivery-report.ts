/**
 * Reads delivery reports (RFC 3464), the form in which mail servers send a message back.
 *
 * Such a message has a part `message/delivery-status`: blocks of fields, one for the message and one for each recipient. Only
 * these blocks are read, wherever they stand; what people wrote around them is not.
 */
import { bounceWords, type Bounce } from './bounce.ts';

/** `name: value` of one block, names in lower case; folded lines are joined. */
function fieldsOf(block: string): ReadonlyMap<string, string> {
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

/** The bounces in a report; none in any other message, such as an automatic reply. */
export function readDeliveryReport(message: string): readonly Bounce[] {
  const lines = message.replaceAll(/\r\n?/g, '\n');
  if (!/^content-type:\s*(message\/(global-)?delivery-status|multipart\/report)/im.test(lines)) return [];
  return lines.split(/\n{2,}/).flatMap((block) => {
    const fields = fieldsOf(block);
    const address = fields.get('original-recipient') ?? fields.get('final-recipient');
    const action = fields.get('action')?.toLowerCase();
    if (address === undefined || action === undefined) return [];
    const [status, said] = [fields.get('status') ?? '', afterType(fields.get('diagnostic-code') ?? '')];
    // 5.x.x is permanent (RFC 3463); a report of a delay has 4.x.x and the action `delayed`.
    const kind = action === 'failed' && !status.startsWith('4') ? 'dead' : 'passing';
    return [
      { address: afterType(address), kind, words: bounceWords(said.startsWith(status) ? '' : status, said) },
    ];
  });
}
