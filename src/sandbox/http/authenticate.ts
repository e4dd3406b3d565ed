/**
 * Identifies the caller: V1 by the keys in the address, V3 and V2 by an access token and its organisation.
 *
 * All refusals of keys are identical, so that a caller cannot learn which of the two was wrong. A token is checked in
 * this order: signature and expiry, then revocation, then the organisation header, then whether the consent covers that
 * organisation and the scope covers the surface (V2 specification, "Tokens", rule 7).
 */
import type { IncomingMessage } from 'node:http';
import type { Kysely } from 'kysely';
import { SECOND, type Clock } from '../../lib/time/clock.ts';
import type { OrganisationStore, ListedOrganisation } from '../identity/organisations.ts';
import type { IdentityTables } from '../identity/tables.ts';
import { readFamily, type Family } from '../oauth/tokens/family.ts';
import type { SigningKey } from '../oauth/tokens/signing.ts';
import type { SandboxCaller } from '../identity/organisation.ts';
import type { Protocol } from '../protocol.ts';

export interface AuthenticationParts {
  readonly db: Kysely<IdentityTables>;
  readonly clock: Clock;
  readonly key: SigningKey;
  readonly organisations: OrganisationStore;
  readonly protocol: () => Protocol;
}

export type Authentication =
  | { readonly result: 'caller'; readonly caller: SandboxCaller }
  | { readonly result: 'refused'; readonly status: 400 | 401 | 403; readonly detail: string };

export type TokenCheck =
  | { readonly result: 'family'; readonly family: Family }
  | { readonly result: 'refused'; readonly status: 401; readonly detail: string };

const WRONG_KEYS: Authentication = {
  result: 'refused',
  status: 401,
  detail: 'Invalid API key or account key',
};

/** Names of the keys in any case: a connector in production sends `apikey`. */
export function keyOf(target: string, name: 'apikey' | 'accountkey'): string {
  const query = target.slice(target.indexOf('?') + 1);
  if (query === target) return '';
  for (const [key, value] of new URLSearchParams(query)) {
    if (key.toLowerCase() === name) return value;
  }
  return '';
}

/** Identifies callers on each surface. */
export class Authenticator {
  readonly #parts: AuthenticationParts;

  constructor(parts: AuthenticationParts) {
    this.#parts = parts;
  }

  /**
   * Keys in the query. An organisation whose V1 is closed, or refuses since a user consented ("a connection that has
   * migrated to V3 cannot move back", XML specification, "Versioning"), answers as if its keys were wrong.
   */
  async v1(target: string): Promise<Authentication> {
    const apiKey = keyOf(target, 'apikey');
    const accountKey = keyOf(target, 'accountkey');
    if (apiKey === '' || accountKey === '') return WRONG_KEYS;
    const organisation = await this.#parts.organisations.byAccountKey(accountKey);
    if (organisation === undefined || !admits(organisation, apiKey)) return WRONG_KEYS;
    return { result: 'caller', caller: { surface: 'v1', organisation, clientId: undefined } };
  }

  /** Bearer token and organisation header. */
  async oauth(request: IncomingMessage, surface: 'v3' | 'v2'): Promise<Authentication> {
    const token = await this.bearer(request);
    if (token.result === 'refused') return token;
    const { family } = token;
    const id = this.organisationHeader(request);
    if (id === undefined) return headerMissing(surface);
    const organisation = await this.#parts.organisations.byId(id);
    if (
      organisation === undefined ||
      !family.complete ||
      !family.organisations.includes(id) ||
      !inScope(family, organisation, surface, this.#parts.protocol())
    ) {
      return { result: 'refused', status: 403, detail: 'AuthenticationUnsuccessful' };
    }
    return {
      result: 'caller',
      caller: { surface, organisation, clientId: family.clientId, userId: family.userId },
    };
  }

  organisationHeader(request: IncomingMessage): string | undefined {
    for (const name of this.#parts.protocol().organisationHeaders) {
      const value = request.headers[name];
      if (typeof value === 'string' && value !== '') return value.toLowerCase();
    }
    return undefined;
  }

  /** Checks only the access token. */
  async bearer(request: IncomingMessage): Promise<TokenCheck> {
    const unknown: TokenCheck = { result: 'refused', status: 401, detail: 'AuthenticationUnsuccessful' };
    const text = /^bearer +([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const claims = text === undefined ? undefined : await this.#parts.key.open(text);
    // An id_token has no session and grants no access.
    if (typeof claims?.global_session_id !== 'string' || claims.exp === undefined) return unknown;
    if (claims.exp * SECOND <= this.#parts.clock.now()) {
      return {
        result: 'refused',
        status: 401,
        detail: `TokenExpired: token expired at ${american(claims.exp)}`,
      };
    }
    const family = await readFamily(this.#parts.db, claims.global_session_id);
    if (family === undefined || family.accessRevoked) return unknown;
    return { result: 'family', family };
  }
}

function admits(organisation: ListedOrganisation, apiKey: string): boolean {
  const { switches, consentedAt, apiKeys } = organisation;
  if (apiKeys.length > 0 && !apiKeys.includes(apiKey)) return false;
  if (switches.v1 === 'closed') return false;
  return switches.v1AfterConsent === 'answers' || consentedAt === undefined;
}

function headerMissing(surface: 'v3' | 'v2'): Authentication {
  return surface === 'v3'
    ? { result: 'refused', status: 403, detail: 'AuthenticationUnsuccessful' }
    : { result: 'refused', status: 400, detail: 'The organisation header is missing.' };
}

/**
 * The product is a property of the token, not of the organisation. The service scope covers every
 * organisation. The practice scope (whole, or one of its finer forms) covers those with the practice
 * management module, and only on the XML API, because the practice variant has no JSON API. With
 * `practiceScope: required` an organisation with the module accepts only the practice scope.
 */
function inScope(
  family: Family,
  organisation: ListedOrganisation,
  surface: 'v3' | 'v2',
  protocol: Protocol,
): boolean {
  const { service, practice } = protocol.scopes;
  const hasModule = organisation.switches.practice !== false;
  const practiceGranted = family.scopes.some(
    (scope) => scope === practice || scope.startsWith(`${practice}.`),
  );
  if (surface === 'v3' && hasModule && practiceGranted) return true;
  if (!family.scopes.includes(service)) return false;
  return !(surface === 'v3' && hasModule && protocol.practiceScope === 'required');
}

/** `01/02/2021 03:04:05`, as the gateway writes it: month first, UTC. */
function american(epochSeconds: number): string {
  const [date = '', time = ''] = new Date(epochSeconds * SECOND).toISOString().slice(0, 19).split('T');
  const [year, month, day] = date.split('-');
  return `${month}/${day}/${year} ${time}`;
}
