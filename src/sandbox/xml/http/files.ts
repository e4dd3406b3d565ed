import { extname } from 'node:path';
import express, { type Response, type Router } from 'express';
import type { Kysely } from 'kysely';
import type { Clock } from '../../../lib/time/clock.ts';
import type { SandboxCaller } from '../../identity/organisation.ts';
import { Files, type StoredFile } from '../../records/files.ts';
import type { Kind } from '../../records/kinds.ts';
import { Records } from '../../records/records.ts';
import type { RecordTables } from '../../records/tables.ts';
import { sendError } from './reply.ts';

export interface FileParts {
  readonly db: Kysely<RecordTables>;
  readonly clock: Clock;
}

/** Serves the files behind links. V1: the link grants access. V3: with authentication, by UUID. */
export function fileLinks(parts: FileParts): { readonly v1: Router; readonly v3: Router } {
  return { v1: openLinks(parts), v3: guardedLinks(parts) };
}

function openLinks({ db, clock }: FileParts): Router {
  const files = new Files(db);
  const router = express.Router();
  router.get('/:token', async (request, response) => {
    const { token } = request.params;
    const file = await files.byToken(token);
    if (file) {
      sendFile(response, file);
      return;
    }
    const map = await files.mapByToken(token, clock.now());
    if (map) await sendMap(response, new Records(db, map.organisationId), map.kind);
    else notFound(response);
  });
  return router;
}

function guardedLinks({ db }: FileParts): Router {
  const files = new Files(db);
  const router = express.Router();
  router.get('/:uuid', async (request, response) => {
    const { organisation } = response.locals.caller as SandboxCaller;
    const file = await files.byUuid(organisation.id, request.params.uuid);
    if (file) sendFile(response, file);
    else notFound(response);
  });
  return router;
}

const notFound = (response: Response): void => {
  sendError(response, 404, undefined, 'There is no such file');
};

const contentTypes: Readonly<Record<string, string>> = {
  '.csv': 'text/csv; charset=utf-8',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xml': 'text/xml',
  '.zip': 'application/zip',
};

/** Always as an attachment: an uploaded file must never run as a page of the service. */
function sendFile(response: Response, { name, content }: StoredFile): void {
  response.writeHead(200, {
    'Content-Type': contentTypes[extname(name).toLowerCase()] ?? 'application/octet-stream',
    'Content-Length': content.byteLength,
    'Content-Disposition': disposition(name),
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(content);
}

/** RFC 6266: a plain name for old readers, the full name for others. The name is data, never a path. */
function disposition(name: string): string {
  const file = name.toWellFormed().replace(/^.*[/\\]/s, '');
  const plain = file.replace(/[^ -~]|["\\%]/g, '_');
  const encoded = encodeURIComponent(file).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/**
 * Sends `ID,UUID` with the identifiers that V1 prints: the number, or the text number for the kinds
 * identified by it.
 */
async function sendMap(response: Response, records: Records, kind: Kind): Promise<void> {
  response.writeHead(200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${kind}.csv"`,
  });
  response.write('ID,UUID\r\n');
  for await (const batch of records.identifiers(kind)) {
    response.write(batch.map(({ number, code, uuid }) => `${code ?? number},${uuid}\r\n`).join(''));
    if (response.writableNeedDrain)
      await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
    if (response.destroyed) return;
  }
  response.end();
}
