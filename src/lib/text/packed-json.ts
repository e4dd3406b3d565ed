import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';

const deflated = promisify(deflateRaw);
/** Short texts are packed often: less effort and less memory than zlib's defaults, for as short a result. */
const EFFORT = { level: 1, memLevel: 5, windowBits: 12 };
const inflated = promisify(inflateRaw);
/**
 * In characters of JSON, and of base64: handing a text to another thread and back takes 80 to 300 µs of processor time, more
 * than a text of this length, which takes some 120 µs to compress and as long to restore.
 */
const SHORT = { json: 32 * 1_024, base64: 64 * 1_024 };
/** Characters of short texts in a row: they take a millisecond or two; then other work gets a turn. */
const IN_A_ROW = 256 * 1_024;
let row = 0;

/** A JSON value as one compressed text in base64. */
export async function packedJson(value: unknown): Promise<string> {
  const text = JSON.stringify(value);
  const isShort = text.length < SHORT.json;
  const content = isShort ? deflateRawSync(text, EFFORT) : await deflated(text, EFFORT);
  if (isShort) await addToRow(text.length);
  return content.toString('base64');
}

/** Restores the value given to `packedJson`. */
export async function unpackedJson(text: string): Promise<unknown> {
  const content = Buffer.from(text, 'base64');
  const isShort = text.length < SHORT.base64;
  const json = isShort ? inflateRawSync(content) : await inflated(content);
  if (isShort) await addToRow(json.length);
  return JSON.parse(json.toString('utf8')) as unknown;
}

async function addToRow(length: number): Promise<void> {
  row += length;
  if (row < IN_A_ROW) return;
  row = 0;
  await turn();
}
