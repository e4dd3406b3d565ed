import type { IncomingMessage } from 'node:http';

/** Forms of our own pages are small. */
const LONGEST = 16 * 1024;

/** The fields of a posted form; undefined for a body that is none of ours: too long, in bytes, or of another type. */
export async function readForm(
  request: IncomingMessage,
  longest = LONGEST,
): Promise<URLSearchParams | undefined> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return undefined;
  if (request.headers['content-encoding'] !== undefined) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > longest) return undefined;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
