/**
 * Answers a repeated write with the outcome of the first one, and looks up unknown outcomes for callers who
 * are still waiting.
 *
 * `join` waits up to `joinMs` for the earlier write. If it was done, the repeat gets the same answer. If it
 * was not, the repeat may be sent. If nothing is known in time, the repeat fails with outcomeUnknown rather
 * than create a second record. A lookup that becomes due while it waits is made at once. See
 * docs/decisions/calls/0012-write-ledger.md.
 */
import { neverSet, SECOND, type Clock } from '../../lib/time/clock.ts';
import { Failure, failures } from '../../lib/failure.ts';
import type { Log } from '../../lib/log/log.ts';
import { pause } from '../../lib/time/pause.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { LEGACY_CONTENT_TYPE, openReply } from '../../mapping/dialect.ts';
import { CLOSE_RESPONSE } from '../../lib/xml/document.ts';
import { escapeText } from '../../lib/xml/text.ts';
import { sealedAs } from '../../tokens/sealing/sealed.ts';
import { isLasting } from './judging.ts';
import type { Write, WriteAnswer, WriteRepository } from './model.ts';
import { openSteps } from './rows/sealed-steps.ts';
import { UNFINISHED } from './rows/write-row.ts';
import { areKnown, doneWords, notedSteps, partDone, uncertainIn } from './steps.ts';
import type { Settler } from './settling/settler.ts';
import type { WritesUnderWay } from './under-way.ts';
import type { WriteCall, WriteReply } from './write-call.ts';

/** Dependencies of `Joining`. */
export interface JoiningParts {
  readonly writes: WriteRepository;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a repeat waits for the earlier write, in milliseconds. */
  readonly joinMs: number;
  /** Id of this process in its rows. */
  readonly owner: string;
  /** Undefined: unknown outcomes are not looked up. */
  readonly settler?: Pick<Settler, 'lookAt' | 'watch'> | undefined;
}

/**
 * The answer for the repeat; or it is to be sent, as a replacement for the write `repeats` that was not done; or the
 * answers of the writes `taken` have gone to other repeats or are unknown, so that this one may mean another write.
 */
export type Joined =
  | { readonly reply: WriteReply }
  | { readonly repeats: string | undefined }
  | { readonly taken: readonly string[] };

/** How a repeat waits. */
export interface Waiting {
  /** The equal writes whose answer it cannot have for itself. */
  taken: readonly string[];
  /** When it began, by a clock that is never set: its patience is for all the writes that it may mean. */
  begun?: number;
}

const BETWEEN_LOOKS = SECOND / 2;
/** In milliseconds: somebody may be looking up the outcome at this moment. */
const LEAST_WAIT = 5 * SECOND;
const NOT_DONE = 'The service did not carry out this request; send it again';
const OTHER_CALL = 'The Idempotency-Key was given with another request before; nothing was sent';
const STILL_COMING =
  'The first request with this Idempotency-Key is still being received, so nothing was sent; try again later';

/** Waits for the outcome of an earlier write and answers with it. */
export class Joining {
  readonly #parts: JoiningParts;
  readonly #underWay: WritesUnderWay;
  /** For how long a repeat waits. */
  readonly #steady: Clock;

  constructor(parts: JoiningParts, underWay: WritesUnderWay) {
    this.#parts = parts;
    this.#steady = neverSet(parts.clock);
    this.#underWay = underWay;
  }

