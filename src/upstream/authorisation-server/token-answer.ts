/**
 * Reads the token endpoint's answers, and the claims of the tokens in them.
 *
 * `refreshVerdict` judges a refresh, `tokenAnswer` parses a token pair. Claims are decoded without trusting
 * them: they belong to our own token, and nobody's rights depend on them.
 */
import { decodeJwt } from 'jose/jwt/decode';
import { z } from 'zod';
import { MINUTE } from '../../lib/time/clock.ts';
import { Secret } from '../../lib/secret/secret.ts';
import type { RefreshVerdict, TokenAnswer, TokenClaims } from '../model.ts';
import { retryAfterMs } from '../transport/outcome.ts';

/** The token endpoint's answer, as text. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  /** How long the server asked to be left alone, in milliseconds. */
  readonly retryAfter?: number | undefined;
}

/** `Retry-After`, read as the endpoints read it. */
export const waitIn = (headers: Readonly<Record<string, unknown>>, now: number): number | undefined => {
  const text = (name: string): string => (typeof headers[name] === 'string' ? headers[name] : '');
  return retryAfterMs({ headers: { 'retry-after': text('retry-after'), date: text('date') } }, now);
};

/** Refusals of the client, whatever token it presents: every other token would get the same answer. */
const ofTheClient = new Set(['invalid_client', 'unauthorized_client']);

/** Serialisers may write null for what is missing. */
const tokenForm = z.object({
  // It goes into a header.
  access_token: z.string().regex(/^[\x21-\x7e]{1,65536}$/),
  token_type: z
    .string()
    .trim()
    .regex(/^bearer$/i)
    .nullish(),
  expires_in: z.coerce.number().positive().max(1e9).nullish(),
  refresh_token: z.string().min(1).max(65_536).nullish(),
  scope: z.union([z.string(), z.array(z.string()).transform((scopes) => scopes.join(' '))]).nullish(),
  id_token: z.string().catch(''),
});

type Body = z.infer<typeof tokenForm>;

/** Of an access token whose end nobody says, in milliseconds: shorter than any documented one. */
const ASSUMED_LIFE = 10 * MINUTE;

/** Without these a pair is still a pair. */
const dispensable = new Set(['token_type', 'expires_in', 'scope']);

const errorForm = z.object({
  error: z.string().regex(/^[a-z_]{1,64}$/),
  error_description: z.string().optional().catch(undefined),
});

function parsed<T>(form: z.ZodType<T>, text: string): T | undefined {
  try {
    return form.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // the error quotes the text
  }
}

/** The `error` of a refusal: a 4xx with a JSON body that names one. Its text is only for the log. */
export function errorOf(reply: Reply): { readonly error: string; readonly description: string } | undefined {
  if (reply.status < 400 || reply.status >= 500 || reply.status === 429) return undefined;
  const body = parsed(errorForm, reply.text);
  return body && { error: body.error, description: plain(body.error_description) ?? '' };
}

/** The body without the dispensable fields that are not as expected, and the names of what is odd. */
function pairIn({ status, text }: Reply): { readonly body: Body; readonly odd: Set<string> } | undefined {
  if (status < 200 || status >= 300) return undefined;
  try {
    const json: unknown = JSON.parse(text);
    const { data: whole, error } = tokenForm.safeParse(json);
    const odd = new Set(error?.issues.map(({ path: [field] }) => String(field)));
    if ([...odd].some((field) => !dispensable.has(field))) return undefined;
    const body =
      whole ?? tokenForm.parse(Object.assign({}, json, ...[...odd].map((field) => ({ [field]: null }))));
    return { body, odd: status === 200 ? odd : odd.add('status') };
  } catch {
    return undefined; // the errors quote the text
  }
}

/**
 * A token pair, or `undefined` for anything else.
 *
 * `strict`, for a code: all must be as expected, and the access token readable, because the organisation is taken from
 * it. `lenient`, for a refresh: the presented token ended with this answer, and the specification does not show its
 * fields, so two usable tokens are kept whatever else is odd. An access token of another type than `Bearer` must not
 * be sent as one (RFC 6749, section 7.1): it is never valid.
 */
export function tokenAnswer(
  reply: Reply,
  now: number,
  reading: 'strict' | 'lenient',
): TokenAnswer | undefined {
  const pair = pairIn(reply);
  if (pair === undefined) return undefined;
  const { body, odd } = pair;
  const claims = readClaims(body.access_token);
  const expiresAt = expiryOf(claims, body.expires_in, now);
  if (expiresAt === undefined) odd.add('expires_in');
  if (reading === 'strict' && (claims === undefined || odd.size > 0)) return undefined;
  return {
    accessToken: new Secret(body.access_token),
    accessExpiresAt: odd.has('token_type') ? 0 : (expiresAt ?? now + ASSUMED_LIFE),
    refreshToken: body.refresh_token ? new Secret(body.refresh_token) : undefined,
    scope: body.scope ?? undefined,
    claims: tokenClaims(claims, readClaims(body.id_token)),
    odd: [...odd],
  };
}

