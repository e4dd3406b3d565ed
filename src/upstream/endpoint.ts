import { Failure } from '../lib/failure.ts';
import type { UpstreamAnswer } from './model.ts';
import type { Verb } from './transport/transport.ts';
import { verbs } from './transport/transport.ts';
import { failureOf, isSafe, WireFault } from './transport/transport-fault.ts';

/** What both lanes do with an answer before anybody sees it. */
export function usable(answer: UpstreamAnswer, verb: string): UpstreamAnswer {
  const redirected = answer.status >= 300 && answer.status < 400;
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  if (!redirected && (encoding === '' || encoding.toLowerCase() === 'identity'))
    return { ...answer, body: readable(answer.body, verb) };
  discard(answer);
  // The service did something with the write, but it did not say what in a form that can be used.
  throw new Failure(isSafe(verb) ? 'upstreamAnswer' : 'outcomeUnknown');
}

/** The body, with the lane's own failures: a list that was cut is no timeout, and half an answer to a write is none. */
async function* readable(body: AsyncIterable<Buffer>, verb: string): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    const fault = WireFault.of(error, true);
    if (fault.kind === 'cut' && isSafe(verb)) throw new Failure('upstreamAnswer', { cause: fault });
    throw failureOf(fault, verb);
  }
}

/** So much of an unwanted body is read to keep the connection. */
const WORTH_READING = 64 * 1024;

/** Ends an answer nobody wants, in the background. */
export function discard(answer: UpstreamAnswer): void {
  const read = async (): Promise<void> => {
    let bytes = 0;
    for await (const chunk of answer.body) {
      bytes += chunk.length;
      if (bytes > WORTH_READING) return;
    }
  };
  read().catch(() => undefined);
}

/** Throws `Failure` wrongVerb. */
export function verbOf(verb: string): Verb {
  const known = verbs.find((candidate) => candidate === verb.toUpperCase());
  if (known === undefined) throw new Failure('wrongVerb');
  return known;
}

/** Milliseconds the service asked to wait: seconds, or a date measured by the answer's own clock. */
export function retryAfterMs(answer: Pick<UpstreamAnswer, 'headers'>, now: number): number | undefined {
  const value = answer.headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  if (value === '' || Number.isNaN(at)) return undefined;
  const sent = Date.parse(answer.headers.date ?? '');
  return Math.max(0, at - (Number.isNaN(sent) ? now : sent));
}
