import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Log } from '../../lib/log/log.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Timer } from '../../lib/time/timer.ts';
import { Tracer } from '../../lib/tracing/tracer.ts';
import type { TracesSettings } from '../settings/model.ts';
import { readHeaders } from './read-headers.ts';
import { SpanExporter, type SpanOutcome } from './span-exporter.ts';

/** Traces calls, and sends their spans. */
export interface Tracing {
  readonly tracer: Tracer;
  readonly exporter: SpanExporter;
}

interface Needs {
  readonly version: string;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly log: Log;
  readonly counted: (outcome: SpanOutcome, spans: number) => void;
}

/** Traces go where the settings say. */
export function tracingOf(
  { url, headers, percent }: TracesSettings,
  { version, clock, timer, log, counted }: Needs,
): Tracing {
  const exporter = new SpanExporter({
    url,
    headers: (headers && readHeaders(headers.reveal())) ?? {},
    sender: { version, instance: randomUUID(), host: hostname() },
    timer,
    log,
    counted,
  });
  return { tracer: new Tracer({ percent, clock, finished: exporter.add }), exporter };
}
