import { BaselineRecorder } from '../../../features/samples/baseline-recorder.ts';
import { CallRecorder } from '../../../features/samples/call-recorder.ts';
import { Samples } from '../../../features/samples/samples.ts';
import { DAY, type Clock } from '../../../lib/time/clock.ts';
import type { Mapping, Method } from '../../../mapping/compile/model.ts';
import type { KeyRing } from '../../../tokens/sealing/keyring.ts';
import type { Settings } from '../../settings/model.ts';
import type { Store } from '../../store.ts';
import type { Work } from '../jobs/claimed-job.ts';

/** In milliseconds: a comparison and what was accepted of it are kept for a year. */
const PROOF_LASTS = 365 * DAY;

interface Needs {
  readonly store: Store;
  readonly ring: KeyRing;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly mapping: Mapping;
}

/** The store of samples, and what takes the baseline. */
export function samplesOf({ store, ring, clock, settings, mapping }: Needs): {
  readonly samples: Samples;
  readonly baseline: BaselineRecorder;
  readonly recorder: CallRecorder;
} {
  const { days, megabytes } = settings.samples;
  const samples = new Samples({ stored: store.samples, seal: ring, clock, lifetime: days * DAY, megabytes });
  let byId: ReadonlyMap<string, Method> | undefined;
  const methods = (): ReadonlyMap<string, Method> =>
    (byId ??= new Map(mapping.methods.map((method) => [method.id, method])));
  const baseline = new BaselineRecorder({ samples, seal: ring, methods, deferred: store.deferred, clock });
  const recorder = new CallRecorder({ samples, seal: ring, methods, deferred: store.deferred, clock });
  return { samples, baseline, recorder };
}

/** Deletes samples that have expired or are too many, and what was added late for accounts that are gone. */
export const sampleExpiryOf = ({
  samples,
  store,
  clock,
}: {
  readonly samples: Samples;
  readonly store: Store;
  readonly clock: Clock;
}): Work => ({
  async run() {
    await store.forgetStrays();
    await samples.expire();
    const now = clock.now();
    await store.parity.expire(now, now - PROOF_LASTS);
    await store.rehearsals.expire(now - PROOF_LASTS);
  },
});
