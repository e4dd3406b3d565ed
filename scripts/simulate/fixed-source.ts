import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

/**
 * Puts a random source in the place of what `node:crypto` draws for identifiers, and lets nobody take a turn of the
 * real event loop: the virtual clock would go on meanwhile by as much as the machine happens to do. Returns what puts
 * everything back.
 */
export function fixRandomSource(random: () => number): () => void {
  const { randomUUID } = crypto;
  const { setImmediate } = timers;
  const digits = (count: number): string =>
    Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('');
  const put = (uuid: typeof randomUUID, turn: typeof setImmediate): void => {
    Object.assign(crypto, { randomUUID: uuid });
    Object.assign(timers, { setImmediate: turn });
    syncBuiltinESMExports();
  };
  put(
    () => `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`,
    (async (value: unknown) => value) as typeof setImmediate,
  );
  return () => {
    put(randomUUID, setImmediate);
  };
}
