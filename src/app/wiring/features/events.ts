import type { EventsSettings } from '../../settings/model.ts';
import { DeliveryJob } from '../../../features/events/delivery-job.ts';
import { HttpEventSender } from '../../../features/events/event-sender.ts';
import type { Services } from '../services.ts';

/** Tells the configured webhook what happens to accounts. */
export const eventsOf = ({ store, clock, log }: Services, settings: EventsSettings): DeliveryJob =>
  new DeliveryJob({
    history: store.history,
    deliveries: store.deliveries,
    accounts: store.accounts,
    sender: new HttpEventSender(settings),
    clock,
    log,
  });
