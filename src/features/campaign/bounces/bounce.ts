/** Messages that a mail server took and that came back later. */

/** What came of one recipient of one message. */
export interface Bounce {
  readonly address: string;
  /**
   * `dead`: it will never arrive there. `complaint`: its reader called it spam. `passing`: it may arrive later, so nothing
   * follows from it.
   */
  readonly kind: 'dead' | 'complaint' | 'passing';
  /** What the last mail server said, shortened; for the operator. */
  readonly words: string;
}

const LONGEST_WORDS = 200;

/** One line, limited in length. */
export const bounceWords = (...parts: readonly (string | undefined)[]): string =>
  parts
    .filter((part) => part !== undefined && part.trim() !== '')
    .join(' ')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_WORDS);

/** What became of a bounce. */
export type Taken =
  /** Nothing more is sent to the address; so many accounts have it, or had it when a message left. */
  | { readonly outcome: 'stopped'; readonly accounts: number }
  /** Nothing follows: it is passing, known already, or nothing was ever sent there. */
  | { readonly outcome: 'ignored' };

/** Stores what came back. */
export interface BounceRepository {
  /**
   * Idempotent: providers repeat what was not answered in time. `leftAt`: when the message left that came back, if that is
   * known; it is ignored where a later one has come back since.
   */
  take(bounce: Bounce, source: string, now: number, leftAt?: number): Promise<Taken>;
  /** When the first of these messages left that is ours and was for that address; undefined: there is none. */
  leftAt(address: string, messageIds: readonly string[]): Promise<number | undefined>;
}
