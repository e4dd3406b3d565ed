import { decodeJwt } from 'jose/jwt/decode';
import { z } from 'zod';
import type { TokenClaims } from '../model.ts';

/** A token longer than this is not read. */
const LONGEST = 16 * 1024;
const MOST_ORGANISATIONS = 1_000;
/** Three parts of base64url, nothing else: the decoder itself skips what it does not know. */
const jwtForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

/** Goes into a header and into rows. */
export const idForm = z.string().regex(/^[\x21-\x7e]{1,128}$/);
const seconds = z.number().nonnegative().max(1e11);
const words = z.string().optional().catch(undefined);

const claimsForm = z.object({
  exp: seconds.optional(),
  iat: seconds.optional(),
  nbf: seconds.optional(),
  sub: idForm.optional(),
  user_id: idForm.optional(),
  name: words,
  given_name: words,
  family_name: words,
  email: words,
  email_verified: z
    .union([z.boolean(), z.literal('true').transform(() => true)])
    .optional()
    .catch(undefined),
  authentication_event_id: idForm.optional(),
  org_ids: z.array(idForm).max(MOST_ORGANISATIONS).optional(),
  org_id: idForm.optional(),
  organisation_id: idForm.optional(),
  tenant_id: idForm.optional(),
});

export type Claims = z.infer<typeof claimsForm>;

/**
 * What a token says of itself, decoded without trusting it: good enough to read one's own token, never to decide on
 * anybody's rights. `undefined` for whatever is not a plain JWT of bearable size with claims of the expected types.
 */
export function readClaims(token: string): Claims | undefined {
  if (token.length > LONGEST || !jwtForm.test(token)) return undefined;
  try {
    return claimsForm.parse(decodeJwt(token));
  } catch {
    return undefined; // the errors quote the token
  }
}

/**
 * Organisations in the order of the places where providers put them; who consented, from the identity token where
 * there is one.
 */
export function tokenClaims(access: Claims, identity: Claims | undefined): TokenClaims {
  // Of the token that names the address: what one says verified, the other has not said of its own.
  const addressed = plain(identity?.email) === undefined ? access : identity;
  return {
    organisationIds: organisationsOf(access),
    consenter: {
      userId: access.sub ?? access.user_id ?? identity?.sub ?? '',
      name: nameOf(identity) ?? nameOf(access),
      email: plain(addressed?.email),
    },
    emailVerified: addressed?.email_verified === true,
    authenticationEventId: access.authentication_event_id,
  };
}

function organisationsOf(claims: Claims): readonly string[] {
  if (claims.org_ids !== undefined && claims.org_ids.length > 0) return [...new Set(claims.org_ids)];
  const single = claims.org_id ?? claims.organisation_id ?? claims.tenant_id;
  return single === undefined ? [] : [single];
}

function nameOf(claims: Claims | undefined): string | undefined {
  const parts = [claims?.given_name, claims?.family_name].filter((part) => part !== undefined);
  return plain(claims?.name) ?? plain(parts.join(' '));
}

/** One line of bounded length; what is left of a hostile one is harmless. */
export function plain(text: string | undefined): string | undefined {
  const line = text?.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return line === undefined || line === '' ? undefined : line.slice(0, 256);
}

/**
 * When the access token ends, milliseconds since the epoch. A duration holds whatever the two clocks say, so
 * `expires_in` goes before `exp`; the claim only shortens it.
 */
export function expiryOf(
  claims: Claims | undefined,
  expiresIn: number | undefined,
  now: number,
): number | undefined {
  const claimed = claims?.exp === undefined ? undefined : claims.exp * 1_000;
  const began = claims?.iat ?? claims?.nbf;
  const lifetime =
    expiresIn ?? (claims?.exp === undefined || began === undefined ? undefined : claims.exp - began);
  if (lifetime === undefined || lifetime <= 0)
    return claimed !== undefined && claimed > now ? claimed : undefined;
  const end = now + lifetime * 1_000;
  return claimed !== undefined && claimed > now && claimed < end ? claimed : end;
}
