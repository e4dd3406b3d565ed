import type { Access } from '../../features/admin/tokens/token.ts';
import { lastSeen, type EventStreams } from '../server/event-streams.ts';
import type { Visit } from './session/session-guard.ts';

/**
 * Tells an open page that something has happened, never what; the page then fetches its own figures again. `access`:
 * the visit's session, which this does not prolong.
 */
export function listen(streams: EventStreams, visit: Visit, access: Access): void {
  const { request, response, query } = visit;
  if (request.method === 'HEAD') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' }).end();
    return;
  }
  const seq = Number(lastSeen(request.headers['last-event-id'], query) ?? Number.NaN);
  const refusal = streams.open({
    response,
    access,
    seq: Number.isSafeInteger(seq) && seq >= 0 ? seq : 0,
    wants: 'latest',
    opening: 'retry: 3000\n: live\n\n',
    farewell: 'event: ended\ndata: {}\n\n',
    render(events, last, isGap) {
      // If events were skipped, any account may be affected.
      const accounts = isGap ? null : [...new Set(events.map(({ accountId }) => accountId))];
      return `id: ${last}\nevent: change\ndata: ${JSON.stringify({ accounts })}\n\n`;
    },
  });
  if (refusal !== undefined) response.writeHead(503, { 'Retry-After': '30', 'Content-Length': 0 }).end();
}
