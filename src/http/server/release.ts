import type { IncomingMessage } from 'node:http';
import { SECOND } from '../../lib/time/clock.ts';

/** For this long, the rest of a refused message is read and discarded, so that its sender reads the reply. */
const LINGER = 10 * SECOND;

/**
 * Ends a connection after a reply to a request whose body was not read completely. Closing at once would
 * reset the connection and lose the reply; waiting for ever would let a slow sender keep the connection.
 */
export function release(request: IncomingMessage): void {
  if (request.destroyed) return;
  const { socket } = request;
  const timer = setTimeout(() => {
    socket.destroy();
  }, LINGER);
  timer.unref();
  const done = (): void => {
    clearTimeout(timer);
    // The connection may carry many more requests.
    socket.off('close', done);
  };
  request.once('end', done).once('close', done);
  socket.once('close', done);
  request.resume();
}
