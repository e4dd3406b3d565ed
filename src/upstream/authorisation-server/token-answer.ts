import { z } from 'zod';
import { Secret } from '../../lib/secret/secret.ts';
import type { RefreshVerdict, TokenAnswer } from '../model.ts';
import { expiryOf, plain, readClaims, tokenClaims } from './claims.ts';

/** What came back from the token endpoint, as text. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  /** What the server asked to be left alone for, in milliseconds. */
  readonly retryAfter?: number | undefined;
}

/** Refusals of the client, whatever token it shows: every other token would be answered alike. */
const ofTheClient = new Set(['invalid_client', 'unauthorized_client']);

const tokenForm = z.object({
  // Goes into a header.
  access_token: z.string().regex(/^[\x21-\x7e]{1,65536}$/),
  token_type: z
    .string()
    .regex(/^bearer$/i)
    .optional(),
  expires_in: z.coerce.number().positive().max(1e9).optional(),
  refresh_token: z.string().min(1).max(65_536).optional(),
  scope: z.union([z.string(), z.array(z.string()).transform((scopes) => scopes.join(' '))]).optional(),
  id_token: z.string().optional().catch(undefined),
});

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

/** The `error` of a refusal: a 4xx with a JSON body that names one. Texts are for the log alone. */
export function errorOf(reply: Reply): { readonly error: string; readonly description: string } | undefined {
  if (reply.status < 400 || reply.status >= 500 || reply.status === 429) return undefined;
  const body = parsed(errorForm, reply.text);
  return body && { error: body.error, description: plain(body.error_description) ?? '' };
}

/**
 * A pair of tokens, or `undefined` for anything else. `strict`: the access token must be readable, because the
 * organisation is taken from it; at a refresh nothing depends on that.
 */
export function tokenAnswer(
  reply: Reply,
  now: number,
  reading: 'strict' | 'lenient',
): TokenAnswer | undefined {
  const body = reply.status === 200 ? parsed(tokenForm, reply.text) : undefined;
  if (body === undefined) return undefined;
  const claims = readClaims(body.access_token);
  const accessExpiresAt = expiryOf(claims, body.expires_in, now);
  if (accessExpiresAt === undefined || (claims === undefined && reading === 'strict')) return undefined;
  return {
    accessToken: new Secret(body.access_token),
    accessExpiresAt,
    refreshToken: body.refresh_token === undefined ? undefined : new Secret(body.refresh_token),
    scope: body.scope,
    claims: tokenClaims(claims ?? {}, body.id_token === undefined ? undefined : readClaims(body.id_token)),
  };
}

/**
 * Classified by `error` alone: only `invalid_grant` says that the token is dead. Everything else that is not a whole
 * new pair leaves open what became of it.
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
  // 401: some say in plain words that they take no Basic credentials.
  const everybody = (status === 429 || status === 401) && { everybody: true };
  return { verdict: 'unanswered', cause: `status ${status}`, ...everybody, retryAfter };
}
