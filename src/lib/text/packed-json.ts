import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';

const deflated = promisify(deflateRaw);
/** Short texts are packed often: less effort and less memory than zlib's defaults, for as short a result. */
const EFFORT = { level: 1, memLevel: 5, windowBits: 12 };
const inflated = promisify(inflateRaw);
/**
 * In characters: for a shorter text, handing it to another thread and back takes longer than the work itself, which is
 * then some 40 µs.
 */
const SHORT = 4 * 1_024;
/** This many short texts in a row take a millisecond or two; then other work gets a turn. */
const IN_A_ROW = 50;
let row = 0;

/** A JSON value as one compressed text in base64. */
export async function packedJson(value: unknown): Promise<string> {
  const text = JSON.stringify(value);
  const isShort = text.length < SHORT;
  const content = isShort ? deflateRawSync(text, EFFORT) : await deflated(text, EFFORT);
  if (isShort) await oneOfARow();
  return content.toString('base64');
}

/** Restores the value given to `packedJson`. */
export async function unpackedJson(text: string): Promise<unknown> {
  const content = Buffer.from(text, 'base64');
  const isShort = text.length < SHORT / 4;
  const json = isShort ? inflateRawSync(content) : await inflated(content);
  if (isShort) await oneOfARow();
  return JSON.parse(json.toString('utf8')) as unknown;
}

async function oneOfARow(): Promise<void> {
  row = (row + 1) % IN_A_ROW;
  if (row === 0) await turn();
}
