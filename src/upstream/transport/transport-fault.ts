import { Failure } from '../../lib/failure.ts';

/**
 * How an exchange failed. `sent`: bytes of the request may have left, so that a write may have been carried out.
 * Holds no foreign error: those quote addresses and headers.
 */
export class WireFault extends Error {
  readonly kind: 'unreachable' | 'slow' | 'cut' | 'garbled' | 'aborted';
  readonly sent: boolean;
  /** Of a foreign error; empty where it was our own doing. */
  readonly code: string;

  constructor(kind: WireFault['kind'], sent: boolean, code = '') {
    super(`${kind}${code === '' ? '' : ` (${code})`}, ${sent ? 'after' : 'before'} the request left`);
    this.name = 'WireFault';
    this.kind = kind;
    this.sent = sent;
    this.code = code;
  }

  /** A foreign error, by its code alone. */
  static of(error: unknown, sent: boolean): WireFault {
    if (error instanceof WireFault) return error;
    const code = wordOf(error, 'code');
    if (!sent) return new WireFault('unreachable', false, code);
    return new WireFault(isGarbled(error) ? 'garbled' : 'cut', true, code);
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

export const isSafe = (verb: string): boolean => verb === 'GET' || verb === 'HEAD';

/** What a fault means for the caller. A write whose bytes left unanswered may have been carried out. */
export function failureOf(fault: WireFault, verb: string): Failure {
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

/** Whether the same request may go out once more: nothing left, or a read was cut. */
export function mayRepeat(fault: WireFault, verb: string): boolean {
  if (fault.kind === 'unreachable') return true;
  return fault.kind === 'cut' && (!fault.sent || isSafe(verb));
}
