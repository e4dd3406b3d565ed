import type { Clock } from '../../src/lib/time/clock.ts';
import type { Application } from '../../src/sandbox/identity/application.ts';
import type { ProtocolChange } from '../../src/sandbox/protocol.ts';
import { serveSandbox, type ServedSandbox } from '../../src/sandbox/serve.ts';
import { signingKey } from '../support/sandbox.ts';

/** Where every playground's clock begins; it stands still until somebody moves it. */
export const BEGIN = Date.parse('2026-03-02T10:00:00Z');
const frozen: Clock = { now: () => BEGIN };

export const CALLBACK = 'https://bridge.example/callback?kept=1';

export const application: Application = {
  id: 'client-1',
  name: 'The bridge',
  secrets: ['old secret', 's3cret:+/ü'],
  redirectUris: [CALLBACK, 'http://127.0.0.1:8080/callback'],
  practice: true,
};

export const other: Application = {
  id: 'client-2',
  name: 'Another application',
  secrets: ['hush'],
  redirectUris: ['https://other.example/cb'],
  practice: false,
};

export interface Organisation {
  readonly id: string;
  readonly name: string;
  readonly accountKey: string;
  readonly users: readonly { readonly id: string; readonly name: string; readonly email: string }[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Parameters to change, or (undefined) to leave out. */
export type Changes = Readonly<Record<string, string | undefined>>;

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

/** A served sandbox with two organisations, and a client of it. */
export class Playground {
  readonly #served: ServedSandbox;
  readonly one: Organisation;
  readonly two: Organisation;

  private constructor(served: ServedSandbox, organisations: readonly Organisation[]) {
    this.#served = served;
    const [one, two] = organisations;
    if (one === undefined || two === undefined) throw new Error('the seed gave too few organisations');
    this.one = one;
    this.two = two;
  }

  static async open(
    settings: {
      readonly protocol?: ProtocolChange;
      readonly database?: string;
      readonly random?: () => number;
    } = {},
    seed: readonly object[] = [
      { name: 'Harbour Lane Studio', accountKey: 'A1', clients: [{ name: 'First & Co' }] },
      { name: 'Two <Rivers>', accountKey: 'A2', apiKeys: ['K2'], practice: 'NZ' },
    ],
  ): Promise<Playground> {
    const served = await serveSandbox(
      { ...settings, applications: [application, other], clock: frozen, signingKey: await signingKey() },
      { port: 0, host: '127.0.0.1' },
    );
    return new Playground(served, await served.sandbox.seed({ organisations: seed }));
  }

  get url(): string {
    return this.#served.url;
  }

  get port(): number {
    return this.#served.port;
  }

  async close(): Promise<void> {
    await this.#served.close(100);
  }

  /** A call that may end without an answer rejects. */
  async call(path: string, init: RequestInit = {}): Promise<Answer> {
    const answer = await fetch(`${this.url}${path}`, { redirect: 'manual', ...init });
    const text = await answer.text();
    let json: Record<string, unknown> = {};
    try {
      json = JSON.parse(text) as Record<string, unknown>;
    } catch {
      // Pages and XML.
    }
    return { status: answer.status, headers: answer.headers, text, json };
  }

  async form(path: string, fields: Iterable<readonly [string, string]>, headers = {}): Promise<Answer> {
    return this.call(path, {
      method: 'POST',
      body: new URLSearchParams([...fields].map(([name, value]): [string, string] => [name, value])),
      headers,
    });
  }

  /** The control plane; throws when it refuses. */
  async control(
    path: string,
    body?: unknown,
    method = body === undefined ? 'GET' : 'POST',
  ): Promise<unknown> {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const answer = await this.call(`/_sandbox/${path}`, init);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return answer.json.data;
  }

  async advance(seconds: number): Promise<void> {
    await this.control('clock', { advanceSeconds: seconds });
  }

  user(index: 0 | 1 | 2): { readonly id: string; readonly name: string } {
    const user = this.one.users[index];
    if (user === undefined) throw new Error('no such user');
    return user;
  }

  request(changes: Changes = {}): URLSearchParams {
    const all: Changes = {
      response_type: 'code',
      client_id: application.id,
      redirect_uri: CALLBACK,
      scope: 'openid profile email service offline_access',
      state: 'st&te',
      prompt: 'consent',
      ...changes,
    };
    return new URLSearchParams(given(all));
  }

  /** Approves as the first user; gives where the browser is sent. */
  async approve(
    organisations: readonly string[] = [this.one.id],
    changes: Changes = {},
    user = this.user(0).id,
  ): Promise<URL> {
    const answer = await this.form('/identity/connect/consent', [
      ...this.request(changes),
      ['user', user],
      ...organisations.map((id) => ['organisation', id] as const),
      ['decision', 'approve'],
    ]);
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`not sent back (${String(answer.status)}): ${answer.text}`);
    return new URL(location);
  }

  async code(organisations: readonly string[] = [this.one.id], changes: Changes = {}): Promise<string> {
    return (await this.approve(organisations, changes)).searchParams.get('code') ?? '';
  }

  exchange(code: string, changes: Changes = {}): Promise<Answer> {
    const fields: Changes = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      client_id: application.id,
      client_secret: 's3cret:+/ü',
      ...changes,
    };
    return this.form('/connect/token', given(fields));
  }

  async connect(organisations?: readonly string[], changes?: Changes): Promise<Tokens> {
    return tokensOf(await this.exchange(await this.code(organisations, changes)));
  }

  refresh(token: string): Promise<Answer> {
    return this.form(
      '/connect/token',
      Object.entries({ grant_type: 'refresh_token', refresh_token: token }),
      {
        authorization: basic(application.id, 's3cret:+/ü'),
      },
    );
  }

  v3(
    access: string,
    organisation = this.one.id,
    path = '/3.0/client.api/list',
    init: { readonly method?: string; readonly body?: string } = {},
  ): Promise<Answer> {
    return this.call(path, {
      ...init,
      headers: { authorization: `Bearer ${access}`, 'account-id': organisation },
    });
  }
}

/** `base64(<CLIENT_ID>:<CLIENT_SECRET>)` as the specification prints it. */
export function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
}

function given(fields: Changes): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

export function tokensOf(answer: Answer): Tokens {
  const { access_token: access, refresh_token: refresh } = answer.json;
  if (answer.status !== 200 || typeof access !== 'string') throw new Error(`no tokens: ${answer.text}`);
  return { access, refresh: typeof refresh === 'string' ? refresh : '' };
}
