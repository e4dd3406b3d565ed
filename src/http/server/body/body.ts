/**
 * Reads the body of a request on demand and at most once, within limits of size and pace.
 *
 * `read` returns it whole. `pieces` yields it as it arrives, no faster than it is consumed, and counts only
 * the time spent waiting for the caller. A body has `patience` milliseconds; after that it needs an average
 * rate, and it may never take longer than `longest`. A body that is too large fails with bodyTooLarge, before
 * a byte is read if its length is announced; a slow one with tooSlow; a truncated one with badRequest.
 */
import type { IncomingMessage } from 'node:http';
import type { Body } from '../../../proxy/call/call.ts';
import { MINUTE, SECOND } from '../../../lib/time/clock.ts';
import { Failure } from '../../../lib/failure.ts';
import { concatInSteps } from '../../../lib/time/turn.ts';

/** How slowly a body may arrive, in real time, because it limits what a connection may hold. */
export interface Pace {
  /** A body that is complete within this is never too slow, in milliseconds. */
  readonly patience: number;
  /** After that, average bytes per second since the beginning. */
  readonly bytesPerSecond: number;
  /** The longest any body may take, in milliseconds. */
  readonly longest: number;
}

/** Met even by slow connections; a body that only trickles is aborted. */
export const defaultPace: Pace = { patience: 30 * SECOND, bytesPerSecond: 1_000, longest: 15 * MINUTE };

/** In bytes. */
const BEGINNING = 64 * 1_024;

/** The body of one request. */
export class RequestBody implements Body {
  readonly length: number | undefined;
  beginning: Buffer | undefined;
  readonly #request: IncomingMessage;
  readonly #invite: () => void;
  readonly #pace: Pace;
  readonly #gone: AbortSignal | undefined;
  #asked = false;

  /** `invite` sends `100 Continue` if the caller waits for it. `gone`: aborted when the rest is no longer needed. */
  constructor(request: IncomingMessage, invite: () => void, pace: Pace = defaultPace, gone?: AbortSignal) {
    this.#request = request;
    this.#invite = invite;
    this.#pace = pace;
    this.#gone = gone;
    this.length = announced(request);
  }

  /**
   * Throws `Failure` bodyTooLarge (before a byte is read if the length is announced), tooSlow or badRequest.
   */
  async read(limit: number): Promise<Buffer> {
    this.#begin(limit);
    if (this.length === 0) return Buffer.alloc(0);
    this.#invite();
    const bytes = await collect(this.#request, limit, this.#pace, this.#gone);
    // A copy of the beginning of a long body, so that it does not keep the whole body in memory.
    this.beginning = bytes.length > BEGINNING ? Buffer.from(bytes.subarray(0, BEGINNING)) : bytes;
    return bytes;
  }

  /** The body in pieces, no faster than they are consumed; throws like `read`. */
  async *pieces(limit: number): AsyncGenerator<Buffer> {
    this.#begin(limit);
    if (this.length === 0) return;
    this.#invite();
    const pieces = this.#request.iterator({ destroyOnReturn: false });
    using line = new CallersLine(this.#pace, this.#gone);
    for (;;) {
      const next = await line.waitFor(pieces.next() as Promise<IteratorResult<Buffer, undefined>>);
      if (next.done === true) return;
      if (line.took(next.value) > limit) throw new Failure('bodyTooLarge');
      this.beginning ??= next.value;
      yield next.value;
    }
  }

  #begin(limit: number): void {
    if (this.#asked) throw new Error('a request body can be read only once');
    this.#asked = true;
    if (this.length !== undefined && this.length > limit) throw new Failure('bodyTooLarge');
  }
}

/** Watches the pace of a body that is read piece by piece. */
class CallersLine {
  readonly #pace: Pace;
  readonly #watch: NodeJS.Timeout;
  readonly #failed = Promise.withResolvers<never>();
  readonly #gone: AbortSignal | undefined;
  #size = 0;
  #waited = 0;
  #since: number | undefined;

  constructor(pace: Pace, gone: AbortSignal | undefined) {
    this.#pace = pace;
    this.#gone = gone;
    this.#failed.promise.catch(() => undefined);
    gone?.addEventListener('abort', this.#cut);
    this.#watch = setInterval(
      () => {
        this.#check();
      },
      Math.min(SECOND, pace.patience),
    );
  }

  /** Counts a piece; returns the bytes so far. */
  took(piece: Buffer): number {
    return (this.#size += piece.length);
  }

  /** Throws `Failure` tooSlow or badRequest. */
  async waitFor<T>(next: Promise<T>): Promise<T> {
    this.#since = Date.now();
    try {
      return await Promise.race([
        next.catch(() => Promise.reject(new Failure('badRequest', ENDED))),
        this.#failed.promise,
      ]);
    } finally {
      this.#waited += Date.now() - this.#since;
      this.#since = undefined;
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#watch);
    this.#gone?.removeEventListener('abort', this.#cut);
  }

  readonly #cut = (): void => {
    this.#failed.reject(new Failure('badRequest', ENDED));
  };

  #check(): void {
    if (this.#since === undefined) return;
    if (isTooSlow(this.#pace, this.#waited + Date.now() - this.#since, this.#size))
      this.#failed.reject(new Failure('tooSlow'));
  }
}

const ENDED = { text: 'The message ended too early' };

const isTooSlow = ({ patience, bytesPerSecond, longest }: Pace, taken: number, size: number): boolean =>
  taken > longest || (taken > patience && size < (taken / SECOND) * bytesPerSecond);

function announced(request: IncomingMessage): number | undefined {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (length !== undefined) return Number(length);
  return coding === undefined ? 0 : undefined;
}

function collect(
  request: IncomingMessage,
  limit: number,
  pace: Pace,
  gone: AbortSignal | undefined,
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  const begun = Date.now();
  let size = 0;
  // At once, because `close` follows `end` before a promise would get its turn.
  const over = (): void => {
    clearInterval(watch);
    gone?.removeEventListener('abort', cut);
    request.off('data', take).off('end', end).off('error', cut).off('close', cut);
  };
  const fail = (failure: Failure): void => {
    over();
    request.pause();
    reject(failure);
  };
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > limit) fail(new Failure('bodyTooLarge'));
    else chunks.push(chunk);
  };
  const end = (): void => {
    over();
    const [first] = chunks;
    resolve(first !== undefined && chunks.length === 1 ? first : concatInSteps(chunks));
  };
  const cut = (): void => {
    fail(new Failure('badRequest', ENDED));
  };
  const watch = setInterval(
    () => {
      if (isTooSlow(pace, Date.now() - begun, size)) fail(new Failure('tooSlow'));
    },
    Math.min(SECOND, pace.patience),
  );
  gone?.addEventListener('abort', cut);
  request.on('data', take).on('end', end).on('error', cut).on('close', cut);
  return promise;
}
