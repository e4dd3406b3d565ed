import type { Response } from 'express';
import { refuse } from '../http/refusal.ts';
import type { FaultSurface, PlannedFault } from './fault.ts';

const page = '<html><head><title>Temporary fault</title></head><body><h1>Temporary fault</h1></body></html>';

/**
 * The answer of a `status` fault: in the form of a gateway in front of the service, unless HTML is requested.
 */
export function sendStatus(response: Response, surface: FaultSurface, fault: PlannedFault): void {
  const status = fault.status ?? 500;
  if (fault.retryAfter !== undefined) response.set('Retry-After', String(fault.retryAfter));
  if (fault.body === 'html') {
    response.status(status).type('text/html; charset=utf-8').send(page);
    return;
  }
  if (surface === 'token') {
    const error =
      status === 401
        ? 'invalid_client'
        : status === 429 || status >= 500
          ? 'temporarily_unavailable'
          : 'invalid_request';
    response.status(status).type('application/json; charset=utf-8').set('Cache-Control', 'no-store');
    response.send(JSON.stringify({ error, error_description: 'a fault was asked for' }));
    return;
  }
  const form = surface === 'v1' && fault.body === 'json' ? 'v3' : surface;
  refuse(response, form, status, 'A fault was asked for');
}
