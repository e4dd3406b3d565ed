import type { IncomingMessage } from 'node:http';

/** The refusal of a body, in the form of the surface that reads it. */
type Refuse = (status: 413 | 415, message: string) => Error;

/**
 * The bytes of a body; a compressed one, or one of more than `limit` bytes, is refused. Throws what `refuse`
 * returns.
 */
export async function readBytes(request: IncomingMessage, limit: number, refuse: Refuse): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw refuse(415, 'Compressed messages are not accepted');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limit) throw refuse(413, 'The message is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
