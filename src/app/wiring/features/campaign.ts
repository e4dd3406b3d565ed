import { DAY, SECOND } from '../../../lib/time/clock.ts';
import type { Postman } from '../../../features/campaign/outbox.ts';
import { Campaign } from '../../../features/campaign/campaign-service.ts';
import { CampaignFreshLinks } from '../../../features/campaign/fresh-links.ts';
import { OutboxJob } from '../../../features/campaign/outbox-job.ts';
import { CampaignUnsubscriber } from '../../../features/campaign/unsubscribe.ts';
import { publicUrl } from '../addresses.ts';
import type { Services } from '../services.ts';

/** An accountant with many companies is not flooded in one hour, nor is anybody whose address was mistyped often. */
const PER_ADDRESS = 10;
const BETWEEN_SCHEDULES = 10 * SECOND;

/** Who is written to, on the configured schedule. Without a mail server or V3 nobody is. */
export function campaignOf({ settings, store, ring, clock, random, oauth }: Services): Campaign {
  const { invitationDays, reminderDays } = settings.campaign;
  return new Campaign({
    repository: store.campaign,
    seal: ring,
    clock,
    random,
    mails: settings.mail !== undefined && oauth !== undefined,
    schedule: { life: invitationDays * DAY, reminderDays },
    host: messageHost(publicUrl(settings)),
  });
}

/** A Message-ID wants a name on its right-hand side; an address of a loopback interface is none. */
function messageHost(url: string): string {
  const { hostname } = new URL(url);
  return /[a-z]/i.test(hostname) && hostname.includes('.') ? hostname : 'causeway.invalid';
}

/** Mail leaves at the configured pace, and slower to an address that many accounts share. */
export function outboxJobOf(services: Services, campaign: Campaign, postman: Postman): OutboxJob {
  const { settings, store, ring, clock, log } = services;
  return new OutboxJob({
    campaign,
    repository: store.campaign,
    outbox: store.outbox,
    grants: store.grants,
    postman,
    seal: ring,
    clock,
    log,
    publicUrl: publicUrl(settings),
    scheduleEvery: BETWEEN_SCHEDULES,
    pace: { perMinute: settings.campaign.mailPerMinute, perAddress: PER_ADDRESS },
  });
}

/** What an unsubscribe link does. */
export const unsubscriberOf = ({ store, ring, clock }: Services): CampaignUnsubscriber =>
  new CampaignUnsubscriber({ repository: store.campaign, seal: ring, clock });

/** What the page of an expired link offers. */
export const freshLinksOf = ({ store, ring, log }: Services, campaign: Campaign): CampaignFreshLinks =>
  new CampaignFreshLinks({ invitations: store.invitations, campaign, seal: ring, log });
