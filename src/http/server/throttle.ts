import { isIPv4, isIPv6 } from 'node:net';
import { MINUTE, type Clock } from '../../lib/time/clock.ts';

/** The limits on attempts from an address. */
export interface ThrottleParts {
  readonly clock: Clock;
  /** Attempts within the window, per address and in total. */
  readonly perAddress?: number;
  readonly overall?: number;
  /** In milliseconds. */
  readonly window?: number;
}

interface Attempt {
  readonly at: number;
  readonly from: string;
}

/**
 * Attempts remembered if there is no limit in total; the oldest are forgotten, so that a flood cannot use more memory.
 */
const MOST_REMEMBERED = 5_000;
/** Addresses with a successful sign-in: a flood from elsewhere does not lock them out. */
const MOST_KNOWN = 200;

/**
 * Counts wrong attempts, for console and API together, so that further ones get another refusal and a log line. Holds
 * only the attempts of one window. A token has 32 characters or more and cannot be guessed; so a right one is accepted
 * whatever else is tried, or ten wrong ones would lock its owner out.
 */
export class Throttle {
  readonly #parts: Required<ThrottleParts>;
  #attempts: readonly Attempt[] = [];
  readonly #known = new Set<string>();

  constructor(parts: ThrottleParts) {
    this.#parts = { perAddress: 10, overall: 100, window: 10 * MINUTE, ...parts };
  }

  /**
   * Counts an attempt before it is judged, so that simultaneous ones all count. Returns undefined if the
   * attempt may be made, otherwise the milliseconds to wait.
   */
  attempt(address: string): number | undefined {
    const { clock, perAddress, overall, window } = this.#parts;
    const [now, from] = [clock.now(), networkOf(address)];
    this.#attempts = this.#attempts.filter(({ at }) => at > now - window && at <= now);
    const own = this.#attempts.filter((attempt) => attempt.from === from);
    const full = this.#attempts.length >= overall && !this.#known.has(from);
    const oldest = own.length >= perAddress ? own[0] : full ? this.#attempts[0] : undefined;
    if (oldest !== undefined) return oldest.at + window - now;
    this.#attempts = [...this.#attempts.slice(1 - MOST_REMEMBERED), { at: now, from }];
    return undefined;
  }

  /**
   * The attempt was not a guess and does not count. Earlier ones still do: the owner of one token may be
   * guessing another.
   */
  succeeded(address: string): void {
    const from = networkOf(address);
    const own = this.#attempts.findLast((attempt) => attempt.from === from);
    this.#attempts = this.#attempts.filter((attempt) => attempt !== own);
    this.#known.delete(from);
    this.#known.add(from);
    const [oldest] = this.#known;
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** The network of an address: a single guesser has a whole IPv6 /64. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(.+)$/i.exec(address)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').toLowerCase().split('::');
  const groups = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));
  const filled =
    tail === undefined
      ? groups(head)
      : [
          ...groups(head),
          ...Array<string>(Math.max(0, 8 - groups(head).length - groups(tail).length)).fill('0'),
          ...groups(tail),
        ];
  return filled
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
