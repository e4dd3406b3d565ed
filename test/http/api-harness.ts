import { Secret } from '../../src/lib/secret/secret.ts';
import type { Timer } from '../../src/lib/time/timer.ts';
import type { TokenScope } from '../../src/features/admin/tokens/token.ts';
import { tokensOf } from '../../src/app/wiring/features/status.ts';
import { ServedDocument } from '../sandbox/json/served.ts';
import { RunningBridge } from '../support/bridge.ts';
import { HandClock } from '../support/clock.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Call {
  readonly verb?: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Buffer;
}

/** Nobody listens there: what these tests ask for needs no service. */
const NOBODY = 'http://127.0.0.1:9';

/** A bridge as it is composed for production, and somebody who asks its API. */
export class Office {
  readonly bridge: RunningBridge;
  readonly clock: HandClock;
  readonly document: ServedDocument;
  readonly administer: string;
  readonly operate: string;
  readonly read: string;

  private constructor(parts: {
    readonly bridge: RunningBridge;
    readonly clock: HandClock;
    readonly document: ServedDocument;
    readonly administer: string;
    readonly operate: string;
    readonly read: string;
  }) {
    this.bridge = parts.bridge;
    this.clock = parts.clock;
    this.document = parts.document;
    this.administer = parts.administer;
    this.operate = parts.operate;
    this.read = parts.read;
  }

  /** `timer`: what its periodic jobs wait with. */
  static async open(env: Readonly<Record<string, string>> = {}, timer?: Timer): Promise<Office> {
    const clock = new HandClock();
    const bridge = await RunningBridge.start({
      port: 0,
      sandbox: NOBODY,
      clock,
      ...(timer && { timer }),
      env: {
        CAUSEWAY_PUBLIC_URL: 'http://127.0.0.1:8080',
        CAUSEWAY_SMTP_URL: 'smtp://127.0.0.1:9',
        CAUSEWAY_MAIL_FROM: 'bridge@example.com',
        ...env,
      },
    });
    const tokens = tokensOf(bridge.services);
    const [administer, operate, read] = await Promise.all(
      (['administer', 'operate', 'read'] as const).map(async (scope: TokenScope) =>
        (await tokens.create(`${scope} test`, scope, 'test')).secret.reveal(),
      ),
    );
    const document = await fetch(`${bridge.url}/_causeway/api/openapi.json`);
    return new Office({
      bridge,
      clock,
      document: new ServedDocument((await document.json()) as Readonly<Record<string, unknown>>),
      administer: administer ?? '',
      operate: operate ?? '',
      read: read ?? '',
    });
  }

  /** `path`: below the API's root. Holds every reply against the document. */
  async call(path: string, { verb = 'GET', token = this.operate, headers = {}, body, raw }: Call = {}) {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const reply = await fetch(`${this.bridge.url}/_causeway/api${path}`, {
      method: verb,
      redirect: 'manual',
      headers: {
        ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
        ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: typeof sent === 'string' ? sent : new Uint8Array(sent) }),
    });
    const text = await reply.text();
    const answer: Reply = {
      status: reply.status,
      headers: reply.headers,
      text,
      json: (reply.headers.get('content-type')?.startsWith('text/csv') === true
        ? text
        : JSON.parse(text)) as Reply['json'],
    };
    const problems = this.document.problemsOf(verb, path, answer);
    // An address or a verb that is not there is described nowhere.
    const undescribed =
      ![200, 201].includes(answer.status) && problems.some((one) => one.includes('is not described'));
    if (problems.length > 0 && !undescribed)
      throw new Error(`${verb} ${path}: ${problems.join('; ')}\n${text}`);
    return answer;
  }

  async addAccount(name: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const number = (this.#accounts += 1);
    const accountKey = `A${String(number).padStart(31, '0')}`;
    const { json } = await this.call('/accounts', {
      verb: 'POST',
      body: { name, accountKey, sameName: true, ...more },
    });
    return (json.account as { readonly id: string }).id;
  }
  #accounts = 0;

  /** The console's cookie and what its forms carry. */
  async session(token: string): Promise<{ readonly cookie: string; readonly csrf: string }> {
    const tokens = tokensOf(this.bridge.services);
    const signedIn = await tokens.signIn(new Secret(token));
    if (signedIn === undefined) throw new Error('the token is none');
    const session = await tokens.session(signedIn.cookie);
    return { cookie: `causeway-console=${signedIn.cookie.reveal()}`, csrf: session?.csrf ?? '' };
  }

  stop(): Promise<void> {
    return this.bridge.stop();
  }
}

export const errorOf = ({ json }: Reply) =>
  json.error as {
    readonly code: string;
    readonly message: string;
    readonly details: readonly { readonly field: string; readonly message: string }[];
  };
