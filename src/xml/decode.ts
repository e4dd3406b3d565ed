import { XmlFault } from './element.ts';

/** The declaration stands at the very start and is short; nothing behind these bytes can name the encoding. */
const DECLARATION_REACH = 512;

const DECLARED =
  /^<\?xml\s+version\s*=\s*(?:"[^"]*"|'[^']*')\s+encoding\s*=\s*(?:"([A-Za-z][\w.-]*)"|'([A-Za-z][\w.-]*)')/;

const UTF_8 = new Set(['utf-8', 'utf8']);
const UTF_16 = new Set(['utf-16', 'utf16', 'iso-10646-ucs-2', 'ucs-2']);
const UTF_16_LE = new Set([...UTF_16, 'utf-16le']);
const UTF_16_BE = new Set([...UTF_16, 'utf-16be']);
const LATIN_1 = new Set(['iso-8859-1', 'latin1', 'l1', 'iso_8859-1']);
/** Where plain ASCII is promised and other bytes come, they come from a Windows program. */
const WINDOWS_1252 = new Set(['windows-1252', 'cp1252', 'us-ascii', 'ascii']);

/**
 * A caller's bytes as text, without byte-order mark. An empty body is ''.
 *
 * Legacy programs declare `utf-16` over bytes that are UTF-8 (a serialiser that writes to a string first), so valid
 * UTF-8 is read whatever the declaration says. Any other declaration against a byte-order mark is refused; the
 * one-byte encodings are read where they are declared and the bytes are not UTF-8.
 *
 * Throws `XmlFault` encoding.
 */
export function decodeBody(bytes: Buffer): string {
  switch (markOf(bytes)) {
    case 'utf-8':
      return marked(bytes.subarray(3), 'utf-8', [UTF_8, UTF_16_LE, UTF_16_BE]);
    case 'utf-16le':
      return marked(bytes.subarray(2), 'utf-16le', [UTF_16_LE]);
    case 'utf-16be':
      return marked(bytes.subarray(2), 'utf-16be', [UTF_16_BE]);
    case 'unreadable':
      throw new XmlFault('encoding');
    case 'none':
      return unmarked(bytes);
  }
}

type Mark = 'utf-8' | 'utf-16le' | 'utf-16be' | 'unreadable' | 'none';

function markOf(bytes: Buffer): Mark {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  // The mark of UTF-32 begins like that of UTF-16.
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'unreadable' : 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  // Sixteen or thirty-two bits without a mark: nothing says which, and a NUL is no character of XML anyway.
  return a === 0 || b === 0 ? 'unreadable' : 'none';
}

function marked(bytes: Buffer, encoding: string, agreeing: readonly ReadonlySet<string>[]): string {
  const text = decode(bytes, encoding);
  const declared = declaredIn(text.slice(0, DECLARATION_REACH));
  if (declared === undefined || agreeing.some((names) => names.has(declared))) return text;
  throw new XmlFault('encoding');
}

function unmarked(bytes: Buffer): string {
  try {
    return decode(bytes, 'utf-8');
  } catch (fault) {
    const declared = declaredIn(bytes.subarray(0, DECLARATION_REACH).toString('latin1'));
    if (declared === undefined) throw fault;
    if (LATIN_1.has(declared)) return bytes.toString('latin1');
    if (WINDOWS_1252.has(declared)) return decode(bytes, 'windows-1252');
    throw fault;
  }
}

function declaredIn(start: string): string | undefined {
  const match = DECLARED.exec(start);
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}

function decode(bytes: Buffer, encoding: string): string {
  try {
    // Marks are taken off above; a second one is a character, and the reader refuses it.
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new XmlFault('encoding');
  }
}
