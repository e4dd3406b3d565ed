import { HOUR, SECOND } from '../../../lib/time/clock.ts';
import { KeptAnswers } from '../../../proxy/sparing/kept-answers.ts';
import { Replicas } from '../../../proxy/sparing/replica/replicas.ts';
import { RememberedLooks } from '../../../proxy/sparing/flights.ts';
import { SparingUpstream, type SparingParts } from '../../../proxy/sparing/sparing-upstream.ts';
import type { UpstreamClient } from '../../../upstream/client.ts';
import type { Upstream } from '../../../upstream/model.ts';
import type { ReadyUpstream } from '../../../upstream/ready-read.ts';
import { learnedFrom } from './drift.ts';
import type { Services } from '../services.ts';

/** How requests to the service are avoided. */
export interface Sparing {
  /** Wraps V2 or V3 for the programs' reads. */
  readonly before: (upstream: UpstreamClient, version: 'v2' | 'v3') => Upstream & ReadyUpstream;
  readonly replicas: Replicas | undefined;
}

/** `count`: called with each request that was not sent. */
export function sparingOf(services: Services, count: SparingParts['count']): Sparing {
  const { settings, store, clock, ring: seal, log } = services;
  const { isShared, cacheSeconds, replicaHours } = settings.sparing;
  const looks = new RememberedLooks(store.writeMarks);
  const kept = cacheSeconds === 0 ? undefined : new KeptAnswers(clock, cacheSeconds * SECOND);
  const parts = { looks, clock, kept, isShared, count };
  const replica = { stored: store.replicas, looks, seal, clock, log, lasts: replicaHours * HOUR, count };
  return {
    before(client, version) {
      const upstream = learnedFrom(services, client, version);
      return isShared || kept !== undefined ? new SparingUpstream(upstream, version, parts) : upstream;
    },
    replicas: replicaHours === 0 ? undefined : new Replicas(replica),
  };
}
