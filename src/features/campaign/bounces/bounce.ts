/** Messages that a mail server accepted and that came back later. */

/** Values of `Bounce.kind`. */
export const bounceKinds = ['dead', 'complaint', 'unsubscribed', 'passing'] as const;

/** The outcome for one recipient of one message. */
export interface Bounce {
  readonly address: string;
  /**
   * `dead`: it will never arrive there. `complaint`: its reader reported it as spam. `unsubscribed`: its reader has
   * unsubscribed at the provider. `passing`: it may arrive later, so nothing follows.
   */
  readonly kind: (typeof bounceKinds)[number];
  /** The last mail server's answer, shortened; for the operator. */
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

/** The consequence of a bounce. */
export type Taken =
  /** Nothing more is sent to the address; `accounts` counts those that have it, or had it when a message left. */
  | { readonly outcome: 'stopped'; readonly accounts: number }
  /** Nothing follows: it is passing, already known, or nothing was ever sent there. */
  | { readonly outcome: 'ignored' };

/** Stores bounces. */
export interface BounceRepository {
  /**
   * Idempotent: providers repeat a post that was not answered in time. `leftAt`: when the returned message left, if
   * known; it is ignored if a later one has come back since.
   */
  take(bounce: Bounce, source: string, now: number, leftAt?: number): Promise<Taken>;
  /** When the first of these messages left that is ours and was for that address; undefined if there is none. */
  leftAt(address: string, messageIds: readonly string[]): Promise<number | undefined>;
}
