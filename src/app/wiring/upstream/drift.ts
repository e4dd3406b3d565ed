import { Drift } from '../../../features/usage/drift/drift.ts';
import { operationNames } from '../../../features/usage/drift/learning/operation.ts';
import { DriftRecorder } from '../../../features/usage/drift/learning/recorder.ts';
import { SampledUpstream } from '../../../features/usage/drift/learning/sampled-upstream.ts';
import type { UpstreamClient } from '../../../upstream/client.ts';
import type { Log } from '../../../lib/log/log.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import type { Mapping } from '../../../mapping/compile/model.ts';
import type { Settings } from '../../settings/model.ts';
import type { Store } from '../../store.ts';

interface Needs {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly mapping: Mapping;
}

/** Learns the form of the service's answers; undefined: not learned. */
export const driftRecorderOf = ({ store, clock, settings, mapping }: Needs): DriftRecorder | undefined =>
  settings.driftAccounts === 0 || !settings.usage
    ? undefined
    : new DriftRecorder({
        add: (observed) => store.usage.drift.add(observed),
        names: () => operationNames(mapping),
        deferred: store.deferred,
        clock,
      });

/** V2 or V3 with a recorder that learns from some of its answers. */
export const learnedFrom = (
  { drift, clock }: { readonly drift: DriftRecorder | undefined; readonly clock: Clock },
  upstream: UpstreamClient,
  version: 'v2' | 'v3',
): UpstreamClient | SampledUpstream =>
  drift === undefined ? upstream : new SampledUpstream(upstream, { version, take: drift.take, clock });

/** Raises the alarm of drift. */
export const driftOf = ({ settings, store, mapping, clock, log }: Needs & { readonly log: Log }): Drift =>
  new Drift({ stored: store.usage.drift, mapping, accounts: settings.driftAccounts, clock, log });