  /** Throws `Failure`: the refusal, or outcomeUnknown if nothing is known in time. */
  async join(earlier: Write, call: WriteCall, waiting: Waiting): Promise<Joined> {
    const { log } = this.#parts;
    const { id } = earlier;
    log.info('write.joined', { write: id, account: call.accountId, request: call.id });
    // A key names its write: every repeat with it means this one. Others may mean another equal write, if one is left.
    const isLast = waiting.taken.includes(id);
    if (isLast && (await this.#isReleased(earlier))) return { taken: [] };
    waiting.begun ??= this.#steady.now();
    const write = await this.#ended(id, call.signal, waiting.begun);
    if (write === undefined || (await this.#mayGoOn(write))) return { repeats: write?.id };
    if (write.state === 'refused') return this.#refused(write);
    const answer = await this.#answerFor(write, call, isLast || call.key !== undefined);
    return answer === undefined ? { taken: [...waiting.taken, id] } : { reply: answer };
  }

  /** Whether another process, which was giving its answer to a repeat, has died, so that it is free again. */
  async #isReleased(earlier: Write): Promise<boolean> {
    const { caller, owner, untoldAt } = earlier;
    if (caller !== 'waits' || untoldAt === undefined || owner === this.#parts.owner) return false;
    return this.#underWay.releaseIfGone(earlier);
  }

  /** Undefined: another repeat has the answer, or the outcome is unknown, and this one may mean another write. */
  async #answerFor(write: Write, call: WriteCall, isShared: boolean): Promise<WriteReply | undefined> {
    const reply = this.#replyIfDone(write, call);
    if (reply === undefined && isShared) throw this.#unknown(write);
    if (reply === undefined) return undefined;
    const isFirst = call.key === undefined && (await this.#isFirst(write.id, call));
    if (!isFirst && !isShared) return undefined;
    const delivered = isFirst ? this.#recorded(write.id, call) : reply.delivered;
    return { ...reply, headers: { ...reply.headers, 'X-Causeway-Joined': write.id }, delivered };
  }

  /** From now on other repeats mean other equal writes, as long as there are any. False: one was faster. */
  async #isFirst(id: string, call: WriteCall): Promise<boolean> {
    const { writes, owner } = this.#parts;
    // This process shows that it is alive for as long as the row waits for it.
    this.#underWay.begin(call.id);
    // Where nothing can be stored, it is answered all the same.
    const isFirst = await writes.answerFor(id, owner).catch(() => true);
    if (!isFirst) this.#underWay.end(call.id);
    return isFirst;
  }

  #recorded(id: string, call: WriteCall): (isDelivered: boolean) => void {
    const { writes, clock } = this.#parts;
    return (isDelivered) => {
      const now = clock.now();
      const change = (): Promise<void> => (isDelivered ? writes.tell(id) : writes.leave(id, now));
      void this.#underWay.write(id, change).then(() => {
        this.#underWay.end(call.id);
      });
    };
  }

