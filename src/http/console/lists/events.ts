import type { Clock } from '../../../lib/time/clock.ts';
import {
  accountNameOf,
  bodyOf,
  deliveryOrders,
  deliveryStates,
  type Delivery,
} from '../../../features/events/delivery.ts';
import { retryPauses } from '../../../features/events/delivery-job.ts';
import type { AdminService } from '../../../features/admin/admin.ts';
import type { Deed, Visit } from '../session/session-guard.ts';
import { pageIn, sortedValues } from './sorted.ts';
import { CONSOLE_PATH, type ConsolePages } from '../pages.ts';

export interface EventsScreenParts {
  readonly admin: Pick<AdminService, 'deliveries' | 'health' | 'latestEvent'>;
  readonly pages: ConsolePages;
  readonly clock: Clock;
}

const PAGE = 50;
/** The first attempt and its retries. */
const MOST_ATTEMPTS = retryPauses.length + 1;

const says = {
  one: 'The event will be resent within a few seconds.',
  all: 'The events will be resent within a few seconds.',
} as const;

const saidAfter = (query: URLSearchParams): string | undefined => {
  const done = query.get('done');
  return done === 'one' || done === 'all' ? says[done] : undefined;
};

/** Shows the events sent to the configured webhook, and its answers. */
export class EventsScreen {
  readonly #parts: EventsScreenParts;

  constructor(parts: EventsScreenParts) {
    this.#parts = parts;
  }

  async list({ response, session, query }: Visit): Promise<void> {
    const { admin, pages, clock } = this.#parts;
    const state = deliveryStates.find((one) => one === query.get('state'));
    const page = pageIn(query, deliveryOrders);
    const seq = await admin.latestEvent();
    const { census, configured } = await admin.health();
    const found = await admin.deliveries.list({ ...page, limit: PAGE + 1, state });
    const named = found.map((delivery) => ({ ...delivery, name: accountNameOf(delivery) }));
    const list = { orders: deliveryOrders, page, filter: { state }, found: named, shown: PAGE };
    pages.send(response, 200, 'events', {
      title: 'Events',
      session,
      ...(page.before === undefined ? { seq } : {}),
      state,
      states: deliveryStates,
      counts: census.deliveries,
      configured: configured.events,
      most: MOST_ATTEMPTS,
      ...sortedValues({ ...list, listRows: admin.deliveries.rows }),
      said: saidAfter(query),
      now: clock.now(),
    });
  }

  async show({ request, response, session, query }: Visit): Promise<void> {
    const { admin, pages, clock } = this.#parts;
    const seq = await admin.latestEvent();
    const { configured } = await admin.health();
    const { delivery, attempts } = await admin.deliveries.find(String(request.params.id));
    pages.send(response, 200, 'event', {
      title: 'Event',
      under: '/events',
      session,
      seq,
      delivery: { ...delivery, name: accountNameOf(delivery) },
      attempts,
      told: laidOut(delivery),
      configured: configured.events,
      most: MOST_ATTEMPTS,
      said: saidAfter(query),
      now: clock.now(),
    });
  }

  async again({ request, response, who }: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    const { id } = await admin.deliveries.again(String(request.params.id), who);
    pages.redirect(response, `${CONSOLE_PATH}/events/${encodeURIComponent(id)}?done=one`);
  }

  async allAgain({ response, who }: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    await admin.deliveries.allAgain(who);
    pages.redirect(response, `${CONSOLE_PATH}/events?done=all`);
  }
}

function laidOut(delivery: Delivery): string {
  const body = bodyOf(delivery);
  return body === undefined ? delivery.payload : JSON.stringify(body, null, 2);
}
