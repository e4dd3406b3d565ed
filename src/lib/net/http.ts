import type { AddressInfo, Server } from 'node:net';
import { nameOf, type Log } from '../log/log.ts';

/**
 * Node's HTTP module, without the cost of an `import` at the bridge's start. That reads every one of its exports, and
 * for `WebSocket` Node loads its own copy of undici: 40 ms and 13 MB of every start, for nothing. This way only the
 * names in use are read.
 */
export const http = process.getBuiltinModule('node:http');

/** Where a server listens. */
interface Place {
  readonly port: number;
  readonly host: string;
  readonly backlog?: number;
}

/**
 * Resolves with the port. Rejects if the address is not available. Afterwards an error says that one connection could
 * not be accepted, because of the network or a lack of memory (accept(2), "Error handling"): the others are.
 */
export async function listenAt(server: Server, place: Place, log: Log): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  server.once('error', reject);
  server.listen(place, () => {
    resolve(undefined);
  });
  await promise;
  server.off('error', reject).on('error', (error: NodeJS.ErrnoException) => {
    log.warn('server.not-accepted', { error: error.code ?? nameOf(error) });
  });
  return (server.address() as AddressInfo).port;
}

/** Loaded on first use: TLS takes 7 MB. */
export const https = (): ReturnType<typeof process.getBuiltinModule<'node:https'>> =>
  process.getBuiltinModule('node:https');
