import type { IncomingMessage } from 'node:http';
import { Fault } from '../refusal.ts';

const MESSAGE_LIMIT = 1024 * 1024;
/** Base64 of a file. */
const UPLOAD_LIMIT = 48 * 1024 * 1024;

/** The bytes, whatever their Content-Type; a compressed body is not taken. Throws `Fault` 413, 415. */
export async function readBody(request: IncomingMessage, isUpload: boolean): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new Fault(415, 'Compressed messages are not accepted');
  const limit = isUpload ? UPLOAD_LIMIT : MESSAGE_LIMIT;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limit) throw new Fault(413, 'The message is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
