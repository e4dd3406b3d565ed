import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { http } from '../../lib/net/http.ts';

/**
 * Express replaces the prototypes of every request and response by those of its app, and V8 is slower with
 * objects whose prototype was changed. Objects created with the right prototype are left alone.
 */
export function bornFor(app: Express): {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
} {
  class Request extends http.IncomingMessage {}
  class Response extends http.ServerResponse {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response as typeof ServerResponse };
}
