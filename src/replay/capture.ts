/** Passes the bridge's requests on to the sandbox, and records the exchanges for golden files. */
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request of the bridge and the service's answer. */
export interface CapturedExchange {
  readonly verb: string;
  readonly target: string;
  /** Names as sent, in order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  readonly status: number;
  readonly reason: string;
  readonly contentType: string | undefined;
  readonly answer: Buffer;
}

/** Bytes kept of each message. */
const MOST_BYTES = 8 * 1024 * 1024;

/** A listener on its own loopback port. */
export class Capture {
  readonly #server = createServer((incoming, outgoing) => {
    this.#pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  #target = 0;
  #captured: CapturedExchange[] = [];

  /** Opens before the sandbox, whose answers must name this address; `passTo` sets the sandbox's port. */
  static async open(): Promise<Capture> {
    const capture = new Capture();
    await new Promise<void>((resolve) => capture.#server.listen(0, '127.0.0.1', resolve));
    return capture;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** `target`: the port of the sandbox, on loopback. */
  passTo(target: number): void {
    this.#target = target;
  }

  /** Returns the exchanges since the last call. */
  take(): readonly CapturedExchange[] {
    const captured = this.#captured;
    this.#captured = [];
    return captured;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Rejects if either side disconnects. */
  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const { method: verb = 'GET', url: target = '/', rawHeaders } = incoming;
    const answer = await this.#ask(verb, target, rawHeaders, body);
    const content = await buffer(answer);
    const { statusCode: status = 502, statusMessage: reason = '' } = answer;
    if (body.length + content.length <= MOST_BYTES)
      this.#captured.push({
        ...{ verb, target, headers: pairsOf(rawHeaders), body },
        ...{ status, reason, contentType: answer.headers['content-type'], answer: content },
      });
    outgoing.writeHead(status, unframed(pairsOf(answer.rawHeaders)).flat()).end(content);
  }

  /** Keeps the headers as received, except those that frame a message, which are created anew. */
  #ask(verb: string, target: string, raw: readonly string[], body: Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = unframed(pairsOf(raw)).flat();
      const sent = send(
        { host: '127.0.0.1', port: this.#target, method: verb, path: target, headers },
        resolve,
      );
      sent.on('error', reject).end(body);
    });
  }
}

const FRAMING: ReadonlySet<string> = new Set([
  'connection',
  'transfer-encoding',
  'content-length',
  'keep-alive',
]);

/** Omits the headers that frame a message, because it is framed anew. */
const unframed = (headers: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] =>
  headers.filter(([name]) => !FRAMING.has(name.toLowerCase()));

/** Pairs names and values from Node's flat list. */
const pairsOf = (raw: readonly string[]): readonly (readonly [string, string])[] =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []));
