import type { Board, BoardAccount } from './model.ts';
import type { BoardReader } from './report-rows.ts';
import type { Clock } from '../../lib/clock.ts';
import { board, type BoardOptions } from './report/report.ts';

export interface StatusParts {
  readonly rows: BoardReader;
  readonly clock: Clock;
  readonly options: Omit<BoardOptions, 'now'>;
}

/** Where the migration stands now: for the command line, the console and the API alike. */
export class Status {
  readonly #parts: StatusParts;
  #flight: Promise<Board> | undefined;

  constructor(parts: StatusParts) {
    this.#parts = parts;
  }

  /** Who asks while somebody else's question is under way gets the same answer: it reads all accounts. */
  board(): Promise<Board> {
    this.#flight ??= this.#read().finally(() => {
      this.#flight = undefined;
    });
    return this.#flight;
  }

  /** One line of the board, by the same function; undefined where there is no such account. */
  async account(accountId: string): Promise<BoardAccount | undefined> {
    const { rows, clock, options } = this.#parts;
    const now = clock.now();
    return board(await rows.readOne(accountId, now), { ...options, now }).accounts[0];
  }

  async #read(): Promise<Board> {
    const { rows, clock, options } = this.#parts;
    const now = clock.now();
    return board(await rows.read(now), { ...options, now });
  }
}
