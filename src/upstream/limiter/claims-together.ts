import type { PermitClaim, PermitGrant } from './permit-pool.ts';

interface Waiting {
  readonly claim: PermitClaim;
  readonly answered: (grant: PermitGrant | undefined) => void;
}

/** Sends claims; resolves with a grant for each, undefined if they could not be sent or came too late. Never rejects. */
export type SendClaims = (claims: readonly PermitClaim[]) => Promise<readonly PermitGrant[] | undefined>;

/**
 * Collects what is claimed within a turn of the event loop, so that it takes one message: what is taken ahead for all
 * accounts is claimed at the same moment (`PermitWindow.tidy`).
 */
export class ClaimsTogether {
  readonly #sendClaims: SendClaims;
  readonly #most: number;
  #waiting: Waiting[] = [];

  /** `most`: claims of one message. */
  constructor(send: SendClaims, most: number) {
    this.#sendClaims = send;
    this.#most = most;
  }

  /** Undefined if it could not be sent, or came too late. Never rejects. */
  exchange(claim: PermitClaim): Promise<PermitGrant | undefined> {
    return new Promise((answered) => {
      if (this.#waiting.push({ claim, answered }) === 1) setImmediate(this.#send);
    });
  }

  readonly #send = (): void => {
    const all = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < all.length; at += this.#most) void this.#sendSome(all.slice(at, at + this.#most));
  };

  async #sendSome(some: readonly Waiting[]): Promise<void> {
    const grants = await this.#sendClaims(some.map(({ claim }) => claim));
    for (const [place, { answered }] of some.entries()) answered(grants?.[place]);
  }
}
