import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/**
 * Express gives every request and response the prototypes of its app, and objects whose prototype was changed are
 * slower from then on. Those that are born with the right one are left as they are.
 */
export function bornFor(app: Express): {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
} {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response as typeof ServerResponse };
}
