/** Played parts around the client under test: a service, and a place for tokens. */
import { connect, type Connection, type Make } from '../runtime/client.ts';
import type { Shared } from '../../../../../proof/client/client-tables.ts';
import type { Tokens } from '../runtime/tokens.ts';
import { addressOf } from '../../../../../proof/client/recorded-case.ts';

/** A service that gives these answers in order, and records its requests. */
export class Service {
  readonly asked: string[] = [];
  readonly queries: string[] = [];
  readonly bodies: unknown[] = [];
  readonly #answers: (Response | Error)[];

  constructor(...answers: readonly (Response | Error)[]) {
    this.#answers = [...answers];
  }

  readonly fetch: typeof fetch = (input, init) => {
    const authorization = new Headers(init?.headers).get('authorization') ?? '';
    const { pathname, search } = new URL(addressOf(input));
    this.asked.push(`${init?.method ?? 'GET'} ${pathname} ${authorization}`);
    this.queries.push(search);
    this.bodies.push(init?.body);
    const answer = this.#answers.shift() ?? new Error('nobody expected another request');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
}

/** Keeps tokens in memory and records what was stored. */
export class Memory {
  readonly saved: Tokens[] = [];
  tokens: Tokens | undefined;

  constructor(tokens?: Tokens) {
    this.tokens = tokens;
  }

  load(): Promise<Tokens | undefined> {
    return Promise.resolve(this.tokens);
  }

  save(tokens: Tokens): Promise<void> {
    this.saved.push(tokens);
    this.tokens = tokens;
    return Promise.resolve();
  }
}

/** The methods of a client of that service. */
export function connected(
  shared: Shared,
  service: Service,
  tokens: Connection['tokens'],
  more: Partial<Connection> = {},
): Make {
  const urls = { v3Url: 'http://service/3.0', v2Url: 'http://service/v2', authUrl: 'http://service' };
  const program = { organisation: 'o', clientId: 'c', clientSecret: 's' };
  return connect({ ...urls, ...program, tokens, fetch: service.fetch, ...more }, shared, 'v3');
}
