import type { Request, Response } from 'express';
import { SECOND } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Session } from '../../features/admin/token.ts';
import type { AdminService } from '../../features/admin/admin.ts';
import type { TokenStreams } from '../server/token-streams.ts';
import type { Visit } from './session-guard.ts';

export interface LiveParts {
  readonly admin: Pick<AdminService, 'events' | 'latestEvent'>;
  /** Whether the request's session still lasts; asking does not prolong it. */
  readonly session: (request: Request) => Promise<Session | undefined>;
  readonly stopping: () => boolean;
  readonly log: Log;
  /** Milliseconds between two looks at the feed, and between two signs of life. */
  readonly every?: number;
  readonly beat?: number;
  /** Pages that are open at once. */
  readonly most?: number;
  /** Shared with the API. */
  readonly streams: TokenStreams;
}

interface Listener {
  readonly request: Request;
  readonly response: Response;
  /** How far it has been told. */
  seq: number;
  saidAt: number;
  /** When its session was last looked at: news, however frequent, is no sign that it still lasts. */
  checkedAt: number;
}

const AT_ONCE = 500;
/** Slower readers than that reconnect and are told what they missed. */
const MOST_WAITING = 64 * 1024;

/**
 * Tells open pages that something has happened, never what: each page asks for its own numbers again. One look at the
 * feed serves them all, and nobody looks while nobody listens.
 */
export class Live {
  readonly #parts: Required<LiveParts>;
  readonly #listeners = new Set<Listener>();
  #timer: NodeJS.Timeout | undefined;
  #looking = false;

  constructor(parts: LiveParts) {
    this.#parts = { every: SECOND, beat: 15 * SECOND, most: 200, ...parts };
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  listen({ request, response, query, session }: Visit): void {
    const { most, streams, stopping } = this.#parts;
    if (request.method === 'HEAD') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
      response.end();
      return;
    }
    // It may have left while its session was looked up; nothing would ever take it off the list.
    if (response.destroyed) return;
    if (this.#listeners.size >= most || stopping() || !streams.enter(session.token.id, response)) {
      response.writeHead(503, { 'Retry-After': '30', 'Content-Length': 0 });
      response.end();
      return;
    }
    const seq = Number(request.headers['last-event-id'] ?? query.get('since') ?? Number.NaN);
    const from = Number.isSafeInteger(seq) && seq >= 0 ? seq : 0;
    const listener = { request, response, seq: from, saidAt: 0, checkedAt: performance.now() };
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'X-Accel-Buffering': 'no',
    });
    this.#listeners.add(listener);
    response.once('close', () => {
      this.#listeners.delete(listener);
    });
    this.#say(listener, 'retry: 3000\n: live\n\n');
    this.#timer ??= setInterval(() => void this.#look(), this.#parts.every).unref();
    void this.#look();
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      if (this.#parts.stopping()) this.#endAll();
      await this.#tell();
      await this.#beat();
    } catch (error) {
      this.#parts.log.warn('console.feed', { error: error instanceof Error ? error.name : 'unknown' });
    } finally {
      this.#looking = false;
      if (this.#listeners.size === 0) this.#rest();
    }
  }

  async #tell(): Promise<void> {
    const behind = Math.min(...Array.from(this.#listeners, ({ seq }) => seq));
    if (this.#listeners.size === 0) return;
    const latest = await this.#parts.admin.latestEvent();
    if (latest <= behind) return;
    const events = await this.#parts.admin.events(Math.max(behind, latest - AT_ONCE), AT_ONCE);
    const last = Math.max(latest, events.at(-1)?.seq ?? 0);
    for (const listener of this.#listeners) {
      if (listener.seq >= last) continue;
      const fresh = events.filter(({ seq }) => seq > listener.seq);
      // Where some were skipped anybody may be among them.
      const known = listener.seq >= last - AT_ONCE;
      const accounts = known ? [...new Set(fresh.map(({ accountId }) => accountId))] : null;
      listener.seq = last;
      this.#say(listener, `id: ${last}\nevent: change\ndata: ${JSON.stringify({ accounts })}\n\n`);
    }
  }

  /** Proxies and browsers drop what says nothing; and whoever has signed out hears nothing more. */
  async #beat(): Promise<void> {
    const { beat, session } = this.#parts;
    const now = performance.now();
    for (const listener of this.#listeners) {
      if (now - listener.checkedAt >= beat) {
        listener.checkedAt = now;
        if ((await session(listener.request)) === undefined) this.#dismiss(listener);
      }
      if (now - listener.saidAt >= beat) this.#say(listener, ': still here\n\n');
    }
  }

  /** Off the list at once: one who never reads closes late, and a word behind the end would be an error. */
  #dismiss(listener: Listener): void {
    this.#say(listener, 'event: ended\ndata: {}\n\n');
    this.#listeners.delete(listener);
    listener.response.end();
  }

  #say(listener: Listener, text: string): void {
    const { response } = listener;
    listener.saidAt = performance.now();
    if (response.writableEnded || response.destroyed) return;
    if (response.writableLength > MOST_WAITING) response.destroy();
    else response.write(text);
  }

  #endAll(): void {
    for (const { response } of this.#listeners) response.end();
    this.#listeners.clear();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
