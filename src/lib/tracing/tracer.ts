import type { Clock } from '../time/clock.ts';
import { CallSpans, type Span } from './call-spans.ts';
import { givenContext, newContext, type TraceContext } from './trace-context.ts';

/** Decides which calls are traced, and receives their spans. */
export interface TracerParts {
  /** The percentage of calls without a trace of their own that are traced. */
  readonly percent: number;
  readonly clock: Clock;
  readonly finished: (spans: readonly Span[]) => void;
  /** Returns numbers in [0, 1). */
  readonly random?: () => number;
}

/** Decides once for each request whether it is traced; a caller with a trace decides for itself. */
export class Tracer {
  readonly #parts: TracerParts;
  readonly #random: () => number;
  readonly #decided = new WeakMap<object, CallSpans | 'untraced'>();

  constructor(parts: TracerParts) {
    this.#parts = parts;
    this.#random = parts.random ?? Math.random;
  }

  /** The spans of a request; undefined: it is not traced. */
  of(request: { readonly rawHeaders: readonly string[] }): CallSpans | undefined {
    let found = this.#decided.get(request);
    if (found === undefined) {
      found = this.#begun(request.rawHeaders) ?? 'untraced';
      this.#decided.set(request, found);
    }
    return found === 'untraced' ? undefined : found;
  }

  #begun(rawHeaders: readonly string[]): CallSpans | undefined {
    const context = this.#context(rawHeaders);
    const { clock, finished } = this.#parts;
    return context && new CallSpans(context, clock.now(), finished);
  }

  #context(rawHeaders: readonly string[]): TraceContext | undefined {
    const given = givenContext(rawHeaders);
    if (given !== undefined) return given.isSampled ? given : undefined;
    return this.#random() * 100 < this.#parts.percent ? newContext() : undefined;
  }
}
