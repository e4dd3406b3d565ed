import { Failure } from '../lib/failure.ts';
import type { UpstreamAnswer } from '../upstream/model.ts';
import { readingFailed, retryAfter, unusable } from './status.ts';

/**
 * The body of an answer that goes to the caller as it is. Throws `Failure` before its first chunk unless it is XML: a
 * gateway in front of the service speaks HTML or JSON, and a legacy program gets XML or nothing.
 */
export async function receivedBody(
  answer: UpstreamAnswer,
  write: boolean,
): Promise<Buffer | AsyncIterable<Buffer>> {
  const chunks = answer.body[Symbol.asyncIterator]();
  let first: IteratorResult<Buffer>;
  let isWhole: boolean;
  try {
    first = await chunks.next();
    // A small answer comes in one piece, and goes out as one.
    isWhole = !first.done && first.value.length === announcedLength(answer);
    if (isWhole) await chunks.next();
  } catch (error) {
    throw readingFailed(error, write);
  }
  if (first.done || !looksLikeXml(first.value)) {
    await chunks.return?.();
    throw notXml(answer, write);
  }
  const head = first.value;
  if (isWhole) return head;
  return (async function* (): AsyncGenerator<Buffer> {
    try {
      yield head;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    } finally {
      await chunks.return?.();
    }
  })();
}

function notXml(answer: UpstreamAnswer, write: boolean): Failure {
  if (answer.status === 429) return new Failure('budgetExhausted', retryAfter(answer));
  // Only a plain refusal says that a write was not carried out.
  return unusable(write && (answer.status < 400 || answer.status >= 500), 'upstreamAnswer');
}

/** Bytes of the body, where the service announced them. */
export function announcedLength(answer: UpstreamAnswer): number | undefined {
  const length = answer.headers['content-length'] ?? '';
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

function looksLikeXml(chunk: Buffer): boolean {
  const start = chunk
    .subarray(0, 200)
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  return start.startsWith('<') && !/^<(!doctype\s+html|html)/i.test(start);
}
