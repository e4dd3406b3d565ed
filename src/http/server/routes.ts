import express, { type Request, type Response, type Router } from 'express';

/** One address, and what answers it. */
export interface Route {
  readonly verb: keyof typeof methods;
  /** As Express has it: `/accounts/:id`. */
  readonly path: string;
  readonly handle: Handler;
}

/** What serves a request; a rejected promise goes to the router's error handler. */
export type Handler = (request: Request, response: Response) => unknown;

/** `/accounts/:id` takes `{ id: string }`. */
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

/** A row of a table of routes; its handler is given the values that its path names. */
export const route = <Path extends string>(
  verb: Route['verb'],
  path: Path,
  handle: (request: Request & { readonly params: PathValues<Path> }, response: Response) => unknown,
): Route => ({ verb, path, handle: handle as Handler });

/** A router that tells small letters from capital ones, as the legacy API does. */
export const newRouter = (): Router => express.Router({ caseSensitive: true });

/** Adds the routes in their order: of two that fit, the first answers. */
export function mount(router: Router, routes: readonly Route[]): void {
  // Express hands a rejected promise on to the error handlers.
  for (const { verb, path, handle } of routes) router[methods[verb]](path, handle);
}
