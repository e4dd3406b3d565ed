import type { Breaker } from '../lib/circuit-breaker.ts';
import { Failure } from '../lib/failure.ts';
import type { Authority, Revoker } from './model.ts';
import type { Product } from './organisation.ts';

/** The OAuth application of the settings themselves, and of every account that names no other. */
export const DEFAULT_APPLICATION = 'default';

/** What refreshing and exchanging tokens needs of an application. */
export interface ApplicationClient {
  readonly authority: Authority;
  /** Open while the authorisation server refuses this application, or is in trouble. */
  readonly breaker?: Pick<Breaker, 'enter'> | undefined;
}

/**
 * An OAuth application as it is registered at the service. A grant belongs to the application that got it, and no other
 * can refresh it (RFC 6749, section 6).
 */
export interface OAuthApplication extends ApplicationClient {
  readonly name: string;
  readonly clientId: string;
  readonly scopes: Readonly<Record<Product, string>>;
  /** The registered redirect URI, exactly; never built from a request. Each application has one of its own. */
  readonly redirectUri: string;
  readonly revoker: Revoker;
}

/**
 * Scopes that an answer need not repeat: those about the person, without which the connection works, and
 * `offline_access`, which the refresh token itself proves.
 */
const UNNEEDED = new Set(['openid', 'profile', 'email', 'offline_access', '']);

/**
 * The requested scopes that were not granted. A server that does not say what it granted has granted what was requested
 * (RFC 6749, section 5.1).
 */
export function missingScopes(wanted: string, granted: string | undefined): readonly string[] {
  if (granted === undefined) return [];
  const covered = new Set(granted.split(' '));
  return wanted.split(' ').filter((one) => !UNNEEDED.has(one) && !covered.has(one));
}

/** The configured applications by name. */
export class Applications<Application extends ApplicationClient = OAuthApplication> {
  readonly byName: ReadonlyMap<string, Application>;

  constructor(byName: ReadonlyMap<string, Application>) {
    this.byName = byName;
  }

  /** Undefined: it is not configured. */
  find(name: string): Application | undefined {
    return this.byName.get(name);
  }

  /** Throws `Failure` applicationMissing. */
  of(name: string): Application {
    const found = this.byName.get(name);
    if (found === undefined) throw new Failure('applicationMissing');
    return found;
  }

  /** The default one first. */
  get all(): readonly Application[] {
    return [...this.byName.values()];
  }
}

/** Which applications there are and where a new account belongs, whether or not anything can be sent. */
export class ApplicationNames {
  /** The default one first. */
  readonly all: readonly string[];
  readonly #byProduct: ReadonlyMap<Product, string>;

  constructor(
    applications: readonly { readonly name: string; readonly products: readonly Product[] }[] = [],
  ) {
    this.all = [...new Set([DEFAULT_APPLICATION, ...applications.map(({ name }) => name)])];
    this.#byProduct = new Map(
      applications.flatMap(({ name, products }) => products.map((product) => [product, name] as const)),
    );
  }

  /** The application of new accounts of a product that name none. */
  usualFor(product: Product): string {
    return this.#byProduct.get(product) ?? DEFAULT_APPLICATION;
  }
}
