import type { Server } from 'node:http';
import { http, listenAt } from '../../lib/net/http.ts';
import type { Log } from '../../lib/log/log.ts';
import { SECOND } from '../../lib/time/clock.ts';

/** The text of a scrape. */
export interface MetricsText {
  text(): Promise<string>;
  readonly contentType: string;
}

/** `/metrics` on a port of its own, so that it can be kept away from customers. */
export class MetricsServer {
  readonly #server: Server;
  readonly #log: Log;

  constructor(metrics: MetricsText, log: Log) {
    this.#log = log;
    this.#server = http.createServer(
      { headersTimeout: 10 * SECOND, requestTimeout: 10 * SECOND },
      (request, response) => {
        const path = request.url?.split('?')[0];
        if (path !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
          response
            .writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' })
            .end('only GET /metrics is available here\n');
          return;
        }
        metrics.text().then(
          (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
          () => response.writeHead(500).end(),
        );
      },
    );
  }

  /** Resolves with the port. Rejects if the address is not available. */
  listen(port: number, host: string): Promise<number> {
    return listenAt(this.#server, { port, host }, this.#log);
  }

  async stop(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#server.close(() => {
      resolve(undefined);
    });
    this.#server.closeAllConnections();
    await promise;
  }
}
