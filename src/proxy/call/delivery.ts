import { Failure } from '../../lib/failure.ts';
import type { Upstream } from '../../upstream/model.ts';

/** Makes one V3 call on behalf of a legacy call, with additional parameters. */
export type Send = (
  extra: readonly (readonly [string, string])[],
  patience: 'first-byte' | 'continued',
) => ReturnType<Upstream['send']>;

/**
 * Marks a failure as one after the write: the reply of a write is complete before its first byte is sent, so the write
 * itself has been done.
 */
export async function written<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    throw error instanceof Failure ? error : new Failure('outcomeUnknown', { cause: error });
  }
}

/** The whole body as one text. */
export async function whole(body: AsyncGenerator<string>): Promise<string> {
  let text = '';
  for await (const chunk of body) text += chunk;
  return text;
}

/** Waits for the first chunk, so that a failure before it is still answered with its own status. */
export async function started(body: AsyncGenerator<string>): Promise<AsyncIterable<string>> {
  const first = await body.next();
  return (async function* (): AsyncGenerator<string> {
    try {
      if (first.done) return;
      yield first.value;
      yield* body;
    } finally {
      await body.return(undefined); // a caller that leaves early also releases the service's answer
    }
  })();
}
