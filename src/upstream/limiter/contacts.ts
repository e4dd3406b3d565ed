/** What the shared store showed about one instance. */
interface Contact {
  /** What it last wrote there; undefined: nothing in this epoch. */
  readonly value: string | undefined;
  /** By a clock that is never set: it wrote that no later than this. */
  readonly by: number;
  /** From then on it sends nothing before its next heartbeat in the register. */
  readonly fallenAt: number | undefined;
}

/** What one greeting of the shared store showed. */
export interface Greeted {
  readonly epoch: string;
  /** What each sharing instance last wrote, by its id; different at each of its greetings. */
  readonly heard: ReadonlyMap<string, string>;
  readonly sent: number;
  readonly received: number;
}

/**
 * How long the others have been silent in the shared store, as this instance has seen it by its own clock. An
 * instance that the database has lost continues for as long as its greetings are confirmed, so silence in the
 * register alone says nothing.
 *
 * Two confirmed greetings of a sending instance are at most two fences apart: it sends the next within a
 * fence of the last, and ignores an answer that arrives out of order. So an instance that was silent for
 * longer has stopped, even if the store is lost afterwards. For the others it is then unknown how long they
 * could continue, and the time counts from that moment.
 */
export class Contacts {
  readonly #fence: number;
  readonly #contacts = new Map<string, Contact>();
  #epoch = '';

  constructor(fence: number) {
    this.#fence = fence;
  }

  noted({ epoch, heard, sent, received }: Greeted, others: readonly string[]): void {
    const isOther = epoch !== this.#epoch;
    this.#epoch = epoch;
    for (const id of this.#contacts.keys()) if (!others.includes(id)) this.#contacts.delete(id);
    for (const id of others) {
      const known = this.#contacts.get(id);
      const value = heard.get(id);
      const isHeard = value !== known?.value && !(isOther && value === undefined);
      const mayHaveGoneOn = isOther && known?.fallenAt === undefined;
      if (known === undefined || isHeard || mayHaveGoneOn)
        this.#contacts.set(id, { value, by: received, fallenAt: undefined });
      else this.#contacts.set(id, { ...known, value, fallenAt: this.#fallenAt(known, sent) });
    }
  }

  #fallenAt({ by, fallenAt }: Contact, now: number): number | undefined {
    return fallenAt ?? (now - by > 2 * this.#fence ? now : undefined);
  }

  /**
   * Its heartbeat was no earlier than this: if it came after the instance had stopped, it may have started
   * again.
   */
  registered(id: string, at: number): void {
    const { fallenAt } = this.#contacts.get(id) ?? {};
    if (fallenAt !== undefined && at >= fallenAt) this.#contacts.delete(id);
  }

  /** How long it has certainly written nothing to the shared store. */
  silentFor(id: string, now: number): number {
    const known = this.#contacts.get(id);
    return known === undefined ? 0 : now - known.by;
  }
}
