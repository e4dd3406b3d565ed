/**
 * One episode: bridges on one database, composed as in the wiring, in front of the service's own methods; accounts on
 * each of the three routes; programs that add, change and delete, and repeat unanswered calls; people who make similar
 * records by hand. Answers are lost, processes die and freeze, and the database goes away.
 *
 * All time, chance and network are virtual. After the last write come a calm period and the latest possible handling;
 * then everything is judged.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadProfile } from '../../../src/app/settings/profiles.ts';
import type { Account } from '../../../src/features/accounts/account.ts';
import type { KeyedAccount } from '../../../src/features/accounts/model.ts';
import type { Write, WriteRepository } from '../../../src/features/writes/model.ts';
import { MINUTE, SECOND } from '../../../src/lib/time/clock.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { loadMapping } from '../../../src/mapping/compile/compile.ts';
import type { Crosswalk } from '../../../src/mapping/crosswalk/identifier.ts';
import { EVERY_ACCOUNT, type RouteRepository } from '../../../src/mapping/routes/routes.ts';
import { KeyRing } from '../../../src/tokens/sealing/keyring.ts';
import { profileSchema, type Profile } from '../../../src/upstream/profile.ts';
import { randomSource } from '../../chaos/random.ts';
import { fixRandomSource } from '../fixed-source.ts';
import { VirtualTime } from '../virtual-time.ts';
import { Callers } from './callers.ts';
import { controlled, settlerFor } from './controls.ts';
import { openDatabase, type Database } from './database.ts';
import { Intentions } from './intentions.ts';
import { kindOf, type PlayedAccount } from './intent.ts';
import { judged, type Verdict } from './judge.ts';
import { Network } from './network.ts';
import { calm, routes, type Episode, type Weather } from './options.ts';
import { API_KEY, Process, type Surroundings } from './process.ts';
import { remembered } from './remembered.ts';
import { PlayedService, type Seeded } from './service.ts';

/** The result of an episode. */
export interface Outcome extends Verdict {
  readonly episode: Episode;
  readonly requests: number;
  readonly writes: number;
  readonly kills: number;
  readonly faulty: number;
  readonly late: number;
}

const START = Date.UTC(2026, 5, 1, 9);
/** For the whole world; several writes are in progress at once. */
const BETWEEN_WRITES = 1.5 * SECOND;
const BACK = { least: SECOND, more: 10 * SECOND };
/** On PostgreSQL; a database file has one process at a time. */
const PROCESSES = 3;

const ring = KeyRing.parse(new Secret(`k1:${Buffer.alloc(32, 7).toString('base64')}`));
const mapping = loadMapping(join(import.meta.dirname, '..', '..', '..', 'mappings'));

/** Runs one episode and judges it. */
export async function play(episode: Episode): Promise<Outcome> {
  const database = await openDatabase(episode.store);
  const random = randomSource(episode.seed);
  const time = new VirtualTime(START);
  const restores = [time.install(random), fixRandomSource(randomSource(~episode.seed))];
  const service = await PlayedService.open(time);
  try {
    return await new World(episode, { database, random, time, service }).play();
  } finally {
    for (const restore of restores) restore();
    await service.close();
    await database.close();
  }
}

interface WorldParts {
  readonly database: Database;
  readonly random: () => number;
  readonly time: VirtualTime;
  readonly service: PlayedService;
}

class World {
  readonly #episode: Episode;
  readonly #parts: WorldParts;
  readonly #profile = specification();
  readonly #network: Network;
  readonly #callers: Callers;
  readonly #accounts: PlayedAccount[] = [];
  readonly #keyed = new Map<string, KeyedAccount>();
  readonly #owners = new Map<string, readonly [Account, string]>();
  readonly #processes: Process[] = [];
  readonly #intentions: Intentions;
  readonly #rows: WriteRepository;
  #weather: Weather;
  #awayUntil = 0;
  #fullUntil = 0;
  #lives = 0;
  #kills = 0;

