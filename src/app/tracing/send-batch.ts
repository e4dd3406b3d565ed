/**
 * Sends one request with spans, and reads the answer.
 *
 * OTLP specification, "OTLP/HTTP Response": a reply of 200 may say that some spans were rejected, and those may not be sent
 * again; 429, 502, 503 and 504 may be tried again, after `Retry-After` if it is given.
 */
import { z } from 'zod';
import { SECOND } from '../../lib/time/clock.ts';
import { retryAfterMs } from '../../upstream/transport/outcome.ts';

/** How long an answer may take, in milliseconds. */
const PATIENCE = 10 * SECOND;
const PASSING = new Set([429, 502, 503, 504]);
/** In bytes. A receiver's answer is a line; no more of it is read into memory. */
const LONGEST = 65_536;
/** Characters of a receiver's explanation that the log repeats. */
const LONGEST_REASON = 200;

/** What became of the spans of a request. `asked`: how long the receiver wants to be left alone, in milliseconds. */
export type Verdict =
  | { readonly state: 'taken' }
  | { readonly state: 'in-part'; readonly rejected: number; readonly why: string }
  | { readonly state: 'refused'; readonly why: string }
  | { readonly state: 'later'; readonly why: string; readonly asked?: number | undefined };

/** JSON writes a count of 64 bits as text; receivers write numbers, too. */
const answered = z.object({
  partialSuccess: z.object({
    rejectedSpans: z.coerce.number().int().nonnegative().default(0),
    errorMessage: z.string().default(''),
  }),
});

/** Never rejects. `stopped` ends the wait for an answer. */
export async function sendBatch(
  url: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  stopped: AbortSignal,
): Promise<Verdict> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(PATIENCE)]),
    });
    if (answer.ok) return verdictIn(await textOf(answer));
    await answer.body?.cancel();
    const why = `status ${answer.status}`;
    if (!PASSING.has(answer.status)) return { state: 'refused', why };
    return { state: 'later', why, asked: retryAfterMs(asking(answer), Date.now()) };
  } catch (error) {
    return { state: 'later', why: reasonOf(error) };
  }
}

const asking = ({ status, headers }: Response): { status: number; headers: Record<string, string> } => ({
  status,
  headers: Object.fromEntries(headers),
});

/** Spans that were accepted must not be sent again because the rest of the answer is missing. */
async function textOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += piece.byteLength;
      if (bytes > LONGEST) return '';
      pieces.push(piece);
    }
  } catch {
    return '';
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** A remark without rejected spans, and an answer that is not JSON, mean that all were accepted. */
function verdictIn(text: string): Verdict {
  const read = answered.safeParse(parsed(text));
  const { rejectedSpans: rejected, errorMessage } = read.data?.partialSuccess ?? { rejectedSpans: 0 };
  if (rejected === 0) return { state: 'taken' };
  const why = `${rejected} rejected: ${errorMessage?.slice(0, LONGEST_REASON) ?? ''}`;
  return { state: 'in-part', rejected, why };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The network's code says more than fetch's message. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return error instanceof Error ? error.name : 'unreachable';
}
