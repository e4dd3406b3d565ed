import type { Clock } from '../../lib/time/clock.ts';
import type { KeyRing } from '../../tokens/sealing/keyring.ts';
import { SealedToken } from '../../tokens/sealing/sealed-token.ts';

const PURPOSE = 'links';
/** In characters. A longer token is not one of ours: the service's addresses are far shorter. */
const LONGEST = 8_192;

/** The content of a signed bridge address: a document of one account, for a limited time. */
export interface LinkPayload {
  readonly accountId: string;
  readonly url: string;
  /** The API that named the address and is asked for the document. Default: V3. */
  readonly lane?: 'v2' | 'v3' | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Tokens inside the bridge's own document addresses. They are encrypted, not only signed: the service's
 * address may itself open the document, and it must not get into the legacy program's logs.
 */
export class LinkSeal {
  readonly #token: SealedToken;
  readonly #clock: Clock;

  constructor(ring: KeyRing, clock: Clock) {
    this.#token = new SealedToken(ring, PURPOSE, LONGEST);
    this.#clock = clock;
  }

  /** URL-safe: only letters, digits, `-` and `_`. */
  make({ accountId, url, lane, expiresAt }: LinkPayload): string {
    return this.#token.seal(JSON.stringify({ accountId, url, lane, expiresAt }));
  }

  /** Returns undefined for anything but a valid link of ours, without saying why. */
  read(token: string): LinkPayload | undefined {
    const text = this.#token.open(token);
    return text === undefined ? undefined : this.#living(text);
  }

  #living(text: string): LinkPayload | undefined {
    // Authenticated, so `make` has written it; the fields are still picked one by one.
    const { accountId, url, lane, expiresAt } = JSON.parse(text) as LinkPayload;
    return expiresAt > this.#clock.now() ? { accountId, url, ...(lane && { lane }), expiresAt } : undefined;
  }
}
