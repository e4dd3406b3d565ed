import type { Request } from 'express';
import type { Kysely } from 'kysely';
import { keyOf, type Authenticator } from '../http/authenticate.ts';
import { decodedSegments, verbOf } from '../http/segments.ts';
import type { OrganisationStore } from '../identity/organisations.ts';
import type { IdentityTables } from '../identity/tables.ts';
import { readParameters } from '../oauth/parameters.ts';
import { bodyText } from '../oauth/endpoints/token-endpoint.ts';
import type { TokenTree } from '../oauth/tokens/token-tree.ts';
import type { FaultTarget } from './fault.ts';

export interface TargetParts {
  readonly db: Kysely<IdentityTables>;
  readonly organisations: OrganisationStore;
  readonly authenticator: Authenticator;
  readonly tree: TokenTree;
  /** Returns the name of an XML method; undefined if the path names none. */
  readonly operationOf: (verb: string, segments: readonly string[]) => string | undefined;
  /** Returns the name of an operation of the JSON API: `v2.clients.list`. */
  readonly jsonOperationOf: (verb: string, segments: readonly string[]) => string | undefined;
}

/** A target with the token families behind the call, which `revoke` needs. */
export interface Target extends FaultTarget {
  readonly families: readonly string[];
}

const roots = [
  ['/v1/', 'v1'],
  ['/3.0/', 'v3'],
  ['/v2/', 'v2'],
] as const;

/** The surface that a path belongs to; undefined for the token endpoint and everything else. */
export const surfaceOf = (path: string): 'v1' | 'v3' | 'v2' | undefined =>
  roots.find(([prefix]) => path.toLowerCase().startsWith(prefix))?.[1];

const tokenPaths = new Set(['/connect/token', '/oauth/token']);

/** Does the path, in any case, name the token endpoint? */
export function isTokenPath(path: string): boolean {
  return tokenPaths.has(path.toLowerCase().replace(/\/$/, ''));
}

/** Describes a request before it is authenticated; undefined if no fault can concern it. */
export async function targetOf(parts: TargetParts, request: Request): Promise<Target | undefined> {
  const { path } = request;
  if (isTokenPath(path)) return tokenTarget(parts, request);
  const root = roots.find(([prefix]) => path.toLowerCase().startsWith(prefix));
  if (root === undefined) return undefined;
  const [prefix, surface] = root;
  const find = surface === 'v2' ? parts.jsonOperationOf : parts.operationOf;
  const operation = find(
    verbOf(request.method),
    decodedSegments(path.slice(prefix.length).replace(/\/$/, '')),
  );
  if (surface === 'v1') {
    const organisation = await parts.organisations.byAccountKey(keyOf(request.originalUrl, 'accountkey'));
    return {
      surface,
      operation,
      accountIds: organisation === undefined ? [] : [organisation.id],
      families: [],
    };
  }
  const id = parts.authenticator.organisationHeader(request);
  const token = await parts.authenticator.bearer(request);
  return {
    surface,
    operation,
    accountIds: id === undefined ? [] : [id],
    families: token.result === 'family' ? [token.family.id] : [],
  };
}

async function tokenTarget(parts: TargetParts, request: Request): Promise<Target> {
  const { values } = readParameters(bodyText(request));
  const token = values.get('refresh_token');
  if (token !== undefined) {
    const family = await parts.tree.familyOf(token);
    return {
      surface: 'token',
      operation: 'refresh',
      accountIds: family?.organisations ?? [],
      families: family === undefined ? [] : [family.id],
    };
  }
  const code = values.get('code') ?? request.headers.code;
  const row =
    typeof code === 'string'
      ? await parts.db
          .selectFrom('oauth_codes')
          .select(['organisations', 'family_id'])
          .where('code', '=', code)
          .executeTakeFirst()
      : undefined;
  return {
    surface: 'token',
    operation: code === undefined ? undefined : 'exchange',
    accountIds: row === undefined ? [] : (JSON.parse(row.organisations) as string[]),
    families: [row?.family_id ?? []].flat(),
  };
}
