/**
 * Finds out what became of writes with an unknown outcome.
 *
 * A process claims the rows it looks up and renews the claim every few seconds; if it dies, the next one
 * takes them shortly after. All due rows of one account are taken together, so that a list is read once for
 * all of them. If nothing is certain, the next lookup is postponed, longer each time, with one as soon as the
 * service can no longer carry out the write. A failed read says nothing and is repeated soon. A lookup that
 * ends in a judgement is stored at once, with the record's number and the answer for a repeat. Nothing is
 * ever sent again from here.
 */
import { HOUR, MINUTE, SECOND, type Clock } from '../../../lib/time/clock.ts';
import { wordsOf, type Log } from '../../../lib/log/log.ts';
import type { Seal } from '../../../lib/secret/seal.ts';
import { openJson } from '../../../lib/secret/sealed-json.ts';
import { sealedAs } from '../../../tokens/sealing/sealed.ts';
import {
  LONGEST_PAUSE,
  type Settlement,
  type Write,
  type WriteFacts,
  type WriteRepository,
} from '../model.ts';
import { sealAnswer } from '../write-call.ts';
import { openSteps } from '../rows/sealed-steps.ts';
import { partDone } from '../steps.ts';
import { Look, type LookParts } from './look.ts';
import type { Round } from './round.ts';
import type { LookOutcome } from './reads.ts';

export interface SettlerParts extends Pick<LookParts, 'reads' | 'methods' | 'latestMs' | 'ownNumbers'> {
  readonly writes: WriteRepository;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly log: Log;
  readonly pause: (millis: number) => Promise<void>;
  /** Called for each write that is settled. */
  readonly onSettled?: ((settlement: Settlement) => void) | undefined;
}

/** The conditions of a lookup. */
export interface LookTerms {
  /** A caller is waiting for the result. */
  readonly isUrgent: boolean;
  readonly signal: AbortSignal;
}

/** From the end of one run to the start of the next. */
export const BETWEEN_SETTLINGS = 2 * SECOND;

/**
 * A row waits this long for a process that died while looking it up; the claim is renewed every third of it.
 */
const HOLD = 15 * SECOND;
const BETWEEN_RENEWALS = HOLD / 3;
/** What the service carried out may be missing from its lists for this long. */
const LAG = 30 * SECOND;
/** Pauses after the first lookups, by their number. */
const BETWEEN_LOOKS = [2 * SECOND, 4 * SECOND, 30 * SECOND, 2 * MINUTE] as const;
/** Pause after the service's latest handling: a quarter of the time since then, within these limits. */
const BETWEEN_LAST = { least: 2 * SECOND, most: MINUTE } as const;
/** Pause after consecutive failed reads of an account: doubled each time, within these limits. */
const AFTER_FAILURES = { least: SECOND, most: 15 * SECOND } as const;
/** If the service could not be read for this long after its latest handling, an operator decides. */
const GIVEN_UP = HOUR;
/** When to look up for a caller who is waiting. */
const WAITS = [0, 2 * SECOND, 4 * SECOND] as const;
/** Accounts looked up at once. */
const AT_ONCE = 4;
/** Writes of one account. */
const MOST_AT_ONCE = 100;
/** Between takes while another account is being looked up. */
const BETWEEN_TAKES = SECOND;

/** See the head of the file. */
export class Settler {
  readonly #parts: SettlerParts;
  readonly #look: Look;
  /** Consecutive lookups whose reads failed, by account. */
  readonly #failures = new Map<string, number>();

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

  /** A few lookups for a caller who is waiting; returns the write as it then is. */
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

  /**
   * One lookup of a write that is due; returns the write as it then is. Never rejects because of what was
   * read.
   */
  async lookAt(id: string, terms: LookTerms): Promise<Write | undefined> {
    const { writes, clock } = this.#parts;
    const taken = await writes.takeOne(id, clock.now(), HOLD);
    if (taken !== undefined) await this.#settleAll([taken], terms);
    return writes.find(id);
  }

