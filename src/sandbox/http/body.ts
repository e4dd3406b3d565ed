import type { IncomingMessage } from 'node:http';

/** Creates the refusal of a body, in the form of the surface that reads it. */
type Refuse = (status: 413 | 415, message: string) => Error;

/**
 * Returns the bytes of a body. Throws what `refuse` returns for a compressed body or one of more than `limit`
 * bytes.
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
