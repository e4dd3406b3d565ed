/**
 * Stands between the routes of the bridge and the service while the mapping is verified: keeps every request with its answer,
 * waits for the limit, and tries addresses like one that does not exist.
 */
import { buffer } from 'node:stream/consumers';
import { Failure } from '../../lib/failure.ts';
import { SECOND } from '../../lib/time/clock.ts';
import type { Exchange, Surface } from './model.ts';
import type { Destination, Upstream, UpstreamAnswer, UpstreamRequest } from '../../upstream/model.ts';
import type { Pacer } from './pacer.ts';
import { pathVariants } from './path-variants.ts';

/** What a recorder works with. */
export interface RecorderParts {
  readonly upstream: Upstream;
  readonly surface: Surface;
  readonly pacer: Pacer;
}

/** How often a call waits for the limit before it is given up. */
const MOST_WAITS = 10;

/** One API version, with everything it was asked and answered. */
export class Recorder implements Upstream {
  readonly #parts: RecorderParts;
  #exchanges: Exchange[] = [];
  /** Words of addresses that were found elsewhere: their places in the path, and what stands there now. */
  readonly #moved = new Map<string, string>();
  #calls = 0;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  get calls(): number {
    return this.#calls;
  }

  /** What happened since this was asked last. */
  take(): readonly Exchange[] {
    const taken = this.#exchanges;
    this.#exchanges = [];
    return taken;
  }

  /**
   * Like the service, but an address that does not exist is looked for among those like it. A record that is not there has the
   * same status, so that only reads of lists, and of records that were shown, get here.
   */
  async send(to: Destination, request: UpstreamRequest): Promise<UpstreamAnswer> {
    const first = await this.ask(to, request);
    if (first.status !== 404 && first.status !== 405) return this.#kept(request, first, undefined);
    for (const segments of pathVariants(request.segments, this.#moved)) {
      const other = await this.ask(to, { ...request, segments });
      if (other.status < 200 || other.status > 299) continue;
      this.#note(request.segments, segments);
      return this.#kept({ ...request, segments }, other, request.segments);
    }
    return this.#kept(request, first, undefined);
  }

  fetch(to: Destination, url: string, signal: AbortSignal): Promise<UpstreamAnswer> {
    return this.#parts.upstream.fetch(to, url, signal);
  }

  /** The answer to one request, which is not kept. Throws `Failure`. */
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

  #kept(
    request: UpstreamRequest,
    answer: Answered,
    insteadOf: readonly string[] | undefined,
  ): UpstreamAnswer {
    this.#exchanges.push(exchangeOf(this.#parts.surface, request, answer, insteadOf));
    const whole = Buffer.from(answer.text);
    return { ...answer, whole, body: once(whole) };
  }

  /** Other calls with the same word at the same place are tried with the new one first. */
  #note(from: readonly string[], to: readonly string[]): void {
    const at = from.findIndex((part, index) => part !== to[index]);
    if (at >= 0) this.#moved.set(`${at} ${from[at] ?? ''}`, to[at] ?? '');
  }
}

/** An answer that has arrived. */
export interface Answered extends UpstreamAnswer {
  readonly text: string;
  readonly inMinute: number;
}

/** What is kept of a request and its answer. */
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
