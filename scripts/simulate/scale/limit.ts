import { Failure } from '../../../src/lib/failure.ts';
import { MINUTE, SECOND } from '../../../src/lib/time/clock.ts';
import { RateLimiter } from '../../../src/upstream/limiter/rate-limiter.ts';
import { Service } from '../limit/service.ts';
import type { VirtualTime } from '../virtual-time.ts';

const LIMIT = 60;
/** Calls an hour of an account whose programs are content with the limit. */
const QUIET = 25;
/** Calls a minute of an account whose programs want twice the limit. */
const EAGER = 120;
const PATIENCE = 25 * SECOND;

/** The result. */
export interface Crowded {
  readonly handled: number;
  readonly overLimit: number;
  /** Calls of content accounts that waited for a permit, or were refused one. */
  readonly heldUp: number;
  readonly refused: number;
  /** For eager accounts, per account and minute. */
  readonly served: number;
  /** The longest wait of a served call of an eager account. */
  readonly longestSeconds: number;
}

/** Runs many content accounts and a few eager ones on one bridge's real limiter, as the service counts. */
export async function crowded(
  time: VirtualTime,
  random: () => number,
  {
    accounts,
    eager,
    minutes,
  }: { readonly accounts: number; readonly eager: number; readonly minutes: number },
): Promise<Crowded> {
  const service = new Service(time, LIMIT);
  const limiter = new RateLimiter({
    clock: time,
    timer: (millis, run) => {
      const timer = time.after(millis, run, undefined);
      return () => {
        timer.cancel();
      };
    },
    perMinute: LIMIT,
    latestHandling: 5 * MINUTE,
  });
  let [heldUp, refused, served, longest] = [0, 0, 0, 0];
  const end = time.now() + minutes * MINUTE;
  const ask = async (key: string, isEager: boolean): Promise<void> => {
    const asked = time.now();
    try {
      const slot = await limiter.acquire(key, PATIENCE, new AbortController().signal, 'read');
      const waited = time.now() - asked;
      if (isEager) longest = Math.max(longest, waited);
      else if (waited > 0) heldUp += 1;
      slot.left();
      time.after(
        20 + random() * 200,
        () => {
          service.handle(key, key);
          if (isEager) served += 1;
          slot.answered();
        },
        undefined,
      );
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (isEager) refused += 1;
      else heldUp += 1;
    }
  };
  const call = (key: string, perMinute: number): void => {
    time.after(
      (-Math.log(1 - random()) / perMinute) * MINUTE,
      () => {
        if (time.now() > end) return;
        void ask(key, perMinute === EAGER);
        call(key, perMinute);
      },
      undefined,
    );
  };
  for (let index = 0; index < accounts; index += 1)
    call(`account-${index}`, index < eager ? EAGER : QUIET / 60);
  await time.run(() => time.now() > end + PATIENCE);
  const { handled, overLimit } = service;
  return {
    ...{ handled, overLimit, heldUp, refused },
    served: served / eager / minutes,
    longestSeconds: longest / SECOND,
  };
}
