import type { UpstreamAnswer } from '../../upstream/model.ts';
import type { SharedAnswer } from '../../upstream/ready-read.ts';

/** The same answer, held whole if it is no longer than `limit` bytes; otherwise its body arrives as before. */
export async function heldAnswer(answer: UpstreamAnswer, limit: number): Promise<UpstreamAnswer> {
  const { whole } = answer;
  // The exchange yields its body only once and has no whole one afterwards.
  if (whole !== undefined) return answerOf(answer, whole);
  const pieces: Buffer[] = [];
  let length = 0;
  const rest = answer.body[Symbol.asyncIterator]();
  try {
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      pieces.push(next.value);
      length += next.value.length;
      if (length > limit) return { ...answer, body: followed(pieces, rest) };
    }
  } catch (error) {
    return { ...answer, body: followed(pieces, failing(error)) };
  }
  return answerOf(answer, Buffer.concat(pieces, length));
}

/** Whether an answer can be used more than once. */
export const isWhole = (answer: UpstreamAnswer): answer is SharedAnswer => answer.whole !== undefined;

/** An answer with this body. */
export const answerOf = (head: Omit<UpstreamAnswer, 'body' | 'whole'>, whole: Buffer): SharedAnswer => ({
  ...head,
  whole,
  body: {
    async *[Symbol.asyncIterator]() {
      if (whole.length > 0) yield whole;
    },
  },
});

async function* followed(begun: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* begun;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

const failing = (error: unknown): AsyncIterator<Buffer> => ({
  next: async () => {
    throw error;
  },
});
