/**
 * V2 or V3 for the programs' reads, with as few requests as possible: identical reads of an account that are in
 * progress at the same time share one request, and answers that rarely change are kept for a while if the operator
 * wants that (docs/operate/upstream-calls.md).
 *
 * No call gets an answer to a request that left before a write of its account was answered, on any instance. The ledger
 * knows every write before it leaves, so two looks at its marks are enough (`write-marks.ts`): one before the request
 * left, the other after the call arrived. For most reads the first is an earlier look that is remembered, and the
 * second is never made: only a call that finds an identical read in progress, or a kept answer, asks the database.
 * While the database does not answer, nothing is shared or kept.
 */
import { isQuiet, isUntouched, type Marks } from '../../features/writes/rows/write-marks.ts';
import { Failure } from '../../lib/failure.ts';
import { unlessAway } from '../../lib/store-fault.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type {
  CallTimes,
  Destination,
  Upstream,
  UpstreamAnswer,
  UpstreamRequest,
} from '../../upstream/model.ts';
import {
  SentRead,
  type PromptRead,
  type ReadyUpstream,
  type SharedAnswer,
} from '../../upstream/ready-read.ts';
import type { Patience } from '../../upstream/sending.ts';
import { EVERY_WRITE, Flight, Flights, type Question, type RememberedLooks } from './flights.ts';
import { isRecords } from '../translate/answer.ts';
import { heldAnswer, isWhole } from './held-answer.ts';
import { JoinedRead } from './joined-read.ts';
import { LONGEST_KEPT, type KeptAnswers } from './kept-answers.ts';

/** In bytes: the status is at the beginning of a reply. */
const HEAD = 1_024;
const STATUS = /<Status>\s*(\w+)\s*<\/Status>/;

/** Why no request was needed. */
export type Spared = 'joined' | 'kept' | 'replica';

/** What `SparingUpstream` needs. */
export interface SparingParts {
  readonly looks: RememberedLooks;
  readonly clock: Clock;
  /** Identical reads share a request. */
  readonly isShared: boolean;
  /** Undefined: nothing is kept. */
  readonly kept: KeptAnswers | undefined;
  readonly count: (how: Spared) => void;
}

/** Asks the service only for what it has not just answered. */
export class SparingUpstream implements Upstream, ReadyUpstream {
  readonly #upstream: Upstream & Partial<ReadyUpstream>;
  readonly #parts: SparingParts;
  /** The API version, for the keys of kept answers. */
  readonly #version: 'v2' | 'v3';
  readonly #flights = new Flights();
  readonly #countJoined: () => void;

  constructor(upstream: Upstream & Partial<ReadyUpstream>, version: 'v2' | 'v3', parts: SparingParts) {
    this.#upstream = upstream;
    this.#version = version;
    this.#parts = parts;
    this.#countJoined = () => {
      parts.count('joined');
    };
  }

  send(to: Destination, request: UpstreamRequest, patience?: Patience): Promise<UpstreamAnswer> {
    const { method } = request;
    if (method === undefined || request.verb !== 'GET') return this.#upstream.send(to, request, patience);
    const { segments, query } = request;
    const asked = { to, request, patience, question: { to, segments, query } };
    return this.#parts.kept?.keeps(method) === true ? this.#kept(asked, method) : this.#shared(asked);
  }

  fetch(...given: Parameters<Upstream['fetch']>): Promise<UpstreamAnswer> {
    return this.#upstream.fetch(...given);
  }

  /** Also undefined if a look has to be made first. Joins an identical read in progress. */
  ready(
    to: Destination,
    segments: readonly string[],
    query: UpstreamRequest['query'],
    method: string,
  ): PromptRead | undefined {
    const { looks, kept, isShared } = this.#parts;
    if (kept?.keeps(method) === true) return undefined;
    if (!isShared) return this.#upstream.ready?.(to, segments, query, method);
    const question = { to, segments, query };
    const flight = this.#flights.find(question);
    // The fast path has no measure for a wait for the rate limit.
    if (flight?.isHeld === true) return undefined;
    if (flight !== undefined) return this.#join(flight, to.accountId);
    const marks = looks.remembered(to.accountId);
    if (marks === undefined) return undefined;
    const ready = this.#upstream.ready?.(to, segments, query, method);
    if (ready !== undefined) ready.flight = this.#flights.begin(question, marks);
    return ready;
  }

  #join(flight: Flight, accountId: string): JoinedRead {
    const { looks, clock } = this.#parts;
    const joined = new JoinedRead(flight, clock.now(), this.#countJoined);
    looks.soon(accountId, joined);
    return joined;
  }

  /** `looked`: the look after the call arrived, if it was made already. */
  async #shared(asked: Asked, looked?: Marks): Promise<UpstreamAnswer> {
    const { to, request, patience, question } = asked;
    if (!this.#parts.isShared) return this.#upstream.send(to, request, patience);
    const { sent } = request;
    // On the fast path it has already left, or got its answer.
    if (sent instanceof SentRead && sent.flight instanceof Flight) return this.#lead(asked, sent.flight);
    if (sent instanceof JoinedRead) return sent.take(question) ?? this.#shared(without(asked, sent), looked);
    const present = this.#flights.find(question);
    if (present !== undefined) return this.#joinOrLead(asked, present, looked);
    const quiet = looked === undefined ? this.#parts.looks.remembered(to.accountId) : undefined;
    if (quiet !== undefined) return this.#lead(asked, this.#flights.begin(question, quiet));
    return this.#joinOrLead(asked, undefined, looked);
  }

  /** `present`: an identical read that was in progress when the call arrived. */
  async #joinOrLead(
    asked: Asked,
    present: Flight | undefined,
    looked: Marks | undefined,
  ): Promise<UpstreamAnswer> {
    const { to, request, question } = asked;
    const since = this.#parts.clock.now();
    const first = present && new Joined(present);
    const marks = looked ?? (await this.#look(to.accountId));
    const joined = this.#fitting(question, first, marks);
    const answer = await joined?.answer(request);
    if (answer === undefined)
      return this.#lead(joined === undefined ? asked : waiting(asked, since), this.#leads(question, marks));
    this.#countJoined();
    return answer;
  }

  /**
   * The read to join, if there is one: the one in progress when the call arrived, or one that has begun since. `marks`:
   * from after the call arrived.
   */
  #fitting(question: Question, first: Joined | undefined, marks: Marks | undefined): Joined | undefined {
    if (first !== undefined && marks !== undefined && first.flight.fits(marks)) return first;
    first?.leave();
    const next = this.#flights.find(question);
    if (next === undefined || next === first?.flight || marks === undefined) return undefined;
    return next.fits(marks) ? new Joined(next) : undefined;
  }

  /** Begins a read that others may join, unless a write is in progress or this is unknown. */
  #leads(question: Question, marks: Marks | undefined): Flight | undefined {
    return marks === undefined || !isQuiet(marks, EVERY_WRITE)
      ? undefined
      : this.#flights.begin(question, marks);
  }

  async #lead({ to, request, patience }: Asked, flight: Flight | undefined): Promise<UpstreamAnswer> {
    if (flight === undefined) return this.#upstream.send(to, request, patience);
    try {
      return await flight.share(await this.#upstream.send(to, { ...request, flight }, patience));
    } finally {
      flight.ended();
    }
  }

  async #kept(asked: Asked, method: string): Promise<UpstreamAnswer> {
    const { kept, count } = this.#parts;
    const key = keyOf(this.#version, asked.question);
    const touches = kept?.touching(method);
    const marks = await this.#look(asked.to.accountId);
    if (kept === undefined || touches === undefined || marks === undefined) return this.#shared(asked, marks);
    const entry = kept.find(key);
    if (entry !== undefined && isUntouched(entry.marks, marks, touches)) {
      count('kept');
      return { ...entry.answer, millis: 0, isKept: true };
    }
    const answer = await heldAnswer(await this.#shared(asked, marks), LONGEST_KEPT);
    if (isQuiet(marks, touches) && isWhole(answer) && this.#isGood(answer)) kept.put(key, { answer, marks });
    return answer;
  }

  /** Failures, also those that pass, may have status 200. */
  #isGood({ status, whole }: SharedAnswer): boolean {
    return status === 200 && (this.#version === 'v2' ? isRecords(whole) : isSuccess(whole));
  }

  /** Undefined while the database does not answer. */
  async #look(accountId: string): Promise<Marks | undefined> {
    return this.#parts.looks.look(accountId).catch(unlessAway);
  }
}

