import type { IncomingMessage } from 'node:http';
import { SECOND } from '../../lib/time/clock.ts';

/** What is still coming of a refused message is taken in for this long, so that its sender reads the reply. */
const LINGER = 10 * SECOND;

/**
 * After a reply to a request whose body nobody (or not everybody) read. Closing at once would reset the connection
 * and take the reply with it; waiting for ever would let a slow sender hold the connection.
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
