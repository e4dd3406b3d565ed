import type { GrantRepository, Lease } from '../grant.ts';
import type { Log } from '../../lib/log/log.ts';

/**
 * Prolongs a lease while a call to the authorisation server is out, three times within each of its lengths. A lease
 * that cannot be prolonged is not an error here: every write names the fence and is refused by the store.
 */
export class LeaseKeeper {
  readonly #timer: NodeJS.Timeout;

  constructor(repository: GrantRepository, lease: Lease, leaseMs: number, log: Log) {
    this.#timer = setInterval(
      () => {
        repository.renew(lease, leaseMs).catch((error: unknown) => {
          log.warn('refresh.lease-not-renewed', { grant: lease.grantId, error: nameOf(error) });
        });
      },
      Math.max(1, leaseMs / 3),
    );
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** What may be logged of a foreign error: its name; its message may quote anything. */
export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
