import { MINUTE, type Clock } from '../../lib/clock.ts';
import type { PermitsInUse } from './written-permits.ts';

/** What the limit counts in. */
export const WINDOW = MINUTE;

/**
 * The permits in use of one key: of requests that are out, of answered ones until a minute later, and of those given up
 * without an answer until a minute after the latest moment at which the service may still handle them.
 */
export class Permits {
  readonly #clock: Clock;
  readonly #latestHandling: number;
  #out = 0;
  /** When each is free, in order. */
  #answered: number[] = [];
  #abandoned: number[] = [];

  constructor(clock: Clock, latestHandling: number) {
    this.#clock = clock;
    this.#latestHandling = latestHandling;
  }

  get inUse(): number {
    return this.#out + this.#answered.length + this.#abandoned.length;
  }

  get unanswered(): number {
    return this.#out + this.#abandoned.length;
  }

  get out(): number {
    return this.#out;
  }

  /** When those that are not out are free, in order. */
  get releases(): readonly number[] {
    return this.#abandoned.length === 0
      ? this.#answered
      : [...this.#answered, ...this.#abandoned].sort((a, b) => a - b);
  }

  leave(): void {
    this.#out += 1;
  }

  answered(): void {
    this.#out -= 1;
    this.#answered.push(this.#clock.now() + WINDOW);
  }

  unsent(): void {
    this.#out -= 1;
  }

  /** `leftAt`: no byte left before. */
  abandoned(leftAt: number): void {
    this.#out -= 1;
    const now = this.#clock.now();
    const latest = Math.max(now, Math.min(leftAt, now) + this.#latestHandling);
    this.#abandoned = [...this.#abandoned, latest + WINDOW].sort((a, b) => a - b);
  }

  /** Permits that another process may have used before a moment. */
  inherit({ inUse, unanswered }: PermitsInUse, before: number): void {
    for (let n = 0; n < inUse; n += 1)
      if (n < unanswered) this.#abandoned.push(before + this.#latestHandling + WINDOW);
      else this.#answered.push(before + WINDOW);
  }

  /** Frees what time has freed. A clock that is set back must hold nothing for longer than it would have been held. */
  expire(now: number): void {
    this.#answered = current(this.#answered, now, WINDOW);
    this.#abandoned = current(this.#abandoned, now, this.#latestHandling + WINDOW);
  }
}

function current(times: number[], now: number, longest: number): number[] {
  const latest = now + longest;
  const kept = (times.at(-1) ?? 0) > latest ? times.map((at) => Math.min(at, latest)) : times;
  let free = 0;
  while ((kept[free] ?? Infinity) <= now) free += 1;
  return free === 0 ? kept : kept.slice(free);
}
