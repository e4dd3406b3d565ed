/**
 * A composed bridge: starts it, and stops it within the configured time.
 *
 * Start: first the deployment guard and the health checks, then it listens. If anything fails, everything is closed
 * again. Stop: accepts calls a little longer while reporting not ready, lets calls finish, stops jobs and sweeper,
 * writes what is still in memory, closes the store, releases the lock; each step has a share of the time. A refresh
 * that is still unanswered then is finished by the next process, because its intent is on disk; a killed process loses
 * no more than that and the record of the last seconds' calls.
 */
import type { BridgeLock } from '../db/sqlite/bridge-lock.ts';
import type { CampaignFreshLinks } from '../features/campaign/fresh-links.ts';
import type { HttpServer } from '../http/server/server.ts';
import { SECOND } from '../lib/time/clock.ts';
import { within } from '../lib/time/within.ts';
import type { Sweeper } from '../tokens/refresh/sweeper.ts';
import type { HealthCheck } from './health/health-check.ts';
import type { Listening } from './listening.ts';
import type { MetricsServer } from './metrics/metrics-server.ts';
import { tokensOf } from './wiring/features/status.ts';
import type { BridgeJobs } from './wiring/jobs/bridge-jobs.ts';
import { warnOfRemovedKeys } from './wiring/removed-keys.ts';
import type { Services } from './wiring/services.ts';

/** The whole application: nothing listens before `start`, nothing is left open after `stop`. */
export interface Application {
  /** Rejects, with everything closed again, if an address is not available. */
  start(): Promise<Listening>;
  /**
   * For `lameDuck` milliseconds still accepts calls while reporting not ready; then lets those in progress
   * finish for a while and closes everything. A second call waits for the first.
   */
  stop(lameDuck?: number): Promise<void>;
}

/** The time before the process would be killed: calls in progress are answered as they are, everything is closed. */
const LAST_ANSWERS = 7 * SECOND;
const GIVEN_BACK = 3 * SECOND;
/** What a stop grants to the look for missed encryption keys, which the next start repeats. */
const KEYS_LOOKED = SECOND;

/** The parts that are started and stopped. */
export interface BridgeParts {
  readonly services: Services;
  readonly lock: BridgeLock | undefined;
  readonly server: HttpServer;
  /** Set if legacy programs have a listener of their own. */
  readonly programs: HttpServer | undefined;
  /** Undefined: the primary serves the metrics. */
  readonly metricsServer: MetricsServer | undefined;
  /** Whether this process does the work that is done once for all workers. */
  readonly leads: boolean;
  readonly sweeper: Sweeper | undefined;
  readonly events: { begin(): Promise<void> } | undefined;
  readonly jobs: BridgeJobs;
  readonly health: HealthCheck;
  readonly fresh: CampaignFreshLinks | undefined;
  readonly postman: { close(): Promise<void> } | undefined;
  /** A rehearsal in progress is ended, because it needs the store. */
  readonly rehearsals: { close(): Promise<void> };
  /** Called when the last call has been answered. */
  readonly served: () => void;
  /** Sends the spans of traced calls. */
  readonly spans: { close(): Promise<void> } | undefined;
}

/** Can be started once and stopped once. */
export class RunningBridge implements Application {
  readonly #parts: BridgeParts;
  #stopped: Promise<void> | undefined;
  /** The look for encryption keys that are missed. */
  #looked: Promise<void> | undefined;

  constructor(parts: BridgeParts) {
    this.#parts = parts;
  }

  async start(): Promise<Listening> {
    const { services, sweeper, events, jobs, health, leads } = this.#parts;
    try {
      await services.sharing?.start();
      // Before the first call: an account missing from a database in doubt must not be taken for an unknown
      // caller.
      await services.guard.look();
      await health.run();
      const listening = await this.#listen();
      // Not awaited: counting what needs a key takes as long as the tables are large, and one of them may be locked.
      if (leads) this.#looked = warnOfRemovedKeys(services);
      if (services.oauth !== undefined) await services.guard.mayPresent();
      jobs.periodic.start();
      if (leads) {
        sweeper?.start();
        await events?.begin();
        await jobs.history.run();
      }
      const { adminToken } = services.settings;
      if (adminToken !== undefined) await tokensOf(services).begin(adminToken);
      return listening;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  stop(lameDuck = 0): Promise<void> {
    return (this.#stopped ??= this.#close(lameDuck));
  }

  async #listen(): Promise<Listening> {
    const { services, server, programs, metricsServer } = this.#parts;
    const { listener, legacyListener } = services.settings;
    const { host } = listener;
    const listening = {
      host,
      port: await server.listen(listener.port, host),
      metricsPort: await metricsServer?.listen(listener.metricsPort, listener.metricsHost),
      digest: services.mapping.digest,
    };
    if (programs === undefined || legacyListener === undefined) return listening;
    const legacyPort = await programs.listen(legacyListener.port, legacyListener.host);
    return { ...listening, legacyHost: legacyListener.host, legacyPort };
  }

  async #close(lameDuck: number): Promise<void> {
    const { services, lock, server, programs, metricsServer, sweeper, jobs, fresh, postman, spans } =
      this.#parts;
    const { rehearsals, served } = this.#parts;
    const { within: whole } = services.settings.stop;
    const end = performance.now() + whole - GIVEN_BACK;
    const left = (): number => Math.max(SECOND, end - performance.now());
    const plan = { lameDuck, grace: whole - LAST_ANSWERS - lameDuck };
    await Promise.all([server.stop(plan), programs?.stop(plan)]);
    served();
    // A refresh may take longer than a stop; its intent is on disk, and the next process continues it.
    await within(
      left(),
      // The job that sends e-mail ends with the message in progress.
      Promise.all([jobs.periodic.stop(), postman?.close(), sweeper?.stop(), metricsServer?.stop()]),
    );
    await within(KEYS_LOOKED, Promise.resolve(this.#looked));
    await within(
      left(),
      Promise.all([fresh?.settled(), services.guard.leave(), spans?.close(), rehearsals.close()]),
    );
    await services.close(left());
    lock?.release();
  }
}
