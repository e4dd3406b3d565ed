import { WriteLedger, type LedgerParts } from '../../../src/features/writes/ledger.ts';
import type { WriteRepository } from '../../../src/features/writes/model.ts';
import {
  BETWEEN_SETTLINGS,
  type Settler,
  type SettlerParts,
} from '../../../src/features/writes/settling/settler.ts';
import { AccountDirectory } from '../../../src/features/accounts/account-directory.ts';
import type { Account } from '../../../src/features/accounts/account.ts';
import type { KeyedAccount } from '../../../src/features/accounts/model.ts';
import { SECOND, type Clock } from '../../../src/lib/time/clock.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { pause } from '../../../src/lib/time/pause.ts';
import { silentLog } from '../../../src/lib/log/log.ts';
import type { Seal } from '../../../src/lib/secret/seal.ts';
import { StoreFault } from '../../../src/lib/store-fault.ts';
import type { Mapping } from '../../../src/mapping/compile/model.ts';
import type { Crosswalk } from '../../../src/mapping/crosswalk/identifier.ts';
import { refuseLosses } from '../../../src/mapping/lossy-writes.ts';
import { RouteChoices } from '../../../src/mapping/routes/route-choice.ts';
import type { RouteRepository } from '../../../src/mapping/routes/routes.ts';
import { OwnReads } from '../../../src/proxy/writes/own-reads.ts';
import { Bridge } from '../../../src/proxy/handle.ts';
import { PassThrough } from '../../../src/proxy/pass-through.ts';
import { BodyReader } from '../../../src/proxy/call/body-reader.ts';
import { Routes } from '../../../src/proxy/routing.ts';
import { UnknownKeyLimiter } from '../../../src/proxy/unknown-key-limiter.ts';
import { WrittenDown } from '../../../src/proxy/writes/written-down.ts';
import type { Profile } from '../../../src/upstream/profile.ts';
import type { Owner, VirtualTime } from '../virtual-time.ts';
import type { Network } from './network.ts';
import type { Weather } from './options.ts';

/** The part of the settler that is used. */
export type Settling = Pick<Settler, 'lookAt' | 'watch' | 'run'>;

/** The environment that the processes share. */
export interface Surroundings {
  readonly time: VirtualTime;
  readonly random: () => number;
  readonly weather: () => Weather;
  readonly profile: Profile;
  readonly mapping: Mapping;
  readonly seal: Seal;
  readonly network: Network;
  readonly writes: WriteRepository;
  readonly crosswalk: Crosswalk;
  readonly routes: RouteRepository;
  readonly account: (accountKeyIndex: string) => KeyedAccount | undefined;
  /** The account with its account key. */
  readonly accountOf: (id: string) => readonly [Account, string] | undefined;
  /** When an outage or a full disk of the database ends for all processes, in milliseconds since the epoch. */
  readonly awayUntil: () => number;
  readonly fullUntil: () => number;
  /** No other process uses the database. */
  readonly alone: boolean;
  readonly isWrittenDown: boolean;
  readonly settler: (parts: SettlerParts) => Settling;
  readonly onDeath: (process: Process) => void;
}

/** The round trip to a database in the same building, in milliseconds: `least`, plus at most `more`. */
const TRIP = { least: 0.2, more: 2 };
const BETWEEN_BEATS = SECOND;
/** The API key of all programs. */
export const API_KEY = 'api-key';
/** The wait for joining, as in the wiring. */
const WAIT_SECONDS = 20;

const READS = /^(find|list|counts|claimed|rivals|owners|beatsOf|uuids|unmet|report)$/;

/**
 * One running bridge behind its HTTP endpoint: directory, routes, ledger, composed as in the wiring. At each step of
 * I/O it may die, freeze or find the database gone.
 */
export class Process implements Owner {
  isDead = false;
  frozenUntil = 0;
  /** The periods in which it did not run, in milliseconds since the epoch. */
  readonly stops: (readonly [number, number])[] = [];
  readonly name: string;
  readonly bridge: Bridge;
  readonly #parts: Surroundings;

