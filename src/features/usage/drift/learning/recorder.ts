/**
 * Learns the form of the service's answers, off the path of the call: V1's from the calls of each second
 * (`recent-calls.ts`), those of V2 and V3 from a sample of their own answers (`sampled-upstream.ts`), because a reply
 * to a program shows neither V2's keys nor anything outside the mapping's rows.
 *
 * Observations wait in memory and are added to the database every minute, many operations in a transaction. A process
 * that is killed loses the last minute.
 */
import type { DeferredWrites } from '../../../../db/deferred-writes.ts';
import { MINUTE, type Clock } from '../../../../lib/time/clock.ts';
import { nextTurn } from '../../../../lib/time/turn.ts';
import type { CallCounter, RecentCall } from '../../recent-calls.ts';
import { beginningOf } from '../../names/recorder.ts';
import { jsonObservation, type DriftUpstream, type Observation } from './observation.ts';
import { operationOf, type OperationNames } from './operation.ts';
import type { SampledAnswer } from './sampled-upstream.ts';
import { xmlObservation } from './xml-observation.ts';

/** Answers of a second, and observations that wait to be written; any beyond these limits are not learned. */
const MOST_READ_LATER = 100;
const MOST_WAITING = 600;
const WRITE_EVERY = MINUTE;
/** Operations in one transaction: calls that write wait for its end. */
const TOGETHER = 20;

/** One operation of one account. */
export interface OperationOfAccount {
  readonly accountId: string;
  readonly upstream: DriftUpstream;
  /** The legacy method whose calls ask for it. */
  readonly method: string;
  /** The request to V2 (`clients/*`), or the form that V1 or V3 was asked for. */
  readonly operation: string;
}

/** An observation of an operation. */
export interface Observed extends OperationOfAccount {
  readonly observations: readonly { readonly at: number; readonly observation: Observation }[];
}

/** The parts of a recorder. */
export interface DriftRecorderParts {
  /** Adds all of it, or nothing. */
  readonly add: (observed: readonly Observed[]) => Promise<void>;
  /** Called once: it compiles the mapping, which most commands do without. */
  readonly names: () => OperationNames;
  readonly deferred: Pick<DeferredWrites, 'add' | 'settled'>;
  readonly clock: Clock;
}

type Waiting = Observed & { readonly observations: { at: number; observation: Observation }[] };

/** Records the form of the answers to this process's calls. */
export class DriftRecorder implements CallCounter {
  readonly readsMessages = true;
  readonly #parts: DriftRecorderParts;
  #names: OperationNames | undefined;
  /** Answers of V2 and V3 that have still to be read. */
  #answers: SampledAnswer[] = [];
  readonly #waiting = new Map<string, Waiting>();
  /** Observations that wait or are being written. */
  #count = 0;
  #reading: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #written = 0;
  #batches = 0;

  constructor(parts: DriftRecorderParts) {
    this.#parts = parts;
  }

  /** Only notes the answer, which is read within a second. */
  readonly take = (answer: SampledAnswer): void => {
    if (this.#answers.length < MOST_READ_LATER) this.#answers.push(answer);
  };

  /** The calls of a second: V1's replies are among them; those of V2 and V3 were taken when they arrived. */
  count(calls: readonly RecentCall[]): void {
    const answers = this.#answers;
    this.#answers = [];
    const replies = calls.filter(isReplyOfV1).slice(0, MOST_READ_LATER);
    if (answers.length + replies.length > 0)
      this.#reading = this.#reading.then(() => this.#read(answers, replies));
  }

  /** Reads and writes everything; also resolves if the database is away, and keeps the observations. */
  async flush(): Promise<void> {
    this.count([]);
    await this.#reading;
    this.#write();
    await this.#parts.deferred.settled();
  }

  async close(): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
  }

  async #read(answers: readonly SampledAnswer[], replies: readonly RecentCall[]): Promise<void> {
    const names = (this.#names ??= this.#parts.names());
    for (const { upstream, accountId, method, request, bytes, isCut, at } of answers) {
      const operation = operationOf(names, upstream, { method, ...request });
      await nextTurn();
      const read =
        upstream === 'v2' ? jsonObservation(bytes.toString('utf8'), isCut) : await xmlObservation(bytes);
      this.#add({ accountId, upstream, method, operation }, at, read);
    }
    for (const { call, address, received = [] } of replies) {
      const { accountId, method, at } = call;
      const operation = operationOf(names, 'v1', { method, address });
      await nextTurn();
      const read = await xmlObservation(beginningOf(received));
      this.#add({ accountId, upstream: 'v1', method, operation }, at, read);
    }
    if (this.#clock() - this.#written >= WRITE_EVERY) this.#write();
    else if (this.#waiting.size > 0) this.#timer ??= setTimeout(this.#writeLater, WRITE_EVERY).unref();
  }

  /** Undefined: the mapping does not have the method, or nothing could be read. */
  #add(
    { operation, ...of }: Omit<OperationOfAccount, 'operation'> & { readonly operation: string | undefined },
    at: number,
    observation: Observation | undefined,
  ): void {
    if (operation === undefined || observation === undefined || this.#count >= MOST_WAITING) return;
    const key = [of.accountId, of.upstream, of.method, operation].join('\n');
    const waiting = this.#waiting.get(key) ?? { ...of, operation, observations: [] };
    waiting.observations.push({ at, observation });
    this.#waiting.set(key, waiting);
    this.#count += 1;
  }

  #clock(): number {
    return this.#parts.clock.now();
  }

  readonly #writeLater = (): void => {
    this.#write();
  };

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#written = this.#clock();
    const due = [...this.#waiting.values()];
    this.#waiting.clear();
    for (let at = 0; at < due.length; at += TOGETHER) this.#defer(due.slice(at, at + TOGETHER));
  }

  /**
   * Observations wait in memory while the database is away. Those that cannot be written for another reason are
   * discarded.
   */
  #defer(observed: readonly Waiting[]): void {
    const count = observed.reduce((sum, { observations }) => sum + observations.length, 0);
    const add = async (): Promise<void> => {
      await this.#parts.add(observed);
      this.#count -= count;
    };
    this.#batches += 1;
    this.#parts.deferred.add({
      ...{ key: `drift ${this.#batches}`, count, write: add },
      failed: () => void (this.#count -= count),
    });
  }
}

const isReplyOfV1 = ({ call, received }: RecentCall): boolean =>
  call.source === 'v1' && !call.failed && received !== undefined && received.length > 0;
