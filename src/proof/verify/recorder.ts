/**
 * Between the bridge's routes and the service while the mapping is verified: records every request with its
 * answer, waits for the rate limit, and tries similar addresses for one that does not exist.
 */
import { buffer } from 'node:stream/consumers';
import { Failure } from '../../lib/failure.ts';
import { MINUTE, SECOND } from '../../lib/time/clock.ts';
import type { Exchange, Surface } from './model.ts';
import type { Destination, Upstream, UpstreamAnswer, UpstreamRequest } from '../../upstream/model.ts';
import type { Pacer } from './pacer.ts';
import { pathVariants } from './path-variants.ts';

/** In milliseconds, including the wait for the rate limit. */
const LONGEST_CALL = 10 * MINUTE;
/** Aborts a call that takes too long. */
export const callSignal = (): AbortSignal => AbortSignal.timeout(LONGEST_CALL);

/** Dependencies of a recorder. */
export interface RecorderParts {
  readonly upstream: Upstream;
  readonly surface: Surface;
  readonly pacer: Pacer;
}

/** Whether the answer of another address than the one asked for has its records. */
export type Accepts = (
  request: Pick<UpstreamRequest, 'verb' | 'segments'>,
  answer: { readonly found: readonly string[]; readonly text: string },
) => boolean;

/** How often a call waits for the rate limit before it is abandoned. */
export const MOST_WAITS = 10;
/** How often a probe is made that the service does not answer. */
const MOST_PROBES = 3;

/** One API version, with all its requests and answers. */
export class Recorder implements Upstream {
  readonly #parts: RecorderParts;
  #exchanges: Exchange[] = [];
  /**
   * Words of addresses that were found elsewhere: their positions in the path, and the words used there now.
   */
  readonly #moved = new Map<string, string>();
  #calls = 0;
  #accepts: Accepts = () => true;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  get calls(): number {
    return this.#calls;
  }

  /** Sets what decides whether the answer of a similar address is one to the request. */
  acceptBy(accepts: Accepts): void {
    this.#accepts = accepts;
  }

  /** Returns the exchanges since the last call. */
  take(): readonly Exchange[] {
    const taken = this.#exchanges;
    this.#exchanges = [];
    return taken;
  }

  /**
   * Acts like the service, but tries similar addresses for one that does not exist. A missing record has the
   * same status, so only reads of lists, and of records that were shown, may get here.
   */
  async send(to: Destination, request: UpstreamRequest): Promise<UpstreamAnswer> {
    const first = await this.ask(to, request);
    if (first.status !== 404 && first.status !== 405) return this.#kept(request, first, undefined);
    for (const segments of pathVariants(request.segments, this.#moved, request.verb === 'GET')) {
      const other = await this.ask(to, { ...request, segments });
      if (other.status < 200 || other.status > 299) continue;
      if (!this.#accepts(request, { found: segments, text: other.text })) continue;
      this.#note(request.segments, segments);
      return this.#kept({ ...request, segments }, other, request.segments);
    }
    return this.#kept(request, first, undefined);
  }

  fetch(to: Destination, url: string, signal: AbortSignal): Promise<UpstreamAnswer> {
    return this.#parts.upstream.fetch(to, url, signal);
  }

  /** Returns the answer to one request without recording it. Throws `Failure`. */
  async ask(to: Destination, request: UpstreamRequest): Promise<Answered> {
    const { pacer, upstream } = this.#parts;
    for (let waits = 0; ; waits += 1) {
      const inMinute = await pacer.turn();
      this.#calls += 1;
      try {
        const answer = await upstream.send(to, { ...request, priority: 'background' }, 'continued');
        return { ...answer, inMinute, text: await textOf(answer) };
      } catch (error) {
        const isLimit =
          error instanceof Failure && (error.code === 'budgetExhausted' || error.code === 'busy');
        if (!isLimit || waits >= MOST_WAITS) throw error;
        await pacer.wait((error.retryAfter ?? 1) * SECOND);
      }
    }
  }

  /**
   * The answer to a request that only finds something out; undefined if the service gives no final one, however often it is
   * asked.
   */
  probe(
    to: Destination,
    request: Omit<UpstreamRequest, 'signal'>,
    isFinal: (answer: Answered) => boolean = isAnswer,
  ): Promise<Answered | undefined> {
    return probed(() => this.ask(to, { ...request, signal: callSignal() }), this.#parts.pacer, isFinal);
  }

  #kept(
    request: UpstreamRequest,
    answer: Answered,
    insteadOf: readonly string[] | undefined,
  ): UpstreamAnswer {
    this.#exchanges.push(exchangeOf(this.#parts.surface, request, answer, insteadOf));
    const whole = Buffer.from(answer.text);
    return { ...answer, whole, body: once(whole) };
  }

  /** Makes later calls with the same word at the same position try the new word first. */
  #note(from: readonly string[], to: readonly string[]): void {
    const at = from.findIndex((part, index) => part !== to[index]);
    if (at >= 0) this.#moved.set(`${at} ${from[at] ?? ''}`, to[at] ?? '');
  }
}

/** Whether a status says something of the request, and not only that the service is busy or fails. */
export const isAnswer = ({ status }: { readonly status: number }): boolean => status < 500 && status !== 429;

/** Undefined for a request that the service did not answer. */
export function ifUnanswered(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error;
  return undefined;
}

/** Asks again, after a second, until `isFinal` says so of an answer; undefined if it says so of none. */
export async function probed<T extends object>(
  ask: () => Promise<T>,
  pacer: Pacer,
  isFinal: (answer: T) => boolean,
): Promise<T | undefined> {
  for (let probes = 1; ; probes += 1) {
    const answer = await ask().catch(ifUnanswered);
    if (answer !== undefined && isFinal(answer)) return answer;
    if (probes === MOST_PROBES) return undefined;
    await pacer.wait(SECOND);
  }
}

/** A complete answer. */
export interface Answered extends UpstreamAnswer {
  readonly text: string;
  readonly inMinute: number;
}

/** The recorded form of a request and its answer. */
export const exchangeOf = (
  surface: Surface,
  { verb, segments, query, body }: Pick<UpstreamRequest, 'verb' | 'segments' | 'query' | 'body'>,
  { status, contentType, headers, text, inMinute }: Answered,
  insteadOf?: readonly string[],
): Exchange => ({
  ...{ surface, verb, segments, query, status, contentType, headers, body: text, insteadOf, inMinute },
  sent: typeof body === 'string' ? body : Buffer.isBuffer(body) ? body.toString() : undefined,
});

/** The body of an answer as text. */
export async function textOf({ whole, body }: UpstreamAnswer): Promise<string> {
  if (whole !== undefined) return whole.toString('utf8');
  return (await buffer(body)).toString('utf8');
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
