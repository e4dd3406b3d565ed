/**
 * The path of a write through the ledger (docs/decisions/calls/0012-write-ledger.md). Reads never come here.
 *
 * A write is recorded before it leaves, and its outcome as soon as it is known: `done`, `refused` or
 * `unknown`. A repeat (the same bytes from a caller who got no answer, or the same Idempotency-Key) joins the
 * earlier write instead of being sent again. If nothing has left yet, the row is removed. A caller who
 * disconnects after something has left does not stop the write; its answer is kept for the repeat.
 */
import { DAY, MINUTE, type Clock } from '../../lib/time/clock.ts';
import { Failure } from '../../lib/failure.ts';
import type { Log } from '../../lib/log/log.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { checkSame, hasFirstCaller, Joining, type JoiningParts, type Waiting } from './joining.ts';
import { answerOf, held, outcomeIn, outcomeOf, refusalOf, type HeldReply } from './judging.ts';
import type { Ending, Write, WriteFacts, WriteRepository } from './model.ts';
import { openSteps, sealSteps } from './rows/sealed-steps.ts';
import type { WriteStep } from './steps.ts';
import { WritesUnderWay } from './under-way.ts';
import {
  factsOf,
  fingerprintsOf,
  newWrite,
  type Repeated,
  type WriteCall,
  type WriteReply,
  sealAnswer,
} from './write-call.ts';

/** Dependencies of the ledger. */
export interface LedgerParts {
  readonly writes: WriteRepository;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly log: Log;
  /** Id of this process in its rows. */
  readonly owner: string;
  /** No other process can have the database open. */
  readonly alone: boolean;
  /** How long a repeat waits for the answer of a write in progress, in milliseconds. */
  readonly joinMs: number;
  /** Whether a signal was aborted because the bridge is stopping. */
  readonly isStopping: (signal: AbortSignal) => boolean;
  /** Undefined: unknown outcomes are not looked up. */
  readonly settler?: JoiningParts['settler'];
}

/** Sends the write to the service. */
export type SendWrite = () => Promise<WriteReply>;

/** In milliseconds: the same bytes within this time, from a caller who got no answer, are a repeat. */
const JOINED_WITHIN = 10 * MINUTE;
const KEY_LASTS = DAY;

const CUT = 'The document did not reach the service whole, so that it was not stored; send it again';

/** The ledger for the calls of this process. */
export class WriteLedger {
  readonly #parts: LedgerParts;
  readonly #underWay: WritesUnderWay;
  readonly #joining: Joining;

  constructor(parts: LedgerParts) {
    this.#parts = parts;
    this.#underWay = new WritesUnderWay(parts);
    this.#joining = new Joining(parts, this.#underWay);
  }

  /** Called once a second: shows that this process is alive. Never rejects. */
  beat(): Promise<void> {
    return this.#underWay.beat();
  }

  /**
   * Sends a write, or answers with an earlier one. Throws `Failure`, and what the store throws before
   * anything has left.
   */
  async perform(call: WriteCall, send: SendWrite): Promise<WriteReply> {
    const read = factsOf(call);
    const waiting: Waiting = { taken: [] };
    let repeats: Repeated | undefined;
    for (;;) {
      const earlier = await this.#enterOrFindEarlier(call, read.facts, repeats, waiting);
      if (earlier === 'unread') {
        await call.document?.spool();
        continue;
      }
      if (earlier === undefined) return this.#sent(call, read.isMalformed, send, repeats?.steps ?? []);
      const joined = await this.#joining.join(earlier, call, waiting);
      if ('reply' in joined) return joined.reply;
      if ('taken' in joined) waiting.taken = joined.taken;
      else repeats = joined.repeats === undefined ? undefined : await this.#repeated(joined.repeats);
    }
  }

