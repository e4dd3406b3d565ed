/**
 * The steps of a sign-in at an OpenID provider: the browser leaves with a new state, nonce and verifier; it returns
 * with a code, which yields claims; the claims identify a person with a scope; the person gets a session.
 *
 * Nothing is stored before all of that has succeeded. Each step that fails is an `OpenIdFault`, and nobody is signed
 * in.
 */
import type { RandomSource } from '../../../../lib/secret/random.ts';
import type { SignedIn, Tokens } from '../tokens.ts';
import { claimAt, personOf, scopeOf, type RoleRules } from './person.ts';
import { OpenIdFault, type OpenIdProvider, type SignInAttempt } from './provider.ts';

export interface OpenIdSignInParts {
  readonly provider: OpenIdProvider;
  readonly roles: RoleRules;
  /** How long a session lasts at most, in milliseconds. */
  readonly life: number;
  readonly tokens: Pick<Tokens, 'enter'>;
  readonly random: RandomSource;
  /** The address that the provider sends the browser back to. */
  readonly redirectUri: string;
  /** The page to return to after a sign-out at the provider. */
  readonly home: string;
}

/** A browser that leaves for the provider. */
export interface Departure {
  readonly url: string;
  readonly attempt: SignInAttempt;
}

/** Sign-in to the console at an OpenID provider: yields the person and the role. */
export class OpenIdSignIn {
  readonly #parts: OpenIdSignInParts;

  constructor(parts: OpenIdSignInParts) {
    this.#parts = parts;
  }

  /** The provider's name for people. */
  get host(): string {
    return this.#parts.provider.host;
  }

  /** The claim that gives the role. */
  get claim(): string {
    return this.#parts.roles.claim;
  }

  /** Throws `OpenIdFault`. */
  async begin(): Promise<Departure> {
    const { provider, random, redirectUri } = this.#parts;
    const [state, nonce, verifier] = [random.secret(), random.secret(), random.secret()];
    const attempt = { state: state.reveal(), nonce: nonce.reveal(), verifier: verifier.reveal() };
    return { url: await provider.departure(attempt, redirectUri), attempt };
  }

  /** `query`: the parameters that the provider has added to the address. Throws `OpenIdFault`: nobody is signed in. */
  async complete(query: URLSearchParams, attempt: SignInAttempt): Promise<SignedIn> {
    const { provider, roles, tokens, life, redirectUri } = this.#parts;
    const arrival = new URL(redirectUri);
    arrival.search = query.toString();
    const { claims, issuer } = await provider.complete(arrival, attempt);
    if (claimAt(claims, roles.claim) === undefined)
      throw new OpenIdFault('noClaim', `neither the ID token nor the user info has ${roles.claim}`);
    const scope = scopeOf(claims, roles);
    if (scope === undefined) throw new OpenIdFault('noRole', `no value of ${roles.claim} gives a role`);
    const signedIn = await tokens.enter(personOf(claims, issuer, scope), life);
    if (signedIn === undefined) throw new OpenIdFault('revoked', 'the person was revoked here');
    return signedIn;
  }

  /** The address to sign out at the provider, too; undefined if there is none. */
  farewell(): Promise<string | undefined> {
    return this.#parts.provider.farewell(this.#parts.home);
  }
}
