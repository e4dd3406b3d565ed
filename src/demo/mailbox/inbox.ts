import type { Clock } from '../../lib/clock.ts';
import { readLetter, type Envelope, type Letter } from './letter.ts';

/** What a mailbox holds at most: the oldest go first. */
export interface Room {
  readonly letters: number;
  readonly bytes: number;
}

const usual: Room = { letters: 500, bytes: 50_000_000 };

/** Caught mail, kept in memory as long as the process runs. */
export class Inbox {
  readonly #clock: Clock;
  readonly #room: Room;
  #letters: readonly Letter[] = [];
  #count = 0;

  constructor(clock: Clock, room: Room = usual) {
    this.#clock = clock;
    this.#room = room;
  }

  /** The newest first. */
  get letters(): readonly Letter[] {
    return this.#letters;
  }

  find(id: string): Letter | undefined {
    return this.#letters.find((letter) => letter.id === id);
  }

  /** Rejects where the message cannot be read. */
  async take(envelope: Envelope, source: Buffer): Promise<Letter> {
    this.#count += 1;
    const head = { id: String(this.#count), receivedAt: this.#clock.now(), envelope };
    const letter = await readLetter(head, source);
    this.#letters = withinRoom([letter, ...this.#letters], this.#room);
    return letter;
  }

  empty(): void {
    this.#letters = [];
  }
}

function withinRoom(letters: readonly Letter[], { letters: most, bytes }: Room): readonly Letter[] {
  let held = 0;
  return letters.slice(0, most).filter(({ source }, index) => {
    held += source.length;
    return index === 0 || held <= bytes;
  });
}