/**
 * Classified only by `error`: only `invalid_grant` says that the token is dead. Any other answer that is not
 * a complete new pair leaves open what became of the token.
 */
export function refreshVerdict(reply: Reply, now: number): RefreshVerdict {
  const refusal = errorOf(reply);
  if (refusal?.error === 'invalid_grant') return { verdict: 'refused', description: refusal.description };
  if (refusal !== undefined)
    return {
      verdict: 'unanswered',
      cause: refusal.error,
      ...(ofTheClient.has(refusal.error) && { everybody: true }),
    };
  const answer = tokenAnswer(reply, now, 'lenient');
  if (answer === undefined) return unusable(reply);
  const { refreshToken } = answer;
  if (refreshToken === undefined) return { verdict: 'unanswered', cause: 'no refresh_token' };
  return { verdict: 'renewed', answer: { ...answer, refreshToken } };
}

function unusable({ status, retryAfter }: Reply): RefreshVerdict {
  if (status === 200) return { verdict: 'unanswered', cause: 'unreadable' };
  // 401: some servers refuse Basic credentials in plain text.
  const everybody = (status === 429 || status === 401) && { everybody: true };
  return { verdict: 'unanswered', cause: `status ${status}`, ...everybody, retryAfter };
}

/** In characters: a longer token is not read. */
const LONGEST = 16 * 1024;
const MOST_ORGANISATIONS = 1_000;
/** Three parts of base64url and nothing else: the decoder itself skips unknown characters. */
const jwtForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

/** It goes into a header and into rows. */
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

/** What an access token says about itself; read, but never trusted for a decision. */
export type Claims = z.infer<typeof claimsForm>;

/**
 * What a token says about itself, decoded without trusting it: good enough for reading our own token, never
 * for deciding on anybody's rights. `undefined` unless it is a plain JWT of limited size with claims of the
 * expected types.
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
 * Organisations, in the order of the places where providers put them; who consented, from the identity token
 * if there is one.
 */
export function tokenClaims(access: Claims = {}, identity: Claims | undefined): TokenClaims {
  // From the token that names the address: `verified` in one does not apply to the address of the other.
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

/** What an access token says by itself, without the answer it came with; nothing if it cannot be read. */
export function claimsIn(accessToken: Secret): {
  readonly claims: TokenClaims;
  readonly scope: string | undefined;
} {
  const text = accessToken.reveal();
  const claims = readClaims(text);
  const scoped = claims === undefined ? undefined : scopeForm.safeParse(decodeJwt(text)).data;
  const scope = scoped?.scope ?? scoped?.scp;
  return {
    claims: tokenClaims(claims, undefined),
    scope: typeof scope === 'string' ? scope : scope?.join(' '),
  };
}

const listed = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .catch(undefined);
/** RFC 9068, section 2.2.3; some servers write a list, or `scp`. */
const scopeForm = z.object({ scope: listed, scp: listed });

function organisationsOf(claims: Claims): readonly string[] {
  if (claims.org_ids !== undefined && claims.org_ids.length > 0) return [...new Set(claims.org_ids)];
  const single = claims.org_id ?? claims.organisation_id ?? claims.tenant_id;
  return single === undefined ? [] : [single];
}

function nameOf(claims: Claims | undefined): string | undefined {
  const parts = [claims?.given_name, claims?.family_name].filter((part) => part !== undefined);
  return plain(claims?.name) ?? plain(parts.join(' '));
}

/** One line of limited length; what remains of a hostile one is harmless. */
export function plain(text: string | undefined): string | undefined {
  const line = text?.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return line === undefined || line === '' ? undefined : line.slice(0, 256);
}

/**
 * When the access token expires, in whole milliseconds since the epoch; the seconds of a token may be fractions
 * (RFC 7519, section 2). A duration is valid whatever the two clocks say, so `expires_in` takes precedence over `exp`;
 * the claim can only shorten it.
 */
export function expiryOf(
  claims: Claims | undefined,
  expiresIn: number | null | undefined,
  now: number,
): number | undefined {
  const claimed = claims?.exp === undefined ? undefined : Math.floor(claims.exp * 1_000);
  const began = claims?.iat ?? claims?.nbf;
  const lifetime =
    expiresIn ?? (claims?.exp === undefined || began === undefined ? undefined : claims.exp - began);
  if (lifetime === undefined || lifetime <= 0)
    return claimed !== undefined && claimed > now ? claimed : undefined;
  const end = Math.floor(now + lifetime * 1_000);
  return claimed !== undefined && claimed > now && claimed < end ? claimed : end;
}
