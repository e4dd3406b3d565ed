import type { CallNote } from './order.ts';

/** Calls about which the same is to be said, counted by method. */
export class CallNotes {
  readonly #notes = new Map<string, { method: string; why: string; calls: number }>();

  /** `notes`: what is said already. */
  constructor(notes: readonly CallNote[] = []) {
    for (const { method, why, calls } of notes) this.add(method, why, calls);
  }

  /** One more call of the method for that reason, or several. */
  add(method: string, why: string, calls = 1): void {
    const key = `${method} ${why}`;
    const note = this.#notes.get(key) ?? { method, why, calls: 0 };
    note.calls += calls;
    this.#notes.set(key, note);
  }

  /** In the order in which they came first. */
  get list(): readonly CallNote[] {
    return [...this.#notes.values()];
  }
}
