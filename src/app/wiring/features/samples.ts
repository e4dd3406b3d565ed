import { forgetOld } from '../../../features/events/delivery.ts';
import { REPLICA_UNUSED } from '../../../features/replicas/stored-replicas.ts';
import type { Log } from '../../../lib/log/log.ts';
import { CALLS_KEPT_DAYS } from '../../../features/usage/call-log.ts';
import { BaselineRecorder } from '../../../features/samples/baseline-recorder.ts';
import { CallRecorder } from '../../../features/samples/call-recorder.ts';
import { Samples } from '../../../features/samples/samples.ts';
import { DAY, type Clock } from '../../../lib/time/clock.ts';
import type { Mapping, Method } from '../../../mapping/compile/model.ts';
import type { KeyRing } from '../../../tokens/sealing/keyring.ts';
import type { Settings } from '../../settings/model.ts';
import type { Store } from '../../store.ts';
import type { DriftRecorder } from '../../../features/usage/drift/learning/recorder.ts';
import { driftRecorderOf } from '../upstream/drift.ts';
import type { Work } from '../jobs/claimed-job.ts';

/** In milliseconds: a comparison and its accepted differences are kept for a year. */
const PROOF_LASTS = 365 * DAY;

interface Needs {
  readonly store: Store;
  readonly ring: KeyRing;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly mapping: Mapping;
}

/** The parts that keep samples of the calls. */
export interface Sampling {
  /** Replies that are kept for a while. */
  readonly samples: Samples;
  /** Keeps V1's replies to the calls of this process. */
  readonly baseline: BaselineRecorder;
  /** Keeps the calls of accounts being recorded. */
  readonly recorder: CallRecorder;
  /** Learns the form of the service's answers; undefined: not learned. */
  readonly drift: DriftRecorder | undefined;
}

/** The store of samples, and the parts that fill it. */
export function samplesOf({ store, ring, clock, settings, mapping }: Needs): Sampling {
  const { days, megabytes } = settings.samples;
  const samples = new Samples({ stored: store.samples, seal: ring, clock, lifetime: days * DAY, megabytes });
  let byId: ReadonlyMap<string, Method> | undefined;
  const methods = (): ReadonlyMap<string, Method> =>
    (byId ??= new Map(mapping.methods.map((method) => [method.id, method])));
  const baseline = new BaselineRecorder({ samples, seal: ring, methods, deferred: store.deferred, clock });
  const recorder = new CallRecorder({ samples, seal: ring, methods, deferred: store.deferred, clock });
  return { samples, baseline, recorder, drift: driftRecorderOf({ store, clock, settings, mapping }) };
}

/** Writes what was taken; also resolves if the database is away. */
export async function closeSampling({ baseline, recorder, drift }: Sampling): Promise<void> {
  await baseline.close();
  await recorder.close();
  await drift?.close();
}

/**
 * Deletes samples that have expired or exceed the limit, rows added late for accounts that are gone, and results of forms,
 * which may contain a file of keys or tokens. Also what only a feature that may be switched off meanwhile would delete:
 * kept lists of clients, outgoing events and forecasts.
 */
export const sampleExpiryOf = ({
  samples,
  store,
  clock,
  log,
}: {
  readonly samples: Pick<Samples, 'expire'>;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}): Work => ({
  async run() {
    await store.forgetStrays();
    await samples.expire();
    const now = clock.now();
    await store.parity.expire(now, now - PROOF_LASTS);
    await store.rehearsals.expire(now - PROOF_LASTS);
    const { RESULT_LIFE } = await import('../../../features/admin/results.ts'); // not needed at the start
    await store.console.results.expire(now - RESULT_LIFE);
    await store.replicas.trim(now - REPLICA_UNUSED);
    await forgetOld(store.deliveries, now, log);
    await store.forecasts.expire(now - CALLS_KEPT_DAYS * DAY);
  },
});
