/** What the shared store showed of one instance. */
interface Contact {
  /** What it wrote there last; undefined: nothing in this epoch. */
  readonly value: string | undefined;
  /** By a clock that is never set: it wrote that no later. */
  readonly by: number;
  /** From then on it sends nothing before its next heartbeat in the register. */
  readonly fallenAt: number | undefined;
}

/** What one greeting of the shared store showed. */
export interface Greeted {
  readonly epoch: string;
  /** What each instance that shares wrote last, by its id; another at each of its greetings. */
  readonly heard: ReadonlyMap<string, string>;
  readonly sent: number;
  readonly received: number;
}

/**
 * How long the others have been silent in the shared store, as this instance has seen it by its own clock. One that the
 * database has lost goes on as long as its greetings are confirmed, so its silence in the register alone says nothing.
 *
 * Two confirmed greetings of one that sends are at most two fences apart: it sends the next within a fence of the last,
 * and takes no answer that comes later than another. So whoever was silent for longer has stopped, also if the store
 * is lost afterwards; of the others nobody knows then until when they could go on, and it counts from that moment.
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

  /** Its heartbeat was no earlier than that: if it came after the instance had stopped, it may have begun again. */
  registered(id: string, at: number): void {
    const { fallenAt } = this.#contacts.get(id) ?? {};
    if (fallenAt !== undefined && at >= fallenAt) this.#contacts.delete(id);
  }

  /** For how long it has surely written nothing in the shared store. */
  silentFor(id: string, now: number): number {
    const known = this.#contacts.get(id);
    return known === undefined ? 0 : now - known.by;
  }
}
