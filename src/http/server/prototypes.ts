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
  return {
    IncomingMessage: heir(IncomingMessage, app.request),
    ServerResponse: heir(ServerResponse, app.response),
  };
}

/** A constructor that builds as `base` does, with `prototype`, which descends from that of `base`. */
function heir<Base extends new (...given: never[]) => object>(base: Base, prototype: object): Base {
  function Heir(...given: unknown[]): object {
    return Reflect.construct(base, given, Heir) as object;
  }
  Heir.prototype = prototype;
  return Heir as unknown as Base;
}
