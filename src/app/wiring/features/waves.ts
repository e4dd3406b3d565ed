import { WaveJob } from '../../../features/admin/campaign/wave-job.ts';
import type { Campaign } from '../../../features/campaign/campaign.ts';
import type { Services } from '../services.ts';
import { statusOf } from './status.ts';

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
