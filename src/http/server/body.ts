import type { IncomingMessage } from 'node:http';
import type { Body } from '../../proxy/call.ts';
import { MINUTE, SECOND } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { concatInSteps } from '../../lib/turn.ts';

/** How slowly a body may arrive: real time, because it bounds what a connection may hold. */
export interface Pace {
  /** A body that is whole within this is never too slow, in milliseconds. */
  readonly patience: number;
  /** After that, bytes per second on average since the beginning. */
  readonly bytesPerSecond: number;
  /** The longest any body may take, in milliseconds. */
  readonly longest: number;
}

/** What a slow but honest line manages; a body that drips is given up. */
export const defaultPace: Pace = { patience: 30 * SECOND, bytesPerSecond: 1_000, longest: 15 * MINUTE };

/** The body of a request, read when somebody asks for it and at most once. */
export class RequestBody implements Body {
  readonly length: number | undefined;
  readonly #request: IncomingMessage;
  readonly #invite: () => void;
  readonly #pace: Pace;
  readonly #gone: AbortSignal | undefined;
  #asked = false;

  /** `invite`: sends `100 Continue` where the caller waits for it. `gone`: nobody waits for the rest any more. */
  constructor(request: IncomingMessage, invite: () => void, pace: Pace = defaultPace, gone?: AbortSignal) {
    this.#request = request;
    this.#invite = invite;
    this.#pace = pace;
    this.#gone = gone;
    this.length = announced(request);
  }

  /** Throws `Failure` bodyTooLarge before a byte is read where the length is announced, tooSlow, badRequest. */
  async read(limit: number): Promise<Buffer> {
    if (this.#asked) throw new Error('a request body can be read only once');
    this.#asked = true;
    if (this.length !== undefined && this.length > limit) throw new Failure('bodyTooLarge');
    if (this.length === 0) return Buffer.alloc(0);
    this.#invite();
    return collect(this.#request, limit, this.#pace, this.#gone);
  }
}

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
  const fail = (failure: Failure): void => {
    request.pause();
    reject(failure);
  };
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > limit) fail(new Failure('bodyTooLarge'));
    else chunks.push(chunk);
  };
  const end = (): void => {
    const [first] = chunks;
    resolve(first !== undefined && chunks.length === 1 ? first : concatInSteps(chunks));
  };
  const cut = (): void => {
    fail(new Failure('badRequest', { text: 'The message ended too early' }));
  };
  const watch = setInterval(
    () => {
      const taken = Date.now() - begun;
      const due = (taken / SECOND) * pace.bytesPerSecond;
      if (taken > pace.longest || (taken > pace.patience && size < due)) fail(new Failure('tooSlow'));
    },
    Math.min(SECOND, pace.patience),
  );
  gone?.addEventListener('abort', cut);
  request.on('data', take).on('end', end).on('error', cut).on('close', cut);
  return promise.finally(() => {
    clearInterval(watch);
    gone?.removeEventListener('abort', cut);
    request.off('data', take).off('end', end).off('error', cut).off('close', cut);
  });
}
