import { MINUTE, type Clock } from '../../lib/time/clock.ts';
import { SealBroken, type Seal } from '../../lib/secret/seal.ts';
import { openJson, sealJson } from '../../lib/secret/sealed-json.ts';
import type { Awaiting, Connected, Connection, Refused } from '../../features/consent/parts.ts';
import type { Request } from 'express';
import type { Cookies } from '../server/cookie.ts';

/** In bytes: a Cyrillic letter has two, a Japanese character three. */
const LONGEST_NAME = 120;
const MOST_NAMES = 8;

/**
 * Content of the page after the callback. The browser keeps it, so the address of that page reveals nothing.
 */
export type Result = Connected | Awaiting | Refused;

export interface KeptParts {
  readonly cookies: Cookies;
  readonly seal: Seal;
  readonly clock: Clock;
}

/** A value with a lifetime in a cookie that only the bridge can write or read. */
export class Kept<T> {
  readonly #parts: KeptParts;
  readonly #name: string;
  readonly #life: number;

  /** `life` in milliseconds. */
  constructor(parts: KeptParts, name: string, life = 10 * MINUTE) {
    this.#parts = parts;
    this.#name = name;
    this.#life = life;
  }

  /** Value of a `Set-Cookie` header. */
  write(value: T): string {
    const { seal, cookies, clock } = this.#parts;
    const content = { value, until: clock.now() + this.#life };
    return cookies.write(this.#name, sealJson(seal, content, this.#name, 'result'), this.#life);
  }

  /** Value of a `Set-Cookie` header that removes it. */
  end(): string {
    return this.#parts.cookies.write(this.#name, '', 0);
  }

  read(request: Request): T | undefined {
    const { cookies, seal, clock } = this.#parts;
    const sealed = cookies.read(request, this.#name);
    if (sealed === undefined) return undefined;
    try {
      const kept = openJson(seal, sealed, this.#name, 'result') as { value: T; until: number };
      return kept.until > clock.now() ? kept.value : undefined;
    } catch (error) {
      if (error instanceof SealBroken) return undefined;
      throw error;
    }
  }
}

function short(name: string): string {
  let taken = '';
  for (const character of name) {
    if (Buffer.byteLength(taken + character) > LONGEST_NAME) return `${taken}…`;
    taken += character;
  }
  return taken;
}

const shortened = (one: Connection): Connection => ({
  ...one,
  account: short(one.account),
  organisation: short(one.organisation),
});

/** Shortens a result to fit a cookie: browsers silently drop cookies over 4 kB. */
export function cookieSized(result: Result): Result {
  if (result.outcome === 'refused')
    return {
      ...result,
      account: result.account && { ...result.account, name: short(result.account.name) },
      found: result.found.slice(0, MOST_NAMES).map(short),
      expected: result.expected === undefined ? undefined : short(result.expected),
    };
  if (result.outcome === 'awaiting')
    return {
      outcome: 'awaiting',
      account: short(result.account),
      organisation: short(result.organisation),
      origin: result.origin,
      by: short(result.by),
      at: result.at,
      connections: result.connections.slice(0, MOST_NAMES - 1).map(shortened),
    };
  const [first, ...others] = result.connections.map(shortened);
  if (first === undefined) return result;
  return { ...result, by: short(result.by), connections: [first, ...others.slice(0, MOST_NAMES - 1)] };
}
