/**
 * The operator's JSON API, `/_causeway/api`. One table of operations (`operations.ts`) drives routing, checks
 * and the OpenAPI document.
 *
 * A request passes these steps in order: token or session (`Credentials`), before the caller learns which
 * addresses exist; address; scope of the token; query and body against the operation's schemas; operation.
 * Every refusal is an `ApiRefusal`, written in one place with a code from one table (`refusal.ts`). Any other
 * error is logged with the request's id and answered with 500 and no details. A long reply is streamed, and
 * cut if it fails half way.
 */
import type { NextFunction, Request, Response, Router } from 'express';
import type { Log } from '../../lib/log/log.ts';
import { covers, type ConsoleToken } from '../../features/admin/tokens/token.ts';
import type { AdminService } from '../../features/admin/admin.ts';
import { plainJson } from '../../lib/text/plain-text.ts';
import type { Credentials } from './credentials.ts';
import { Flow, Unusable, type Endpoint, type PathValues } from './endpoint.ts';
import { operations } from './operations.ts';
import { readJson, USUAL_LENGTH } from './json-body.ts';
import { openApi } from './openapi.ts';
import type { EventStreams } from '../server/event-streams.ts';
import { mount, newRouter, route } from '../server/routes.ts';
import { ApiRefusal, refusalOf } from './refusal.ts';
import { refusalBody, refusals } from '../server/refusals.ts';
import { flow } from './flow.ts';
import { listenToEvents } from './stream.ts';

/** What the API needs. */
export interface ApiParts {
  readonly admin: AdminService;
  readonly credentials: Credentials;
  /** Shared with the console's pages. */
  readonly streams: EventStreams;
  /** The bridge's address for browsers, without a trailing slash. */
  readonly publicUrl: string;
  readonly log: Log;
}

const DOCUMENT = '/openapi.json';
const STREAM = '/events/stream';
/** The addresses that are not in the table of operations. */
const besides = [DOCUMENT, STREAM].map((path) => ({ verb: 'GET', path }));

/** Everything the console can do, as JSON. */
export class ApiEndpoint {
  readonly #parts: ApiParts;
  #document: string | undefined;

  constructor(parts: ApiParts) {
    this.#parts = parts;
  }

  /** Mount it at `/_causeway/api`. */
  router(): Router {
    const router = newRouter();
    router.get(DOCUMENT, (_request, response) => {
      this.#document ??= plainJson(openApi(operations, this.#parts.publicUrl));
      send(response, 200, this.#document);
    });
    // A caller without permission learns nothing, not even which addresses exist.
    router.use(async (request, response, next) => {
      response.locals.token = await this.#parts.credentials.whose(request);
      next();
    });
    mount(router, [
      route('GET', STREAM, (request, response) => this.#listen(request, response)),
      ...operations.map((endpoint) =>
        route(endpoint.verb, expressPath(endpoint.path), (request: Request, response) =>
          this.#answer(endpoint, request, response),
        ),
      ),
    ]);
    router.use((request) => {
      throw this.#missing(request);
    });
    router.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
      this.#refuse(error, request, response, next);
    });
    return router;
  }

  async #answer(endpoint: Endpoint, request: Request, response: Response): Promise<void> {
    const { admin } = this.#parts;
    const token = response.locals.token as ConsoleToken;
    if (!covers(token.scope, endpoint.scope))
      throw new ApiRefusal('scope', `this needs a token of scope ${endpoint.scope}`);
    const path = request.params as PathValues;
    if (Object.values(path).some(hasNull)) throw new ApiRefusal('unknown', 'there is no such address');
    const reply = await endpoint.answer({
      admin,
      path,
      query: queryOf(request),
      body: endpoint.body && (await bodyOf(endpoint, request, response)),
      who: token.name,
      scope: token.scope,
    });
    if (reply instanceof Flow) await this.#flow(endpoint, reply, response);
    else send(response, endpoint.status ?? 200, plainJson(reply));
  }

  async #flow({ id, type = 'application/json' }: Endpoint, reply: Flow, response: Response): Promise<void> {
    const fault = await flow(response, reply, { 'Content-Type': `${type}; charset=utf-8` });
    if (fault !== undefined) this.#parts.log.error('api.cut', { operation: id, error: fault });
  }

  async #listen(request: Request, response: Response): Promise<void> {
    const { admin, streams, credentials } = this.#parts;
    const access = credentials.accessOf(request, response.locals.token as ConsoleToken);
    listenToEvents(streams, { request, response }, await admin.latestEvent(), access);
  }

  #missing({ path }: Request): ApiRefusal {
    const here = [...besides, ...operations].filter((endpoint) => patternOf(endpoint.path).test(path));
    if (here.length === 0) return new ApiRefusal('unknown', 'there is no such address');
    const allow = [...new Set(here.map(({ verb }) => verb))].join(', ');
    return new ApiRefusal('verb', undefined, { headers: { Allow: allow } });
  }

  #refuse(error: unknown, request: Request, response: Response, next: NextFunction): void {
    const refusal = refusalOf(error) ?? refusalOfExpress(error) ?? this.#trouble(error, request, response);
    if (response.headersSent) {
      next(error);
      return;
    }
    for (const [name, value] of Object.entries(refusal.headers)) response.setHeader(name, value);
    const { code, message, details } = refusal;
    send(response, refusals[code].status, plainJson(refusalBody(code, message, details)));
  }

  /** The error is logged with its request and never shown. */
  #trouble(error: unknown, { method, route }: Request, response: Response): ApiRefusal {
    this.#parts.log.error('api.failed', {
      request: String(response.getHeader('X-Request-Id')),
      verb: method,
      address: (route as { readonly path?: string } | undefined)?.path,
      error: error instanceof Error ? error.message : typeof error,
      stack: error instanceof Error ? error.stack : undefined,
    });
    return new ApiRefusal('internal');
  }
}

const expressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');
const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);

/** Each parameter may occur once: of two, it is unclear which one is meant. */
function queryOf({ originalUrl }: Request): unknown {
  const at = originalUrl.indexOf('?');
  const pairs = [...new URLSearchParams(at < 0 ? '' : originalUrl.slice(at + 1))];
  const twice = pairs.find(([name], index) => pairs.findIndex(([other]) => other === name) !== index);
  if (twice !== undefined) throw new Unusable([{ field: `query.${twice[0]}`, message: 'is there twice' }]);
  const withNull = pairs.find(([, value]) => hasNull(value));
  if (withNull !== undefined)
    throw new Unusable([{ field: `query.${withNull[0]}`, message: 'contains the character U+0000' }]);
  return Object.fromEntries(pairs);
}

/** PostgreSQL takes no text with this character. */
const hasNull = (text: string): boolean => text.includes('\0');

const bodyOf = (endpoint: Endpoint, request: Request, response: Response): Promise<unknown> =>
  readJson(
    request,
    () => {
      if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue();
    },
    endpoint.longest ?? USUAL_LENGTH,
  );

/** Express refuses a path it cannot decode with its own status. */
const refusalOfExpress = (error: unknown): ApiRefusal | undefined =>
  error instanceof URIError || (error instanceof Error && 'status' in error && error.status === 400)
    ? new ApiRefusal('unknown', 'there is no such address')
    : undefined;

function send(response: Response, status: number, json: string): void {
  const body = Buffer.from(`${json}\n`, 'utf8');
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
