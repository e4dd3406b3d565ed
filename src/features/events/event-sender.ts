import { createHmac } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { AxiosInstance } from 'axios';
import { http, https } from '../../lib/net/http.ts';
import { SECOND } from '../../lib/time/clock.ts';
import type { Delivery, EventSender, Sent } from './delivery.ts';
import type { Secret } from '../../lib/secret/secret.ts';

export interface EventSenderParts {
  /** The whole address; its path or query may contain a token of the receiver. */
  readonly url: Secret;
  /** Undefined: events are not signed. */
  readonly secret: Secret | undefined;
  /** For one whole attempt, in milliseconds. */
  readonly patience?: number;
}

const PATIENCE = 10 * SECOND;

/**
 * `t=<seconds>,v1=<hex>`: HMAC-SHA256 over `<seconds>.<body>`, so that an old request cannot be replayed as a
 * new one.
 */
export function signature(secret: Secret, seconds: number, body: string): string {
  const mac = createHmac('sha256', secret.reveal()).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${mac}`;
}

/** Sends events with axios: no redirects, no proxy, a time limit; the receiver's body is not read. */
export class HttpEventSender implements EventSender {
  readonly #parts: EventSenderParts;
  #http: Promise<AxiosInstance> | undefined;

  constructor(parts: EventSenderParts) {
    this.#parts = parts;
  }

  /** Never rejects. */
  async send({ id, type, payload }: Delivery, now: number): Promise<Sent> {
    const { url, secret, patience = PATIENCE } = this.#parts;
    // Chats accept no other header, and know the sender by the address.
    const signed = secret && {
      'Causeway-Event-Id': id,
      'Causeway-Event-Type': type,
      'Causeway-Signature': signature(secret, Math.floor(now / SECOND), payload),
    };
    try {
      const http = await (this.#http ??= client());
      const { status, data } = await http.post<Readable>(url.reveal(), Buffer.from(payload, 'utf8'), {
        signal: AbortSignal.timeout(patience),
        headers: { 'Content-Type': 'application/json; charset=utf-8', ...signed },
      });
      data.destroy();
      return judged(status);
    } catch (error) {
      // The library's error contains the address and the signature.
      return failed(wordsOf(error));
    }
  }
}

async function client(): Promise<AxiosInstance> {
  const { default: axios } = await import('axios');
  return axios.create({
    adapter: 'http',
    maxRedirects: 0,
    proxy: false,
    decompress: false,
    responseType: 'stream',
    validateStatus: () => true,
    headers: { Accept: '*/*', 'Accept-Encoding': 'identity', 'User-Agent': 'Causeway' },
    // Events are rare, and a kept-alive connection that closes as the request leaves would count as an attempt.
    httpAgent: new http.Agent({ keepAlive: false }),
    httpsAgent: new (https().Agent)({ keepAlive: false }),
  });
}

const failed = (note: string): Sent => ({ outcome: 'failed', note });

function judged(status: number): Sent {
  if (status >= 200 && status < 300) return { outcome: 'delivered', note: `answered ${status}` };
  const redirected = status >= 300 && status < 400;
  return failed(redirected ? `answered ${status}: redirects are not followed` : `answered ${status}`);
}

const words: Readonly<Record<string, string>> = {
  ERR_CANCELED: 'no answer in time',
  ECONNABORTED: 'no answer in time',
  ETIMEDOUT: 'no answer in time',
  ECONNREFUSED: 'nothing is listening there',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be looked up',
};

function wordsOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? (words[code] ?? `could not be sent (${code})`) : 'could not be sent';
}
