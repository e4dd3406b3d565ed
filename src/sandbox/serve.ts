import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openSandbox, type Sandbox, type SandboxSettings } from './app.ts';

export interface ServedSandbox {
  readonly sandbox: Sandbox;
  /** How it is reached; the public URL of the settings where one was given. */
  readonly url: string;
  readonly port: number;
  /** Lets answers on their way go out, for `graceMillis` at most. */
  close(graceMillis?: number): Promise<void>;
}

export interface Listener {
  readonly port: number;
  readonly host: string;
}

/**
 * Longer than a caller keeps an idle connection: whoever ends it as a write leaves on it makes the outcome of that
 * write unknown, and a machine that stands still for seconds would make that happen by itself.
 */
const KEEP_ALIVE = 75_000;

/** Listens first, so that port 0 works: the public URL is built on the port that was given. */
export async function serveSandbox(
  settings: Omit<SandboxSettings, 'publicUrl'> & { readonly publicUrl?: string },
  { port, host }: Listener,
): Promise<ServedSandbox> {
  let handle: RequestListener = (_request, response) => {
    response.writeHead(503).end();
  };
  const server = createServer(
    (request: IncomingMessage, response: ServerResponse & { req: IncomingMessage }) => {
      handle(request, response);
    },
  );
  server.keepAliveTimeout = KEEP_ALIVE;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const given = (server.address() as AddressInfo).port;
  const url = settings.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${String(given)}`;
  let sandbox: Sandbox;
  try {
    sandbox = await openSandbox({ ...settings, publicUrl: url });
  } catch (error) {
    server.close();
    throw error;
  }
  handle = sandbox.app as RequestListener;
  const stop = async (graceMillis = 2_000): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    const cutOff = setTimeout(() => {
      server.closeAllConnections();
    }, graceMillis);
    await closed;
    clearTimeout(cutOff);
    await sandbox.close();
  };
  return { sandbox, url, port: given, close: stop };
}
