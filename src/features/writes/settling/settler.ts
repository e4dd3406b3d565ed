/**
 * Finds out what became of writes of unknown outcome.
 *
 * Whoever has taken a row looks at it; nobody else does for a while, and where the process dies in between, the next one
 * takes it after that. Nothing certain: the next look is put off, longer each time, with one as soon as the service
 * cannot carry the write out any more. A look that ends in a judgement is written down at once, with the record's number
 * and the answer for whoever asks. Nothing is ever sent again from here.
 */
import { HOUR, MINUTE, SECOND, type Clock } from '../../../lib/time/clock.ts';
import { wordsOf, type Log } from '../../../lib/log/log.ts';
import type { Seal } from '../../../lib/secret/seal.ts';
import { Secret } from '../../../lib/secret/secret.ts';
import { sealedAs } from '../../../tokens/sealing/sealed.ts';
import type { Settlement, Write, WriteAnswer, WriteFacts, WriteRepository } from '../model.ts';
import { openSteps } from '../rows/sealed-steps.ts';
import { Look, type LookParts, type Seen } from './look.ts';

export interface SettlerParts extends Pick<LookParts, 'reads' | 'methods' | 'latestMs' | 'ownNumbers'> {
  readonly writes: WriteRepository;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly log: Log;
  readonly pause: (millis: number) => Promise<void>;
  /** Told of each that is settled. */
  readonly onSettled?: ((settlement: Settlement) => void) | undefined;
}

/** How a look is taken. */
export interface LookTerms {
  /** A caller waits for what comes of it. */
  readonly isUrgent: boolean;
  readonly signal: AbortSignal;
}

/** Longer than any read may take. */
const HOLD = 90 * SECOND;
/** What the service carried out may be missing from its lists for so long. */
const LAG = 30 * SECOND;
/** After the first looks, by their number. */
const BETWEEN_LOOKS = [2 * SECOND, 4 * SECOND, 30 * SECOND, 2 * MINUTE] as const;
/** After the service's latest handling: for as long as it has been over, within these. */
const BETWEEN_LAST = { least: 5 * SECOND, most: MINUTE } as const;
/** A service that could not be read for so long after its latest handling is left to a person. */
const GIVEN_UP = HOUR;
/** When a caller who waits looks. */
const WAITS = [0, 2 * SECOND, 4 * SECOND] as const;
const AT_ONCE = 4;

/** See the head of the file. */
export class Settler {
  readonly #parts: SettlerParts;
  readonly #look: Look;

