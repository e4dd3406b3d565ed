import type { IncomingMessage } from 'node:http';
import { SECOND } from '../../lib/time/clock.ts';

/**
 * Cookies of this endpoint. Over https they are bound to host and root (`__Host-`), so that no neighbouring host can
 * set one.
 */
export class Cookies {
  readonly #secure: boolean;

  constructor(publicUrl: string) {
    this.#secure = publicUrl.startsWith('https:');
  }

  name(plain: string): string {
    return this.#secure ? `__Host-${plain}` : plain;
  }

  /** Undefined unless the cookie was sent exactly once. */
  read(request: IncomingMessage, plain: string): string | undefined {
    const name = this.name(plain);
    const values = (request.headers.cookie ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${name}=`))
      .map((pair) => pair.slice(name.length + 1));
    return values.length === 1 ? values[0] : undefined;
  }

  /** The `Set-Cookie` header. `life` in milliseconds; undefined: until the browser closes. */
  write(plain: string, value: string, life: number | undefined, sameSite: 'Lax' | 'Strict' = 'Lax'): string {
    const age = life === undefined ? [] : [`Max-Age=${Math.floor(life / SECOND)}`];
    const attributes = ['Path=/', 'HttpOnly', `SameSite=${sameSite}`, ...age];
    if (this.#secure) attributes.push('Secure');
    return [`${this.name(plain)}=${value}`, ...attributes].join('; ');
  }
}
