/**
 * Server-sent events for console pages and programs (HTML Living Standard, section 9.2).
 *
 * One timer reads the event feed for all listeners and stops when there are none. A page is told that something has
 * changed; a program gets each event once and in order. A listener that reads too slowly is disconnected and continues
 * from the number of its last event. Streams are limited in total and per token. They end after an hour and at a stop.
 *
 * Whether listeners are still allowed is asked for all of them at once: after their events were read and before any is
 * written, so that nothing which happened after a revocation reaches the revoked, and now and then for silent streams.
 */
import type { ServerResponse } from 'node:http';
import { HOUR, SECOND } from '../../lib/time/clock.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import type { FeedEvent } from '../../features/accounts/history.ts';
import type { Access } from '../../features/admin/tokens/token.ts';
import type { Tokens } from '../../features/admin/tokens/tokens.ts';

/** What the streams need. `most` limits the number of all streams. */
export interface EventStreamOptions {
  readonly feed: {
    latestEvent(): Promise<number>;
    events(after: number, limit: number): Promise<readonly FeedEvent[]>;
  };
  readonly tokens: Pick<Tokens, 'stillGood'>;
  readonly stopping: () => boolean;
  readonly log: Log;
  readonly pace?: Partial<StreamPace>;
  readonly most?: number;
}

/** All in milliseconds of real time, because they limit what a connection may hold. */
export interface StreamPace {
  /** Between two reads of the feed, for all streams together. */
  readonly look: number;
  readonly heartbeat: number;
  /** Between two checks whether a listener to whom nothing is written is still allowed. */
  readonly recheck: number;
  /** After this time the listener has to reconnect. */
  readonly longest: number;
}

/** A listening connection, and the events it wants. */
export interface Listener {
  readonly response: ServerResponse;
  readonly access: Access;
  /** Number of the last event it has received. */
  seq: number;
  /** `all` receives every missed event, `latest` may skip to the newest. */
  readonly wants: 'all' | 'latest';
  readonly opening: string;
  /** The text for these events. `isGap`: some events before them were skipped. */
  readonly render: (events: readonly FeedEvent[], seq: number, isGap: boolean) => string;
  /** The last text for a listener who is no longer allowed. */
  readonly farewell?: string;
}

/** Why no further stream can be opened. */
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
/** The limit for one token, so that no token can take all streams. */
const MOST_OF_TOKEN = 10;
/** Events per read. */
const AT_ONCE = 500;
/** Reads for listeners that are further behind, each time the feed is read. */
const BATCHES = 4;
/** Bytes that may wait for a listener that does not read; it then reconnects and gets the events it missed. */
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

  /** Number of listeners. */
  get size(): number {
    return this.#streams.size;
  }

  /**
   * Runs until the listener disconnects, is no longer allowed, or has listened for an hour. If it refuses, it writes
   * nothing. A listener that closes its side has left: the server keeps a connection closed right after its request,
   * for programs that read until the end, but a browser that leaves a page at once would occupy a place of its token
   * until the next heartbeat.
   */
  open(listener: Listener): StreamRefusal | undefined {
    const { response, access } = listener;
    const { socket } = response.req;
    // The listener may have disconnected during the checks and would never be removed from the list.
    if (response.destroyed || socket.readableEnded) {
      response.destroy();
      return undefined;
    }
    const { stopping, most = MOST_STREAMS } = this.#options;
    if (stopping() || this.#streams.size >= most) return 'full';
    const sameToken = [...this.#streams].filter((stream) => stream.access.tokenId === access.tokenId);
    if (sameToken.length >= MOST_OF_TOKEN) return 'tokenFull';
    const now = performance.now();
    const stream = { ...listener, openedAt: now, heardAt: now, checkedAt: now };
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // Stops nginx from buffering the stream.
      'X-Accel-Buffering': 'no',
    });
    if (response.req.method === 'HEAD') {
      response.end();
      return undefined;
    }
    this.#streams.add(stream);
    const left = (): void => {
      this.#end(stream);
    };
    socket.once('end', left);
    response.once('close', () => {
      socket.off('end', left);
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
    // At a stop, listeners reconnect by themselves to another instance.
    if (this.#options.stopping()) for (const stream of this.#streams) this.#end(stream);
    try {
      await this.#check();
      await this.#look();
    } catch (error) {
      this.#options.log.error('events.not-read', { error: wordsOf(error) });
    }
    for (const stream of this.#streams)
      if (performance.now() - stream.heardAt >= this.#pace.heartbeat) write(stream, ': beat\n\n');
  }

  /** If the store does not answer, the streams stay open and are checked again with the next turn. */
  async #check(): Promise<void> {
    const now = performance.now();
    for (const stream of this.#streams) if (now - stream.openedAt >= this.#pace.longest) this.#end(stream);
    await this.#allowed([...this.#streams].filter(({ checkedAt }) => now - checkedAt >= this.#pace.recheck));
  }

  /** Those who may still listen; the streams of the others end. */
  async #allowed(streams: readonly OpenStream[]): Promise<readonly OpenStream[]> {
    if (streams.length === 0) return [];
    const now = performance.now();
    const good = await this.#options.tokens.stillGood(streams.map(({ access }) => access));
    return streams.filter((stream) => {
      stream.checkedAt = now;
      if (good.has(stream.access)) return true;
      if (stream.farewell !== undefined) write(stream, stream.farewell);
      this.#end(stream);
      return false;
    });
  }

  /** Listeners in front share one read. Those far behind get their batches in turn, so that they delay nobody. */
  async #look(): Promise<void> {
    if (this.#streams.size === 0) return;
    const latest = await this.#options.feed.latestEvent();
    const behind = [...this.#streams].filter(({ seq }) => seq < latest);
    const isNear = ({ seq, wants }: OpenStream): boolean => wants === 'latest' || seq >= latest - AT_ONCE;
    await this.#read(behind.filter(isNear), latest);
    let far = behind.filter((stream) => !isNear(stream));
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const [first, ...others] = far;
      if (first === undefined) return;
      const from = first.seq;
      await this.#read([first, ...others.filter(({ seq }) => seq >= from)], latest);
      far = others.filter(({ seq }) => seq < from || seq > first.seq);
      // Its next turn is after the others'.
      if (this.#streams.delete(first)) this.#streams.add(first);
    }
  }

  /** Reads from the position of the one that is furthest behind. */
  async #read(streams: readonly OpenStream[], latest: number): Promise<void> {
    if (streams.length === 0) return;
    const from = Math.min(
      ...streams.map(({ seq, wants }) => (wants === 'all' ? seq : Math.max(seq, latest - AT_ONCE))),
    );
    const events = await this.#options.feed.events(from, AT_ONCE);
    const last = events.at(-1)?.seq ?? from;
    for (const stream of await this.#allowed(streams)) {
      const { seq, wants } = stream;
      const fresh = events.filter((event) => event.seq > seq);
      stream.seq = wants === 'all' ? Math.max(seq, last) : Math.max(latest, last);
      const isGap = seq < from || last < latest;
      if (fresh.length > 0 || wants === 'latest') write(stream, stream.render(fresh, stream.seq, isGap));
    }
  }

  /**
   * Removes it from the list at once: a listener that never reads closes late, and writing after the end
   * would be an error.
   */
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

/** The last event a listener knows: from the browser's own header, or `since` in the address. Empty: none. */
export function lastSeen(header: string | string[] | undefined, query: URLSearchParams): string | undefined {
  const since = typeof header === 'string' && header !== '' ? header : query.get('since');
  return since === null || since === '' ? undefined : since;
}
