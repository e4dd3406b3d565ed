import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as SecureAgent, request as httpsRequest } from 'node:https';

export interface Sent {
  readonly verb: string;
  /** Path and query, byte for byte as they go over the wire: nothing is normalised. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Sends as a legacy program does: no header that was not asked for, but for Host and the length of a body. */
export class Sender {
  readonly #root: URL;
  readonly #agent: Agent;
  readonly #isSecure: boolean;

  /** `sockets`: connections at once. They are kept open until `close`. */
  constructor(root: string, sockets = 64) {
    this.#root = new URL(root);
    this.#isSecure = this.#root.protocol === 'https:';
    const options = { keepAlive: true, maxSockets: sockets };
    this.#agent = this.#isSecure ? new SecureAgent(options) : new Agent(options);
  }

  /** Rejects when the connection dies before the whole answer is there. */
  send({ verb, target, headers = {}, body }: Sent): Promise<Answered> {
    const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
    const { promise, resolve, reject } = Promise.withResolvers<Answered>();
    const request = (this.#isSecure ? httpsRequest : httpRequest)({
      host: this.#root.hostname,
      port: this.#root.port,
      method: verb,
      path: target,
      agent: this.#agent,
      headers: { ...lengthOf(bytes, headers), ...headers },
    });
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('aborted', () => {
        reject(new Error('the answer was cut'));
      });
      response.once('end', () => {
        const whole = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: whole,
          text: whole.toString('utf8'),
        });
      });
    });
    request.end(bytes);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}

function lengthOf(bytes: Buffer | undefined, headers: Sent['headers']): Record<string, string> {
  if (bytes === undefined || headers?.['Transfer-Encoding'] !== undefined) return {};
  return { 'Content-Length': String(bytes.length) };
}
