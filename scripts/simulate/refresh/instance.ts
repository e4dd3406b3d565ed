import type { Breaker } from '../../../src/lib/circuit-breaker.ts';
import type { DeploymentRepository } from '../../../src/tokens/deployment/deployment.ts';
import type { GrantRepository } from '../../../src/tokens/grant.ts';
import type { Log } from '../../../src/lib/log/log.ts';
import type { Profile } from '../../../src/upstream/profile.ts';
import type { Seal } from '../../../src/lib/secret/seal.ts';
import { StoreFault } from '../../../src/lib/store-fault.ts';
import type { Authority } from '../../../src/upstream/model.ts';
import { DeploymentGuard } from '../../../src/tokens/deployment/deployment-guard.ts';
import type { confirmAtOf } from '../../../src/tokens/refresh/timing.ts';
import type { Spill, Spilled } from '../../../src/tokens/refresh/spill.ts';
import { Sweeper } from '../../../src/tokens/refresh/sweeper.ts';
import { GrantVault } from '../../../src/tokens/vault.ts';
import { breakerOf, refreshingOf } from '../../../src/app/wiring/upstream/refreshing.ts';
import type { Owner, VirtualTime } from '../virtual-time.ts';
import type { Control, Weather } from './options.ts';
import { onlyClient } from '../../../test/support/applications.ts';
import { DEFAULT_APPLICATION } from '../../../src/upstream/application.ts';

/** The environment that the instances share. */
export interface Surroundings {
  readonly time: VirtualTime;
  readonly random: () => number;
  readonly profile: Profile;
  readonly seal: Seal;
  readonly log: Log;
  /** The present weather: it becomes calm at the end. */
  readonly weather: () => Weather;
  /** When an outage of the database ends for all instances, in milliseconds since the epoch. */
  readonly databaseAwayUntil: () => number;
  readonly grants: GrantRepository;
  readonly deployment: DeploymentRepository;
  readonly authorityFor: (instance: Instance) => Authority;
  readonly onDeath: (instance: Instance) => void;
  readonly without: Control | undefined;
  readonly confirmation: typeof confirmAtOf | undefined;
}

/** The disk of a machine, whose content outlives the process. */
export class Disk {
  readonly #pairs = new Map<string, Spilled>();

  get size(): number {
    return this.#pairs.size;
  }

  readonly spill: Spill = {
    put: async (spilled) => {
      this.#pairs.set(spilled.id, spilled);
    },
    all: async () => ({ pairs: [...this.#pairs.values()], unreadable: 0 }),
    remove: async (id) => {
      this.#pairs.delete(id);
    },
  };
}

/** The round trip to a database in the same building, in milliseconds: `least`, plus at most `more`. */
const TRIP = { least: 0.2, more: 2 };

/**
 * One running bridge, as far as refreshing is concerned: vault, sweeper, breaker and deployment guard, composed as in
 * the wiring. All its I/O goes through `io`, where it may die, freeze or find the database gone.
 */
export class Instance implements Owner {
  isDead = false;
  frozenUntil = 0;
  partedUntil = 0;
  readonly name: string;
  readonly vault: GrantVault;
  readonly breaker: Breaker;
  readonly #sweeper: Sweeper | undefined;
  readonly #parts: Surroundings;

  constructor(name: string, disk: Disk, parts: Surroundings) {
    this.name = name;
    this.#parts = parts;
    const { time: clock, profile, seal, log, confirmation } = parts;
    const repository = this.#remote(parts.grants, 'database');
    const guard = new DeploymentGuard({ repository: this.#remote(parts.deployment, 'database'), clock, log });
    this.breaker = breakerOf({ profile }, clock, log, DEFAULT_APPLICATION);
    this.vault = new GrantVault({
      repository,
      seal,
      applications: onlyClient({ authority: parts.authorityFor(this), breaker: this.breaker }),
      clock,
      profile,
      log,
      holder: name,
      guard,
      confirmation,
      ...refreshingOf({ spillFolder: undefined }),
      spill: this.#remote(disk.spill, 'disk'),
    });
    this.#sweeper =
      parts.without === 'sweeper'
        ? undefined
        : new Sweeper({ repository, vault: this.vault, clock, profile, log });
    // In the order of the application's start: the mark first, then the sweeper.
    guard.mayPresent().catch(() => undefined);
    this.#sweeper?.start();
  }

  /** Power cut: none of its code runs any more, and its callers wait for ever. */
  die(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.#parts.onDeath(this);
  }

  /** Returns whether it survives the begin or end of a step of I/O; it may also freeze there. */
  survives(): boolean {
    const { random, time, weather } = this.#parts;
    const { death, stall, freeze } = weather();
    if (!this.isDead && random() < death) this.die();
    if (stall > 0 && random() < stall) this.frozenUntil = time.now() - Math.log(1 - random()) * freeze;
    return !this.isDead;
  }

  #remote<Port extends object>(port: Port, what: 'database' | 'disk'): Port {
    const overrides = new Map<string | symbol, unknown>();
    return new Proxy(port, {
      get: (target, name) => {
        const kept = overrides.get(name);
        if (kept !== undefined) return kept;
        const method = Reflect.get(target, name) as (...given: readonly unknown[]) => Promise<unknown>;
        const remote = (...given: readonly unknown[]): Promise<unknown> =>
          this.#io(what, () => method.apply(target, [...given]));
        overrides.set(name, remote);
        return remote;
      },
    });
  }

  #io(what: 'database' | 'disk', work: () => Promise<unknown>): Promise<unknown> {
    const { time } = this.#parts;
    return new Promise((resolve, reject) => {
      if (!this.survives()) return;
      const answer = (settle: () => void): void => {
        time.after(
          this.#trip(),
          () => {
            if (this.survives()) settle();
          },
          this,
        );
      };
      // On its way: carried out whether or not the sender survives.
      const arrive = async (): Promise<void> => {
        try {
          const result = what === 'disk' ? await work() : await this.#reach(work);
          answer(() => {
            resolve(result);
          });
        } catch (error) {
          answer(() => {
            reject(error instanceof Error ? error : away());
          });
        }
      };
      time.after(this.#trip(), () => void arrive(), undefined);
    });
  }

  async #reach(work: () => Promise<unknown>): Promise<unknown> {
    const { time, random, weather, databaseAwayUntil } = this.#parts;
    if (time.now() < Math.max(databaseAwayUntil(), this.partedUntil)) throw away();
    const result = await time.outside(work);
    if (random() < weather().cut) throw away();
    return result;
  }

  #trip(): number {
    return TRIP.least + this.#parts.random() * TRIP.more;
  }
}

const away = (): StoreFault => new StoreFault('unavailable', 'the connection to the database was lost');
