import { once } from 'node:events';
import type { Response } from 'express';
import { wordsOf } from '../../lib/log/log.ts';
import { nextTurn } from '../../lib/time/turn.ts';
import type { Flow } from './endpoint.ts';

/** Characters per write. */
const AT_ONCE = 64 * 1024;

/**
 * Writes pieces as they come, no faster than the caller reads them. Nothing is sent before the first piece, so a
 * refusal still gets its own status. If a later piece fails, the caller sees a cut connection and this function returns
 * the error's text. Throws the error of the first piece.
 */
export async function flow(
  response: Response,
  { pieces, file }: Flow,
  headers: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const portions = inPortions(pieces)[Symbol.asyncIterator]();
  const first = await portions.next();
  response.writeHead(200, {
    ...headers,
    ...(file !== undefined && { 'Content-Disposition': `attachment; filename="${file}"` }),
  });
  try {
    if (response.req.method !== 'HEAD')
      for (let portion = first; portion.done !== true; portion = await portions.next())
        if (!(await written(response, portion.value))) return undefined;
    response.end();
    return undefined;
  } catch (error) {
    response.destroy();
    return wordsOf(error);
  } finally {
    await portions.return(undefined);
  }
}

async function* inPortions(pieces: AsyncIterable<string>): AsyncGenerator<string, undefined> {
  let waiting = '';
  for await (const piece of pieces) {
    waiting += piece;
    if (waiting.length < AT_ONCE) continue;
    yield waiting;
    waiting = '';
    // With a caller that reads fast enough, writing never waits.
    await nextTurn();
  }
  yield waiting;
  return undefined;
}

/** Returns false if the caller no longer reads. */
async function written(response: Response, text: string): Promise<boolean> {
  if (response.destroyed) return false;
  if (response.write(text)) return true;
  const gone = new AbortController();
  const { signal } = gone;
  const left = (): void => {
    gone.abort();
  };
  response.once('close', left);
  try {
    await once(response, 'drain', { signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  } finally {
    response.off('close', left);
  }
}
