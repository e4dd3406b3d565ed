import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Arrived {
  readonly headers: IncomingMessage['headers'];
  readonly url: string;
  readonly body: string;
}

/** Takes events as a customer's server does, and answers as told. */
export class Receiver {
  readonly arrived: Arrived[] = [];
  answer: (response: ServerResponse, arrived: Arrived) => void = (response) => response.writeHead(204).end();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        const body = Buffer.concat(chunks).toString('utf8');
        const arrived = { headers: request.headers, url: request.url ?? '', body };
        this.arrived.push(arrived);
        this.answer(response, arrived);
      });
    });
  }

  static async open(): Promise<Receiver> {
    const receiver = new Receiver();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    receiver.#server.listen({ port: 0, host: '127.0.0.1' }, () => {
      resolve(undefined);
    });
    await promise;
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#server.close(() => {
      resolve(undefined);
    });
    await promise;
  }
}
