import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openSandbox, type Sandbox, type SandboxSettings } from './app.ts';

export interface ServedSandbox {
  readonly sandbox: Sandbox;
  /** The sandbox's address: the public URL of the settings, if one was given. */
  readonly url: string;
  readonly port: number;
  /** Lets answers in progress finish, for at most `graceMillis`. */
  close(graceMillis?: number): Promise<void>;
}

export interface Listener {
  readonly port: number;
  readonly host: string;
}

/**
 * In milliseconds, and longer than a caller keeps an idle connection. Closing it just as a write leaves would
 * make the outcome of that write unknown, and a machine that pauses for seconds would be enough to cause
 * this.
 */
const KEEP_ALIVE = 75_000;

/** Starts listening first, so that the public URL contains the actual port even for port 0. */
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
