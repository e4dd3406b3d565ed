/**
 * The token endpoint: authenticates the application, then exchanges a code or refreshes a token.
 *
 * `Codes` decides on a code exchange, `TokenTree` on a refresh; both return the body to send or the error of RFC 6749,
 * 5.2. Every call is recorded in the request log with its family and generation, so that a test can follow each refresh
 * token (V2 specification, "Tokens").
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';
import type { Application } from '../../identity/application.ts';
import type { Protocol } from '../../protocol.ts';
import type { RequestLog } from '../../http/request-log.ts';
import type { Codes } from '../tokens/codes.ts';
import { checkClient } from '../credentials.ts';
import type { Family } from '../tokens/family.ts';
import { readParameters } from '../parameters.ts';
import type { TokenTree } from '../tokens/token-tree.ts';

export interface TokenEndpointParts {
  readonly codes: Codes;
  readonly tree: TokenTree;
  readonly log: RequestLog;
  readonly applications: () => ReadonlyMap<string, Application>;
  readonly protocol: () => Protocol;
}

type OAuthError =
  'invalid_request' | 'invalid_client' | 'invalid_grant' | 'invalid_scope' | 'unsupported_grant_type';

/** The parameters of a token request; `fromHeaders` is the mistake of V2 specification, "Tokens", rule 1. */
interface TokenRequest {
  readonly values: ReadonlyMap<string, string>;
  readonly fromHeaders: boolean;
}

const EXCHANGE_FIELDS = ['grant_type', 'code', 'redirect_uri', 'client_id', 'client_secret', 'code_verifier'];

/** `POST /connect/token`, `POST /oauth/token`: code exchange and refresh. */
export function tokenEndpoint(parts: TokenEndpointParts) {
  return async (request: Request, response: Response): Promise<void> => {
    response.set('Cache-Control', 'no-store').set('Pragma', 'no-cache');
    if (isNoForm(request)) {
      fail(response, 'invalid_request', NO_FORM);
      return;
    }
    const body = readParameters(bodyText(request));
    if (body.result === 'repeated') {
      fail(response, 'invalid_request', `${body.name} is repeated`);
      return;
    }
    const asked = withHeaderFields(body.values, request.headers);
    const application = authenticated(parts, asked.values, request, response);
    if (application !== undefined) await grant(parts, { application, asked, request, response });
  };
}

type ClientParts = Pick<TokenEndpointParts, 'log' | 'applications' | 'protocol'>;

/** Returns the calling application, recorded in the log; undefined if the answer has already been sent. */
export function authenticated(
  { log, applications, protocol }: ClientParts,
  values: ReadonlyMap<string, string>,
  request: Request,
  response: Response,
): Application | undefined {
  const { authorization } = request.headers;
  const client = checkClient(authorization, values, applications(), protocol().credentials);
  if (client.result === 'refused') {
    if (authorization !== undefined) response.set('WWW-Authenticate', 'Basic realm="connect"');
    fail(response, 'invalid_client', client.description);
    return undefined;
  }
  const line = log.line(request);
  if (line !== undefined) line.clientId = client.application.id;
  return client.application;
}

/** A token request from a known client. */
interface TokenCall {
  readonly application: Application;
  readonly asked: TokenRequest;
  readonly request: Request;
  readonly response: Response;
}

async function grant(parts: TokenEndpointParts, call: TokenCall): Promise<void> {
  const { asked, response } = call;
  switch (asked.values.get('grant_type')) {
    case undefined:
      fail(response, 'invalid_request', 'grant_type is missing');
      return;
    case 'authorization_code':
      await exchange(parts, call);
      return;
    case 'refresh_token':
      await refresh(parts, call);
      return;
    default:
      fail(response, 'unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  }
}

async function exchange(parts: TokenEndpointParts, call: TokenCall): Promise<void> {
  const { application, asked, request, response } = call;
  const code = asked.values.get('code');
  const redirectUri = asked.values.get('redirect_uri');
  if (code === undefined || redirectUri === undefined) {
    fail(response, 'invalid_request', `${code === undefined ? 'code' : 'redirect_uri'} is missing`);
    return;
  }
  const outcome = await parts.codes.exchange({
    code,
    clientId: application.id,
    redirectUri,
    verifier: asked.values.get('code_verifier'),
    complete: !asked.fromHeaders,
  });
  note(parts.log, request, outcome.family, undefined);
  if (outcome.result === 'refused') fail(response, 'invalid_grant', outcome.description);
  else answer(response, outcome.body);
}

async function refresh(parts: TokenEndpointParts, call: TokenCall): Promise<void> {
  const { application, asked, request, response } = call;
  const token = asked.values.get('refresh_token');
  if (token === undefined) {
    fail(response, 'invalid_request', 'refresh_token is missing');
    return;
  }
  // Nothing wider than what was granted (RFC 6749, section 6).
  const scopes = asked.values.get('scope')?.split(' ').filter(Boolean);
  const outcome = await parts.tree.present(token, application.id, scopes);
  note(parts.log, request, outcome.family, outcome.n);
  if (outcome.result === 'refused') fail(response, outcome.error, outcome.description);
  else answer(response, outcome.body);
}

function note(log: RequestLog, request: Request, family: Family | undefined, n: number | undefined): void {
  const line = log.line(request);
  if (line === undefined || family === undefined) return;
  line.family = family.id;
  line.generation = n ?? null;
  line.accountId = family.organisations[0] ?? null;
}

/** The raw body as the router left it; empty if there is none. */
export function bodyText(request: Request): string {
  const body: unknown = request.body;
  return Buffer.isBuffer(body) ? body.toString('utf8') : '';
}

export const NO_FORM = 'the Content-Type must be application/x-www-form-urlencoded';

/**
 * Whether the body has another Content-Type than the prescribed one (V2 specification, "Tokens", rule 3). A request
 * without a body is judged by the fields it lacks.
 */
export const isNoForm = (request: Request): boolean =>
  request.is('application/x-www-form-urlencoded') === false && bodyText(request) !== '';

/**
 * Takes the fields that the body of a code exchange lacks from header fields. Only a code exchange has this
 * trap: a refresh is read only from its body.
 */
function withHeaderFields(body: ReadonlyMap<string, string>, headers: IncomingHttpHeaders): TokenRequest {
  const values = new Map(body);
  if ((values.get('grant_type') ?? headers.grant_type) !== 'authorization_code') {
    return { values, fromHeaders: false };
  }
  let fromHeaders = false;
  for (const name of EXCHANGE_FIELDS) {
    const value = headers[name];
    if (values.has(name) || typeof value !== 'string' || value === '') continue;
    values.set(name, value);
    fromHeaders = true;
  }
  return { values, fromHeaders };
}

function answer(response: Response, body: string): void {
  response.status(200).type('application/json; charset=utf-8').send(body);
}

/** Sends the error of RFC 6749, section 5.2: 401 if the client is at fault, 400 for everything else. */
export function fail(response: Response, error: OAuthError, description: string): void {
  response
    .status(error === 'invalid_client' ? 401 : 400)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ error, error_description: description }));
}
