/**
 * Routes the program's addresses to their handlers: health, documents, customers' pages, console and API below
 * `/_causeway/`, the legacy API everywhere else.
 *
 * Programs and people can each have a listener (`Visitors`): the one for programs then has no pages, the one for people
 * no legacy API. Below `/_causeway/` every request first gets an id and is checked for unambiguous framing; people's
 * pages also get security headers. An address that cannot be decoded gets a plain 404, an unexpected error a page
 * without details; outside `/_causeway/` both get XML in the legacy form.
 */
import { randomUUID } from 'node:crypto';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { isAway, RETRY_SECONDS } from '../../lib/store-fault.ts';
import { Failure } from '../../lib/failure.ts';
import type { Log } from '../../lib/log/log.ts';
import { refusalBody, refusals } from './refusals.ts';
import type { BouncesEndpoint } from '../customer/bounces.ts';
import type { ConnectionPages } from '../customer/connection.ts';
import type { ConnectPages } from '../customer/connect.ts';
import type { DocumentsEndpoint } from '../legacy/documents.ts';
import { isPlainlyFramed } from './connection/framing.ts';
import { health, type HealthParts } from './health.ts';
import type { LegacyEndpoint } from '../legacy/legacy.ts';
import { messages } from '../customer/messages.ts';
import type { HomePage } from '../customer/home.ts';
import type { Pages } from '../customer/pages.ts';
import { mount, newRouter, NotMade, route, type Handler, type Route } from './routes.ts';
import { safeHeaders } from './safe-headers.ts';
import type { UnsubscribePages } from '../customer/unsubscribe.ts';

/** The handlers; an undefined one has no address. */
export interface Endpoints {
  readonly legacy: LegacyEndpoint;
  readonly health: HealthParts;
  readonly pages: Pages;
  /** Undefined: `/` is for programs only. */
  readonly home?: HomePage | undefined;
  /** People reach the bridge over https, and their browsers must not return without it. */
  readonly isHttps?: boolean;
  /** Undefined: no authorisation server is configured, so no account can move. */
  readonly connect: ConnectPages | undefined;
  readonly documents: DocumentsEndpoint | undefined;
  /** Undefined: no account can move. */
  readonly connection?: ConnectionPages | undefined;
  /** Undefined: no e-mail is sent. */
  readonly unsubscribe?: UnsubscribePages | undefined;
  /** Undefined: no provider reports bounces. */
  readonly bounces?: BouncesEndpoint | undefined;
  /** See `consoleRouter`. */
  readonly console?: RequestHandler | undefined;
  /** See `docsRouter`. */
  readonly docs?: RequestHandler | undefined;
  /** See `ApiEndpoint`. */
  readonly api?: RequestHandler | undefined;
  readonly log: Log;
}

const ELSEWHERE = 'This address does not serve legacy programs; they have their own';

/** The users of a listener: all, or only one kind of visitor if the other has a listener of its own. */
export type Visitors = 'everybody' | 'programs' | 'people';

/** Routes each address to its handler. Everything outside `/_causeway/` belongs to the legacy API. */
export function createApp(endpoints: Endpoints, visitors: Visitors = 'everybody'): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.use('/_causeway', visitors === 'programs' ? forPrograms(endpoints) : causeway(endpoints));
  if (endpoints.home !== undefined && visitors !== 'programs') app.get('/', home(endpoints, endpoints.home));
  app.use(visitors === 'people' ? elsewhere(endpoints) : endpoints.legacy.handle);
  app.use(troubled(endpoints));
  return app;
}

function home({ isHttps, pages, log }: Endpoints, page: HomePage): Router {
  const router = newRouter();
  router.use((request, response, next) => {
    next(page.isAskedFor(request) && isPlainlyFramed(request, response) ? undefined : 'router');
  });
  router.use(identified, safeHeaders(isHttps === true));
  router.use((_request, response) => {
    page.show(response);
  });
  router.use(pageTrouble(pages, log));
  return router;
}

const identified = (_request: Request, response: Response, next: NextFunction): void => {
  response.setHeader('X-Request-Id', randomUUID());
  response.setHeader('X-Causeway-Source', 'bridge');
  next();
};

const elsewhere =
  ({ legacy }: Endpoints): Handler =>
  (request, response) => {
    legacy.refuse(request, response, new Failure('unknownMethod', { text: ELSEWHERE }));
  };

/** The addresses that legacy programs follow links to, and that a load balancer probes. */
function forPrograms({ documents, health: probes, pages }: Endpoints): Router {
  const router = newRouter();
  const { live, ready } = health(probes);
  router.use(identified);
  router.use((request, response, next) => {
    if (isPlainlyFramed(request, response)) next();
    else pages.send(response, 400, 'message', messages.missing);
  });
  mount(router, [route('GET', '/health/live', live), route('GET', '/health/ready', ready)]);
  if (documents !== undefined) mount(router, documentRoutes(documents));
  return router;
}

