import { concatInSteps, nextTurn, QUICK_STEP, STEP } from '../../lib/time/turn.ts';

/** A part of the form: a field, or a file. */
export type FormPart =
  | { readonly name: string; readonly value: string }
  | {
      readonly name: string;
      readonly fileName: string;
      readonly contentType: string;
      readonly bytes: Buffer;
    };

/** A `multipart/form-data` body, and the header that names its boundary. */
export interface Form {
  readonly contentType: string;
  readonly bytes: Buffer;
}

const BOUNDARY = /^[\w'()+,./:=?-]{1,70}$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * A form as browsers write it (RFC 7578). `boundary`: a long random text, because it must not occur in any
 * part. Throws `RangeError` if it does, or if no header can hold it.
 */
export async function multipart(parts: readonly FormPart[], boundary: string): Promise<Form> {
  if (!BOUNDARY.test(boundary)) throw new RangeError('the boundary cannot be used');
  const pieces: Buffer[] = [];
  for (const part of parts)
    pieces.push(
      Buffer.from(`--${boundary}\r\n${headersOf(part)}\r\n\r\n`, 'utf8'),
      await contentOf(part, boundary),
      Buffer.from('\r\n'),
    );
  return {
    contentType: `multipart/form-data; boundary="${boundary}"`,
    bytes: await concatInSteps([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

function headersOf(part: FormPart): string {
  const disposition = `Content-Disposition: form-data; name="${quoted(part.name)}"`;
  if ('value' in part) return disposition;
  const type = /^[\x20-\x7e]+$/.test(part.contentType) ? part.contentType : UNKNOWN_TYPE;
  return `${disposition}; filename="${quoted(part.fileName)}"\r\nContent-Type: ${type}`;
}

async function contentOf(part: FormPart, boundary: string): Promise<Buffer> {
  const content = 'value' in part ? Buffer.from(part.value, 'utf8') : part.bytes;
  const delimiter = `--${boundary}`;
  for (let at = 0; at < content.length; at += QUICK_STEP) {
    if (at > 0) await nextTurn();
    // A delimiter may begin in this step and end in the next.
    if (content.subarray(at, at + QUICK_STEP + delimiter.length - 1).includes(delimiter))
      throw new RangeError('the boundary occurs in a part');
  }
  return content;
}

/**
 * Quotation marks and whatever could end the header are percent-encoded; everything else is unchanged, in
 * UTF-8.
 */
const quoted = (name: string): string =>
  name.replace(/["\u0000-\u001f\u007f]/g, (character) => encodeURIComponent(character));

/** Strict: white space is allowed, but anything except whole groups of four is not base64. */
export async function decodeBase64(text: string): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let left = '';
  let hasEnded = false;
  for (let at = 0; at < text.length; at += STEP) {
    if (at > 0) await nextTurn();
    const digits = left + text.slice(at, at + STEP).replace(/[\t\n\r ]+/g, '');
    const whole = digits.length - (digits.length % 4);
    left = digits.slice(whole);
    if (!(hasEnded ? digits === '' : BASE64.test(digits))) return undefined;
    hasEnded ||= digits.charAt(whole - 1) === '=';
    pieces.push(Buffer.from(digits.slice(0, whole), 'base64'));
  }
  return left === '' ? concatInSteps(pieces) : undefined;
}
