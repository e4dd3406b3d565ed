import type { AuditRepository } from './audit.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { PAGE_LASTS, type ListRows } from '../../lib/text/list-order.ts';
import {
  DELIVERIES_KEPT,
  type Delivery,
  type DeliveryRepository,
  type DeliveryPage,
  type DeliveryStory,
} from '../events/delivery.ts';
import { AdminRefusal } from './refusal.ts';

export interface AdminDeliveriesParts {
  readonly deliveries: Pick<DeliveryRepository, 'list' | 'find' | 'again' | 'allAgain'>;
  readonly audit: Pick<AuditRepository, 'write'>;
  readonly clock: Clock;
  /** Whether a webhook is configured. */
  readonly configured: { readonly events: boolean };
}

/** Events on their way to the configured webhook. */
export class AdminDeliveries {
  readonly #parts: AdminDeliveriesParts;

  constructor(parts: AdminDeliveriesParts) {
    this.#parts = parts;
  }

  /** The rows of the list. */
  get rows(): ListRows<Delivery> {
    const keptSince = this.#parts.clock.now() - DELIVERIES_KEPT + PAGE_LASTS;
    return { idOf: ({ id }) => id, isKept: ({ createdAt }) => createdAt >= keptSince };
  }

  /** Newest first. */
  list(page: DeliveryPage): Promise<readonly Delivery[]> {
    return this.#parts.deliveries.list(page);
  }

  /** Throws `AdminRefusal` unknown. */
  async find(id: string): Promise<DeliveryStory> {
    const story = await this.#parts.deliveries.find(id);
    if (story === undefined) throw noSuch();
    return story;
  }

  /**
   * Sends one again, whatever its state; its retries start over. Throws `AdminRefusal` unknown or conflict.
   */
  async again(id: string, who: string): Promise<Delivery> {
    const { deliveries, clock } = this.#parts;
    this.#check();
    const delivery = await deliveries.again(id, clock.now());
    if (delivery === undefined) throw noSuch();
    await this.#wrote(who, [delivery.accountId], `${delivery.type} ${delivery.id}`);
    return delivery;
  }

  /** Sends again all deliveries that were given up; returns how many. Throws `AdminRefusal` conflict. */
  async allAgain(who: string): Promise<number> {
    const { deliveries, clock } = this.#parts;
    this.#check();
    const sent = await deliveries.allAgain(clock.now());
    if (sent > 0) await this.#wrote(who, [], `${sent} that were given up`);
    return sent;
  }

  #check(): void {
    if (!this.#parts.configured.events)
      throw new AdminRefusal(
        'conflict',
        'no events are sent: none of CAUSEWAY_EVENTS_URL, CAUSEWAY_SLACK_URL and CAUSEWAY_TEAMS_URL is set',
      );
  }

  async #wrote(who: string, accountIds: readonly string[], detail: string): Promise<void> {
    const { audit, clock } = this.#parts;
    await audit.write({ at: clock.now(), who, action: 'deliveries.again', accountIds, detail });
  }
}

const noSuch = (): AdminRefusal => new AdminRefusal('unknown', 'there is no such delivery');
