import type { Request, Response } from 'express';
import { plainJson } from '../../lib/text/plain-text.ts';
import type { Access } from '../../features/admin/tokens/token.ts';
import { checkIsThere } from '../../features/admin/upkeep/events-after.ts';
import { lastSeen, type EventStreams } from '../server/event-streams.ts';
import { feedEventOf } from './operations/feed.ts';
import { ApiRefusal } from './refusal.ts';

/**
 * Sends each event once and in order, starting after the last one the program has seen, or from now on (`latest`).
 * Throws `ApiRefusal` unavailable (too many listeners), throttled (too many with one token) or unusable, and
 * `AdminRefusal` conflict for an event beyond the last one.
 */
export function listenToEvents(
  streams: EventStreams,
  { request, response }: { readonly request: Request; readonly response: Response },
  latest: number,
  access: Access,
): void {
  const seq = lastEventOf(request) ?? latest;
  checkIsThere(seq, latest);
  const refusal = streams.open({
    response,
    access,
    seq,
    wants: 'all',
    opening: `retry: 2000\nid: ${seq}\nevent: hello\ndata: {"seq":${seq}}\n\n`,
    render: (events) =>
      events
        .map((event) => `id: ${event.seq}\nevent: account\ndata: ${plainJson(feedEventOf(event), 0)}\n\n`)
        .join(''),
  });
  if (refusal === undefined) return;
  const headers = { 'Retry-After': '10' };
  throw refusal === 'full'
    ? new ApiRefusal('unavailable', 'too many listeners already', { headers })
    : new ApiRefusal('throttled', 'too many listeners with this token already', { headers });
}

/** Browsers send the header when they reconnect; a script may use the address instead. */
function lastEventOf(request: Request): number | undefined {
  const at = request.originalUrl.indexOf('?');
  const query = new URLSearchParams(at < 0 ? '' : request.originalUrl.slice(at + 1));
  const text = lastSeen(request.headers['last-event-id'], query);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new ApiRefusal('unusable', 'the last event must be a whole number');
  return Number(text);
}
