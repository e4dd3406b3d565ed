import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived at the service, byte for byte. */
export interface Arrived {
  readonly method: string;
  readonly target: string;
  readonly host: string | undefined;
}

/** Stands in front of the service and writes down what the bridge really sends. */
export class Recorder {
  readonly arrived: Arrived[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Recorder> {
    const server = createServer();
    // An idle connection that ends as a write leaves on it would make the outcome of that write unknown.
    server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Recorder(server);
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** Hands everything on to the service. */
  lead(service: string): void {
    const { hostname, port } = new URL(service);
    this.#server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { method = '', url: target = '', headers } = request;
      this.arrived.push({ method, target, host: headers.host });
      const onward = forward({ hostname, port, method, path: target, headers, agent: false }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      request.pipe(onward);
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
