import type { EventsSettings } from '../settings/settings.ts';
import { DeliveryRound } from '../../features/events/delivery-job.ts';
import { HttpEventSender } from '../../features/events/event-sender.ts';
import type { House } from './house.ts';

/** Tells the configured address what happens to accounts. */
export const eventsOf = ({ store, clock, log }: House, settings: EventsSettings): DeliveryRound =>
  new DeliveryRound({
    history: store.history,
    deliveries: store.deliveries,
    accounts: store.accounts,
    sender: new HttpEventSender(settings),
    clock,
    log,
  });