  /**
   * The write that this one repeats; undefined: it is a new one and has been recorded. `unread`: it may be a
   * repeat, and has to be read to its end first.
   */
  async #enterOrFindEarlier(
    call: WriteCall,
    facts: WriteFacts,
    repeats: Repeated | undefined,
    { taken }: Waiting,
  ): Promise<Write | 'unread' | undefined> {
    const { writes, seal, clock, owner } = this.#parts;
    const { id } = call;
    const described = newWrite(seal, call, { owner, facts, repeats });
    const { fingerprints } = described;
    const besides: string[] = [];
    for (;;) {
      const [now, storedAt] = [clock.now(), performance.now()];
      this.#underWay.begin(id);
      const reach = { untoldSince: now - JOINED_WITHIN, keyedSince: now - KEY_LASTS, besides, taken };
      const entered = await writes.enter({ ...described, now }, reach).catch((error: unknown): never => {
        this.#underWay.end(id);
        throw error;
      });
      if (entered.entered === 'opened') {
        this.#opened(call, storedAt, entered.allotted);
        return undefined;
      }
      this.#underWay.end(id);
      const { by, write: earlier } = entered;
      if (fingerprints.length === 0) return 'unread';
      if (by === 'key') checkSame(earlier, fingerprints);
      if (by !== 'bytes' || !hasFirstCaller(earlier)) return earlier;
      if (!(await this.#underWay.releaseIfGone(earlier))) besides.push(earlier.id);
    }
  }

  #opened({ id, numbers: kind, leaving }: WriteCall, storedAt: number, allotted: number | undefined): void {
    leaving.storedAt = storedAt;
    if (kind === undefined) return;
    if (allotted !== undefined) leaving.allotted = { kind, number: allotted };
    leaving.allotting = async () => {
      leaving.allotted ??= { kind, number: await this.#parts.writes.allot(id, kind) };
    };
  }

  /** The steps not to be repeated of a write that was only done in part. */
  async #repeated(id: string): Promise<Repeated> {
    const { writes, seal } = this.#parts;
    const write = await writes.find(id);
    return { id, steps: write === undefined ? [] : openSteps(seal, write) };
  }

  async #sent(
    call: WriteCall,
    isMalformed: boolean,
    send: SendWrite,
    doneBefore: readonly WriteStep[],
  ): Promise<WriteReply> {
    const { writes, seal } = this.#parts;
    const { id, leaving } = call;
    const keep = (steps: readonly WriteStep[]): Promise<void> =>
      writes.keepSteps(id, sealSteps(seal, id, steps) ?? '');
    leaving.steps = { earlier: doneBefore, keep };
    call.document?.finishing((digest, length) =>
      writes.identify(id, fingerprintsOf(seal, call, digest)[0] ?? '', length),
    );
    const over = this.#following(call);
    try {
      const answer = await held(await send());
      const outcome = outcomeIn(
        { status: answer.reply.status, body: answer.text },
        { makes: call.makes !== undefined, isMalformed },
      );
      if (outcome.state === 'unknown') throw new Failure('outcomeUnknown');
      return await this.#answered(call, answer, outcome);
    } catch (error) {
      return await this.#failed(call, error);
    } finally {
      over();
    }
  }

  /**
   * Until something has left, a write is given up when its caller disconnects. Returns a function that ends
   * this.
   */
  #following({ id, signal, leaving }: WriteCall): () => void {
    const aborted = (): void => {
      if (this.#parts.isStopping(signal) || !leaving.hasLeft) leaving.abort(signal.reason);
      else this.#underWay.leave(id);
    };
    if (signal.aborted) aborted();
    signal.addEventListener('abort', aborted);
    return () => {
      signal.removeEventListener('abort', aborted);
    };
  }

  async #answered(
    call: WriteCall,
    answer: HeldReply,
    outcome: Pick<Ending, 'made'> & { readonly state: 'done' | 'refused' },
  ): Promise<WriteReply> {
    const { id, key, makes, signal } = call;
    const answeredAt = this.#parts.clock.now();
    const ending = { ...outcome, kind: makes?.kind, route: answer.reply.source, answeredAt };
    const keeps = (): Pick<Ending, 'answerSealed'> => ({
      answerSealed: sealAnswer(this.#parts.seal, id, answerOf(answer)),
    });
    if (signal.aborted) {
      await this.#end(id, { ...ending, ...keeps(), caller: 'untold' });
      throw new Abandoned();
    }
    if (key !== undefined) await this.#end(id, { ...ending, ...keeps(), caller: 'waits' }, false);
    const delivered = (isDelivered: boolean): void => {
      if (key !== undefined) void this.#recordDelivery(id, isDelivered);
      else
        void this.#end(id, {
          ...ending,
          ...(isDelivered ? { caller: 'told' } : { ...keeps(), caller: 'untold' }),
        });
    };
    return { ...answer.reply, delivered };
  }

  async #failed(call: WriteCall, error: unknown): Promise<WriteReply> {
    const { writes } = this.#parts;
    const { id, key, signal, leaving } = call;
    // Cuts an answer that is still arriving: nobody reads it, and it would keep its connection for ever.
    leaving.abort(error);
    if (error instanceof Abandoned) throw new Failure('outcomeUnknown', { cause: error });
    if (!leaving.hasLeft || wasCut(call, error)) {
      await this.#underWay.write(id, () => writes.withdraw(id));
      this.#underWay.end(id);
      throw leaving.hasLeft ? new Failure('upstreamUnavailable', { text: CUT, cause: error }) : error;
    }
    if (outcomeOf(error).state === 'unknown') return this.#unknown(call, error);
    const isKept = signal.aborted || key !== undefined;
    const answerSealed = isKept ? sealAnswer(this.#parts.seal, id, refusalOf(error)) : undefined;
    await this.#end(id, { state: 'refused', caller: signal.aborted ? 'untold' : 'told', answerSealed });
    throw error;
  }

  /**
   * Recorded before the caller hears of it, because the caller may repeat at once and at another instance.
   * Looked up while the caller waits; until then an equal request is a new one.
   */
  async #unknown(call: WriteCall, error: unknown): Promise<WriteReply> {
    const { id, accountId, method, signal } = call;
    this.#parts.log.warn('write.unknown', { write: id, account: accountId, method });
    const unknown = { state: 'unknown', note: 'no usable answer' } as const;
    if (signal.aborted) await this.#end(id, { ...unknown, caller: 'untold' });
    else {
      await this.#end(id, { ...unknown, caller: 'waits' }, false);
      const reply = await this.#joining.settled(call).catch((settled: unknown): never => {
        this.#underWay.end(id);
        throw settled;
      });
      if (reply !== undefined)
        return { ...reply, delivered: (isDelivered) => void this.#recordDelivery(id, isDelivered) };
      await this.#recordDelivery(id, false);
    }
    throw error instanceof Failure && error.code === 'outcomeUnknown'
      ? error
      : new Failure('outcomeUnknown', { cause: error });
  }

  async #end(id: string, ending: Omit<Ending, 'now'>, isOver = true): Promise<void> {
    const { writes, clock } = this.#parts;
    const now = clock.now();
    await this.#underWay.write(id, async () => {
      const isEnded = await writes.end(id, { ...ending, now });
      // Another process assumed this one dead and settled the write; the caller was still answered.
      if (!isEnded && ending.caller === 'told') await writes.tell(id);
    });
    if (isOver) this.#underWay.end(id);
  }

  async #recordDelivery(id: string, isDelivered: boolean): Promise<void> {
    const { writes, clock } = this.#parts;
    const now = clock.now();
    await this.#underWay.write(id, () => (isDelivered ? writes.tell(id) : writes.leave(id, now)));
    this.#underWay.end(id);
  }
}

/** No service accepts half a message as a document. */
const wasCut = ({ document }: WriteCall, error: unknown): boolean =>
  document !== undefined && document.digest === undefined && outcomeOf(error).state === 'unknown';

/** The caller had disconnected before the answer, which is recorded. */
class Abandoned extends Error {}
