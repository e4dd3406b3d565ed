import { MOST_READ } from '../../names/element-names.ts';
import { CallsOfDay } from '../../recent-calls.ts';
import { SECOND, type Clock } from '../../../../lib/time/clock.ts';
import type { Destination, Upstream, UpstreamAnswer, UpstreamRequest } from '../../../../upstream/model.ts';
import type { PromptRead, ReadyUpstream } from '../../../../upstream/ready-read.ts';
import type { Patience } from '../../../../upstream/sending.ts';

/** The beginning of an answer. */
export interface SampledAnswer {
  readonly upstream: 'v2' | 'v3';
  readonly accountId: string;
  readonly method: string;
  readonly request: Pick<UpstreamRequest, 'segments' | 'query'>;
  readonly bytes: Buffer;
  /** The answer continues. */
  readonly isCut: boolean;
  readonly at: number;
}

/** The parts and settings of the sample. */
export interface SampledUpstreamParts {
  readonly version: 'v2' | 'v3';
  /** Must neither throw nor take long: the call waits for it. */
  readonly take: (answer: SampledAnswer) => void;
  readonly clock: Clock;
}

/**
 * For each method of an account, the first answers of a day, then one in `oneIn`; `most` in a second over all
 * accounts.
 */
const SAMPLED = { first: 20, oneIn: 20, most: 20 };
/** One in this many reads leaves the fast path to be sampled. */
const ONE_OF_FAST = 50;

/**
 * V2 or V3 for the programs' calls, which keeps the beginning of some answers. The caller notices nothing; a call
 * whose answer is sampled pays for a copy of 64 KiB at most.
 */
export class SampledUpstream implements Upstream, ReadyUpstream {
  readonly #upstream: Upstream & ReadyUpstream;
  readonly #parts: SampledUpstreamParts;
  readonly #calls = new CallsOfDay();
  readonly #fast = new CallsOfDay();
  /** Reads that have left the fast path to be sampled. */
  readonly #due = new Set<string>();
  #second = 0;
  #taken = 0;

  constructor(upstream: Upstream & ReadyUpstream, parts: SampledUpstreamParts) {
    this.#upstream = upstream;
    this.#parts = parts;
  }

  async send(to: Destination, request: UpstreamRequest, patience?: Patience): Promise<UpstreamAnswer> {
    const answer = await this.#upstream.send(to, request, patience);
    if (request.verb !== 'GET' || answer.status !== 200 || !this.#isSample(to, request)) return answer;
    return this.#noted(answer, to, request);
  }

  fetch(...given: Parameters<Upstream['fetch']>): Promise<UpstreamAnswer> {
    return this.#upstream.fetch(...given);
  }

  /** Also undefined for one read in `ONE_OF_FAST`: the general path sends it, where its answer can be seen. */
  ready(
    to: Destination,
    segments: readonly string[],
    query: UpstreamRequest['query'],
    method?: string,
  ): PromptRead | undefined {
    if (method !== undefined) {
      const { accountId } = to;
      const calls = this.#fast.count(accountId, method, this.#parts.clock.now());
      if (calls % ONE_OF_FAST === ONE_OF_FAST - 1) {
        this.#due.add(`${accountId} ${method}`);
        return undefined;
      }
    }
    return this.#upstream.ready(to, segments, query, method);
  }

  #isSample({ accountId }: Destination, { method, segments }: UpstreamRequest): boolean {
    if (method === undefined) return false;
    const now = this.#parts.clock.now();
    const calls = this.#calls.count(accountId, `${method} ${segments[0] ?? ''}`, now);
    const isDue = this.#due.delete(`${accountId} ${method}`);
    if (!isDue && calls >= SAMPLED.first && calls % SAMPLED.oneIn !== 0) return false;
    const second = Math.floor(now / SECOND);
    if (second !== this.#second) [this.#second, this.#taken] = [second, 0];
    this.#taken += 1;
    return this.#taken <= SAMPLED.most;
  }

  #noted(answer: UpstreamAnswer, { accountId }: Destination, request: UpstreamRequest): UpstreamAnswer {
    const { version: upstream, take, clock } = this.#parts;
    const { segments, query, method = '' } = request;
    const sample = { upstream, accountId, method, request: { segments, query } };
    const { whole } = answer;
    if (whole !== undefined) {
      const bytes = Buffer.from(whole.subarray(0, MOST_READ));
      take({ ...sample, bytes, isCut: whole.length > MOST_READ, at: clock.now() });
      return answer;
    }
    const noted = (bytes: Buffer, isCut: boolean): void => {
      take({ ...sample, bytes, isCut, at: clock.now() });
    };
    return { ...answer, body: heard(answer.body, noted) };
  }
}

/** The same pieces; `noted` gets their beginning, unless an error ends them first. */
async function* heard(
  pieces: AsyncIterable<Buffer>,
  noted: (bytes: Buffer, isCut: boolean) => void,
): AsyncGenerator<Buffer> {
  const begun: Buffer[] = [];
  let left = MOST_READ;
  let isNoted = false;
  for await (const piece of pieces) {
    if (left > 0) begun.push(Buffer.from(piece.subarray(0, left)));
    left -= piece.length;
    if (left < 0 && !isNoted) {
      isNoted = true;
      noted(Buffer.concat(begun), true);
    }
    yield piece;
  }
  if (!isNoted) noted(Buffer.concat(begun), false);
}
