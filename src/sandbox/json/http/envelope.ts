import { randomUUID } from 'node:crypto';
import type { Response } from 'express';
import type { JsonRefusal } from '../operation/refusal.ts';

export interface Pagination {
  readonly page: number;
  readonly per_page: number;
  readonly total_pages: number;
  /** Not in the specification; readers must not rely on it. */
  readonly total_items: number;
}

/** A second form without an envelope exists in the field: lists are `{data, total}`, single records bare. */
export type Envelope = 'spec' | 'bare';

export type Payload =
  | { readonly payload: 'one'; readonly data: unknown }
  | { readonly payload: 'list'; readonly data: readonly unknown[]; readonly pagination: Pagination };

const codes: Readonly<Record<JsonRefusal['status'], string>> = {
  400: 'bad_request',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'validation_failed',
  500: 'internal_error',
};

/** Sends `data` and `meta.request_id`, on lists also `meta.pagination` (V2 specification, "Response envelope"). */
export function sendPayload(response: Response, status: number, payload: Payload, envelope: Envelope): void {
  const requestId = newRequestId();
  send(response, status, requestId, envelope === 'spec' ? enveloped(payload, requestId) : bare(payload));
}

/** Every form of an error has `meta.request_id` (V2 specification, "Errors", rule 2). */
export function sendJsonRefusal(response: Response, refusal: JsonRefusal): void {
  const { status, message, fields, allow } = refusal;
  const requestId = newRequestId();
  if (allow.length > 0) response.set('Allow', allow.join(', '));
  send(response, status, requestId, {
    error: { code: codes[status], message, details: fields },
    message,
    errors: fields,
    meta: { request_id: requestId },
  });
}

function enveloped(payload: Payload, requestId: string): object {
  const { data } = payload;
  if (payload.payload === 'one') return { data, meta: { request_id: requestId } };
  return { data, meta: { request_id: requestId, pagination: payload.pagination } };
}

function bare(payload: Payload): unknown {
  if (payload.payload === 'one') return payload.data;
  return { data: payload.data, total: payload.pagination.total_items };
}

function send(response: Response, status: number, requestId: string, body: unknown): void {
  response
    .status(status)
    .set('X-Request-Id', requestId)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
}

const newRequestId = (): string => `req_${randomUUID()}`;
