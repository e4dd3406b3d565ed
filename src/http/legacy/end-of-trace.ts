import type { CallSpans } from '../../lib/tracing/call-spans.ts';

/** The facts with which the span of a call ends. */
export interface EndOfCall {
  readonly request: string;
  readonly account: string | undefined;
  readonly verb: string;
  readonly method: string;
  readonly source: string;
  readonly status: number;
  readonly end: string | undefined;
  readonly failure: string | undefined;
}

/** The arguments with which the spans of a call end. */
export function endOf(ended: EndOfCall): Parameters<CallSpans['end']> {
  const { request, account, verb, method, source, status, end, failure } = ended;
  const attributes = {
    'http.request.method': verb,
    'http.response.status_code': status,
    'causeway.method': method,
    'causeway.source': source,
    'causeway.account': account,
    'causeway.request': request,
  };
  const fault = end ?? (status >= 400 ? (failure ?? String(status)) : undefined);
  return [`${verb} ${method}`, attributes, fault];
}
