/**
 * Server-sent events for console pages and programs (HTML Living Standard, 9.2).
 *
 * One timer reads the feed of events for all listeners, and none runs while nobody listens. A page hears that something
 * has changed; a program gets each event once and in order. A listener who reads too slowly is disconnected, and
 * continues from the number of its last event. Streams are limited in all and per token, and end after an hour, when
 * the token is revoked, and at a stop.
 */
import type { ServerResponse } from 'node:http';
import { HOUR, SECOND } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import type { FeedEvent } from '../../features/accounts/history.ts';

/** What the streams work with; `most` is the limit of all streams. */
export interface EventStreamOptions {
  readonly feed: {
    latestEvent(): Promise<number>;
    events(after: number, limit: number): Promise<readonly FeedEvent[]>;
  };
  readonly stopping: () => boolean;
  readonly log: Log;
  readonly pace?: Partial<StreamPace>;
  readonly most?: number;
}

/** Milliseconds, all of them; real time, because they bound what a connection may hold. */
export interface StreamPace {
  /** Between two looks at the feed, for all streams together. */
  readonly look: number;
  readonly heartbeat: number;
  /** Between two checks whether the listener is still allowed to listen. */
  readonly recheck: number;
  /** After this time the listener has to come back. */
  readonly longest: number;
}

/** A connection that listens, and what it wants to hear. */
export interface Listener {
  readonly response: ServerResponse;
  readonly tokenId: string;
  /** The last event it knows. */
  seq: number;
  /** What a missed stretch of the feed is for it: `all` gets every event, `latest` may skip to the newest. */
  readonly wants: 'all' | 'latest';
  readonly isAllowed: () => Promise<boolean>;
  readonly opening: string;
  /** The text for these events; `isGap`: some before them were skipped. */
  readonly render: (events: readonly FeedEvent[], seq: number, isGap: boolean) => string;
  /** The last words to a listener who is no longer allowed. */
  readonly farewell?: string;
}

/** Why nobody more may listen. */
export type StreamRefusal = 'full' | 'tokenFull';

interface OpenStream extends Listener {
  readonly openedAt: number;
  heardAt: number;
  checkedAt: number;
}

const usualPace: StreamPace = {
  look: SECOND,
  heartbeat: 15 * SECOND,
  recheck: 15 * SECOND,
  longest: HOUR,
};
const MOST_STREAMS = 300;
/** Per token, so that none takes all streams. */
const MOST_OF_TOKEN = 10;
/** Events of one look. */
const AT_ONCE = 500;
/** Bytes that may wait for a listener who does not read; it reconnects and is told what it missed. */
const MOST_WAITING = 1024 * 1024;

/** All open streams of this process. */
export class EventStreams {
  readonly #options: EventStreamOptions;
  readonly #pace: StreamPace;
  readonly #streams = new Set<OpenStream>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#pace = { ...usualPace, ...options.pace };
  }

  /** How many listen. */
  get size(): number {
    return this.#streams.size;
  }

  /** Goes on until the listener leaves, is no longer allowed, or has listened for an hour. A refusal writes nothing. */
  open(listener: Listener): StreamRefusal | undefined {
    const { response, tokenId } = listener;
    // It may have left while it was looked up; nothing would ever take it off the list.
    if (response.destroyed) return undefined;
    const { stopping, most = MOST_STREAMS } = this.#options;
    if (stopping() || this.#streams.size >= most) return 'full';
    const sameToken = [...this.#streams].filter((stream) => stream.tokenId === tokenId);
    if (sameToken.length >= MOST_OF_TOKEN) return 'tokenFull';
    const now = performance.now();
    const stream = { ...listener, openedAt: now, heardAt: now, checkedAt: now };
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // nginx would hold the lines back.
      'X-Accel-Buffering': 'no',
    });
    this.#streams.add(stream);
    response.once('close', () => {
      this.#streams.delete(stream);
    });
    write(stream, listener.opening);
    this.#schedule();
    return undefined;
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#streams.size === 0) return;
    this.#timer = setTimeout(() => {
      void this.#turn().finally(() => {
        this.#timer = undefined;
        this.#schedule();
      });
    }, this.#pace.look).unref();
  }

  async #turn(): Promise<void> {
    // Whoever listened comes back by himself, to whoever is there then.
    if (this.#options.stopping()) for (const stream of this.#streams) this.#end(stream);
    await Promise.all(Array.from(this.#streams, (stream) => this.#check(stream)));
    try {
      await this.#look();
    } catch (error) {
      this.#options.log.error('events.not-read', {
        error: error instanceof Error ? error.message : 'unknown',
      });
    }
    for (const stream of this.#streams)
      if (performance.now() - stream.heardAt >= this.#pace.heartbeat) write(stream, ': beat\n\n');
  }

  /** News, however frequent, is no sign that a listener is still allowed. */
  async #check(stream: OpenStream): Promise<void> {
    const now = performance.now();
    if (now - stream.openedAt >= this.#pace.longest) this.#end(stream);
    if (now - stream.checkedAt < this.#pace.recheck) return;
    stream.checkedAt = now;
    // Where the store does not answer nobody can tell; it is asked again.
    if (await stream.isAllowed().catch(() => true)) return;
    if (stream.farewell !== undefined) write(stream, stream.farewell);
    this.#end(stream);
  }

  /** From the last event of the listener who is furthest behind. */
  async #look(): Promise<void> {
    if (this.#streams.size === 0) return;
    const { feed } = this.#options;
    const latest = await feed.latestEvent();
    const behind = [...this.#streams].filter(({ seq }) => seq < latest);
    if (behind.length === 0) return;
    const from = Math.min(
      ...behind.map(({ seq, wants }) => (wants === 'all' ? seq : Math.max(seq, latest - AT_ONCE))),
    );
    const events = await feed.events(from, AT_ONCE);
    const last = events.at(-1)?.seq ?? from;
    for (const stream of behind) {
      const { seq, wants } = stream;
      const fresh = events.filter((event) => event.seq > seq);
      stream.seq = wants === 'all' ? Math.max(seq, last) : Math.max(latest, last);
      const isGap = seq < from || last < latest;
      if (fresh.length > 0 || wants === 'latest') write(stream, stream.render(fresh, stream.seq, isGap));
    }
  }

  /** Off the list at once: one who never reads closes late, and a write after the end would be an error. */
  #end(stream: OpenStream): void {
    this.#streams.delete(stream);
    stream.response.end();
  }
}

function write(stream: OpenStream, text: string): void {
  const { response } = stream;
  stream.heardAt = performance.now();
  if (response.writableEnded || response.destroyed) return;
  response.write(text);
  if (response.writableLength > MOST_WAITING) response.destroy();
}

/** The last event a listener says it knows: a browser's own header, or `since` of the address. */
export function lastSeen(header: string | string[] | undefined, query: URLSearchParams): string | undefined {
  return typeof header === 'string' && header !== '' ? header : (query.get('since') ?? undefined);
}
