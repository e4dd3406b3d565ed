/**
 * The spans of one traced call: its waits, and its requests.
 *
 * A span begins and ends where the event happens (`upstream/send.ts`, `proxy/handle.ts`, `http/legacy/legacy.ts`); all
 * are handed over together when the call has ended. Deeply nested code finds the call in `callSpans`, because passing
 * it there would affect every function in between; without tracing, this costs one empty look-up. Names and values are
 * from the mapping and the code: no key, address or value of a customer.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { headersOf, newSpanId, type TraceContext } from './trace-context.ts';

/** The details of a span. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** The role of the process: server, client of another server, or neither. */
export type SpanKind = 'server' | 'client' | 'internal';

/** A span that has ended. */
export interface Span extends TraceContext {
  readonly id: string;
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds since the epoch, with fractions. */
  readonly begun: number;
  readonly ended: number;
  readonly attributes: Attributes;
  /** The fault as a code. */
  readonly fault: string | undefined;
}

/** A span that has not ended. */
export interface OpenSpan {
  /** The headers for a request that belongs to the span. */
  readonly headers: Readonly<Record<string, string>>;
  /** Only the first call counts. `fault`: as a code. */
  end(attributes?: Attributes, fault?: string): void;
}

/** The spans of the call being served, if it is traced. */
export const callSpans = new AsyncLocalStorage<CallSpans>();

/** A code for the fault, without anything from its message. */
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'internal';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
};

/** One traced call. After its end nothing is added to it. */
export class CallSpans {
  readonly #context: TraceContext;
  readonly #rootId = newSpanId();
  readonly #begun: number;
  /** The same moment on a monotonic clock. */
  readonly #origin = performance.now();
  readonly #finished: (spans: readonly Span[]) => void;
  readonly #spans: Span[] = [];
  readonly #open = new Set<OpenSpan>();
  /** The parent of new spans. */
  #parentId = this.#rootId;
  #isEnded = false;

  /** `now`: milliseconds since the epoch. `finished`: called once, when the call has ended. */
  constructor(context: TraceContext, now: number, finished: (spans: readonly Span[]) => void) {
    this.#context = context;
    this.#begun = now;
    this.#finished = finished;
  }

  get traceId(): string {
    return this.#context.traceId;
  }

  /** Runs `work` so that everything below it finds the call. */
  run<T>(work: () => T): T {
    return callSpans.run(this, work);
  }

  /** Begins a span. */
  begin(name: string, kind: SpanKind = 'internal', known: Attributes = {}): OpenSpan {
    return this.#begin(name, kind, known, newSpanId());
  }

  /** Records a wait as a span of its own. */
  async during<T>(name: string, wait: Promise<T>): Promise<T> {
    const span = this.begin(name);
    try {
      const found = await wait;
      span.end();
      return found;
    } catch (error) {
      span.end({}, codeOf(error));
      throw error;
    }
  }

  /**
   * Serves the call on a route; everything until its end is below that span. A reply in pieces is made while it is
   * sent, so its span ends with the call.
   */
  async serving<R extends { readonly body: unknown }>(
    route: string | undefined,
    serve: () => Promise<R>,
  ): Promise<R> {
    const id = newSpanId();
    const name = route === 'v1' ? 'pass-through' : 'translation';
    const span = this.#begin(name, 'internal', { 'causeway.route': route }, id);
    this.#parentId = id;
    try {
      const reply = await serve();
      if (typeof reply.body === 'string' || Buffer.isBuffer(reply.body)) span.end();
      return reply;
    } catch (error) {
      span.end({}, codeOf(error));
      throw error;
    }
  }

  /** Ends the call. */
  end(name: string, attributes: Attributes, fault: string | undefined): void {
    if (this.#isEnded) return;
    for (const span of this.#open) span.end({}, fault);
    this.#isEnded = true;
    this.#spans.push({
      ...this.#context,
      ...{ id: this.#rootId, name, kind: 'server', attributes, fault },
      ...{ begun: this.#begun, ended: this.#now() },
    });
    this.#finished(this.#spans);
  }

  #begin(name: string, kind: SpanKind, known: Attributes, id: string): OpenSpan {
    const begun = this.#now();
    const parentId = this.#parentId;
    const span: OpenSpan = {
      headers: headersOf(this.#context, id),
      end: (attributes = {}, fault) => {
        if (!this.#open.delete(span) || this.#isEnded) return;
        const times = { begun, ended: this.#now() };
        const all = { ...known, ...attributes };
        this.#spans.push({ ...this.#context, parentId, id, name, kind, ...times, attributes: all, fault });
      },
    };
    this.#open.add(span);
    return span;
  }

  #now(): number {
    return this.#begun + performance.now() - this.#origin;
  }
}
