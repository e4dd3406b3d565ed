import { alertOf, type AlertChannel } from '../../../features/events/alert.ts';
import type { Channel } from '../../../features/events/channel.ts';
import { DeliveryJob } from '../../../features/events/delivery-job.ts';
import { HttpEventSender } from '../../../features/events/event-sender.ts';
import { outgoing } from '../../../features/events/outgoing-event.ts';
import type { Secret } from '../../../lib/secret/secret.ts';
import { publicUrl } from '../addresses.ts';
import type { Services } from '../services.ts';

/** Sends events about accounts to the configured receivers; undefined: there are none. */
export function eventsOf(services: Services): DeliveryJob | undefined {
  const { store, clock, log, settings } = services;
  const { events, alerts } = settings;
  const channels: readonly (Channel | undefined)[] = [
    events && { name: 'evt', write: outgoing, sender: new HttpEventSender(events) },
    alerts.slack && alertsTo('slack', alerts.slack, services),
    alerts.teams && alertsTo('teams', alerts.teams, services),
  ];
  const configured = channels.filter((channel) => channel !== undefined);
  if (configured.length === 0) return undefined;
  const { history, deliveries, accounts } = store;
  return new DeliveryJob({ history, deliveries, accounts, channels: configured, clock, log });
}

function alertsTo(name: AlertChannel, url: Secret, { settings, clock }: Services): Channel {
  const options = { kinds: settings.alerts.kinds, console: `${publicUrl(settings)}/_causeway/console` };
  return {
    name,
    write: (event, account) => alertOf(name, event, account, options, clock.now()),
    sender: new HttpEventSender({ url, secret: undefined }),
  };
}
