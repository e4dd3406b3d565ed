import { isLocked } from '../../lib/store-fault.ts';
import type { AccountChanges } from '../engine.ts';

/** Pause between an answer and the next statement while calls come faster than answers, in milliseconds. */
const APART = 1;

/** Calls back later; tests replace it to decide when. */
export type Later = (then: () => void) => unknown;

const afterAPause: Later = (then) => setTimeout(then, APART);

/**
 * Asks a database whether accounts have changed: one statement for all callers within a turn of the event
 * loop, or while the previous statement is under way. It is always sent after they have asked, so that it
 * sees everything committed before their calls began.
 *
 * A statement costs this process about as much as a call. So while calls come fast, that is, when one
 * statement has served several of them, the next callers wait for a millisecond and share a statement.
 */
export class AskedChanges implements AccountChanges {
  readonly #read: () => Promise<string | undefined>;
  readonly #later: Later;
  #waiting: (() => void)[] = [];
  /** A statement is under way or about to be sent. */
  #isPlanned = false;
  #isHurried = false;
  #state: string | undefined;

  /** `read`: reads the present state, with one statement. */
  constructor(read: () => Promise<string | undefined>, later = afterAPause) {
    this.#read = read;
    this.#later = later;
  }

  /** Set only while the callers are called back. */
  readonly state = (): string | undefined => this.#state;

  readonly ask = (then: () => void): void => {
    this.#waiting.push(then);
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(this.#send);
  };

  readonly #send = (): void => {
    const due = this.#waiting;
    this.#waiting = [];
    this.#isHurried = due.length > 1;
    void this.#read()
      // The callers' own statements report the error.
      .catch(() => undefined)
      .then((state) => {
        this.#goOn();
        this.#state = state;
        try {
          for (const then of due) then();
        } finally {
          this.#state = undefined;
        }
      });
  };

  /** Sends the next statement, if there are callers. */
  #goOn(): void {
    if (this.#isHurried) this.#later(this.#sendIfAsked);
    else this.#sendIfAsked();
  }

  readonly #sendIfAsked = (): void => {
    if (this.#waiting.length > 0) this.#send();
    else this.#isPlanned = false;
  };
}

/**
 * While its table is locked, nobody waits for the state: each call reads the row of its account, and one question after
 * the other finds out when the lock is gone.
 */
export function unaskedWhileLocked<T>(ask: () => Promise<T>): () => Promise<T | undefined> {
  let state: 'free' | 'locked' | 'tried' = 'free';
  const tried = async (): Promise<void> => {
    state = 'tried';
    state = await ask().then(
      () => 'free' as const,
      (error: unknown) => (isLocked(error) ? 'locked' : 'free'),
    );
  };
  return async () => {
    if (state === 'locked') void tried();
    if (state !== 'free') return undefined;
    try {
      return await ask();
    } catch (error) {
      if (isLocked(error)) state = 'locked';
      throw error;
    }
  };
}
