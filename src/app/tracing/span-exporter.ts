/**
 * Sends spans to an OTLP receiver, a batch at a time.
 *
 * Spans wait in memory, no more than `MOST`: a receiver that is away costs spans and never a call. A batch that the
 * receiver could not accept is sent again, after pauses that grow to a minute or after the time that the receiver named;
 * what it refuses is dropped. Trouble and its end are logged once each (spans rejected now and then are one trouble), and dropped spans are counted. A stop waits no
 * longer than two seconds for the receiver, and says how many spans it did not confirm.
 */
import type { Log } from '../../lib/log/log.ts';
import { HOUR, MINUTE, SECOND } from '../../lib/time/clock.ts';
import type { Timer } from '../../lib/time/timer.ts';
import type { Span } from '../../lib/tracing/call-spans.ts';
import { exportRequest, type Sender } from './otlp.ts';
import { sendBatch, type Verdict } from './send-batch.ts';

/** The largest number of spans held. */
const MOST = 4_096;
/** Spans in a request. */
const BATCH = 512;
/** In milliseconds: how long spans wait for others. */
const USUAL_PAUSE = 5 * SECOND;
const LONGEST_PAUSE = MINUTE;
/** So many whole requests in a row end the trouble of a receiver that rejects some spans. */
const WHOLE = 60;
/** No `Retry-After` keeps spans longer: the clock of a receiver may be wrong by years. */
const LONGEST_ASKED = HOUR;
/** What a stop grants to the last requests, in milliseconds. */
const LAST_REQUESTS = 2 * SECOND;

/** What happened to spans. */
export type SpanOutcome = 'delivered' | 'dropped';

/** What the exporter needs. */
export interface SpanExporterParts {
  /** The whole address, `…/v1/traces`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sender: Sender;
  readonly timer: Timer;
  readonly log: Log;
  readonly counted: (outcome: SpanOutcome, spans: number) => void;
}

/** Collects spans and sends them. */
export class SpanExporter {
  readonly #parts: SpanExporterParts;
  #waiting: Span[] = [];
  #cancel: (() => void) | undefined;
  #sending: Promise<void> | undefined;
  #pause = USUAL_PAUSE;
  /** Whether the receiver takes requests, of which it may reject some spans. */
  #isTaking = true;
  /** How many requests it still has to take whole after it has rejected some spans of one. */
  #untilWhole = 0;
  #isClosed = false;
  readonly #stopped = new AbortController();

  constructor(parts: SpanExporterParts) {
    this.#parts = parts;
  }

  /** Takes the spans of a call that has ended. Never throws. */
  readonly add = (spans: readonly Span[]): void => {
    const room = this.#isClosed ? 0 : MOST - this.#waiting.length;
    this.#waiting.push(...spans.slice(0, room));
    if (spans.length > room) this.#parts.counted('dropped', spans.length - room);
    if (this.#waiting.length >= BATCH && this.#isTaking) this.#flush();
    else this.#plan();
  };

  /** Sends the waiting spans once, within two seconds; those that are not accepted by then are dropped. */
  async close(): Promise<void> {
    const { counted, log, timer } = this.#parts;
    this.#isClosed = true;
    this.#cancel?.();
    const cancel = timer(LAST_REQUESTS, () => {
      this.#stopped.abort();
    });
    await this.#sending;
    while (this.#waiting.length > 0 && !this.#stopped.signal.aborted && (await this.#sendOne()));
    cancel();
    const spans = this.#waiting.length;
    if (spans === 0) return;
    counted('dropped', spans);
    log.warn('traces.dropped', { spans });
    this.#waiting = [];
  }

  #plan(): void {
    if (this.#isClosed || this.#cancel !== undefined || this.#sending !== undefined) return;
    this.#cancel = this.#parts.timer(this.#pause, () => {
      this.#flush();
    });
  }

  #flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      if (this.#waiting.length > 0) this.#plan();
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0 && (await this.#sendOne()));
  }

  /** Returns false if the receiver cannot take any now. */
  async #sendOne(): Promise<boolean> {
    const { url, headers, sender } = this.#parts;
    const batch = this.#waiting.splice(0, BATCH);
    const body = exportRequest(batch, sender);
    const verdict = await sendBatch(url, { headers, body }, this.#stopped.signal);
    this.#tell(verdict);
    if (verdict.state === 'later') {
      this.#pause = pauseAfter(this.#pause, verdict.asked);
      this.#waiting.unshift(...batch);
      return false;
    }
    this.#pause = USUAL_PAUSE;
    this.#count(verdict, batch.length);
    return true;
  }

  #count(verdict: Exclude<Verdict, { state: 'later' }>, spans: number): void {
    const dropped = verdict.state === 'taken' ? 0 : verdict.state === 'refused' ? spans : verdict.rejected;
    if (dropped < spans) this.#parts.counted('delivered', spans - dropped);
    if (dropped > 0) this.#parts.counted('dropped', Math.min(spans, dropped));
  }

  #tell(verdict: Verdict): void {
    const { log } = this.#parts;
    const isTaking = verdict.state === 'taken' || verdict.state === 'in-part';
    if (isTaking && !this.#isTaking) log.info('traces.delivered-again');
    if (!isTaking && this.#isTaking) log.warn('traces.undelivered', { reason: verdict.why });
    this.#isTaking = isTaking;
    if (verdict.state === 'in-part') this.#tookPart(verdict.why);
    if (verdict.state === 'taken') this.#tookWhole();
  }

  #tookPart(reason: string): void {
    if (this.#untilWhole === 0) this.#parts.log.warn('traces.undelivered', { reason });
    this.#untilWhole = WHOLE;
  }

  #tookWhole(): void {
    if (this.#untilWhole === 0) return;
    this.#untilWhole -= 1;
    if (this.#untilWhole === 0) this.#parts.log.info('traces.delivered-again');
  }
}

/** Spans wait for others in any case, whatever the receiver would allow. */
function pauseAfter(pause: number, asked: number | undefined): number {
  if (asked === undefined) return Math.min(2 * pause, LONGEST_PAUSE);
  return Math.min(Math.max(asked, USUAL_PAUSE), LONGEST_ASKED);
}
