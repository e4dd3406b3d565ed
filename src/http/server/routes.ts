import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import { MINUTE } from '../../lib/time/clock.ts';

/** One address and its handler. */
export interface Route {
  readonly verb: keyof typeof methods;
  /** In Express's form: `/accounts/:id`. */
  readonly path: string;
  readonly handle: Handler;
}

/** Serves a request; a rejected promise goes to the router's error handler. */
export type Handler = (request: Request, response: Response) => unknown;

/** `/accounts/:id` needs `{ id: string }`. */
type PathValues<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & PathValues<Rest>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : unknown;

const methods = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
  any: 'all',
} as const;

/** A row of a table of routes; its handler receives the values named in its path. */
export const route = <Path extends string>(
  verb: Route['verb'],
  path: Path,
  handle: (request: Request & { readonly params: PathValues<Path> }, response: Response) => unknown,
): Route => ({ verb, path, handle: handle as Handler });

/** A case-sensitive router, because the legacy API is case-sensitive. */
export const newRouter = (): Router => express.Router({ caseSensitive: true });

/** Adds the routes in order: if two match, the first one answers. */
export function mount(router: Router, routes: readonly Route[]): void {
  // Express passes a rejected promise to the error handlers.
  for (const { verb, path, handle } of routes) router[methods[verb]](path, handle);
}

/** `madeLater` could not make the routers; this is already logged. */
export class NotMade extends Error {}

/**
 * Routers that are made together for the first request to one of them. If that fails, so does the request (`next` gets
 * `NotMade`), and the next request tries again. Consoles and monitors ask every few seconds, so each reason is logged
 * once a minute.
 */
export function madeLater<Made extends Readonly<Record<string, Router>>>(
  make: () => Promise<Made>,
  { log, monotonic = () => performance.now() }: { readonly log: Log; readonly monotonic?: () => number },
): (name: keyof Made) => RequestHandler {
  let made: Promise<Made> | undefined;
  const loggedAt = new Map<string, number>();
  const making = (): Promise<Made> =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      const reason = wordsOf(error);
      const now = monotonic();
      for (const [one, at] of loggedAt) if (now - at >= MINUTE) loggedAt.delete(one);
      if (!loggedAt.has(reason)) {
        loggedAt.set(reason, now);
        log.error('page.failed', { error: reason, stack: error instanceof Error ? error.stack : undefined });
      }
      throw new NotMade(reason, { cause: error });
    }));
  return (name) => (request, response, next) => {
    void making().then((routers) => {
      routers[name]?.(request, response, next);
    }, next);
  };
}
