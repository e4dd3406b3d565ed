/**
 * Spans in the JSON form of OTLP (opentelemetry-proto, `ExportTraceServiceRequest`): ids in hexadecimal, 64-bit numbers
 * as text, and enumerations as numbers, as its section "JSON Protobuf Encoding" requires.
 */
import type { Attributes, Span, SpanKind } from '../../lib/tracing/call-spans.ts';

const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 };
const ERROR = 2;

/** The sender of the spans. */
export interface Sender {
  readonly version: string;
  /** The instance id of this process. */
  readonly instance: string;
  readonly host: string;
}

/** The body of a request to `/v1/traces`. */
export function exportRequest(spans: readonly Span[], { version, instance, host }: Sender): string {
  const resource = {
    'service.name': 'causeway',
    'service.version': version,
    'service.instance.id': instance,
    'host.name': host,
  };
  const scopeSpans = [{ scope: { name: 'causeway', version }, spans: spans.map(spanOf) }];
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans }],
  });
}

const spanOf = ({
  traceId,
  state,
  id,
  parentId,
  name,
  kind,
  begun,
  ended,
  attributes,
  fault,
}: Span): object => ({
  traceId,
  spanId: id,
  ...(state !== undefined && { traceState: state }),
  ...(parentId !== undefined && { parentSpanId: parentId }),
  name,
  kind: KINDS[kind],
  startTimeUnixNano: nanos(begun),
  endTimeUnixNano: nanos(ended),
  attributes: attributesOf(attributes),
  status: fault === undefined ? {} : { code: ERROR, message: fault },
});

/** Microseconds are exact in a number until the year 2255. */
const nanos = (millis: number): string => `${Math.round(millis * 1_000)}000`;

const attributesOf = (attributes: Attributes): readonly object[] =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: valueOf(value) }],
  );

function valueOf(value: string | number): object {
  if (typeof value === 'string') return { stringValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
