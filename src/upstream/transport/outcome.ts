import { Failure } from '../../lib/failure.ts';
import type { UpstreamAnswer } from '../model.ts';

/**
 * What a request came to: how an exchange fails, what that means for the caller, whether the request may go out once
 * more, and which answers can be used.
 */
export class TransportFault extends Error {
  readonly kind: 'unreachable' | 'slow' | 'cut' | 'garbled' | 'aborted';
  /** Bytes of the request may have left, so that a write may have been carried out. */
  readonly sent: boolean;
  /** Of a foreign error; empty where it was our own doing. The error itself is not kept: it quotes addresses and headers. */
  readonly code: string;

  constructor(kind: TransportFault['kind'], sent: boolean, code = '') {
    super(`${kind}${code === '' ? '' : ` (${code})`}, ${sent ? 'after' : 'before'} the request left`);
    this.name = 'TransportFault';
    this.kind = kind;
    this.sent = sent;
    this.code = code;
  }

  /** A foreign error, by its code alone. */
  static of(error: unknown, sent: boolean): TransportFault {
    if (error instanceof TransportFault) return error;
    const code = wordOf(error, 'code');
    if (!sent) return new TransportFault('unreachable', false, code);
    return new TransportFault(isGarbled(error) ? 'garbled' : 'cut', true, code);
  }
}

/** An answer that is no HTTP, by the names undici gives its errors; some of them carry no code. */
const isGarbled = (error: unknown): boolean =>
  /^(?:HTTPParser|HeadersOverflow|ResponseContentLengthMismatch)/.test(wordOf(error, 'name'));

/** Without `instanceof`: an error may come from another realm. */
function wordOf(error: unknown, property: 'code' | 'name'): string {
  if (typeof error !== 'object' || error === null) return '';
  const word: unknown = Reflect.get(error, property);
  return typeof word === 'string' ? word : '';
}

/** Verbs that change nothing (RFC 9110, 9.2.1). */
export const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD']);
/** Whether the verb only reads (RFC 9110, 9.2.1). */
export const isSafe = (verb: string): boolean => SAFE.has(verb);

/** What a fault means for the caller. A write whose bytes left unanswered may have been carried out. */
export function failureOf(fault: TransportFault, verb: string): Failure {
  const details = { cause: fault };
  if (fault.sent && !isSafe(verb)) return new Failure('outcomeUnknown', details);
  switch (fault.kind) {
    case 'slow':
      return new Failure(fault.sent ? 'upstreamTimeout' : 'upstreamUnavailable', details);
    case 'garbled':
      return new Failure('upstreamAnswer', details);
    case 'unreachable':
    case 'cut':
    case 'aborted':
      return new Failure('upstreamUnavailable', details);
  }
}

/** What a fault within the body means for its reader: a list that was cut is no timeout, and half an answer to a write is none. */
export const bodyFailure = (fault: TransportFault, verb: string): Failure =>
  fault.kind === 'cut' && isSafe(verb)
    ? new Failure('upstreamAnswer', { cause: fault })
    : failureOf(fault, verb);

/** Whether the same request may go out once more: nothing left, or a read was cut. */
export function mayRepeat(fault: TransportFault, verb: string): boolean {
  if (fault.kind === 'unreachable') return true;
  return fault.kind === 'cut' && (!fault.sent || isSafe(verb));
}

/** How answers to a request are judged. */
export interface AnswerRules {
  readonly verb: string;
  readonly retryAfterMeansNotDone?: boolean | undefined;
}

const NOT_DONE = 'The service is not available and has not carried out this request; try again later';

/** Throws `Failure` where the service has promised that it did nothing. */
function checkDone(answer: UpstreamAnswer): void {
  const wait = answer.headers['retry-after'] ?? '';
  if (wait === '') return;
  discard(answer);
  const seconds = /^\d{1,9}$/.test(wait) ? { retryAfter: Math.max(1, Number(wait)) } : {};
  throw new Failure('upstreamUnavailable', { text: NOT_DONE, ...seconds });
}

/** An answer as it is; throws `Failure` for a redirect, and for one whose body is encoded. */
export function usable(
  answer: UpstreamAnswer,
  { verb, retryAfterMeansNotDone = false }: AnswerRules,
): UpstreamAnswer {
  if (answer.status === 503 && retryAfterMeansNotDone && !isSafe(verb)) checkDone(answer);
  const redirected = answer.status >= 300 && answer.status < 400;
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  if (!redirected && (encoding === '' || encoding.toLowerCase() === 'identity')) return answer;
  discard(answer);
  // The service did something with the write, but it did not say what in a form that can be used.
  throw new Failure(isSafe(verb) ? 'upstreamAnswer' : 'outcomeUnknown');
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

/** Milliseconds the service asked to wait: seconds, or a date measured by the answer's own clock. */
export function retryAfterMs(answer: Pick<UpstreamAnswer, 'headers'>, now: number): number | undefined {
  const value = answer.headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  if (value === '' || Number.isNaN(at)) return undefined;
  const sent = Date.parse(answer.headers.date ?? '');
  return Math.max(0, at - (Number.isNaN(sent) ? now : sent));
}
