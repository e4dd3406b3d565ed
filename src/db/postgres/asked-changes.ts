import type { AccountChanges } from '../engine.ts';

/**
 * Asks a database whether accounts have changed: one statement for all who ask within a turn of the event loop, or while
 * the statement before is under way. It always leaves after they have asked, so that whatever was committed before their
 * call began is seen.
 */
export class AskedChanges implements AccountChanges {
  readonly #read: () => Promise<string | undefined>;
  #waiting: (() => void)[] = [];
  #isReading = false;
  #state: string | undefined;

  /** `read`: the present state, by a statement of its own. */
  constructor(read: () => Promise<string | undefined>) {
    this.#read = read;
  }

  /** Known only to those who have asked, while they are called back. */
  readonly state = (): string | undefined => this.#state;

  readonly ask = (then: () => void): void => {
    this.#waiting.push(then);
    if (this.#waiting.length === 1 && !this.#isReading) setImmediate(this.#send);
  };

  readonly #send = (): void => {
    const due = this.#waiting;
    this.#waiting = [];
    this.#isReading = true;
    void this.#read()
      // Their own statement says what is wrong.
      .catch(() => undefined)
      .then((state) => {
        this.#isReading = false;
        if (this.#waiting.length > 0) this.#send();
        this.#state = state;
        try {
          for (const then of due) then();
        } finally {
          this.#state = undefined;
        }
      });
  };
}
