import type { AccountChanges } from '../engine.ts';

/** While calls come faster than they are answered, how long after an answer the next statement leaves, in milliseconds. */
const APART = 1;

/** Calls back later; a test decides when. */
export type Later = (then: () => void) => unknown;

const afterAPause: Later = (then) => setTimeout(then, APART);

/**
 * Asks a database whether accounts have changed: one statement for all who ask within a turn of the event loop, or while
 * the statement before is under way. It always leaves after they have asked, so that whatever was committed before their
 * call began is seen.
 *
 * A statement costs this process about as much as a call. So while calls come fast, which is when one statement has been
 * for several of them, those that come next wait for a millisecond and share theirs.
 */
export class AskedChanges implements AccountChanges {
  readonly #read: () => Promise<string | undefined>;
  readonly #later: Later;
  #waiting: (() => void)[] = [];
  /** Of a statement: under way, or about to leave. */
  #isPlanned = false;
  #isHurried = false;
  #state: string | undefined;

  /** `read`: the present state, by a statement of its own. */
  constructor(read: () => Promise<string | undefined>, later = afterAPause) {
    this.#read = read;
    this.#later = later;
  }

  /** Known only to those who have asked, while they are called back. */
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
      // Their own statement says what is wrong.
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

  /** The next statement, if there is one. */
  #goOn(): void {
    if (this.#isHurried) this.#later(this.#sendIfAsked);
    else this.#sendIfAsked();
  }

  readonly #sendIfAsked = (): void => {
    if (this.#waiting.length > 0) this.#send();
    else this.#isPlanned = false;
  };
}
