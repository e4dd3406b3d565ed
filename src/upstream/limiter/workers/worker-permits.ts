import type { Channel } from '../../../lib/channel.ts';
import { SECOND } from '../../../lib/time/clock.ts';
import { WINDOW } from '../permits.ts';
import type {
  Membership,
  PermitClaim,
  PermitGrant,
  PermitHolder,
  PermitPause,
  PermitPool,
} from '../permit-pool.ts';

/** The messages between a worker's permits and the primary's broker. */
export const permitMessages = {
  claim: 'permits.claim',
  block: 'permits.block',
  leave: 'permits.leave',
  recall: 'permits.recall',
  pause: 'permits.pause',
} as const;

/**
 * How long permits taken ahead are kept for the next call, in milliseconds: as long as a permit counts, because another
 * worker that lacks them recalls them.
 */
const KEEPS = WINDOW;
/** The primary is heard once a second: without it for this long nothing is sent. */
const FENCE = 20 * SECOND;

/** The rate limit as one worker sees it: the primary shares the permits out (docs/decisions/limits/0018-workers.md). */
export class WorkerPermits implements PermitPool {
  readonly forfeitedAt = -Infinity;
  readonly #channel: Channel;
  readonly #monotonic: () => number;
  readonly #recalled = new Set<string>();
  #holder: PermitHolder | undefined;
  #heardAt: number;

  constructor(channel: Channel, monotonic = (): number => performance.now()) {
    this.#channel = channel;
    this.#monotonic = monotonic;
    this.#heardAt = monotonic();
    channel.on(permitMessages.recall, (key: string) => {
      this.#recalled.add(key);
    });
    channel.on(permitMessages.pause, ({ key, millis }: PermitPause) => {
      this.#holder?.pause(key, millis);
    });
  }

  /** The primary is there. */
  heard(): void {
    this.#heardAt = this.#monotonic();
  }

  get membership(): Membership {
    return { state: this.#monotonic() - this.#heardAt > FENCE ? 'closed' : 'shared' };
  }

  monotonic(): number {
    return this.#monotonic();
  }

  /** While the primary is there, it shares. */
  isOpen(): boolean {
    return false;
  }

  begin(): void {
    // The primary counts a worker from its first claim.
  }

  serves(holder: PermitHolder): void {
    this.#holder = holder;
  }

  keepsFor(key: string): number {
    return this.#recalled.has(key) ? 0 : KEEPS;
  }

  async exchange(claim: PermitClaim): Promise<PermitGrant | undefined> {
    this.#recalled.delete(claim.key);
    return (await this.#channel.ask(permitMessages.claim, claim)) as PermitGrant | undefined;
  }

  block(key: string, millis: number): void {
    this.#channel.tell(permitMessages.block, { key, millis });
  }

  /** Nothing is sent any more: what is in use is reported as it is. */
  async leave(): Promise<void> {
    await this.#channel.ask(permitMessages.leave, this.#holder?.freeze() ?? []);
  }
}
