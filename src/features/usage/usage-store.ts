import type { DeferredWrites } from '../../db/deferred-writes.ts';
import type { Engine } from '../../db/engine.ts';
import { StoredDrift } from './drift/stored-drift.ts';
import { StoredCalls } from './call-log-repository.ts';
import { UseRecorder } from './names/recorder.ts';
import { StoredUse } from './names/stored-use.ts';
import { RecentCalls } from './recent-calls.ts';

/** Everything kept about finished calls, and the parts that collect it. */
export interface UsageStore {
  /** Every finished call adds itself here. */
  readonly recent: RecentCalls;
  /** Single calls and hourly counts. */
  readonly calls: StoredCalls;
  /** The names that calls use. */
  readonly stored: StoredUse;
  /** Counts the names in the calls that `recent` passes to it. */
  readonly recorder: UseRecorder;
  /** The form of the service's answers to the calls. */
  readonly drift: StoredDrift;
}

/** Opens the store of finished calls. `deferred`: writes the counted names. */
export function usageOn(engine: Engine, deferred: DeferredWrites): UsageStore {
  const recent = new RecentCalls();
  const stored = new StoredUse(engine);
  return {
    recent,
    calls: new StoredCalls(engine, { recent }),
    stored,
    recorder: new UseRecorder({ repository: stored, deferred, recent }),
    drift: new StoredDrift(engine),
  };
}