  /** It was not done; or the outcome of each of its steps is known, and the rest was not sent. */
  async #mayGoOn(write: Write): Promise<boolean> {
    if (write.settlement === 'not-done') return true;
    const steps = this.#steps(write);
    if (write.state !== 'unknown' || !areKnown(steps)) return false;
    const { writes, clock } = this.#parts;
    const settling = {
      ...({ settlement: 'not-done', note: notedSteps(steps) } as const),
      ...partDone(write, steps),
      now: clock.now(),
    };
    return (await writes.settle(write.id, settling)) === 'settled';
  }

  /** A step that was looked up settles the steps before it, but not the rest. */
  #checkWhole(write: Write): void {
    const steps = this.#steps(write);
    const last = uncertainIn(steps);
    if (last === undefined || last.isLast) return;
    const done = [doneWords(steps), last.says].filter((words) => words !== undefined).join(', ');
    throw new Failure('refused', { text: `Only a part was done: ${done}. The rest was not sent` });
  }

  #unknown(write: Write): Failure {
    const done = doneWords(this.#steps(write));
    if (done === undefined) return new Failure('outcomeUnknown');
    return new Failure('outcomeUnknown', {
      text: `Only a part was done for certain: ${done}. The outcome of the rest is unknown`,
    });
  }

  #steps(write: Write): ReturnType<typeof openSteps> {
    return openSteps(this.#parts.seal, write);
  }

  /**
   * For the write's own caller, who is still waiting: looks up the outcome. Undefined if nothing is certain
   * in time. Throws `Failure` if it was not carried out.
   */
  async settled(call: WriteCall): Promise<WriteReply | undefined> {
    const { settler, writes } = this.#parts;
    const write = await settler?.watch(call.id, call.signal).catch(() => undefined);
    if (write === undefined || call.signal.aborted) return undefined;
    if (write.settlement !== 'not-done') return this.#replyIfDone(write, call);
    await writes.tell(call.id).catch(() => undefined);
    throw new Failure('upstreamUnavailable', { text: NOT_DONE, retryAfter: 1 });
  }

  #replyIfDone(write: Write, call: WriteCall): WriteReply | undefined {
    if (write.state !== 'done' && write.settlement !== 'done') return undefined;
    if (write.settlement === 'done') this.#checkWhole(write);
    const delivered = (isDelivered: boolean): void => {
      // If this caller does not receive the answer either, the next one gets the same.
      if (isDelivered) this.#parts.writes.tell(write.id).catch(() => undefined);
    };
    return { ...this.#replyTo(write, call), delivered };
  }

  /**
   * What the write's own caller got or would have got; for one that was looked up, only the number if nothing
   * else is kept.
   */
  #replyTo(write: Write, { segments }: WriteCall): WriteReply {
    const kept = this.#answer(write);
    if (kept !== undefined) return replyOf(kept);
    const number = write.made === undefined ? '' : `<ID>${escapeText(write.made)}</ID>`;
    return {
      status: 200,
      source: 'bridge',
      contentType: LEGACY_CONTENT_TYPE,
      body: `${openReply(segments)}${number}${CLOSE_RESPONSE}`,
    };
  }

  /** The earlier write, once its outcome is known or the time is over. Undefined: nothing of it had left. */
  async #ended(id: string, signal: AbortSignal, begun: number): Promise<Write | undefined> {
    const end = begun + this.#parts.joinMs;
    for (;;) {
      const write = await this.#current(id, signal);
      if (write === undefined || !this.#mayEnd(write, begun, end)) return write;
      if (signal.aborted || this.#steady.now() >= end) return write;
      await pause(BETWEEN_LOOKS);
    }
  }

  /** With the service's own message, if it was kept; a refused write may be sent again. */
  #refused(write: Write): Joined {
    const kept = this.#answer(write);
    if (kept === undefined || !isLasting(kept)) return { repeats: write.id };
    const { failure, body, source, allow } = kept;
    const joined = write.id;
    if (failure !== undefined)
      throw new Failure(failure, { text: body, source, joined, allow: allow?.split(', ') });
    const reply = replyOf(kept);
    return { reply: { ...reply, headers: { ...reply.headers, 'X-Causeway-Joined': joined } } };
  }

  #answer({ id, answerSealed }: Write): WriteAnswer | undefined {
    if (answerSealed === undefined) return undefined;
    return answerIn(this.#parts.seal.open(answerSealed, id, sealedAs.writeAnswer).reveal());
  }

  /** Whether its outcome may become known in time. */
  #mayEnd({ state, nextAt = Infinity }: Write, begun: number, end: number): boolean {
    const { settler, clock } = this.#parts;
    if (state !== 'unknown' || settler === undefined) return state === 'open';
    const now = this.#steady.now();
    return nextAt - clock.now() <= end - now || now < begun + LEAST_WAIT;
  }

  /** Its current state; makes a lookup that is due. */
  async #current(id: string, signal: AbortSignal): Promise<Write | undefined> {
    const { writes, settler, clock } = this.#parts;
    const write = await writes.find(id);
    const isDue = write?.state === 'unknown' && (write.nextAt ?? Infinity) <= clock.now();
    return isDue && settler !== undefined ? settler.lookAt(id, { isUrgent: true, signal }) : write;
  }
}

/** What was kept, as the write's own caller got it. */
const replyOf = ({ status, contentType, body, source, allow }: WriteAnswer): WriteReply => ({
  ...{ status, contentType, body, source },
  ...(allow !== undefined && { headers: { Allow: allow } }),
});

/** The same key must come with the same request. Throws `Failure`. */
export function checkSame(earlier: Write, fingerprints: readonly string[]): void {
  if (fingerprints.includes(earlier.fingerprint)) return;
  if (earlier.fingerprint === UNFINISHED && earlier.state === 'open')
    throw new Failure('busy', { text: STILL_COMING, retryAfter: 5 });
  throw new Failure('refused', { text: OTHER_CALL });
}

/**
 * The first caller of a write still waits: an equal request is another one. A write that replaces one without an answer is
 * joined even while its own caller waits, and so is one whose outcome a repeat is given at this moment.
 */
export const hasFirstCaller = ({ caller, repeats, untoldAt }: Write): boolean =>
  caller === 'waits' && repeats === undefined && untoldAt === undefined;

/** Undefined if a later version of the bridge kept it, with a code that this one does not have. */
function answerIn(text: string): WriteAnswer | undefined {
  const answer = JSON.parse(text) as WriteAnswer;
  return answer.failure === undefined || Object.hasOwn(failures, answer.failure) ? answer : undefined;
}