  constructor(parts: SettlerParts) {
    const { writes, seal, reads, methods, ownNumbers, latestMs } = parts;
    this.#parts = parts;
    this.#look = new Look({
      ...{ writes, reads, methods, ownNumbers },
      factsOf: (write) => this.#factsOf(write),
      stepsOf: (write) => openSteps(seal, write),
      latestMs: latestMs + LAG,
    });
  }

  /** A few looks for a caller who waits; the write as it is then. */
  async watch(id: string, signal: AbortSignal): Promise<Write | undefined> {
    const { writes, pause } = this.#parts;
    let write = await writes.find(id);
    for (const millis of WAITS) {
      if (write?.state !== 'unknown' || !this.#isLookedUp(write)) return write;
      if (millis > 0) await pause(millis);
      if (signal.aborted) return write;
      write = await this.lookAt(id, { isUrgent: true, signal });
    }
    return write;
  }

  /** One look at a write whose look is due; the write as it is then. Never rejects because of what was read. */
  async lookAt(id: string, terms: LookTerms): Promise<Write | undefined> {
    const { writes, clock } = this.#parts;
    const taken = await writes.takeOne(id, clock.now(), HOLD);
    if (taken !== undefined) await this.#settle(taken, terms);
    return writes.find(id);
  }

  /** Looks at all that are due, few at a time and one for each account. */
  async run(signal: AbortSignal): Promise<void> {
    const busy = new Set<string>();
    let taking: Promise<Write | undefined> = Promise.resolve(undefined);
    const next = (): Promise<Write | undefined> => (taking = taking.then(() => this.#taken(busy)));
    const worker = async (): Promise<void> => {
      for (let write = await next(); write !== undefined; write = await next()) {
        await this.#settle(write, { isUrgent: false, signal });
        busy.delete(write.accountId);
        if (signal.aborted) return;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  async #taken(busy: Set<string>): Promise<Write | undefined> {
    const { writes, clock } = this.#parts;
    const [write] = await writes.take(clock.now(), HOLD, 1, [...busy]);
    if (write !== undefined) busy.add(write.accountId);
    return write;
  }

  /** Whether the mapping names a read for it, and it took one call. */
  #isLookedUp({ method, stepsSealed }: Write): boolean {
    const settle = this.#parts.methods.get(method)?.settle;
    return settle !== undefined && settle.way !== 'none' && stepsSealed === undefined;
  }

  async #settle(write: Write, terms: LookTerms): Promise<void> {
    const { log, clock, writes } = this.#parts;
    const { id, accountId: account, method } = write;
    const now = clock.now();
    try {
      const seen = await this.#look.take(write, { ...terms, now });
      if (terms.signal.aborted) await writes.postpone(id, clock.now(), write.note);
      else await this.#judged(write, seen, now);
    } catch (error) {
      // The row is taken again when its time comes.
      log.warn('write.not-looked-up', { write: id, account, method, error: wordsOf(error) });
    }
  }

  async #judged(write: Write, seen: Seen, now: number): Promise<void> {
    switch (seen.verdict) {
      case 'done':
        return this.#written(write, 'done', seen);
      case 'not-done':
        return this.#written(write, 'not-done', seen);
      case 'undecidable':
        return this.#written(write, 'undecidable', seen);
      case 'later':
        return this.#postponed(write, seen.note);
      case 'failed':
        return now < this.#look.finalAt(write) + GIVEN_UP
          ? this.#postponed(write, seen.note)
          : this.#written(write, 'undecidable', { verdict: 'undecidable', note: seen.note });
    }
  }

  async #written(
    write: Write,
    settlement: Settlement,
    seen: Exclude<Seen, { verdict: 'failed' }>,
  ): Promise<void> {
    const { writes, clock, log, onSettled } = this.#parts;
    const { id, accountId: account, method } = write;
    const made = seen.verdict === 'done' ? seen.made : undefined;
    const settled = await writes.settle(id, {
      ...{ settlement, made, note: seen.note, now: clock.now() },
      kind: seen.kind,
      answerSealed: this.#sealed(id, seen.answer),
    });
    if (settled === 'taken') return this.#postponed(write, 'another write has claimed the record');
    if (settled === 'over') return;
    log.info('write.settled', { write: id, account, method, settlement });
    onSettled?.(settlement);
  }

  async #postponed(write: Write, note: string): Promise<void> {
    const { clock, writes } = this.#parts;
    const now = clock.now();
    const finalAt = this.#look.finalAt(write);
    const usual = now + (BETWEEN_LOOKS[write.attempts - 1] ?? Infinity);
    await writes.postpone(write.id, now < finalAt ? Math.min(usual, finalAt) : lastAfter(now, finalAt), note);
  }

  #factsOf({ id, factsSealed }: Write): WriteFacts {
    return JSON.parse(this.#parts.seal.open(factsSealed, id, sealedAs.writeFacts).reveal()) as WriteFacts;
  }

  #sealed(id: string, answer: WriteAnswer | undefined): string | undefined {
    return answer && this.#parts.seal.seal(new Secret(JSON.stringify(answer)), id, sealedAs.writeAnswer);
  }
}

/** A read that failed may be well again at once; a service that is away is not asked for ever and ever. */
const lastAfter = (now: number, finalAt: number): number =>
  now + Math.min(BETWEEN_LAST.most, Math.max(BETWEEN_LAST.least, now - finalAt));
