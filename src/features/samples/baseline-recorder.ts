/**
 * Records the baseline: V1's replies, while it answers, to the reads that the programs of an account really make, by
 * method and parameters; the newest is kept.
 *
 * Receives the calls of each second (`recent-calls.ts`) after their replies have left, and reads only the messages
 * that the sample there kept. The same request is recorded again after an hour. A process that is killed loses the
 * samples it has not written, at most half a minute's.
 *
 * Of a reply longer than the kept beginning, only the request is stored: it can be compared while V1 answers.
 */
import type { DeferredWrites } from '../../db/deferred-writes.ts';
import { MINUTE, HOUR, SECOND, systemClock, type Clock } from '../../lib/time/clock.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { isRead } from '../../mapping/compile/reads.ts';
import type { Method } from '../../mapping/compile/model.ts';
import type { CallCounter, RecentCall } from '../usage/recent-calls.ts';
import { Masking } from './masking.ts';
import { replyIn, requestIn } from './messages.ts';
import type { KeptSample } from './packed.ts';
import type { SampledRequest } from './sample.ts';
import { requestKey, type Samples } from './samples.ts';
import { WaitingSamples } from './waiting-samples.ts';

/** In milliseconds: a request is recorded again after this. */
const TAKEN_AGAIN = HOUR;
/** Most requests that are remembered as recorded. */
const MOST_TAKEN = 50_000;
const WRITE_EVERY = 30 * SECOND;
const OFF_FOR = 5 * MINUTE;

/** The parts of the recorder. */
export interface BaselineRecorderParts {
  readonly samples: Samples;
  readonly seal: Pick<Seal, 'index'>;
  /** The methods by id. */
  readonly methods: () => ReadonlyMap<string, Method>;
  readonly deferred: Pick<DeferredWrites, 'add' | 'settled'>;
  readonly clock?: Clock;
}

/** Records the reads that V1 answers in this process. */
export class BaselineRecorder implements CallCounter {
  readonly readsMessages = true;
  readonly #parts: BaselineRecorderParts;
  readonly #clock: Clock;
  /** When a request of an account was last recorded. */
  readonly #taken = new Map<string, number>();
  readonly #off = new Map<string, number>();
  readonly #waiting: WaitingSamples;

  constructor(parts: BaselineRecorderParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
    this.#waiting = new WaitingSamples({
      deferred: parts.deferred,
      every: WRITE_EVERY,
      keyOf: (accountId, samples) => `baseline ${accountId} ${samples[0]?.at ?? 0}`,
      put: (accountId, samples) => this.#put(accountId, samples),
    });
  }

  /** Only notes the calls that have to be read. */
  count(calls: readonly RecentCall[]): void {
    this.#waiting.take(
      calls.filter((call) => this.#isWanted(call)),
      (call) => this.#sampleOf(call),
    );
  }

  /** Writes the recorded samples; also resolves if the database is away. */
  flush(): Promise<void> {
    return this.#waiting.flush();
  }

  close(): Promise<void> {
    return this.#waiting.close();
  }

  #isWanted({ call, received }: RecentCall): boolean {
    if (call.source !== 'v1' || call.failed || received === undefined || received.length === 0) return false;
    if ((this.#off.get(call.accountId) ?? 0) > this.#clock.now()) return false;
    const method = this.#parts.methods().get(call.method);
    return method !== undefined && isRead(method);
  }

  async #sampleOf({ call, address, received = [] }: RecentCall): Promise<KeptSample | undefined> {
    const request = requestIn(address);
    if (request === undefined || !this.#isDue(call.accountId, call.method, request, call.at))
      return undefined;
    const reply = await replyIn(received);
    const masking = Masking.of(this.#parts.seal, call.accountId);
    if (masking === undefined || reply === 'refused') return undefined;
    const method = this.#parts.methods().get(call.method);
    return {
      ...{ purpose: 'baseline', method: call.method, request, at: call.at, source: 'v1', key: masking.key },
      reply: reply === undefined ? undefined : masking.masked(reply, method),
    };
  }

  #isDue(accountId: string, method: string, request: SampledRequest, at: number): boolean {
    const key = `${accountId} ${requestKey(method, request)}`;
    const before = this.#taken.get(key);
    if (before !== undefined && Math.abs(at - before) < TAKEN_AGAIN) return false;
    this.#taken.delete(key);
    this.#taken.set(key, at);
    if (this.#taken.size > MOST_TAKEN) this.#taken.delete(this.#taken.keys().next().value ?? '');
    return true;
  }

  async #put(accountId: string, samples: readonly KeptSample[]): Promise<void> {
    const isOn = await this.#parts.samples.put(accountId, samples);
    if (!isOn) this.#off.set(accountId, this.#clock.now() + OFF_FOR);
  }
}
