import { createHash } from 'node:crypto';
import type { RandomSource } from '../../lib/secret/random.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import type { Applications } from '../../upstream/application.ts';
import { AuthorityRefused } from '../../upstream/model.ts';

/** Identifies a person without opening anything: neither data nor lasting access. */
const SCOPE = 'openid profile email';

export interface SignInParts {
  /** A person's id at the service may differ between applications, so the account's own is used. */
  readonly applications: Pick<Applications, 'of'>;
  readonly random: RandomSource;
  readonly pkce: boolean;
}

/** The data that a browser keeps between leaving and coming back. */
export interface Departed {
  readonly url: string;
  readonly state: Secret;
  readonly verifier: Secret | undefined;
}

/** Signs a person in at the service again. The resulting tokens are read once and dropped. */
export class SignIn {
  readonly #parts: SignInParts;

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  /** `application`: the account's. Throws `Failure` applicationMissing. */
  begin(application: string): Departed {
    const { applications, random, pkce } = this.#parts;
    const { authority, redirectUri } = applications.of(application);
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
  async complete(
    application: string,
    code: Secret,
    verifier: Secret | undefined,
  ): Promise<string | undefined> {
    try {
      const { authority, redirectUri } = this.#parts.applications.of(application);
      const { claims } = await authority.exchange(code, redirectUri, verifier);
      return claims.consenter.userId;
    } catch (error) {
      if (!(error instanceof AuthorityRefused)) throw error;
      return undefined;
    }
  }
}