function causeway(endpoints: Endpoints): Router {
  const { connect, unsubscribe, pages, log } = endpoints;
  const router = forPrograms(endpoints);
  router.use(safeHeaders(endpoints.isHttps === true));
  mount(router, [
    route('GET', '/assets/pages.css', (_request, response) => {
      pages.stylesheet(response);
    }),
  ]);
  if (connect !== undefined) mount(router, consentRoutes(connect, endpoints.connection));
  if (endpoints.connection !== undefined) mount(router, connectionRoutes(endpoints.connection));
  if (unsubscribe !== undefined) mount(router, unsubscribeRoutes(unsubscribe));
  if (endpoints.bounces !== undefined) mount(router, bounceRoutes(endpoints.bounces));
  if (endpoints.console !== undefined) router.use('/console', endpoints.console);
  if (endpoints.docs !== undefined) router.use('/docs', endpoints.docs);
  if (endpoints.api !== undefined) router.use('/api', endpoints.api, apiTrouble);
  const missing: Handler = (_request, response) => {
    pages.send(response, 404, 'message', messages.missing);
  };
  router.use(missing);
  router.use(pageTrouble(pages, log));
  return router;
}

const documentRoutes = (documents: DocumentsEndpoint): readonly Route[] => [
  route('any', '/documents/:token', (request, response) =>
    documents.send(request.params.token, request, response, { requestId: requestIdOf(response) }),
  ),
];

const consentRoutes = (connect: ConnectPages, connection?: ConnectionPages): readonly Route[] => [
  route('GET', '/connect/:link', ({ params }, response) => connect.show(params.link, response)),
  route('POST', '/connect/:link', (request, response) =>
    connect.leave(request.params.link, request, response),
  ),
  ...['/callback', '/callback/:application'].map((path) =>
    route('GET', path, async (request, response) => {
      if ((await connection?.arrived(request, response)) !== true) await connect.arrive(request, response);
    }),
  ),
  route('GET', '/choose/:key', (request, response) => connect.ask(request.params.key, request, response)),
  route('POST', '/choose/:key', (request, response) => connect.answer(request.params.key, request, response)),
  route('GET', '/result', (request, response) => connect.result(request, response)),
  route('POST', '/result', (request, response) => connect.explain(request, response)),
  route('GET', '/unmatched', (_request, response) => {
    connect.unmatched(response);
  }),
];

const connectionRoutes = (pages: ConnectionPages): readonly Route[] => [
  route('GET', '/connection/:link', ({ params }, response) => pages.show(params.link, response)),
  route('POST', '/connection/:link', (request, response) =>
    pages.act(request.params.link, request, response),
  ),
  route('GET', '/status/keys.json', (_request, response) => {
    pages.keys(response);
  }),
  route('GET', '/status/:token', ({ params }, response) => pages.embedded(params.token, response)),
  route('GET', '/status/:token/status.json', ({ params }, response) => pages.json(params.token, response)),
];

const unsubscribeRoutes = (pages: UnsubscribePages): readonly Route[] => [
  route('GET', '/unsubscribe/:token', ({ params }, response) => pages.show(params.token, response)),
  route('POST', '/unsubscribe/:token', ({ params }, response) => pages.end(params.token, response)),
];

const bounceRoutes = (bounces: BouncesEndpoint): readonly Route[] => [
  route('POST', '/bounces/:secret', (request, response) =>
    bounces.take(request.params.secret, request, response),
  ),
];

const requestIdOf = (response: Response): string => String(response.getHeader('X-Request-Id'));

/** An error in a page is logged with its request and never shown. */
function pageTrouble(pages: Pages, log: Log) {
  return (error: unknown, _request: Request, response: Response, next: NextFunction): void => {
    if (isUnreadable(error)) {
      pages.send(response, 404, 'message', messages.missing);
      return;
    }
    const away = isAway(error);
    // An outage of the database is logged once, where it is noticed.
    if (!away && !(error instanceof NotMade))
      log.error('page.failed', {
        request: requestIdOf(response),
        error: error instanceof Error ? error.message : typeof error,
        stack: error instanceof Error ? error.stack : undefined,
      });
    if (response.headersSent) {
      next(error);
      return;
    }
    if (away) response.setHeader('Retry-After', RETRY_SECONDS);
    const message = away ? messages.away : messages.trouble;
    pages.send(response, message.status, 'message', message);
  };
}

/** Handles an API that could not be loaded; the API answers its own errors. */
const apiTrouble = (error: unknown, _request: Request, response: Response, next: NextFunction): void => {
  if (error instanceof NotMade) response.status(refusals.internal.status).json(refusalBody('internal'));
  else next(error);
};

/** Express refuses a path it cannot decode with its own status. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof URIError || (error instanceof Error && 'status' in error && error.status === 400);

/** No error is expected here; any gets the legacy endpoint's form. */
function troubled({ legacy }: Endpoints) {
  return (error: unknown, request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) next(error);
    else legacy.refuse(request, response, new Failure('internal', { cause: error }));
  };
}
