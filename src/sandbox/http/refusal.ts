import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Response } from 'express';
import { errorDocument } from '../../lib/xml/document.ts';

export type Surface = 'v1' | 'v3' | 'v2';

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

const codes: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  429: 'rate_limited',
  500: 'internal_error',
};

/** `/v1/client.api/get/7` gives `Get`: the segment after `.api/`, capitalised. */
export function apiMethodOf(path: string): string | undefined {
  const segment = /\.api\/([^/?]+)/i.exec(path)?.[1];
  return segment === undefined ? undefined : segment.charAt(0).toUpperCase() + segment.slice(1);
}

/**
 * On the XML API of V3 the gateway answers in JSON; the JSON API answers in its own form; V1 answers in XML.
 */
export function refuse(response: Response, surface: Surface, status: number, detail: string): void {
  response.status(status);
  // V1's keys belong to no HTTP scheme: a challenge would make browsers and .NET ask for a password.
  if (status === 401 && surface !== 'v1')
    response.set('WWW-Authenticate', bearerChallenge(response.req.headers));
  switch (surface) {
    case 'v1':
      response
        .type('text/xml; charset=utf-8')
        .send(errorDocument(apiMethodOf(response.req.originalUrl), detail));
      return;
    case 'v3':
      response.type('application/json; charset=utf-8').send(
        JSON.stringify({
          Type: null,
          Title: titles[status] ?? 'Error',
          Status: status,
          Detail: detail,
          Instance: randomUUID(),
          Extensions: {},
        }),
      );
      return;
    case 'v2':
      refuseJson(response, status, detail);
  }
}

/** RFC 6750, section 3: names the error only if a token was given. */
const bearerChallenge = ({ authorization = '' }: IncomingHttpHeaders): string =>
  `Bearer realm="api"${/^bearer +\S/i.test(authorization) ? ', error="invalid_token"' : ''}`;

function refuseJson(response: Response, status: number, message: string): void {
  const requestId = `req_${randomUUID()}`;
  const code = codes[status] ?? (status >= 500 ? 'internal_error' : 'bad_request');
  response
    .set('X-Request-Id', requestId)
    .type('application/json; charset=utf-8')
    .send(
      JSON.stringify({
        error: { code, message, details: [] },
        message,
        errors: [],
        meta: { request_id: requestId },
      }),
    );
}
