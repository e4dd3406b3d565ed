import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';
import { promisify } from 'node:util';

const deflated = promisify(deflateRaw);
/** Short texts are packed often: less effort and less memory than zlib's defaults, for as short a result. */
const EFFORT = { level: 1, memLevel: 5, windowBits: 12 };
const inflated = promisify(inflateRaw);
/**
 * In characters: of a shorter text, handing it to another thread and back takes longer than the work itself, which is some
 * 40 µs then.
 */
const SHORT = 4 * 1_024;

/** A value of JSON as one text of base64, compressed. */
export async function packedJson(value: unknown): Promise<string> {
  const text = JSON.stringify(value);
  const content = text.length < SHORT ? deflateRawSync(text, EFFORT) : await deflated(text, EFFORT);
  return content.toString('base64');
}

/** What `packedJson` was given. */
export async function unpackedJson(text: string): Promise<unknown> {
  const content = Buffer.from(text, 'base64');
  const json = text.length < SHORT / 4 ? inflateRawSync(content) : await inflated(content);
  return JSON.parse(json.toString('utf8')) as unknown;
}