  constructor(name: string, parts: Surroundings) {
    this.name = name;
    this.#parts = parts;
    const { time, profile, mapping, seal, network, isWrittenDown } = parts;
    const clock = wholeMillis(time);
    const body = new BodyReader();
    const routes = new Routes({
      endpoint: network.upstreamOf(this, 'v3'),
      v2: network.upstreamOf(this, 'v2'),
      ...{ profile, body, mapping, clock },
      crosswalk: this.#remote(parts.crosswalk),
      passThrough: new PassThrough(network.v1Of(this), body),
      discovery: false,
      unknownKeys: new UnknownKeyLimiter(seal, clock),
      deployment: { hasVanished: false },
      observer: { noted: new WeakSet(), discovered: () => undefined, accepted: () => undefined },
      writable: () => this.#io(async () => undefined, true),
      choices: new RouteChoices(parts.routes),
      lossyWrites: refuseLosses,
      documentLink: (_, url) => url,
    });
    const settler = this.#settler(parts, clock, routes);
    const ledger = new WriteLedger({ ...this.#ledgerParts(parts, clock), settler });
    const accounts = this.#directory(parts, clock);
    const written = new WrittenDown({ ledger, routes, body, accounts, clock, mapping });
    this.bridge = new Bridge(accounts, routes, isWrittenDown ? written : undefined);
    time.as(this, () => {
      setInterval(() => void ledger.beat(), BETWEEN_BEATS);
      void this.#settling(settler);
    });
  }

  /** Power cut: none of its code runs any more, and its callers wait for ever. */
  die(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.stops.push([this.#parts.time.now(), Infinity]);
    this.#parts.onDeath(this);
  }

  freeze(millis: number): void {
    const now = this.#parts.time.now();
    // Events that wait for the end of the freeze must keep their order.
    this.frozenUntil = Math.max(this.frozenUntil, now + millis);
    this.stops.push([now, this.frozenUntil]);
  }

  /** Runs an event of its own; the process may die first. */
  later(millis: number, run: () => void): void {
    this.#parts.time.after(
      millis,
      () => {
        if (this.#survives()) run();
      },
      this,
    );
  }

  #ledgerParts({ profile, seal, writes, alone }: Surroundings, clock: Clock): LedgerParts {
    return {
      ...{ clock, seal, alone, log: silentLog },
      writes: this.#remote(writes),
      owner: this.name,
      joinMs: (profile.durations.upstreamTimeout + WAIT_SECONDS) * SECOND,
      isStopping: () => false,
    };
  }

  #settler(
    { mapping, profile, seal, writes, accountOf, settler }: Surroundings,
    clock: Clock,
    routes: Routes,
  ): Settling {
    const reads = new OwnReads({
      routes,
      crosswalk: this.#remote(this.#parts.crosswalk),
      accountOf: async (id) => accountOf(id)?.[0],
      keysOf: async ({ id }) => ({
        apiKey: new Secret(API_KEY),
        accountKey: new Secret(accountOf(id)?.[1] ?? ''),
      }),
    });
    return settler({
      ...{ clock, seal, pause, reads, log: silentLog },
      writes: this.#remote(writes),
      methods: new Map(mapping.methods.map((method) => [method.id, method])),
      latestMs: profile.durations.latestHandling * SECOND,
      ownNumbers: profile.v3.identifiers === 'number',
    });
  }

  /** Runs in each process separately: a single settler would save requests, but correctness does not depend on it. */
  async #settling(settler: Settling): Promise<void> {
    for (;;) {
      await pause(BETWEEN_SETTLINGS);
      await settler.run(new AbortController().signal).catch(() => undefined);
    }
  }

  #directory({ seal, account }: Surroundings, clock: Clock): AccountDirectory {
    const byKeyIndex = async ([index]: readonly string[]): Promise<KeyedAccount | undefined> =>
      account(index ?? '');
    return new AccountDirectory({
      repository: { byKeyIndex, byId: async () => undefined, wasErased: async () => false },
      ...{ seal, clock, lifetime: 0, changes: { state: () => undefined }, keyMissing: () => undefined },
    });
  }

  #survives(): boolean {
    const { random, weather } = this.#parts;
    if (!this.isDead && random() < weather().death) this.die();
    return !this.isDead;
  }

  #remote<Port extends object>(port: Port): Port {
    const overrides = new Map<string | symbol, unknown>();
    return new Proxy(port, {
      get: (target, name) => {
        const kept = overrides.get(name);
        if (kept !== undefined) return kept;
        const method = Reflect.get(target, name) as (...given: readonly unknown[]) => Promise<unknown>;
        if (typeof method !== 'function') return method;
        const grows = !READS.test(String(name));
        const remote = (...given: readonly unknown[]): Promise<unknown> =>
          this.#io(() => method.apply(target, [...given]), grows);
        overrides.set(name, remote);
        return remote;
      },
    });
  }

  /** Once on its way it is carried out, whether or not the sender survives. `grows`: a full disk refuses it. */
  #io<T>(work: () => Promise<T>, grows: boolean): Promise<T> {
    const { time } = this.#parts;
    return new Promise((resolve, reject) => {
      if (!this.#survives()) return;
      const arrive = async (): Promise<void> => {
        try {
          const result = await this.#reach(work, grows);
          this.later(this.#trip(), () => {
            resolve(result);
          });
        } catch (error) {
          this.later(this.#trip(), () => {
            reject(error instanceof Error ? error : away());
          });
        }
      };
      time.after(this.#trip(), () => void arrive(), undefined);
    });
  }

  async #reach<T>(work: () => Promise<T>, grows: boolean): Promise<T> {
    const { time, random, weather, awayUntil, fullUntil } = this.#parts;
    if (time.now() < awayUntil() || random() < weather().failing) throw away();
    if (grows && time.now() < fullUntil())
      throw new StoreFault('unavailable', 'the disk is full', undefined, 'full');
    const result = await time.outside(work);
    if (random() < weather().cut) throw away();
    return result;
  }

  #trip(): number {
    return TRIP.least + this.#parts.random() * TRIP.more;
  }
}

/** In the resolution of the system's clock. */
const wholeMillis = (time: Clock): Clock => ({ now: () => Math.floor(time.now()) });

const away = (): StoreFault => new StoreFault('unavailable', 'the connection to the database was lost');
