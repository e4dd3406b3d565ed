import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { CLOSE_RESPONSE, DECLARATION, errorDocument, openResponse } from '../../../lib/xml/document.ts';
import { escapeText } from '../../../lib/xml/text.ts';
import type { Answer, Scalar } from '../call.ts';

const CONTENT_TYPE = 'text/xml; charset=utf-8';

/** Characters collected before they are sent. */
const CHUNK = 64 * 1024;

/**
 * Sends status 200 and the answer. A list is sent while it is read; if that fails, the connection is closed.
 */
export async function sendAnswer(
  response: ServerResponse,
  apiMethod: string | undefined,
  answer: Answer,
): Promise<void> {
  const head = `${DECLARATION}${openResponse(apiMethod)}<Status>OK</Status>`;
  switch (answer.answer) {
    case 'status':
      sendWhole(response, 200, head + scalars(answer.scalars) + CLOSE_RESPONSE);
      return;
    case 'record':
      sendWhole(response, 200, head + answer.xml + CLOSE_RESPONSE);
      return;
    case 'list':
      await sendList(response, head + scalars(answer.scalars), answer.container, answer.records);
      return;
  }
}

/** The error document of the XML methods; most errors have status 200. */
export function sendError(
  response: ServerResponse,
  status: number,
  apiMethod: string | undefined,
  description: string,
): void {
  sendWhole(response, status, errorDocument(apiMethod, description));
}

const scalars = (all: readonly Scalar[] = []): string =>
  all.map(([name, value]) => `<${name}>${escapeText(value)}</${name}>`).join('');

function sendWhole(response: ServerResponse, status: number, document: string): void {
  const bytes = Buffer.from(document);
  response.writeHead(status, { 'Content-Type': CONTENT_TYPE, 'Content-Length': bytes.length }).end(bytes);
}

async function sendList(
  response: ServerResponse,
  head: string,
  container: string,
  records: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  let waiting = head;
  let isEmpty = true;
  for await (const record of records) {
    if (record === '') continue;
    if (isEmpty) waiting += `<${container}>`;
    isEmpty = false;
    waiting += record;
    if (waiting.length < CHUNK) continue;
    if (!(await sendPiece(response, waiting))) return;
    waiting = '';
  }
  waiting += isEmpty ? `<${container} />` : `</${container}>`;
  if (response.headersSent) response.end(waiting + CLOSE_RESPONSE);
  else sendWhole(response, 200, waiting + CLOSE_RESPONSE);
}

/** Returns false if the caller has gone. */
async function sendPiece(response: ServerResponse, piece: string): Promise<boolean> {
  if (!response.headersSent) response.writeHead(200, { 'Content-Type': CONTENT_TYPE });
  if (response.destroyed) return false;
  if (response.write(piece)) return true;
  const gone = new AbortController();
  const close = once(response, 'close', { signal: gone.signal }).catch(() => undefined);
  await Promise.race([once(response, 'drain', { signal: gone.signal }).catch(() => undefined), close]);
  gone.abort();
  return !response.destroyed;
}
