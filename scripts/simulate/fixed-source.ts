import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

/**
 * Replaces the random source of `node:crypto` for identifiers, and prevents turns of the real event loop, during which
 * the virtual clock would advance by an amount that depends on the machine. Returns a function that restores
 * everything.
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
