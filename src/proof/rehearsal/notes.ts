import type { CallNote } from './order.ts';

/** Notes on calls, counted by method. */
export class CallNotes {
  readonly #notes = new Map<string, { method: string; why: string; calls: number }>();

  /** `notes`: existing notes to continue. */
  constructor(notes: readonly CallNote[] = []) {
    for (const { method, why, calls } of notes) this.add(method, why, calls);
  }

  /** Counts one or more calls of the method for that reason. */
  add(method: string, why: string, calls = 1): void {
    const key = `${method} ${why}`;
    const note = this.#notes.get(key) ?? { method, why, calls: 0 };
    note.calls += calls;
    this.#notes.set(key, note);
  }

  /** In the order of first occurrence. */
  get list(): readonly CallNote[] {
    return [...this.#notes.values()];
  }
}
