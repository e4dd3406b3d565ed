import type { Keys } from '../features/accounts/keys.ts';
import { MINUTE, type Clock } from '../lib/time/clock.ts';
import { Failure } from '../lib/failure.ts';
import type { Seal } from '../lib/secret/seal.ts';
import type { LegacyCall, Reply } from './call/call.ts';

const REMEMBER = 5 * MINUTE;
const MOST_REMEMBERED = 10_000;
/** Guesses per minute that are passed on to V1, for all callers together. */
const PROBES_PER_MINUTE = 120;
/**
 * Wrong guesses of one caller per minute; the rest is left to others. Right ones do not count: one machine may work for
 * many accounts that have not been added. Those that V1 has not answered yet do count, and so do those whose caller did
 * not wait for the answer: otherwise many guesses at once, or abandoned ones, would use up the limit for all.
 */
const WRONG_PER_MINUTE = 30;

/** Not if it is later than now: then it is from before the clock was set back. */
const isRecent = (at: number, now: number, millis: number): boolean => at > now - millis && at <= now;

/** A guess that is wrong unless V1 says otherwise. */
interface Guess {
  readonly at: number;
  readonly from: string | undefined;
}

/** A pair that is being tried on V1. */
export interface Probe {
  /** V1 does not know the pair; returns the caller's failure. */
  refused(): Failure;
  /** The guess was not wrong. */
  cleared(): void;
}

/** Limits how often V1 is asked about unknown key pairs. */
export class UnknownKeyLimiter {
  readonly #seal: Seal;
  readonly #clock: Clock;
  readonly #isInDoubt: () => boolean;
  /** When V1 last refused each pair. */
  readonly #refused = new Map<string, number>();
  #probes: number[] = [];
  #wrong: readonly Guess[] = [];

  /** `isInDoubt`: accounts may be missing in the database, so an unknown one may have moved. */
  constructor(seal: Seal, clock: Clock, isInDoubt: () => boolean = () => false) {
    this.#seal = seal;
    this.#clock = clock;
    this.#isInDoubt = isInDoubt;
  }

  /** Throws `Failure` heldBack if an unknown key cannot be told from that of an account that has moved. */
  check(): void {
    if (this.#isInDoubt())
      throw new Failure('heldBack', {
        text: 'The bridge does not know this account, and its records may be incomplete: its operator has to look at them first; try again later',
      });
  }

  /**
   * Throws `Failure` keysRefused for a pair that V1 refused a short while ago, budgetExhausted if too many are tried.
   * `from`: the caller's network.
   */
  admit(keys: Keys, from?: string): Probe {
    const now = this.#clock.now();
    const refusedAt = this.#refused.get(this.#key(keys)) ?? -Infinity;
    if (isRecent(refusedAt, now, REMEMBER)) throw new Failure('keysRefused');
    this.#probes = this.#probes.filter((at) => isRecent(at, now, MINUTE));
    this.#wrong = this.#wrong.filter(({ at }) => isRecent(at, now, MINUTE));
    const own = from === undefined ? 0 : this.#wrong.filter((one) => one.from === from).length;
    if (this.#probes.length >= PROBES_PER_MINUTE || own >= WRONG_PER_MINUTE)
      throw new Failure('budgetExhausted');
    this.#probes.push(now);
    const guess = { at: now, from };
    this.#wrong = [...this.#wrong, guess];
    return {
      refused: () => this.#refuse(keys),
      cleared: () => {
        this.#wrong = this.#wrong.filter((one) => one !== guess);
      },
    };
  }

  #refuse(keys: Keys): Failure {
    if (this.#refused.size >= MOST_REMEMBERED) this.#refused.clear();
    this.#refused.set(this.#key(keys), this.#clock.now());
    return new Failure('keysRefused');
  }

  #key(keys: Keys): string {
    return [keys.apiKey, keys.accountKey].map((key) => this.#seal.index(key, 'stranger')[0]).join(' ');
  }
}

/**
 * Serves a probe, and clears it if V1, or a gateway in front of it, gives any other answer than that it does not know
 * the pair; not if the caller did not wait for it.
 */
export async function probed(
  probe: Probe,
  { signal }: LegacyCall,
  serve: () => Promise<Reply>,
): Promise<Reply> {
  try {
    const reply = await serve();
    probe.cleared();
    return reply;
  } catch (error) {
    const isWrong = error instanceof Failure && error.code === 'keysRefused';
    if (!isWrong && !signal.aborted) probe.cleared();
    throw error;
  }
}