  /** Looks up everything that is due, a few accounts at once. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const looks = new Map<string, Promise<void>>();
    for (;;) {
      const due = looks.size < AT_ONCE ? await this.#taken([...looks.keys()]) : [];
      const [first] = due;
      if (first !== undefined) {
        const look = this.#settleAll(due, { isUrgent: false, signal });
        looks.set(
          first.accountId,
          look.finally(() => looks.delete(first.accountId)),
        );
      } else if (looks.size === 0) return;
      else await Promise.race([...looks.values(), this.#parts.pause(BETWEEN_TAKES)]);
      if (signal.aborted) break;
    }
    await Promise.all(looks.values());
  }

  /** Writes of an account that nobody is looking up; none while the database is away. */
  async #taken(busy: readonly string[]): Promise<readonly Write[]> {
    const { writes, clock, log } = this.#parts;
    try {
      return await writes.take(clock.now(), HOLD, MOST_AT_ONCE, busy);
    } catch (error) {
      log.warn('writes.not-taken', { error: wordsOf(error) });
      return [];
    }
  }

  /** For one account. */
  async #settleAll(due: readonly Write[], terms: LookTerms): Promise<void> {
    const accountId = due[0]?.accountId ?? '';
    const failures = this.#failuresOf(accountId);
    const round = this.#look.round(due, { ...terms, failures, now: this.#parts.clock.now() });
    const release = this.#holding(due);
    for (const write of due) await this.#settle(write, round, terms);
    release();
    if (round.hasFailed) this.#failures.set(accountId, failures + 1);
    else this.#failures.delete(accountId);
  }

  #failuresOf = (accountId: string): number => this.#failures.get(accountId) ?? 0;

  /** Keeps others away for as long as this process looks them up. Returns a function that ends this. */
  #holding(due: readonly Write[]): () => void {
    const { writes, clock } = this.#parts;
    const ids = due.map(({ id }) => id);
    let held = due[0]?.nextAt ?? 0;
    const renew = async (): Promise<void> => {
      const until = clock.now() + HOLD;
      await writes.hold(ids, held, until);
      held = until;
    };
    const timer = setInterval(() => void renew().catch(() => undefined), BETWEEN_RENEWALS);
    return () => {
      clearInterval(timer);
    };
  }

  /** Whether the mapping names a read for it, and it took one call. */
  #isLookedUp({ method, stepsSealed }: Write): boolean {
    const settle = this.#parts.methods.get(method)?.settle;
    return settle !== undefined && settle.way !== 'none' && stepsSealed === undefined;
  }

  async #settle(write: Write, round: Round, terms: LookTerms): Promise<void> {
    const { log, clock, writes } = this.#parts;
    const { id, accountId: account, method } = write;
    try {
      const seen = await this.#look.take(write, round);
      if (terms.signal.aborted) await writes.postpone(id, clock.now(), write.note);
      else await this.#judged(write, seen, round);
    } catch (error) {
      // The row is taken again when it is due.
      log.warn('write.not-looked-up', { write: id, account, method, error: wordsOf(error) });
    }
  }

  async #judged(write: Write, seen: LookOutcome, round: Round): Promise<void> {
    if (seen.verdict === 'failed') return this.#failed(write, seen.note, round);
    if (seen.verdict === 'later') return this.#postponed(write, seen.note);
    return this.#written(write, seen.verdict, seen);
  }

  /** A failed read may succeed at once; a service that is away is not asked all the time. */
  async #failed(write: Write, note: string, round: Round): Promise<void> {
    const { clock, writes } = this.#parts;
    const { now } = round.circumstances;
    if (now >= this.#look.finalAt(write) + GIVEN_UP)
      return this.#written(write, 'undecidable', { verdict: 'undecidable', note });
    const doubled = AFTER_FAILURES.least * 2 ** this.#failuresOf(write.accountId);
    await writes.postpone(write.id, clock.now() + Math.min(AFTER_FAILURES.most, doubled), note);
  }

  async #written(
    write: Write,
    settlement: Settlement,
    seen: Exclude<LookOutcome, { verdict: 'failed' }>,
  ): Promise<void> {
    const { writes, clock, log, onSettled } = this.#parts;
    const { id, accountId: account, method } = write;
    const made = seen.verdict === 'done' ? seen.made : undefined;
    const settled = await writes.settle(id, {
      ...{ settlement, made, note: seen.note, now: clock.now() },
      ...(settlement === 'not-done' && partDone(write, openSteps(this.#parts.seal, write))),
      kind: seen.kind,
      answerSealed: sealAnswer(this.#parts.seal, id, seen.answer),
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
    const usual = now + (BETWEEN_LOOKS[write.attempts - 1] ?? LONGEST_PAUSE);
    await writes.postpone(write.id, now < finalAt ? Math.min(usual, finalAt) : lastAfter(now, finalAt), note);
  }

  #factsOf({ id, factsSealed }: Write): WriteFacts {
    return openJson(this.#parts.seal, factsSealed, id, sealedAs.writeFacts) as WriteFacts;
  }
}

const lastAfter = (now: number, finalAt: number): number =>
  now + Math.min(BETWEEN_LAST.most, Math.max(BETWEEN_LAST.least, (now - finalAt) / 4));
