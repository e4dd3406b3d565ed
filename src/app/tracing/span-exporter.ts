/**
 * Sends spans to an OTLP receiver, a batch at a time.
 *
 * Spans wait in memory, no more than `MOST`: a receiver that is away costs spans and never a call. A batch that the
 * receiver could not accept is sent again, after pauses that grow to a minute; one that it refuses is dropped. Trouble
 * and its end are logged once each, and dropped spans are counted.
 */
import type { Log } from '../../lib/log/log.ts';
import { MINUTE, SECOND } from '../../lib/time/clock.ts';
import type { Timer } from '../../lib/time/timer.ts';
import type { Span } from '../../lib/tracing/call-spans.ts';
import { exportRequest, type Sender } from './otlp.ts';

/** The largest number of spans held. */
const MOST = 4_096;
/** Spans in a request. */
const BATCH = 512;
/** In milliseconds: how long spans wait for others, and for an answer. */
const USUAL_PAUSE = 5 * SECOND;
const LONGEST_PAUSE = MINUTE;
const PATIENCE = 10 * SECOND;
/** OTLP specification, "OTLP/HTTP Response": these may be sent again. */
const PASSING = new Set([429, 502, 503, 504]);

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

type Verdict = { readonly state: 'taken' } | { readonly state: 'refused' | 'later'; readonly why: string };

/** Collects spans and sends them. */
export class SpanExporter {
  readonly #parts: SpanExporterParts;
  #waiting: Span[] = [];
  #cancel: (() => void) | undefined;
  #sending: Promise<void> | undefined;
  #pause = USUAL_PAUSE;
  #isInTrouble = false;
  #isClosed = false;

  constructor(parts: SpanExporterParts) {
    this.#parts = parts;
  }

  /** Takes the spans of a call that has ended. Never throws. */
  readonly add = (spans: readonly Span[]): void => {
    const room = this.#isClosed ? 0 : MOST - this.#waiting.length;
    this.#waiting.push(...spans.slice(0, room));
    if (spans.length > room) this.#parts.counted('dropped', spans.length - room);
    if (this.#waiting.length >= BATCH && !this.#isInTrouble) this.#flush();
    else this.#plan();
  };

  /** Sends the waiting spans once; those that cannot be sent are dropped. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.#sending;
    while (this.#waiting.length > 0 && (await this.#sendOne()));
    if (this.#waiting.length > 0) this.#parts.counted('dropped', this.#waiting.length);
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
    const batch = this.#waiting.splice(0, BATCH);
    const verdict = await this.#post(batch);
    this.#tell(verdict);
    if (verdict.state === 'later') {
      this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
      this.#waiting.unshift(...batch);
      return false;
    }
    this.#pause = USUAL_PAUSE;
    this.#parts.counted(verdict.state === 'taken' ? 'delivered' : 'dropped', batch.length);
    return true;
  }

  async #post(batch: readonly Span[]): Promise<Verdict> {
    const { url, headers, sender } = this.#parts;
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: exportRequest(batch, sender),
        redirect: 'manual',
        signal: AbortSignal.timeout(PATIENCE),
      });
      await answer.body?.cancel();
      if (answer.ok) return { state: 'taken' };
      return { state: PASSING.has(answer.status) ? 'later' : 'refused', why: `status ${answer.status}` };
    } catch (error) {
      return { state: 'later', why: reasonOf(error) };
    }
  }

  #tell(verdict: Verdict): void {
    const { log } = this.#parts;
    const isInTrouble = verdict.state !== 'taken';
    if (isInTrouble === this.#isInTrouble) return;
    this.#isInTrouble = isInTrouble;
    if (verdict.state === 'taken') log.info('traces.delivered-again');
    else log.warn('traces.undelivered', { reason: verdict.why });
  }
}

/** The network's code says more than fetch's message. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return error instanceof Error ? error.name : 'unreachable';
}
