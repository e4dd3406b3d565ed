/**
 * V2 or V3 for the programs' reads, asked no more often than necessary: identical reads of an account that are in
 * progress at the same time share one request, and answers that rarely change are kept for a while, if the operator
 * wants that (docs/operate/upstream-calls.md).
 *
 * No call gets an answer to a request that left before a write of its account was answered, on any instance. The ledger
 * knows every write before it leaves, so two looks at its marks decide that (`write-marks.ts`): one before the request
 * left, the other after the call arrived. For most reads the first is a look that was made earlier and is remembered, and
 * the second is never made: only who finds an identical read in progress, or a kept answer, asks the database. Where it
 * does not answer, nothing is shared or kept.
 */
import type { Marks, WriteMarks } from '../../features/writes/rows/write-marks.ts';
import { isQuiet, isUntouched } from '../../features/writes/rows/write-marks.ts';
import { Failure } from '../../lib/failure.ts';
import { isAway } from '../../lib/store-fault.ts';
import type { Destination, Upstream, UpstreamAnswer, UpstreamRequest } from '../../upstream/model.ts';
import type { ReadFlight } from '../../upstream/read-flight.ts';
import type { ReadyRead, ReadyUpstream } from '../../upstream/ready-read.ts';
import { SentRead } from '../../upstream/ready-read.ts';
import type { Patience } from '../../upstream/sending.ts';
import { answerOf, heldAnswer, isWhole, type WholeAnswer } from './held-answer.ts';
import { LONGEST_KEPT, type KeptAnswers } from './kept-answers.ts';

/** How a request was spared. */
export type Spared = 'joined' | 'kept' | 'replica';

/** What reads are spared with. */
export interface SparingParts {
  readonly looks: RememberedLooks;
  /** Identical reads share a request. */
  readonly isShared: boolean;
  /** Undefined: nothing is kept. */
  readonly kept: KeptAnswers | undefined;
  readonly count: (how: Spared) => void;
}

const EVERY_WRITE = (): boolean => true;

/** Accounts; a look takes some hundred bytes each. */
const MOST_LOOKS = 20_000;

/**
 * The last look at the marks of each account. It is as good as one made now for a read that is about to leave: at worst
 * it is too old, and nobody joins.
 */
export class RememberedLooks {
  readonly #marks: Pick<WriteMarks, 'look'>;
  readonly #last = new Map<string, Marks>();

  constructor(marks: Pick<WriteMarks, 'look'>) {
    this.#marks = marks;
  }

  /** Undefined: there was none, or it found a write in progress. */
  remembered(accountId: string): Marks | undefined {
    return this.#last.get(accountId);
  }

  /** Throws `StoreFault`. */
  async look(accountId: string): Promise<Marks> {
    const marks = await this.#marks.look(accountId);
    if (this.#last.size >= MOST_LOOKS) this.#last.clear();
    if (isQuiet(marks, EVERY_WRITE)) this.#last.set(accountId, marks);
    else this.#last.delete(accountId);
    return marks;
  }
}

/** In bytes: nobody waits for a longer answer, which is passed on as it arrives. */
export const LONGEST_SHARED = 4 * 1_024 * 1_024;

/** One read in progress, and those who wait for its answer. */
class Flight implements ReadFlight {
  /** Of its account, from before it left. */
  readonly marks: Marks;
  readonly #flights: Map<string, Flight>;
  readonly #key: string;
  #waiting = 0;
  /** Made when somebody waits, as nobody does for nearly every read. */
  #outcome: PromiseWithResolvers<WholeAnswer | undefined> | undefined;

  constructor(flights: Map<string, Flight>, key: string, marks: Marks) {
    this.#flights = flights;
    this.#key = key;
    this.marks = marks;
    flights.set(key, this);
  }

  /** From now on the answer is kept until whoever joined has it, or `leave`s. */
  join(): this {
    this.#waiting += 1;
    this.#outcome ??= Promise.withResolvers();
    return this;
  }

  leave(): void {
    this.#waiting -= 1;
  }

  /** For who has joined. Undefined: there is no answer that could be shared. */
  async answer(signal: AbortSignal): Promise<WholeAnswer | undefined> {
    const outcome = this.#outcome?.promise;
    if (outcome === undefined) return undefined;
    const { promise, reject } = Promise.withResolvers<never>();
    const gone = (): void => {
      reject(new Failure('upstreamUnavailable', { text: 'The call was given up' }));
    };
    if (signal.aborted) gone();
    signal.addEventListener('abort', gone, { once: true });
    try {
      return await Promise.race([outcome, promise]);
    } finally {
      signal.removeEventListener('abort', gone);
    }
  }

