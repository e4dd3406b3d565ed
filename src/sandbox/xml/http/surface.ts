import express, { type Request, type Response, type Router } from 'express';
import type { Kysely } from 'kysely';
import type { Clock } from '../../../lib/time/clock.ts';
import type { SandboxCaller } from '../../identity/organisation.ts';
import { Files } from '../../records/files.ts';
import { Records } from '../../records/records.ts';
import type { RecordTables } from '../../records/tables.ts';
import { readBody } from './body.ts';
import type { Answer, XmlCall } from '../call.ts';
import { dialectOf } from '../dialect.ts';
import { readMessage } from './message.ts';
import { type Found, matchOf } from '../operation.ts';
import { segmentsOf, verbOf } from '../../http/segments.ts';
import { Fault, Refusal } from '../refusal.ts';
import { sendAnswer, sendError } from './reply.ts';

export interface SurfaceParts {
  readonly db: Kysely<RecordTables>;
  readonly clock: Clock;
  /** Base of the links, without a trailing slash. */
  readonly publicUrl: string;
  /** Called with internal errors; the caller gets 500. */
  readonly onError?: (error: unknown) => void;
}

/**
 * The XML API, V1 and V3, below its mount; the authentication has set `res.locals.caller`. Every answer, even
 * to an unknown method, has the form of a `Response`.
 */
export function xmlSurface(parts: SurfaceParts): Router {
  const router = express.Router();
  router.use(async (request, response) => {
    const segments = segmentsOf(request.path);
    const apiMethod = apiMethodOf(segments);
    try {
      await serve(parts, request, response, segments, apiMethod);
    } catch (error) {
      refuse(parts, response, apiMethod, error);
    }
  });
  return router;
}

async function serve(
  parts: SurfaceParts,
  request: Request,
  response: Response,
  segments: readonly string[],
  apiMethod: string | undefined,
): Promise<void> {
  const caller = response.locals.caller as SandboxCaller;
  const match = matchOf(caller, verbOf(request.method), segments);
  switch (match.match) {
    case 'none':
      throw new Fault(404, 'Unknown method');
    case 'verb':
      response.setHeader('Allow', match.allowed.join(', '));
      throw new Fault(405, 'This method does not accept the HTTP verb used');
    case 'method':
      await sendAnswer(response, apiMethod, await answerTo(parts, request, caller, match));
  }
}

/** A write happens completely or not at all: within one transaction, from the first read to the answer. */
async function answerTo(
  parts: SurfaceParts,
  request: Request,
  caller: SandboxCaller,
  { operation, identifier }: Found,
): Promise<Answer> {
  const isRead = verbOf(request.method) === 'GET';
  const bytes = isRead ? Buffer.alloc(0) : await readBody(request, operation.isUpload ?? false);
  const message = readMessage(bytes, request.headers['content-type'], operation.isUpload ?? false);
  const query = queryOf(request.originalUrl);
  const callOver = (db: Kysely<RecordTables>): XmlCall => ({
    surface: caller.surface === 'v1' ? 'v1' : 'v3',
    dialect: dialectOf(caller, query('uuidmode')?.toLowerCase() === 'transition'),
    switches: caller.organisation.switches,
    records: new Records(db, caller.organisation.id),
    files: new Files(db),
    identifier,
    query,
    message,
    now: parts.clock.now(),
    publicUrl: parts.publicUrl,
  });
  if (isRead) return operation.serve(callOver(parts.db));
  return parts.db.transaction().execute(async (transaction) => operation.serve(callOver(transaction)));
}

function refuse(
  parts: SurfaceParts,
  response: Response,
  apiMethod: string | undefined,
  error: unknown,
): void {
  if (response.headersSent) {
    // Half a list must not look complete.
    parts.onError?.(error);
    response.destroy();
    return;
  }
  if (error instanceof Refusal) {
    sendError(response, 200, apiMethod, error.message);
    return;
  }
  if (error instanceof Fault) {
    // Closes the connection, so that the rest of an unread body is not taken for the next request.
    if (error.status === 413 || error.status === 415) response.setHeader('Connection', 'close');
    sendError(response, error.status, apiMethod, error.message);
    return;
  }
  parts.onError?.(error);
  sendError(response, 500, apiMethod, 'An internal error occurred');
}

/** The segment after `.api/`, capitalised; undefined if the path has no method. */
export function apiMethodOf(segments: readonly string[]): string | undefined {
  const method = segments[0]?.toLowerCase().endsWith('.api') ? segments[1]?.toLowerCase() : undefined;
  return method ? method.charAt(0).toUpperCase() + method.slice(1) : undefined;
}

/** Names in any case; if a name is repeated, its first value counts. */
function queryOf(url: string): (name: string) => string | undefined {
  const all = [...new URLSearchParams(url.split('?').slice(1).join('?'))];
  return (name) => all.find(([given]) => given.toLowerCase() === name)?.[1];
}
