import { WaveJob } from '../../../features/admin/campaign/wave-job.ts';
import { SnsTopic } from '../../../features/campaign/bounces/sns.ts';
import { DAY, SECOND } from '../../../lib/time/clock.ts';
import { messageHost, type Postman } from '../../../features/campaign/outbox.ts';
import { Campaign } from '../../../features/campaign/campaign.ts';
import { CampaignFreshLinks } from '../../../features/campaign/fresh-links.ts';
import { OutboxJob } from '../../../features/campaign/outbox-job.ts';
import { CampaignUnsubscriber } from '../../../features/campaign/unsubscribe.ts';
import { BouncesEndpoint } from '../../../http/customer/bounces.ts';
import { Brownouts } from '../../../proxy/brownout.ts';
import { noticeOf, type Notices } from '../../../proxy/notice.ts';
import { publicUrl } from '../addresses.ts';
import type { Services } from '../services.ts';
import type { Pace } from '../../../features/campaign/model.ts';
import { statusOf } from './status.ts';

/**
 * Protects an accountant with many companies, or the owner of an often mistyped address, from a flood of
 * messages in one hour.
 */
const PER_ADDRESS = 10;

/** The pace of e-mail. */
export const paceOf = ({ campaign }: Services['settings']): Pace => ({
  perMinute: campaign.mailPerMinute,
  perAddress: PER_ADDRESS,
});
const BETWEEN_SCHEDULES = 10 * SECOND;

/** The campaign, with the configured schedule. No messages are sent without a mail server or V3. */
export function campaignOf({ settings, store, ring, clock, random, oauth }: Services): Campaign {
  const { invitationDays, reminderDays } = settings.campaign;
  return new Campaign({
    repository: store.campaign,
    seal: ring,
    clock,
    random,
    mails: settings.mail !== undefined && oauth !== undefined,
    schedule: { life: invitationDays * DAY, reminderDays },
    hours: settings.campaign.hours,
    host: messageHost(publicUrl(settings)),
  });
}

/** E-mail leaves at the configured pace, and slower to an address that many accounts share. */
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
    hours: settings.campaign.hours,
    pace: paceOf(settings),
  });
}

/** Handles unsubscribe links. */
export const unsubscriberOf = ({ store, ring, clock }: Services): CampaignUnsubscriber =>
  new CampaignUnsubscriber({ repository: store.campaign, seal: ring, clock });

/** The endpoint for a mail provider's bounce reports; undefined: there is none. */
export function bouncesOf({ settings, store, clock, log }: Services): BouncesEndpoint | undefined {
  const secret = settings.campaign.bouncesSecret;
  const topic = settings.campaign.bouncesTopic;
  const sns = topic === undefined ? undefined : new SnsTopic({ topic, read: fromSns });
  return secret && new BouncesEndpoint({ bounces: store.bounces, secret, sns, clock, log });
}

/** Loaded with the first post of SNS. */
const fromSns = async (address: string): Promise<string> =>
  (await import('../../../features/campaign/bounces/sns-client.ts')).readFromSns(address);

/** The notices in V1's replies: the end of V1, where that is switched on, and an announced brown-out. */
export const noticesOf = ({ settings: { v1End }, clock }: Services): Notices => noticeOf(v1End, clock);

/** Refuses reads while a brown-out lasts. */
export const brownoutsOf = ({ mapping, store, clock }: Services): Brownouts =>
  new Brownouts({
    methods: mapping.methods,
    count: (...refused) => store.brownouts.count(...refused),
    later: (key, write) => {
      store.deferred.add({ key: `brownout ${key}`, write, failed: () => undefined });
    },
    clock,
  });

/** The fresh links that the page of an expired link offers. */
export const freshLinksOf = ({ store, ring, log }: Services, campaign: Campaign): CampaignFreshLinks =>
  new CampaignFreshLinks({ invitations: store.invitations, campaign, seal: ring, log });

/** Lets waves go out one after the other. */
export const waveJobOf = (services: Services, campaign: Campaign): WaveJob =>
  new WaveJob({
    waves: services.store.waves,
    proofs: services.store.parity,
    campaign,
    status: statusOf(services),
    clock: services.clock,
    log: services.log,
  });