  arrived(whole: Buffer): void {
    if (this.#outcome === undefined) return;
    this.#outcome.resolve(answerOf({ status: 200, contentType: 'text/xml', headers: {}, millis: 0 }, whole));
  }

  ended(): void {
    if (this.#flights.get(this.#key) === this) this.#flights.delete(this.#key);
    this.#outcome?.resolve(undefined);
  }

  /** Shares the answer if anybody waits for it; returns it for who asked. */
  async share(answer: UpstreamAnswer): Promise<UpstreamAnswer> {
    if (this.#waiting === 0 || answer.status >= 500) return answer;
    const held = await heldAnswer(answer, LONGEST_SHARED);
    if (isWhole(held)) this.#outcome?.resolve(held);
    return held;
  }
}

/** Asks the service for what it has not just said. */
export class SparingUpstream implements Upstream, ReadyUpstream {
  readonly #upstream: Upstream & Partial<ReadyUpstream>;
  readonly #parts: SparingParts;
  /** Which of the API versions it is, in the keys of what is kept. */
  readonly #version: 'v2' | 'v3';
  readonly #flights = new Map<string, Flight>();

  constructor(upstream: Upstream & Partial<ReadyUpstream>, version: 'v2' | 'v3', parts: SparingParts) {
    this.#upstream = upstream;
    this.#version = version;
    this.#parts = parts;
  }

  send(to: Destination, request: UpstreamRequest, patience?: Patience): Promise<UpstreamAnswer> {
    const { method } = request;
    if (method === undefined || request.verb !== 'GET') return this.#upstream.send(to, request, patience);
    const asked = { to, request, patience, key: keyOf(this.#version, to, request.segments, request.query) };
    return this.#parts.kept?.keeps(method) === true ? this.#kept(asked, method) : this.#shared(asked);
  }

  fetch(...given: Parameters<Upstream['fetch']>): Promise<UpstreamAnswer> {
    return this.#upstream.fetch(...given);
  }

  /** Undefined, besides, if a look has to be made first or an identical read can be joined. */
  ready(
    to: Destination,
    segments: readonly string[],
    query: UpstreamRequest['query'],
    method: string,
  ): ReadyRead | undefined {
    const { looks, kept, isShared } = this.#parts;
    if (kept?.keeps(method) === true) return undefined;
    if (!isShared) return this.#upstream.ready?.(to, segments, query);
    const marks = looks.remembered(to.accountId);
    if (marks === undefined) return undefined;
    const key = keyOf(this.#version, to, segments, query);
    if (this.#flights.has(key)) return undefined;
    const ready = this.#upstream.ready?.(to, segments, query);
    if (ready !== undefined) ready.flight = new Flight(this.#flights, key, marks);
    return ready;
  }

  /** `looked`: after the call arrived, if that was done already. */
  async #shared(asked: Asked, looked?: Marks): Promise<UpstreamAnswer> {
    const { to, request, patience, key } = asked;
    if (!this.#parts.isShared) return this.#upstream.send(to, request, patience);
    // It has left already, on the fast path.
    if (request.sent instanceof SentRead && request.sent.flight instanceof Flight)
      return this.#lead(asked, request.sent.flight);
    if (!this.#flights.has(key)) {
      const before = looked ?? this.#parts.looks.remembered(to.accountId);
      if (before !== undefined) return this.#lead(asked, this.#leads(key, before));
    }
    const first = this.#flights.get(key)?.join();
    const marks = looked ?? (await this.#look(to.accountId));
    const flight = this.#fitting(key, first, marks);
    const answer = await flight?.answer(request.signal).finally(() => {
      flight.leave();
    });
    if (answer === undefined) return this.#lead(asked, this.#leads(key, marks));
    this.#parts.count('joined');
    return answer;
  }

  /**
   * The read to join, if there is one: the one that was in progress when the call arrived, or one that has begun since.
   * `marks`: from after the call arrived.
   */
  #fitting(key: string, first: Flight | undefined, marks: Marks | undefined): Flight | undefined {
    const fits = (flight: Flight): boolean =>
      marks !== undefined && isUntouched(flight.marks, marks, EVERY_WRITE);
    if (first !== undefined && fits(first)) return first;
    first?.leave();
    const next = this.#flights.get(key);
    return next === undefined || next === first || !fits(next) ? undefined : next.join();
  }

  /** Others may join it, unless a write is in progress or nobody knows. */
  #leads(key: string, marks: Marks | undefined): Flight | undefined {
    return marks === undefined || !isQuiet(marks, EVERY_WRITE)
      ? undefined
      : new Flight(this.#flights, key, marks);
  }

  async #lead({ to, request, patience }: Asked, flight: Flight | undefined): Promise<UpstreamAnswer> {
    try {
      const answer = await this.#upstream.send(to, request, patience);
      return flight === undefined ? answer : await flight.share(answer);
    } finally {
      flight?.ended();
    }
  }

  async #kept(asked: Asked, method: string): Promise<UpstreamAnswer> {
    const { kept, count } = this.#parts;
    const { key } = asked;
    const touches = kept?.touching(method);
    const marks = await this.#look(asked.to.accountId);
    if (kept === undefined || touches === undefined || marks === undefined) return this.#shared(asked, marks);
    const entry = kept.find(key);
    if (entry !== undefined && isUntouched(entry.marks, marks, touches)) {
      count('kept');
      return { ...entry.answer, millis: 0, isKept: true };
    }
    const answer = await heldAnswer(await this.#shared(asked, marks), LONGEST_KEPT);
    if (isQuiet(marks, touches) && isWhole(answer) && answer.status === 200) kept.put(key, { answer, marks });
    return answer;
  }

  /** Undefined while the database does not answer. */
  async #look(accountId: string): Promise<Marks | undefined> {
    try {
      return await this.#parts.looks.look(accountId);
    } catch (error) {
      if (isAway(error)) return undefined;
      throw error;
    }
  }
}

/** One read of a program. */
interface Asked {
  readonly to: Destination;
  readonly request: UpstreamRequest;
  readonly patience: Patience | undefined;
  readonly key: string;
}

/** An account that is connected to another organisation, or by another consent, asks for something else. */
function keyOf(
  version: string,
  { accountId, organisationId, grantId }: Destination,
  segments: readonly string[],
  query: UpstreamRequest['query'],
): string {
  const place = `${version}\n${accountId}\n${organisationId}\n${grantId}\n${segments.join('\n')}`;
  return query.length === 0 ? place : `${place}\n?${JSON.stringify(query)}`;
}
