/**
 * Identity and role of a person, from the claims of an OpenID provider.
 *
 * The role is read at every sign-in from one claim: a text or a list of texts, by its name or by a path such as
 * `realm_access.roles`. Each role has the values that give it; with several, the highest counts, and with none there is
 * no access. A person's name in the audit log ends in `<…>`, which no token's name can.
 */
import { createHash } from 'node:crypto';
import { tokenScopes, type Person, type TokenScope } from '../token.ts';

/** The provider's statements about a person. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/** The claim and its values that give each scope. */
export interface RoleRules {
  readonly claim: string;
  /** The values that give each scope. */
  readonly values: ReadonlyMap<string, TokenScope>;
}

/** The claim at a name or path; undefined if there is none. */
export function claimAt(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  // Names that are URLs contain dots themselves, such as https://example.com/roles.
  if (Object.hasOwn(claims, path)) return claims[path];
  return path
    .split('.')
    .reduce<unknown>(
      (value, step) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, step)
          ? (value as Readonly<Record<string, unknown>>)[step]
          : undefined,
      claims,
    );
}

/** The highest scope that the claims give; undefined if they give none. */
export function scopeOf(claims: Claims, { claim, values }: RoleRules): TokenScope | undefined {
  const found = [claimAt(claims, claim)].flat();
  const scopes = found.map((value) => (typeof value === 'string' ? values.get(value) : undefined));
  return tokenScopes.toReversed().find((scope) => scopes.includes(scope));
}

/** A person with a scope. `issuer`: the provider's identifier for itself. */
export function personOf(claims: Claims, issuer: string, scope: TokenScope): Person {
  const { sub } = claims;
  return {
    id: `openid-${createHash('sha256')
      .update(JSON.stringify([issuer, sub]))
      .digest('base64url')
      .slice(0, 22)}`,
    name: nameOf(claims),
    scope,
    subject: `${printable(sub)} at ${issuer}`,
  };
}

/** `Ada Lovelace <ada@example.com>`. An address that the provider has not verified could be anybody's. */
function nameOf(claims: Claims): string {
  const address = claims.email_verified === false ? undefined : textAt(claims, 'email');
  const known = address ?? textAt(claims, 'preferred_username') ?? printable(claims.sub);
  return `${textAt(claims, 'name') ?? known} <${known}>`;
}

const LONGEST = 60;

function textAt(claims: Claims, name: string): string | undefined {
  const value = claims[name];
  const text = typeof value === 'string' ? printable(value) : '';
  return text === '' ? undefined : text;
}

/** One line without brackets: a name must not look like the end of another. */
const printable = (text: string): string =>
  Array.from(text.replace(/[\p{C}\p{Zl}\p{Zp}<>]/gu, '').trim())
    .slice(0, LONGEST)
    .join('');
