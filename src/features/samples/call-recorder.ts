/**
 * Records the calls of accounts for which somebody has asked that: every call with what was sent and replied, masked as
 * the baseline is, until its time is over.
 *
 * Which accounts these are is looked up every few seconds: recording begins that much late in each process, and ends by
 * the clock. A process that is killed loses what it has not written, at most five seconds. Of a
 * body or a reply that is longer than what is left of it only the request is kept.
 */
import { randomUUID } from 'node:crypto';
import type { DeferredWrites } from '../../db/deferred-writes.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { SECOND, type Clock } from '../../lib/time/clock.ts';
import { nextTurn } from '../../lib/time/turn.ts';
import type { Method } from '../../mapping/compile/model.ts';
import type { CallCounter, RecentCall, RecentCalls } from '../usage/recent-calls.ts';
import { Masking } from './masking.ts';
import { documentIn, replyIn, requestIn } from './messages.ts';
import type { KeptSample } from './packed.ts';
import type { Samples } from './samples.ts';

const LOOK_EVERY = 3 * SECOND;
const WRITE_EVERY = 5 * SECOND;
/** Calls that wait to be written. */
const MOST_WAITING = 2_000;

/** What the recorder works with. */
export interface CallRecorderParts {
  readonly samples: Pick<Samples, 'put' | 'recorded'>;
  readonly seal: Pick<Seal, 'index'>;
  /** By id. */
  readonly methods: () => ReadonlyMap<string, Method>;
  readonly deferred: Pick<DeferredWrites, 'add' | 'settled'>;
  readonly clock: Clock;
}

/** The calls of recorded accounts in this process. */
export class CallRecorder implements CallCounter {
  readonly readsMessages = true;
  readonly #parts: CallRecorderParts;
  /** Until when an account is recorded. */
  #recorded: ReadonlyMap<string, number> = new Map();
  readonly #waiting = new Map<string, KeptSample[]>();
  #count = 0;
  /** Of this process: two instances may serve calls at one moment. */
  readonly #run = randomUUID();
  #number = 0;
  #flight: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;

  constructor(parts: CallRecorderParts) {
    this.#parts = parts;
  }

  /** From now on accounts that are recorded are looked up. Never rejects: what is not known now is looked up again. */
  async begin(recent: Pick<RecentCalls, 'readWhole'>): Promise<void> {
    this.#looking ??= setInterval(() => void this.begin(recent), LOOK_EVERY).unref();
    this.#recorded = await this.#parts.samples.recorded().catch(() => this.#recorded);
    recent.readWhole(new Set(this.#recorded.keys()));
  }

  count(calls: readonly RecentCall[]): void {
    if (this.#recorded.size === 0) return;
    const some = calls.filter(({ call, received }) => {
      const until = this.#recorded.get(call.accountId) ?? 0;
      return call.at <= until && received !== undefined && this.#parts.methods().has(call.method);
    });
    if (some.length === 0 || this.#count + some.length > MOST_WAITING) return;
    this.#count += some.length;
    this.#flight = this.#flight.then(() => this.#take(some));
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#flight = this.#flight.then(() => {
        this.#write();
      });
    }, WRITE_EVERY).unref();
  }

  /** Writes what was taken; resolves as well if the database is away. */
  async close(): Promise<void> {
    clearInterval(this.#looking);
    clearTimeout(this.#timer);
    await this.#flight;
    this.#write();
    await this.#parts.deferred.settled();
  }

  async #take(calls: readonly RecentCall[]): Promise<void> {
    for (const one of calls) {
      await nextTurn();
      const sample = await this.#sampleOf(one);
      if (sample === undefined) {
        this.#count -= 1;
        continue;
      }
      const waiting = this.#waiting.get(one.call.accountId) ?? [];
      waiting.push(sample);
      this.#waiting.set(one.call.accountId, waiting);
    }
  }

  async #sampleOf({ call, address, sent, received = [] }: RecentCall): Promise<KeptSample | undefined> {
    const request = requestIn(address);
    const masking = Masking.of(this.#parts.seal, call.accountId);
    const method = this.#parts.methods().get(call.method);
    const reply = await replyIn(received);
    if (request === undefined || masking === undefined || reply === 'refused') return undefined;
    this.#number += 1;
    const isSent = sent !== undefined && sent.length > 0;
    const body = isSent ? await documentIn([sent]) : undefined;
    return {
      ...{ purpose: 'recorded', method: call.method, at: call.at, source: call.source, key: masking.key },
      order: this.#number,
      request: {
        ...request,
        verb: call.verb,
        // A body that was not kept whole cannot be sent again.
        ...(isSent && body === undefined && { isWithheld: true }),
      },
      ...(body !== undefined && { body: masking.maskedBody(body, method) }),
      reply: reply === undefined ? undefined : masking.masked(reply, method),
    };
  }

  #write(): void {
    for (const [accountId, samples] of this.#waiting) {
      this.#waiting.delete(accountId);
      const [first] = samples;
      this.#parts.deferred.add({
        key: `recorded ${accountId} ${this.#run} ${first?.order ?? 0}`,
        count: samples.length,
        write: async () => {
          await this.#parts.samples.put(accountId, samples, ({ order }) => `${this.#run} ${order ?? 0}`);
          this.#count -= samples.length;
        },
        failed: () => {
          this.#count -= samples.length;
        },
      });
    }
  }
}
