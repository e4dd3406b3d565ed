import { createHash } from 'node:crypto';
import type { RandomSource } from '../../lib/secret/random.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import { AuthorityRefused, type Authority } from '../../upstream/model.ts';

/** Says who somebody is and opens nothing: neither data nor lasting access. */
const SCOPE = 'openid profile email';

export interface SignInParts {
  readonly authority: Pick<Authority, 'authorizeUrl' | 'exchange'>;
  readonly random: RandomSource;
  readonly redirectUri: string;
  readonly pkce: boolean;
}

/** What a browser keeps between leaving and coming back. */
export interface Departed {
  readonly url: string;
  readonly state: Secret;
  readonly verifier: Secret | undefined;
}

/** Signs a person in at the service again. The tokens that come of it are read once and dropped. */
export class SignIn {
  readonly #parts: SignInParts;

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  begin(): Departed {
    const { authority, random, redirectUri, pkce } = this.#parts;
    const state = random.secret();
    const verifier = pkce ? random.secret() : undefined;
    const url = authority.authorizeUrl({
      scope: SCOPE,
      state: state.reveal(),
      redirectUri,
      challenge: verifier && createHash('sha256').update(verifier.reveal()).digest('base64url'),
      prompt: 'login',
    });
    return { url, state, verifier };
  }

  /** The person's id at the service; undefined if the service does not confirm it. */
  async complete(code: Secret, verifier: Secret | undefined): Promise<string | undefined> {
    try {
      const { claims } = await this.#parts.authority.exchange(code, this.#parts.redirectUri, verifier);
      return claims.consenter.userId;
    } catch (error) {
      if (!(error instanceof AuthorityRefused)) throw error;
      return undefined;
    }
  }
}
