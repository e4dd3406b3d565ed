import { silentLog } from '../../src/lib/log/log.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import type { Vault } from '../../src/upstream/model.ts';
import { RateLimiter } from '../../src/upstream/limiter/rate-limiter.ts';
import { Bulkhead, type BulkheadParts } from '../../src/upstream/transport/bulkhead.ts';
import type { UpstreamClientParts } from '../../src/upstream/client.ts';
import { Transport } from '../../src/upstream/transport/transport.ts';
import { testProfile } from '../support/profile.ts';
import { HandClock } from '../support/clock.ts';

/** Tokens `at-1`, `at-2`, … of which each 401 brings the next. */
export class CountingVault implements Vault {
  generation = 1;
  asked = 0;

  present(): undefined {
    return undefined;
  }

  async accessToken(): Promise<{ token: Secret; generation: number }> {
    this.asked += 1;
    return { token: new Secret(`at-${this.generation}`), generation: this.generation };
  }

  async renewAfter(_grantId: string, generation: number): Promise<{ token: Secret; generation: number }> {
    if (generation === this.generation) this.generation += 1;
    return { token: new Secret(`at-${this.generation}`), generation: this.generation };
  }
}

export interface Carried extends Omit<UpstreamClientParts, 'version' | 'roots' | 'bulkheads'> {
  readonly vault: CountingVault;
  readonly clock: HandClock;
}

/**
 * What a lane needs, on a clock that moves only where somebody waits for the budget. `concurrent`: calls in progress at once;
 * who waits for the end of another waits without a clock.
 */
export function carried(concurrent?: number): Carried {
  const clock = new HandClock();
  const timer = (millis: number, callback: () => void): (() => void) => {
    const handle = setImmediate(() => {
      clock.advance(millis);
      callback();
    });
    return () => {
      clearImmediate(handle);
    };
  };
  return {
    clientIds: new Map([['default', 'client']]),
    profile: testProfile(),
    vault: new CountingVault(),
    rateLimiter: new RateLimiter({
      clock,
      perMinute: 60,
      burst: 60,
      concurrent,
      timer: concurrent === undefined ? timer : () => () => undefined,
    }),
    clock,
    log: silentLog,
    waitMs: 25_000,
    resendMs: 1,
  };
}

/** The bulkhead of a root that nothing is known of but its origin. */
export function bulkheadTo(origin: string, parts: Partial<BulkheadParts> = {}): Bulkhead {
  const {
    transport = new Transport({ answerMs: 10_000, stallMs: 10_000 }),
    clock = new HandClock(),
    ...rest
  } = parts;
  return new Bulkhead({ name: 'root', root: { origin, path: '' }, transport, clock, ...rest });
}