const isSuccess = (whole: Buffer): boolean =>
  STATUS.exec(whole.toString('latin1', 0, HEAD))?.[1]?.toUpperCase() === 'OK';

/** A call on the general path that waits for a read in progress. */
class Joined {
  readonly flight: Flight;
  readonly #outcome = Promise.withResolvers<SharedAnswer | undefined>();
  #isHeld: boolean;
  /** Of its call, while it waits. */
  #times: CallTimes | undefined;

  constructor(flight: Flight) {
    this.flight = flight;
    this.#isHeld = flight.isHeld;
    flight.join(this);
  }

  told(answer: SharedAnswer | undefined): void {
    this.#outcome.resolve(answer);
  }

  held(isHeld: boolean): void {
    this.#count(-1);
    this.#isHeld = isHeld;
    this.#count(1);
  }

  leave(): void {
    this.flight.leave(this);
  }

  /** Undefined: there is no answer to share. The wait for it counts as that of the read: for the rate limit, then the service. */
  async answer({
    signal,
    times,
  }: Pick<UpstreamRequest, 'signal' | 'times'>): Promise<SharedAnswer | undefined> {
    const gone = (): void => {
      this.leave();
      this.#outcome.reject(new Failure('upstreamUnavailable', { text: 'The call was given up' }));
    };
    if (signal.aborted) gone();
    signal.addEventListener('abort', gone, { once: true });
    this.#times = times;
    this.#count(1);
    try {
      return await this.#outcome.promise;
    } finally {
      this.#count(-1);
      this.#times = undefined;
      signal.removeEventListener('abort', gone);
    }
  }

  /** `calls`: 1 begins to wait as the read does, -1 ends that. */
  #count(calls: 1 | -1): void {
    const [open, waiting] = this.#isHeld ? [0, calls] : [calls, 0];
    this.#times?.turn(open, waiting, performance.now());
  }
}

/** One read of a program. */
interface Asked {
  readonly to: Destination;
  readonly request: UpstreamRequest;
  readonly patience: Patience | undefined;
  readonly question: Question;
}

/** A read that has waited for the answer to another one has that much less patience when it leaves itself. */
const waiting = (asked: Asked, since: number): Asked => ({
  ...asked,
  request: { ...asked.request, since: Math.min(since, asked.request.since ?? since) },
});

/** The same after it has waited on the fast path in vain. */
const without = (asked: Asked, { since }: JoinedRead): Asked =>
  waiting({ ...asked, request: { ...asked.request, sent: undefined } }, since);

/** The same key for identical reads only. */
function keyOf(version: string, { to, segments, query }: Question): string {
  const place = `${version}\n${to.accountId}\n${to.organisationId}\n${to.grantId}\n${segments.join('\n')}`;
  return query.length === 0 ? place : `${place}\n?${JSON.stringify(query)}`;
}
