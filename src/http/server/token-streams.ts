import type { ServerResponse } from 'node:http';

/** Of one token, so that nobody listens for all the others. */
const MOST = 10;

/** Event streams that are open with each token, those of the console's pages and of programs together. */
export class TokenStreams {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  constructor(most = MOST) {
    this.#most = most;
  }

  /** Counts one until it is closed; false: this token has its share. */
  enter(tokenId: string, response: ServerResponse): boolean {
    const count = this.#open.get(tokenId) ?? 0;
    if (count >= this.#most) return false;
    this.#open.set(tokenId, count + 1);
    response.once('close', () => {
      this.#leave(tokenId);
    });
    return true;
  }

  #leave(tokenId: string): void {
    const left = (this.#open.get(tokenId) ?? 1) - 1;
    if (left > 0) this.#open.set(tokenId, left);
    else this.#open.delete(tokenId);
  }
}
