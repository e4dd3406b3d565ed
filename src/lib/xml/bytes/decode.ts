import { isAscii, isUtf8 } from 'node:buffer';
import { STEP } from '../../time/turn.ts';
import { XmlFault } from '../element.ts';

/** The charset of a media type: `text/xml; charset="windows-1252"`. */
export const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]+)/i;

/** The declaration is at the very start and short; nothing after these bytes can name the encoding. */
const DECLARATION_REACH = 512;

const DECLARED =
  /^<\?xml\s+version\s*=\s*(?:"[^"]*"|'[^']*')\s+encoding\s*=\s*(?:"([A-Za-z][\w.-]*)"|'([A-Za-z][\w.-]*)')/;

const UTF_8 = new Set(['utf-8', 'utf8']);
const UTF_16 = new Set(['utf-16', 'utf16', 'iso-10646-ucs-2', 'ucs-2']);
const UTF_16_LE = new Set([...UTF_16, 'utf-16le']);
const UTF_16_BE = new Set([...UTF_16, 'utf-16be']);
const UTF_16_ANY = new Set([...UTF_16_LE, ...UTF_16_BE]);
const LATIN_1 = new Set(['iso-8859-1', 'latin1', 'l1', 'iso_8859-1']);
/** If plain ASCII is declared and other bytes occur, they come from a Windows program. */
const WINDOWS_1252 = new Set(['windows-1252', 'cp1252', 'us-ascii', 'ascii']);

/**
 * A caller's bytes as text, without byte order mark. An empty body is ''.
 *
 * Legacy programs declare `utf-16` over bytes that are UTF-8 (a serialiser that writes to a string first), so valid
 * UTF-8 is read under any of the names below. Any other declaration that contradicts a byte order mark is refused. The
 * one-byte encodings are read if they are declared and the bytes are not UTF-8. Another name is refused, unless it is
 * the name of an encoding and the bytes are ASCII, which all encodings share.
 *
 * `charset`: named in the header `Content-Type`. It counts if the document itself does not say enough: without a
 * declaration, for bytes that contradict theirs, and for UTF-16 without a byte order mark. An unknown name is ignored.
 *
 * Throws `XmlFault` encoding.
 */
export function decodeBody(bytes: Buffer, charset?: string): string {
  const { encoding, from } = encodingOf(bytes, charset?.toLowerCase());
  return guarded(() => decoderOf(encoding).decode(bytes.subarray(from)));
}

/**
 * The same text in pieces, so that a large body can be processed step by step. Throws `XmlFault` encoding.
 */
export function* decodeBodyInSteps(bytes: Buffer, charset?: string): Generator<string, undefined> {
  const { encoding, from } = encodingOf(bytes, charset?.toLowerCase());
  const decoder = decoderOf(encoding);
  for (let at = from; at < bytes.length; at += STEP) {
    const stream = at + STEP < bytes.length;
    yield guarded(() => decoder.decode(bytes.subarray(at, at + STEP), { stream }));
  }
  return undefined;
}

interface Encoding {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1' | 'windows-1252';
  /** The position at which the text begins. */
  readonly from: number;
}

function encodingOf(bytes: Buffer, charset: string | undefined): Encoding {
  switch (markOf(bytes)) {
    case 'utf-8':
      return marked(bytes, { encoding: 'utf-8', from: 3 }, [UTF_8, UTF_16_LE, UTF_16_BE]);
    case 'utf-16le':
      return marked(bytes, { encoding: 'utf-16le', from: 2 }, [UTF_16_LE]);
    case 'utf-16be':
      return marked(bytes, { encoding: 'utf-16be', from: 2 }, [UTF_16_BE]);
    case 'unreadable':
      return wide(bytes, charset);
    case 'none':
      return unmarked(bytes, charset);
  }
}

type Mark = 'utf-8' | 'utf-16le' | 'utf-16be' | 'unreadable' | 'none';

function markOf(bytes: Buffer): Mark {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  // The mark of UTF-32 starts like that of UTF-16.
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'unreadable' : 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  // Sixteen or thirty-two bits without a mark; a NUL is never a character of XML.
  return a === 0 || b === 0 ? 'unreadable' : 'none';
}

function marked(bytes: Buffer, marking: Encoding, agreeing: readonly ReadonlySet<string>[]): Encoding {
  const start = bytes.subarray(marking.from, marking.from + 2 * DECLARATION_REACH);
  const declared = declaredIn(new TextDecoder(marking.encoding).decode(start));
  if (declared === undefined || agreeing.some((names) => names.has(declared))) return marking;
  throw new XmlFault('encoding');
}

/** Sixteen bits without a mark, which only the header can declare: XML begins with an ASCII character. */
function wide(bytes: Buffer, charset = ''): Encoding {
  const [a, b, c, d] = bytes;
  if (a !== 0 && b === 0 && c !== 0 && UTF_16_LE.has(charset)) return { encoding: 'utf-16le', from: 0 };
  if (a === 0 && b !== 0 && d !== 0 && UTF_16_BE.has(charset)) return { encoding: 'utf-16be', from: 0 };
  throw new XmlFault('encoding');
}

const isOneByte = (name: string | undefined): name is string =>
  name !== undefined && (LATIN_1.has(name) || WINDOWS_1252.has(name));
const isRead = (name: string): boolean => isOneByte(name) || UTF_8.has(name) || UTF_16_ANY.has(name);

function unmarked(bytes: Buffer, charset: string | undefined): Encoding {
  const declared = declaredIn(bytes.toString('latin1', 0, DECLARATION_REACH));
  if (declared === undefined || isRead(declared)) {
    if (isUtf8(bytes)) return { encoding: 'utf-8', from: 0 };
    const name = [declared, charset].find(isOneByte);
    if (name !== undefined) return { encoding: LATIN_1.has(name) ? 'latin1' : 'windows-1252', from: 0 };
  } else if (isAscii(bytes) && isEncoding(declared)) return { encoding: 'utf-8', from: 0 };
  throw new XmlFault('encoding');
}

function isEncoding(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== '';
  } catch {
    return false;
  }
}

function declaredIn(start: string): string | undefined {
  const match = DECLARED.exec(start);
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}

interface Decoder {
  decode(bytes: Buffer, options?: { readonly stream: boolean }): string;
}

/** Marks are removed above; a second one is a character, which the reader refuses. */
const decoderOf = (encoding: Encoding['encoding']): Decoder =>
  encoding === 'latin1'
    ? { decode: (bytes) => bytes.toString('latin1') }
    : new TextDecoder(encoding, { fatal: true, ignoreBOM: true });

function guarded(step: () => string): string {
  try {
    return step();
  } catch {
    throw new XmlFault('encoding');
  }
}
