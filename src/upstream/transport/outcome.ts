import { Failure } from '../../lib/failure.ts';
import { SECOND } from '../../lib/time/clock.ts';
import type { StreamedBody, UpstreamAnswer } from '../model.ts';

/**
 * How an exchange failed, what that means for the caller, whether the request may be sent again, and which
 * answers are usable.
 */
export class TransportFault extends Error {
  readonly kind: 'unreachable' | 'slow' | 'cut' | 'garbled' | 'aborted';
  /** Bytes of the request may have left, so a write may have been carried out. */
  readonly sent: boolean;
  /**
   * Code of the library's error; empty if we ended it ourselves. The error itself is not kept: it quotes
   * addresses and headers.
   */
  readonly code: string;

  constructor(kind: TransportFault['kind'], sent: boolean, code = '') {
    super(`${kind}${code === '' ? '' : ` (${code})`}, ${sent ? 'after' : 'before'} the request left`);
    this.name = 'TransportFault';
    this.kind = kind;
    this.sent = sent;
    this.code = code;
  }

  /** From a library's error, using only its code. */
  static of(error: unknown, sent: boolean): TransportFault {
    if (error instanceof TransportFault) return error;
    const code = wordOf(error, 'code');
    if (!sent) return new TransportFault('unreachable', false, code);
    return new TransportFault(isGarbled(error) ? 'garbled' : 'cut', true, code);
  }
}

/** An answer that is not HTTP, by the names of undici's errors, some of which have no code. */
const isGarbled = (error: unknown): boolean =>
  /^(?:HTTPParser|HeadersOverflow|ResponseContentLengthMismatch)/.test(wordOf(error, 'name'));

/** Without `instanceof`: an error may come from another realm. */
function wordOf(error: unknown, property: 'code' | 'name'): string {
  if (typeof error !== 'object' || error === null) return '';
  const word: unknown = Reflect.get(error, property);
  return typeof word === 'string' ? word : '';
}

/** Verbs that change nothing (RFC 9110, section 9.2.1). */
export const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD']);
/** Whether the verb only reads (RFC 9110, section 9.2.1). */
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

/**
 * What a fault within the body means for its reader: a list that was cut is not a time-out, and half an
 * answer to a write is not an answer.
 */
export const bodyFailure = (fault: TransportFault, verb: string): Failure =>
  fault.kind === 'cut' && isSafe(verb)
    ? new Failure('upstreamAnswer', { cause: fault })
    : failureOf(fault, verb);

/** Whether the same request may be sent again: nothing left, or a read was cut. */
export function mayRepeat(fault: TransportFault, verb: string): boolean {
  if (fault.kind === 'unreachable') return true;
  return fault.kind === 'cut' && (!fault.sent || isSafe(verb));
}

/** A body that has left in part cannot be sent again. */
export const isFresh = (body: Buffer | StreamedBody | undefined): boolean =>
  body === undefined || Buffer.isBuffer(body) || body.isFresh;

/** How answers to a request are judged. */
export interface AnswerRules {
  readonly verb: string;
  readonly retryAfterMeansNotDone?: boolean | undefined;
}

const NOT_DONE = 'The service is not available and has not carried out this request; try again later';

/** Throws `Failure` if the service has promised that it did nothing. */
function checkDone(answer: UpstreamAnswer): void {
  if ((answer.headers['retry-after'] ?? '') === '') return;
  discard(answer);
  throw new Failure('upstreamUnavailable', { text: NOT_DONE, ...retryAfter(answer) });
}

/** Returns the answer unchanged; throws `Failure` for a redirect or an encoded body. */
export function usable(
  answer: UpstreamAnswer,
  { verb, retryAfterMeansNotDone = false }: AnswerRules,
): UpstreamAnswer {
  if (answer.status === 503 && retryAfterMeansNotDone && !isSafe(verb)) checkDone(answer);
  const redirected = answer.status >= 300 && answer.status < 400;
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  if (!redirected && (encoding === '' || encoding.toLowerCase() === 'identity')) return answer;
  discard(answer);
  // The service did something with the write, but did not say what in a usable form.
  throw new Failure(isSafe(verb) ? 'upstreamAnswer' : 'outcomeUnknown');
}

/** Bytes of an unwanted body that are read to keep the connection. */
const WORTH_READING = 64 * 1024;

/** Finishes an unwanted answer in the background. */
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

/** How the three forms of a date begin (RFC 9110, section 5.6.7); `Date.parse` takes `1.5` and `5, 5` for dates too. */
const HTTP_DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)/i;

/**
 * Milliseconds the service asked to wait: from seconds, or from a date measured by the answer's own clock, or by `now` if
 * the answer has no date. Undefined if it names no time, or refused the call as one too many and names no time to wait.
 */
export function retryAfterMs(answer: Asking, now?: number): number | undefined {
  const millis = askedMs(answer.headers, now);
  return millis === 0 && answer.status === 429 ? undefined : millis;
}

type Asking = Pick<UpstreamAnswer, 'headers'> & Partial<Pick<UpstreamAnswer, 'status'>>;

function askedMs(headers: UpstreamAnswer['headers'], now: number | undefined): number | undefined {
  const value = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}(?:\.\d+)?$/.test(value)) return Math.ceil(Number(value)) * SECOND;
  const at = HTTP_DATE.test(value) ? dateOf(value) : NaN;
  const sent = dateOf(headers.date ?? '');
  const since = Number.isNaN(sent) ? now : sent;
  return since === undefined || Number.isNaN(at) ? undefined : Math.max(0, at - since);
}

/** The form of C's `asctime` names no zone: `Date.parse` would take it for local time, and it is always GMT. */
const dateOf = (text: string): number =>
  Date.parse(/ \d{4}$/.test(text.trim()) ? `${text.trim()} GMT` : text);

/** The same for a caller, in seconds and at least one. */
export function retryAfter(answer: Asking): { readonly retryAfter?: number } {
  const millis = retryAfterMs(answer);
  return millis === undefined ? {} : { retryAfter: Math.max(1, Math.ceil(millis / SECOND)) };
}
