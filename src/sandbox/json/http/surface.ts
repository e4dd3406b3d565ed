import express, { type Request, type Response, type Router } from 'express';
import type { Kysely } from 'kysely';
import type { Clock } from '../../../lib/time/clock.ts';
import type { Person } from '../../identity/people.ts';
import type { SandboxCaller } from '../../identity/organisation.ts';
import { Files } from '../../records/files.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import { Records } from '../../records/records.ts';
import type { RecordTables } from '../../records/tables.ts';
import { checked, receive, type Received } from './body.ts';
import type { JsonCall, PageSizes } from '../operation/call.ts';
import { type Envelope, type Payload, sendJsonRefusal, sendPayload } from './envelope.ts';
import { ofPath } from '../record/find.ts';
import { segmentsOf, verbOf } from '../../http/segments.ts';
import { Matcher } from './match.ts';
import type { Listed, Operation } from '../operation/operation.ts';
import { operations } from '../operations.ts';
import { JsonRefusal } from '../operation/refusal.ts';

export interface JsonSettings {
  readonly envelope: Envelope;
  readonly pages: PageSizes;
  /** Whether alternative spellings of the paths are answered too. */
  readonly aliases: boolean;
}

export interface JsonSurfaceParts {
  readonly db: Kysely<RecordTables>;
  readonly clock: Clock;
  /** Base of the links, without a trailing slash. */
  readonly publicUrl: string;
  readonly settings: () => JsonSettings;
  readonly personOf: (userId: string) => Promise<Person | undefined>;
  /** Called with internal errors; the caller gets 500. */
  readonly onError?: (error: unknown) => void;
}

/** The JSON API V2 below its mount; the authentication has set `res.locals.caller`. */
export function jsonSurface(parts: JsonSurfaceParts): Router {
  const router = express.Router();
  const all = new Matcher(operations);
  const first = new Matcher(operations, false);
  router.use(async (request, response) => {
    try {
      await serve(parts, parts.settings().aliases ? all : first, request, response);
    } catch (error) {
      refuse(parts, response, error);
    }
  });
  return router;
}

async function serve(
  parts: JsonSurfaceParts,
  matcher: Matcher,
  request: Request,
  response: Response,
): Promise<void> {
  const match = matcher.match(verbOf(request.method), segmentsOf(request.path));
  switch (match.match) {
    case 'none':
      throw new JsonRefusal(404, 'There is no such operation.');
    case 'verb':
      throw new JsonRefusal(405, 'The path does not know this method.', { allow: match.allowed });
    case 'operation': {
      const { operation, path } = match;
      const received = await receivedBy(operation, request);
      const { organisation, userId } = response.locals.caller as SandboxCaller;
      const person = userId === undefined ? undefined : await parts.personOf(userId);
      const { pages, envelope } = parts.settings();
      const query = queryOf(request.originalUrl);
      const payload = await parts.db.transaction().execute(async (db) =>
        answerTo(operation, received, {
          organisation,
          person,
          records: new Records(db, organisation.id),
          files: new Files(db),
          db,
          path: (name) => path.get(name) ?? '',
          query,
          upload: received.upload,
          pages,
          now: parts.clock.now(),
          publicUrl: parts.publicUrl,
        }),
      );
      sendPayload(response, statusOf(operation), payload, envelope);
    }
  }
}

const receivedBy = async (operation: Operation, request: Request): Promise<Received> =>
  operation.body === undefined
    ? { value: undefined, upload: undefined }
    : receive(request, operation.isUpload ?? false);

/**
 * The checks follow the order of their statuses: the body can be read, the record exists, the fields are
 * valid.
 */
async function answerTo(operation: Operation, received: Received, call: JsonCall): Promise<Payload> {
  const on: Record<string, StoredRecord> = {};
  for (const [name, kind] of Object.entries(operation.on))
    on[name] = await ofPath(call.records, kind, call.path(name));
  const body =
    operation.body &&
    checked(operation.body, operation.prepare ? operation.prepare(received.value, call) : received.value);
  const answer = await operation.serve(call, on, body);
  if (operation.answer === 'one') return { payload: 'one', data: answer };
  const { rows, pagination } = answer as Listed<unknown>;
  return { payload: 'list', data: rows, pagination };
}

/** 201 if the operation creates something, 200 if not. */
export const statusOf = ({ method, makesNothing = false }: Operation): 200 | 201 =>
  method === 'POST' && !makesNothing ? 201 : 200;

function refuse(parts: JsonSurfaceParts, response: Response, error: unknown): void {
  if (error instanceof JsonRefusal) {
    // Closes the connection, so that the rest of an unread body is not taken for the next request.
    if (error.status === 413 || error.status === 415) response.setHeader('Connection', 'close');
    sendJsonRefusal(response, error);
    return;
  }
  parts.onError?.(error);
  sendJsonRefusal(response, new JsonRefusal(500, 'An internal error occurred.'));
}

/** If a name is repeated, its first value counts; an empty value counts as absent. */
function queryOf(url: string): (name: string) => string | undefined {
  const all = [...new URLSearchParams(url.split('?').slice(1).join('?'))];
  return (name) => {
    const value = all.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1];
    return value?.trim() === '' ? undefined : value;
  };
}
