import { Socket } from 'node:net';
import pg from 'pg';
import { isFromLivingPostgres, words } from '../fault.ts';
import { look, STANDBY } from './session.ts';

/** Keeps the open connections, so that all of them can be cut at once. */
export class Sockets {
  readonly #open = new Set<Socket>();

  readonly make = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return socket;
  };

  readonly cut = (): void => {
    for (const socket of this.#open) socket.destroy();
  };
}

/** Time allowed for closing a connection in an orderly way, in milliseconds. */
export const GOODBYE = 1_000;

/** Length of a step in measuring silence, in milliseconds. */
const STEP = 50;

/**
 * Calls `then` after the event loop has been running for this long. A process that was itself busy (as it is
 * while it starts), or got no processor time, has not read answers that arrived meanwhile, so that time is no
 * silence of the database.
 */
function afterTurns(millis: number, then: () => void): () => void {
  let left = Math.ceil(millis / STEP);
  const steps = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(steps);
    then();
  }, STEP).unref();
  return () => {
    clearInterval(steps);
  };
}

/**
 * Uses its own connection, because those of the pool may all be waiting. Anything but silence or a shutdown
 * counts as an answer.
 */
export async function probe(url: string, millis: number): Promise<string | undefined> {
  const sockets = new Sockets();
  const forget = afterTurns(millis, sockets.cut);
  let client: pg.Client | undefined;
  try {
    // Throws for an invalid address.
    client = new pg.Client({
      connectionString: url,
      application_name: 'causeway-probe',
      stream: sockets.make,
    });
    client.on('error', () => undefined);
    await client.connect();
    return (await look(client)).isStandby ? STANDBY : undefined;
  } catch (error) {
    return isFromLivingPostgres(error) ? undefined : words(error);
  } finally {
    forget();
    client?.end(sockets.cut);
    setTimeout(sockets.cut, GOODBYE).unref();
  }
}
