import type { DeferredWrites } from '../../db/deferred-writes.ts';
import type { Engine } from '../../db/engine.ts';
import { StoredDrift } from './drift/stored-drift.ts';
import { StoredCalls } from './call-log-repository.ts';
import { UseRecorder } from './names/recorder.ts';
import { StoredUse } from './names/stored-use.ts';
import { RecentCalls } from './recent-calls.ts';

/** What is kept of finished calls, and how it gets there. */
export interface UsageStore {
  /** Every finished call adds itself here. */
  readonly recent: RecentCalls;
  /** Single calls and hourly counts. */
  readonly calls: StoredCalls;
  /** The names that calls use. */
  readonly stored: StoredUse;
  /** Counts the names of the calls that `recent` is made to tell it of. */
  readonly recorder: UseRecorder;
  /** The form of the service's answers to them. */
  readonly drift: StoredDrift;
}

/** Opens what belongs to finished calls. `deferred`: writes the names that were counted. */
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
