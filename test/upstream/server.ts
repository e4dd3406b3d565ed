import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export type Behaviour = (request: IncomingMessage, response: ServerResponse, nth: number) => void;

/** A service on loopback that behaves as told, and notes every request it read to its end. */
export interface BadServer {
  readonly origin: string;
  readonly seen: Seen[];
  readonly sockets: Set<Socket>;
  /** Connections that were closed so far, by whichever side. */
  closed(): number;
  isListening(): boolean;
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

/** Rejects when the port is taken. */
export async function badServer(behaviour: Behaviour = answer('<ok/>'), port = 0): Promise<BadServer> {
  let present = behaviour;
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  let closed = 0;
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString('latin1') });
      present(request, response, seen.length);
    });
  };
  const server = createServer(listener);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      closed += 1;
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    sockets,
    closed: () => closed,
    isListening: () => server.listening,
    behave: (next) => {
      present = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export function answer(body: string, status = 200, headers: Record<string, string> = {}): Behaviour {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'text/xml; charset=utf-8', ...headers }).end(body);
  };
}

/** Closes the connection when the request has been read, without a byte of answer. */
export const reset: Behaviour = (request) => {
  request.socket.destroy();
};

/** Reads and says nothing. */
export const silence: Behaviour = () => undefined;

/** Begins an answer, then closes. */
export const cut: Behaviour = (request, response) => {
  response.writeHead(200, { 'content-type': 'text/xml', 'content-length': '1000' });
  response.write('<Response>', () => {
    request.socket.destroy();
  });
};

/** Begins an answer and never ends it. */
export const stall: Behaviour = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/xml' });
  response.write('<Response>');
};

/** One behaviour after the other; the last stays. */
export const inTurn =
  (...behaviours: readonly Behaviour[]): Behaviour =>
  (request, response, nth) => {
    const behaviour = behaviours[Math.min(nth, behaviours.length) - 1];
    behaviour?.(request, response, nth);
  };

export async function read(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The code of the `Failure` it ends with, or what it resolved to. */
export const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (value) => ({ resolved: value }),
    (error: unknown) => (error as { code?: unknown }).code ?? error,
  );

/** Where nobody listens: a port that is given to no other test meanwhile, as one just closed could be. */
export const nobody = 'http://127.0.0.1:1';
