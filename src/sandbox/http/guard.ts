import type { NextFunction, Request, Response } from 'express';
import type { Clock } from '../../lib/time/clock.ts';
import type { Authentication, Authenticator } from './authenticate.ts';
import type { RateLimits, Remaining } from './limits.ts';
import type { Protocol } from '../protocol.ts';
import { refuse, type Surface } from './refusal.ts';
import type { RequestLog } from './request-log.ts';

export interface GuardParts {
  readonly authenticator: Authenticator;
  readonly limits: RateLimits;
  readonly log: RequestLog;
  readonly clock: Clock;
  readonly protocol: () => Protocol;
}

/**
 * Middleware in front of a surface: identifies the caller and checks the limits. Sets `res.locals.caller`. V1
 * has no limits.
 */
export function guard(surface: Surface, parts: GuardParts) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const authentication: Authentication =
      surface === 'v1'
        ? await parts.authenticator.v1(request.originalUrl)
        : await parts.authenticator.oauth(request, surface);
    if (authentication.result === 'refused') {
      refuse(response, surface, authentication.status, authentication.detail);
      return;
    }
    const { caller } = authentication;
    const line = parts.log.line(request);
    if (line !== undefined) {
      line.accountId = caller.organisation.id;
      line.clientId = caller.clientId ?? null;
    }
    response.locals.caller = caller;
    if (
      caller.clientId === undefined ||
      admit(parts, caller.clientId, caller.organisation.id, surface, response)
    ) {
      next();
    }
  };
}

function admit(
  parts: GuardParts,
  clientId: string,
  organisationId: string,
  surface: Surface,
  response: Response,
): boolean {
  const admission = parts.limits.enter(clientId, organisationId, parts.protocol().limits, parts.clock.now());
  tell(response, admission.remaining);
  if (admission.admitted) {
    response.once('close', admission.leave).once('finish', admission.leave);
    return true;
  }
  response.set({
    'Retry-After': String(admission.retryAfter),
    'X-Rate-Limit-Problem': admission.problem,
  });
  refuse(response, surface, 429, `The limit is reached: ${admission.problem}`);
  return false;
}

function tell(response: Response, remaining: Remaining): void {
  response.set({
    'X-DayLimit-Remaining': String(remaining.day),
    'X-MinLimit-Remaining': String(remaining.minute),
    'X-AppMinLimit-Remaining': String(remaining.application),
  });
}
