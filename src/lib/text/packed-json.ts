import { deflateRaw, inflateRaw } from 'node:zlib';
import { promisify } from 'node:util';

const deflated = promisify(deflateRaw);
const inflated = promisify(inflateRaw);

/** A value of JSON as one text of base64, compressed. */
export const packedJson = async (value: unknown): Promise<string> =>
  (await deflated(JSON.stringify(value))).toString('base64');

/** What `packedJson` was given. */
export const unpackedJson = async (text: string): Promise<unknown> =>
  JSON.parse((await inflated(Buffer.from(text, 'base64'))).toString('utf8')) as unknown;
