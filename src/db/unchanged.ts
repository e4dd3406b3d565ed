/** As many as a busy machine serves at a time; a row is about a kilobyte. */
const MOST = 10_000;

/**
 * Rows as they were read, for as long as nobody has written anything: any write, by whatever process, forgets them
 * all. A row is remembered under the state of the database before it was read, so that a write in between counts.
 */
export class Unchanged<Row> {
  readonly #changes: () => string | undefined;
  readonly #rows = new Map<string, Row>();
  #state: string | undefined;

  /** `changes`: see `Engine`; while it knows nothing, nothing is remembered. */
  constructor(changes: () => string | undefined) {
    this.#changes = changes;
  }

  /** `read` finds the row under the key; that there is none is not remembered. */
  async get(key: string, read: () => Promise<Row | undefined>): Promise<Row | undefined> {
    const state = this.#changes();
    if (state === undefined) return read();
    if (state !== this.#state) {
      this.#rows.clear();
      this.#state = state;
    }
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const row = await read();
    if (row === undefined || state !== this.#state) return row;
    if (this.#rows.size >= MOST) this.#rows.clear();
    this.#rows.set(key, row);
    return row;
  }
}
