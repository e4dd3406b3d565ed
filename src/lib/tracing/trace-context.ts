import { randomBytes } from 'node:crypto';

/** The place of a call in a trace that may have begun elsewhere (W3C Trace Context). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The caller's span; undefined: the trace begins here. */
  readonly parentId: string | undefined;
  /** Data of other tracing systems, passed on unchanged. */
  readonly state: string | undefined;
}

/** The trace that a caller states. */
export interface GivenContext extends TraceContext {
  /** Whether the caller records it. */
  readonly isSampled: boolean;
}

/** `version-traceid-parentid-flags`; only versions after 00 may append to it (Trace Context, sections 3.2.2 and 4.3). */
const FORM = /^(?!ff)(?!00.{54})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/;
/** In characters, of a version that appends: the bridge passes on only the first 55. */
const LONGEST_PARENT = 512;
/** In characters: longer values need not be passed on (section 3.3.1.5). */
const LONGEST_STATE = 512;
/** Characters allowed in a header, without a line break. */
const PRINTABLE = /^[\t\x20-\x7e]+$/;

/**
 * Reads the headers of a request, names and values alternating; undefined: they state no trace, or not in a known form.
 */
export function givenContext(rawHeaders: readonly string[]): GivenContext | undefined {
  const [parent, ...others] = valuesOf(rawHeaders, 'traceparent');
  const [, traceId, parentId, flags] = FORM.exec(parent ?? '') ?? [];
  if (traceId === undefined || flags === undefined || others.length > 0) return undefined;
  if (parent !== undefined && parent.length > LONGEST_PARENT) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return { traceId, parentId, isSampled, state: stateOf(valuesOf(rawHeaders, 'tracestate')) };
}

function stateOf(values: readonly string[]): string | undefined {
  const state = values.join(',');
  return state.length <= LONGEST_STATE && PRINTABLE.test(state) ? state : undefined;
}

function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '');
  return values;
}

/** The headers for a request that belongs to the span. */
export const headersOf = (
  { traceId, state }: TraceContext,
  spanId: string,
): Readonly<Record<string, string>> => ({
  traceparent: `00-${traceId}-${spanId}-01`,
  ...(state !== undefined && { tracestate: state }),
});

/** A trace that begins here. */
export const newContext = (): TraceContext => ({
  traceId: randomBytes(16).toString('hex'),
  parentId: undefined,
  state: undefined,
});

/** A name for a span. */
export const newSpanId = (): string => randomBytes(8).toString('hex');