  constructor(episode: Episode, parts: WorldParts) {
    this.#episode = episode;
    this.#parts = parts;
    this.#weather = episode.weather;
    this.#rows = remembered(parts.database.store.writes);
    const { time, random, service } = parts;
    this.#network = new Network({
      ...{ time, random, service },
      weather: () => this.#weather,
      upstreamTimeout: this.#profile.durations.upstreamTimeout * SECOND,
      latestHandling: this.#latestHandling,
    });
    this.#callers = new Callers({
      ...{ time, random },
      process: () => this.#anyone(),
      onEnd: (intent) => {
        this.#intentions.ended(intent);
      },
    });
    this.#intentions = new Intentions({
      ...{ time, random, service, accounts: this.#accounts },
      call: (intent) => {
        this.#callers.call(intent);
      },
    });
  }

  async play(): Promise<Outcome> {
    const { time } = this.#parts;
    for (let place = 0; place < this.#episode.accounts; place += 1) await this.#account(place);
    const places = this.#episode.store === 'postgres' ? PROCESSES : 1;
    for (let place = 0; place < places; place += 1) this.#rise(place);
    this.#disturb();
    this.#every(BETWEEN_WRITES, () => {
      if (this.#intentions.all.length < this.#episode.writes) this.#intentions.next();
    });
    await time.run(() => this.#intentions.all.length >= this.#episode.writes && this.#intentions.areOver);
    await this.#calmDown();
    const [complaint] = this.#parts.service.complaints;
    if (complaint !== undefined) throw new Error('the played service failed', { cause: complaint });
    const { requests, faulty, late } = this.#network.counts;
    const verdict = await this.#verdict();
    for (const process of this.#processes) process.isDead = true;
    this.#network.close();
    const writes = this.#intentions.all.length;
    return { ...verdict, episode: this.#episode, requests, writes, kills: this.#kills, faulty, late };
  }

  get #latestHandling(): number {
    return this.#profile.durations.latestHandling * SECOND;
  }

  async #account(place: number): Promise<void> {
    const { database, time, service } = this.#parts;
    const { accounts, crosswalk } = database.store;
    const route = routes[place % routes.length] ?? 'v3';
    const [accountKey, organisation, id] = [`key-${place}`, randomUUID(), randomUUID()];
    // V1 names organisations by the account key.
    const seeded = await service.seed(route === 'v1' ? accountKey : organisation);
    const [accountKeyIndex = ''] = ring.index(new Secret(accountKey), 'account-key');
    const [apiKeyIndex] = ring.index(new Secret(API_KEY), 'api-key');
    const account = await accounts.add({
      ...{ id, name: `Account ${place}`, product: 'standard', application: 'default', origin: 'added' },
      ...{ accountKeyIndex, accountKeySealed: 'sealed', now: time.now(), actor: 'operator' },
    });
    if (route !== 'v1') await learn(crosswalk, id, seeded);
    const binding = { grantId: 'grant', organisation: { id: organisation, name: organisation } };
    const life = route === 'v1' ? account.life : ({ stage: 'migrated', binding } as const);
    this.#keyed.set(accountKeyIndex, { account: { ...account, life }, apiKeyIndex, pinned: [] });
    this.#owners.set(id, [{ ...account, life }, accountKey]);
    this.#accounts.push({
      ...{ id, accountKey, route, seeded },
      organisation: route === 'v1' ? accountKey : organisation,
    });
  }

  #rise(place: number): void {
    this.#lives += 1;
    const name = `process ${place + 1}, life ${this.#lives}`;
    this.#processes[place] = new Process(name, this.#surroundings());
  }

  #surroundings(): Surroundings {
    const { time, random, database } = this.#parts;
    const { without, store } = this.#episode;
    return {
      ...{ time, random, mapping, profile: this.#profile, seal: ring, network: this.#network },
      weather: () => this.#weather,
      writes: controlled(this.#rows, without),
      crosswalk: database.store.crosswalk,
      routes: this.#routes(),
      account: (index) => this.#keyed.get(index),
      accountOf: (id) => this.#owners.get(id),
      awayUntil: () => this.#awayUntil,
      fullUntil: () => this.#fullUntil,
      alone: store === 'sqlite',
      isWrittenDown: without !== 'ledger',
      settler: (parts) => settlerFor(without, parts),
      onDeath: (process) => {
        this.#died(process);
      },
    };
  }

  /** Routes to V2 are set for each method. */
  #routes(): RouteRepository {
    const chosen = this.#accounts.flatMap(({ id, route }) =>
      route === 'v1' ? [] : mapping.methods.map((method) => ({ method: method.id, account: id, route })),
    );
    const overrides = chosen.map((one) => ({ ...one, at: START, actor: EVERY_ACCOUNT }));
    return { version: async () => 1, list: async () => overrides, set: async () => undefined };
  }

  #anyone(): Process | undefined {
    const living = this.#processes.filter(({ isDead }) => !isDead);
    return living[Math.floor(this.#parts.random() * living.length)];
  }

  #died(process: Process): void {
    const place = this.#processes.indexOf(process);
    if (place < 0) return;
    this.#kills += 1;
    this.#callers.died(process);
    this.#parts.time.after(
      BACK.least + this.#parts.random() * BACK.more,
      () => {
        this.#rise(place);
      },
      undefined,
    );
  }

  #disturb(): void {
    const { random, time } = this.#parts;
    const { betweenKills, betweenFreezes, betweenOutages, freeze, outage } = this.#weather;
    const harm = (mean: number, run: () => void): void => {
      this.#every(mean, () => {
        if (this.#weather !== calm) run();
      });
    };
    harm(betweenKills, () => this.#anyone()?.die());
    harm(betweenFreezes, () => this.#anyone()?.freeze(this.#exponential(freeze)));
    harm(betweenOutages, () => {
      const until = time.now() + random() * outage;
      if (random() < 0.5) this.#awayUntil = until;
      else this.#fullUntil = until;
    });
  }

  /** Runs repeatedly, at a mean interval of `mean`. */
  #every(mean: number, run: () => void): void {
    this.#parts.time.after(
      this.#exponential(mean),
      () => {
        run();
        this.#every(mean, run);
      },
      undefined,
    );
  }

  #exponential(mean: number): number {
    return -Math.log(1 - this.#parts.random()) * mean;
  }

  /** Ends the faults: late requests are handled, and decidable outcomes settled. */
  async #calmDown(): Promise<void> {
    const { time } = this.#parts;
    this.#weather = calm;
    this.#awayUntil = 0;
    this.#fullUntil = 0;
    const end = time.now() + this.#latestHandling + 6 * MINUTE;
    await time.run(() => time.now() >= end);
  }

  async #verdict(): Promise<Verdict> {
    const { service, database } = this.#parts;
    const { all } = this.#intentions;
    const uuids = await this.#uuids();
    return judged({
      intents: all,
      effects: service.effects,
      rows: await allRows(database),
      resembled: this.#intentions.resembled,
      recordOf: (intent, number) => uuids.get(`${intent.account.id} ${kindOf(intent)} ${number}`),
      latestHandling: this.#latestHandling,
    });
  }

  /** By account, kind and number as known to callers. */
  async #uuids(): Promise<ReadonlyMap<string, string>> {
    const { service, database } = this.#parts;
    const uuids = new Map<string, string>();
    for (const { id, route } of this.#accounts) {
      if (route === 'v1') continue;
      for await (const { kind, number, uuid } of database.store.crosswalk.export(id))
        uuids.set(`${id} ${kind} ${number}`, uuid);
    }
    const byOrganisation = new Map(this.#accounts.map((account) => [account.organisation, account]));
    for (const { organisation, made } of [...service.effects.values()].flat()) {
      const account = byOrganisation.get(organisation);
      if (account?.route === 'v1' && made) uuids.set(`${account.id} ${made.kind} ${made.number}`, made.uuid);
    }
    return uuids;
  }
}

/** Learns the identifiers, as before a move. */
async function learn(crosswalk: Crosswalk, account: string, { task, staff }: Seeded): Promise<void> {
  await crosswalk.learn(account, [
    { kind: 'jobTask', ...task },
    { kind: 'staff', ...staff },
  ]);
  await crosswalk.markComplete(account, [...mapping.kinds.keys()]);
}

const PAGE = 1_000;

async function allRows({ store }: Database): Promise<readonly Write[]> {
  const rows: Write[] = [];
  for (;;) {
    const page = await store.writes.list({ limit: PAGE, before: rows.at(-1)?.id });
    rows.push(...page);
    if (page.length < PAGE) return rows;
  }
}

/** The built-in profile, whose durations are those of the specification. */
function specification(): Profile {
  const spec = loadProfile('spec', (path) => readFileSync(path, 'utf8'));
  if (!('durations' in spec)) throw new Error(spec.join(', '));
  return profileSchema.parse(spec);
}
