import { deflateRaw, inflateRaw } from 'node:zlib';
import { promisify } from 'node:util';

const deflated = promisify(deflateRaw);
/** Short texts are packed often: less effort and less memory than zlib's defaults, for as short a result. */
const EFFORT = { level: 1, memLevel: 5, windowBits: 12 };
const inflated = promisify(inflateRaw);

/** A value of JSON as one text of base64, compressed. */
export const packedJson = async (value: unknown): Promise<string> =>
  (await deflated(JSON.stringify(value), EFFORT)).toString('base64');

/** What `packedJson` was given. */
export const unpackedJson = async (text: string): Promise<unknown> =>
  JSON.parse((await inflated(Buffer.from(text, 'base64'))).toString('utf8')) as unknown;
