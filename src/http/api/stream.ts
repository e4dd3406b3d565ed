import type { Request, Response } from 'express';
import { HOUR, SECOND } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { AdminService } from '../../features/admin/admin.ts';
import { plainJson } from '../../lib/plain-text.ts';
import { ApiRefusal } from './refusal.ts';
import type { TokenStreams } from '../server/token-streams.ts';
import { feedEventOf } from './operations/feed.ts';

export interface StreamParts {
  readonly admin: Pick<AdminService, 'events' | 'latestEvent'>;
  readonly stopping: () => boolean;
  readonly log: Log;
  /** Milliseconds, all of them; real time, because they bound what a connection may hold. */
  readonly pace?: Partial<StreamPace>;
  readonly most?: number;
  /** Shared with the console's pages. */
  readonly streams: TokenStreams;
}

export interface StreamPace {
  /** Between two looks at the feed, for all streams together. */
  readonly look: number;
  readonly heartbeat: number;
  /** Between two looks at whether the listener still may. */
  readonly recheck: number;
  /** The listener comes back by itself, with the last line it got. */
  readonly longest: number;
}

const usualPace: StreamPace = {
  look: SECOND,
  heartbeat: 15 * SECOND,
  recheck: 15 * SECOND,
  longest: HOUR,
};
const MOST_STREAMS = 100;
/** Lines of one look. */
const AT_ONCE = 500;
/** Bytes that may wait for a listener who does not read. */
const MOST_WAITING = 1024 * 1024;

export interface Hearer {
  readonly tokenId: string;
  /** Whether it still may. */
  readonly still: () => Promise<boolean>;
}

interface Listener extends Hearer {
  readonly response: Response;
  /** The last line it got. */
  seq: number;
}

/**
 * Server-sent events: one look at the feed for everybody who listens. The console's pages have a stream of their own:
 * they want to know that something happened, however much was skipped, and end with a session; here each listener gets
 * each line once, in order, and ends with a token. What is common is the look, one small question a second.
 */
export class EventStream {
  readonly #parts: StreamParts;
  readonly #pace: StreamPace;
  readonly #listeners = new Set<Listener>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#pace = { ...usualPace, ...parts.pace };
  }

  /** How many listen. */
  get size(): number {
    return this.#listeners.size;
  }

  /**
   * Goes on until the listener leaves, may listen no longer, or has listened for an hour. Throws `ApiRefusal` unavailable
   * when too many listen, throttled when too many do with one token, unusable.
   */
  async open(request: Request, response: Response, hearer: Hearer): Promise<void> {
    const { most = MOST_STREAMS } = this.#parts;
    const latest = await this.#parts.admin.latestEvent();
    // It may have left meanwhile; nothing would ever take it off the list.
    if (response.destroyed) return;
    const listener: Listener = { ...hearer, response, seq: Math.min(latest, lastSeen(request) ?? latest) };
    if (this.#parts.stopping() || this.#listeners.size >= most)
      throw new ApiRefusal('unavailable', 'too many listen already', { headers: { 'Retry-After': '10' } });
    if (!this.#parts.streams.enter(hearer.tokenId, response))
      throw new ApiRefusal('throttled', 'too many listen with this token already', {
        headers: { 'Retry-After': '10' },
      });
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // nginx would hold the lines back.
      'X-Accel-Buffering': 'no',
    });
    response.write(`retry: 2000\nid: ${listener.seq}\nevent: hello\ndata: {"seq":${listener.seq}}\n\n`);
    this.#attend(listener);
  }

  #attend(listener: Listener): void {
    const { response } = listener;
    const { heartbeat, recheck, longest } = this.#pace;
    this.#listeners.add(listener);
    const beat = setInterval(() => {
      this.#write(listener, ': beat\n\n');
    }, heartbeat);
    const check = setInterval(() => {
      void this.#recheck(listener);
    }, recheck);
    const end = setTimeout(() => {
      response.end();
    }, longest);
    for (const timer of [beat, check, end]) timer.unref();
    response.once('close', () => {
      clearInterval(beat);
      clearInterval(check);
      clearTimeout(end);
      this.#listeners.delete(listener);
    });
    this.#schedule();
  }

  /** Whether somebody may still listen cannot be told while the store does not answer: then it is asked again later. */
  async #recheck(listener: Listener): Promise<void> {
    const may = await listener.still().catch(() => true);
    if (may) return;
    // Off the list at once: one who never reads closes late.
    this.#listeners.delete(listener);
    listener.response.end();
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#parts.stopping() || this.#listeners.size === 0) return;
    this.#timer = setTimeout(() => {
      void this.#look().finally(() => {
        this.#timer = undefined;
        this.#schedule();
      });
    }, this.#pace.look).unref();
  }

  /** From the last line of the listener who is furthest behind. */
  async #look(): Promise<void> {
    if (this.#parts.stopping()) {
      this.#endAll();
      return;
    }
    const from = Math.min(...Array.from(this.#listeners, ({ seq }) => seq));
    try {
      if ((await this.#parts.admin.latestEvent()) <= from) return;
      const events = (await this.#parts.admin.events(from, AT_ONCE)).map(feedEventOf);
      for (const listener of this.#listeners)
        for (const event of events) {
          if (event.seq <= listener.seq) continue;
          listener.seq = event.seq;
          this.#write(listener, `id: ${event.seq}\nevent: account\ndata: ${plainJson(event, 0)}\n\n`);
        }
    } catch (error) {
      this.#parts.log.error('events.not-read', { error: error instanceof Error ? error.message : 'unknown' });
    }
  }

  /** Whoever listened comes back by himself, to whoever is there then. */
  #endAll(): void {
    for (const { response } of this.#listeners) response.end();
    this.#listeners.clear();
  }

  #write({ response }: Listener, text: string): void {
    if (response.writableEnded || response.destroyed) return;
    response.write(text);
    if (response.writableLength > MOST_WAITING) response.destroy();
  }
}

/** What a browser sends when it comes back; a script may name it in the address. Throws `ApiRefusal` unusable. */
function lastSeen(request: Request): number | undefined {
  const at = request.originalUrl.indexOf('?');
  const query = new URLSearchParams(at < 0 ? '' : request.originalUrl.slice(at + 1));
  const header = request.headers['last-event-id'];
  const text = typeof header === 'string' && header !== '' ? header : query.get('since');
  if (text === null) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new ApiRefusal('unusable', 'the last line must be a whole number');
  return Number(text);
}
