/**
 * Records the calls of accounts for which somebody has requested that: every call with its messages, masked like the
 * baseline, until the end of the recording.
 *
 * The accounts are looked up every few seconds: recording begins that much later in each process, and ends by the
 * clock. A process that is killed loses the calls it has not written, at most five seconds' worth. Of a body or a
 * reply longer than its kept beginning, only the request is stored.
 */
import { randomUUID } from 'node:crypto';
import type { DeferredWrites } from '../../db/deferred-writes.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { SECOND, type Clock } from '../../lib/time/clock.ts';
import type { Method } from '../../mapping/compile/model.ts';
import type { CallCounter, RecentCall, RecentCalls } from '../usage/recent-calls.ts';
import { Masking } from './masking.ts';
import { documentIn, replyIn, requestIn } from './messages.ts';
import type { KeptSample } from './packed.ts';
import type { Samples } from './samples.ts';
import { WaitingSamples } from './waiting-samples.ts';

const LOOK_EVERY = 3 * SECOND;
const WRITE_EVERY = 5 * SECOND;

/** The parts of the recorder. */
export interface CallRecorderParts {
  readonly samples: Pick<Samples, 'put' | 'recorded'>;
  readonly seal: Pick<Seal, 'index'>;
  /** The methods by id. */
  readonly methods: () => ReadonlyMap<string, Method>;
  readonly deferred: Pick<DeferredWrites, 'add' | 'settled'>;
  readonly clock: Clock;
}

/** Records the calls of selected accounts in this process. */
export class CallRecorder implements CallCounter {
  readonly readsMessages = true;
  readonly #parts: CallRecorderParts;
  /** The end of each account's recording. */
  #recorded: ReadonlyMap<string, number> = new Map();
  readonly #waiting: WaitingSamples;
  /** Identifies this process: two instances may serve calls at the same moment. */
  readonly #run = randomUUID();
  #number = 0;
  #looking: NodeJS.Timeout | undefined;

  constructor(parts: CallRecorderParts) {
    this.#parts = parts;
    this.#waiting = new WaitingSamples({
      deferred: parts.deferred,
      every: WRITE_EVERY,
      keyOf: (accountId, samples) => `recorded ${accountId} ${this.#run} ${samples[0]?.order ?? 0}`,
      put: async (accountId, samples) => {
        await parts.samples.put(accountId, samples, ({ order }) => `${this.#run} ${order ?? 0}`);
      },
    });
  }

  /** Starts looking up the accounts that are recorded. Never rejects: a failed look-up is repeated. */
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
    this.#waiting.take(some, (call) => this.#sampleOf(call));
  }

  /** Writes the recorded calls; also resolves if the database is away. */
  close(): Promise<void> {
    clearInterval(this.#looking);
    return this.#waiting.close();
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
}
