import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { MOST_READ } from '../../features/usage/names/element-names.ts';
import { SECOND } from '../../lib/time/clock.ts';
import type { Reply } from '../../proxy/call/call.ts';
import type { FailureReply } from './dialect.ts';

/** A caller that accepts nothing for this long is given up, in milliseconds. */
export const STALL = 30 * SECOND;

/** What was sent of a reply. */
export interface Delivery {
  /** The caller did not accept the rest. */
  readonly isCut: boolean;
  /** The beginning of the body. */
  readonly body: readonly (string | Buffer)[];
  /** Bytes in all. */
  readonly bytes: number;
}

/** The identity of a call, for the headers of every reply. */
export interface Identity {
  readonly requestId: string;
  /** Overrides `STALL`. */
  readonly stall?: number | undefined;
}

/** The caller disconnected or accepts nothing, so no reply can reach it. */
class Unwanted extends Error {
  constructor() {
    super('the caller stopped reading');
    this.name = 'Unwanted';
  }
}

/**
 * Writes a reply. For HEAD only the head is sent and the rest of the body is not fetched. If the body throws before its
 * first chunk, the error is rethrown and nothing has been sent. Later the connection is cut, so that half a reply is
 * never taken for the whole.
 */
export async function sendReply(
  response: ServerResponse,
  reply: Reply,
  identity: Identity,
): Promise<Delivery> {
  const { body } = reply;
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
    response.writeHead(reply.status, { ...headersOf(reply, identity), 'Content-Length': bytes.length });
    finish(response, bytes, identity.stall ?? STALL);
    return { isCut: false, body: [bytes], bytes: bytes.length };
  }
  return streamed(response, reply, body, identity);
}

async function streamed(
  response: ServerResponse,
  reply: Reply,
  body: AsyncIterable<string | Buffer>,
  identity: Identity,
): Promise<Delivery> {
  const chunks = body[Symbol.asyncIterator]();
  const begun: (string | Buffer)[] = [];
  let bytes = 0;
  let next = await chunks.next();
  try {
    response.writeHead(reply.status, headersOf(reply, identity));
    response.once('timeout', () => {
      cut(response);
    });
    if (response.req.method === 'HEAD') {
      await chunks.return?.();
      next = { done: true, value: undefined };
    }
    for (; !next.done; next = await chunks.next()) {
      // Node sets aside three times the length of a text for its bytes.
      const chunk = typeof next.value === 'string' ? Buffer.from(next.value) : next.value;
      if (bytes < MOST_READ) begun.push(chunk);
      bytes += chunk.length;
      await write(response, chunk, identity.stall ?? STALL);
    }
    finish(response, undefined, identity.stall ?? STALL);
    return { isCut: false, body: begun, bytes };
  } catch (error) {
    cut(response);
    await chunks.return?.().catch(() => undefined);
    if (error instanceof Unwanted) return { isCut: true, body: begun, bytes };
    throw new CutReply(error);
  }
}

/**
 * Over HTTP/1.0 a body in pieces ends with its connection, so that only a reset distinguishes half of it from the whole
 * (RFC 9112, section 8).
 */
function cut(response: ServerResponse): void {
  if (response.req.httpVersion === '1.0') response.socket?.resetAndDestroy();
  response.destroy();
}

/**
 * Reports once whether the whole reply was handed to the caller's connection. A caller that had already closed its side
 * may be gone entirely: that counts as not delivered.
 */
export function onDelivery(response: ServerResponse, told: (isTold: boolean) => void): void {
  const { socket } = response.req;
  let isOver = false;
  const over = (): void => {
    if (!isOver) told(response.writableFinished && !socket.readableEnded);
    isOver = true;
  };
  response.once('finish', over).once('close', over);
  if (response.destroyed) over();
}

/** The body failed after its first chunk; the connection has already been cut. */
export class CutReply extends Error {
  constructor(cause: unknown) {
    super('the reply was cut', { cause });
    this.name = 'CutReply';
  }
}

async function write(response: ServerResponse, chunk: string | Buffer, stall: number): Promise<void> {
  if (response.destroyed) throw new Unwanted();
  if (response.write(chunk)) return;
  const gone = new AbortController();
  const leave = (): void => {
    gone.abort();
  };
  response.once('close', leave);
  // The socket's own timer, because it notices that a large chunk is still being sent, however slowly.
  response.socket?.setTimeout(stall);
  try {
    await once(response, 'drain', { signal: gone.signal });
  } catch {
    throw new Unwanted();
  } finally {
    response.off('close', leave);
    response.socket?.setTimeout(0);
  }
}

/** Ends a reply; gives up on a caller that accepts nothing of it for `stall` milliseconds. */
export function finish(response: ServerResponse, bytes: string | Buffer | undefined, stall: number): void {
  if (bytes === undefined) response.end();
  else response.end(bytes);
  if (response.writableLength > 0) response.socket?.setTimeout(stall);
}

function headersOf(reply: Reply, identity: Identity): Record<string, string> {
  return {
    ...reply.headers,
    ...(reply.length === undefined ? {} : { 'Content-Length': String(reply.length) }),
    'Content-Type': reply.contentType,
    'X-Request-Id': identity.requestId,
    'X-Causeway-Source': reply.source,
  };
}

/** Sends a failure; has no effect once a reply has begun. */
export function sendFailure(response: ServerResponse, reply: FailureReply, identity: Identity): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(reply.status, {
    ...reply.headers,
    'X-Request-Id': identity.requestId,
  });
  finish(response, reply.body, identity.stall ?? STALL);
}
