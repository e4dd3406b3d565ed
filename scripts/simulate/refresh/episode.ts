/**
 * One episode of the refresh simulation: instances of the real refresh code on one shared store, with accounts that
 * call often and rarely, while answers are lost or late, machines die or freeze, and the database goes away.
 *
 * All time, chance and network are virtual, so an episode is determined by its seed and can be repeated. After the
 * faults comes a calm period long enough for every grant to be refreshed once more; then every account must get an
 * access token within five minutes, unless the server revoked its family for reasons of its own. `Judge` judges the
 * losses, with the history of the family.
 */
import { readFileSync } from 'node:fs';
import { MINUTE, SECOND } from '../../../src/lib/time/clock.ts';
import type { Log, LogFields } from '../../../src/lib/log/log.ts';
import { sealPair } from '../../../src/tokens/grant-row.ts';
import { profileSchema, type Profile } from '../../../src/upstream/profile.ts';
import type { Seal } from '../../../src/lib/secret/seal.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { loadProfile } from '../../../src/app/settings/profiles.ts';
import { confirmAtOf, type ConfirmationRules } from '../../../src/tokens/refresh/timing.ts';
import { KeyRing, newKeyLine } from '../../../src/tokens/sealing/keyring.ts';
import { randomSource } from '../../chaos/random.ts';
import { VirtualTime } from '../virtual-time.ts';
import { AuthorisationServer } from './authorisation-server.ts';
import { Disk, Instance, type Surroundings } from './instance.ts';
import { Judge, type Loss, type Violation } from './judge.ts';
import { Network } from './network.ts';
import { calm, type Episode, type Weather } from './options.ts';
import { openShared, type Shared } from './store.ts';

/** The result of an episode; losses and violations are empty if the protocol kept its promises. */
export interface Outcome {
  readonly episode: Episode;
  readonly calls: number;
  readonly struck: number;
  readonly late: number;
  readonly kills: number;
  readonly freezes: number;
  readonly restarts: number;
  /** Simulated hours. */
  readonly hours: number;
  readonly losses: readonly Loss[];
  readonly violations: readonly Violation[];
}

const START = Date.UTC(2026, 5, 1);
/** The mean time between two calls of a busy account, and of a quiet one. */
const BUSY = 4 * MINUTE;
const QUIET = 95 * MINUTE;
const BETWEEN_LOOKS = 10 * MINUTE;
/**
 * After the faults: as long as an access token and the longest delay, so that every grant has to be refreshed once
 * more.
 */
const CALM = 45 * MINUTE;
/** After that, every grant must have a token within this time. */
const JUDGED = 5 * MINUTE;
/** A dead machine is back after `least`, plus at most `more`. */
const BACK = { least: 2 * SECOND, more: 20 * SECOND };

/** The built-in profile, whose durations are those of the specification. */
function specification(): Profile {
  const spec = loadProfile('spec', (path) => readFileSync(path, 'utf8'));
  if (!('durations' in spec)) throw new Error(spec.join(', '));
  return profileSchema.parse(spec);
}

/** As fast as possible, for runs that do not test the sealing. */
const plainSeal: Seal = {
  seal: (value, owner) => `${owner}|${value.reveal()}`,
  open: (sealed, owner) => {
    const [sealedFor = '', value = ''] = sealed.split('|');
    if (sealedFor !== owner) throw new Error(`sealed for ${sealedFor}, opened for ${owner}`);
    return new Secret(value);
  },
  index: (value) => [`index of ${value.reveal()}`],
};

/** Runs one episode, first with faults and then with a calm period in which every account has to recover. */
export async function play(episode: Episode, rules?: ConfirmationRules): Promise<Outcome> {
  const random = randomSource(episode.seed);
  const time = new VirtualTime(START);
  const restore = time.install(random);
  try {
    const shared = await openShared(episode.store, time, episode.without);
    const outcome = await new World(episode, { random, time, shared, rules }).play();
    await shared.close();
    return outcome;
  } finally {
    restore();
  }
}

interface WorldParts {
  readonly random: () => number;
  readonly time: VirtualTime;
  readonly shared: Shared;
  readonly rules: ConfirmationRules | undefined;
}

class World {
  readonly #episode: Episode;
  readonly #parts: WorldParts;
  readonly #profile = specification();
  readonly #server: AuthorisationServer;
  readonly #judge: Judge;
  readonly #network: Network;
  readonly #seal: Seal;
  readonly #surroundings: Surroundings;
  readonly #instances: Instance[] = [];
  readonly #disks: readonly Disk[];
  readonly #grants: string[] = [];
  #weather: Weather;
  #databaseAwayUntil = 0;
  #lives = 0;
  #consents = 0;
  #kills = 0;
  #freezes = 0;
  #restarts = 0;

  constructor(episode: Episode, parts: WorldParts) {
    this.#episode = episode;
    this.#parts = parts;
    this.#weather = episode.weather;
    const { time, random, shared, rules } = parts;
    this.#seal = episode.store === 'sqlite' ? KeyRing.parse(new Secret(newKeyLine('k1'))) : plainSeal;
    this.#server = new AuthorisationServer(time, episode.model, this.#profile);
    this.#judge = new Judge(time, this.#server, this.#seal);
    this.#network = new Network({
      time,
      random,
      server: this.#server,
      judge: this.#judge,
      weather: () => this.#weather,
      wholeTimeout: this.#profile.durations.refreshTimeout * SECOND,
    });
    this.#disks = Array.from({ length: episode.instances }, () => new Disk());
    const { without } = episode;
    this.#surroundings = {
      time,
      random,
      profile: this.#profile,
      seal: this.#seal,
      log: this.#log(),
      weather: () => this.#weather,
      databaseAwayUntil: () => this.#databaseAwayUntil,
      grants: this.#judge.watched(shared.grants),
      deployment: shared.deployment,
      authorityFor: (instance) => this.#network.authorityFor(instance),
      onDeath: (instance) => {
        this.#died(instance);
      },
      without,
      confirmation:
        without === 'confirm'
          ? () => undefined
          : rules && ((presented, now, profile) => confirmAtOf(presented, now, profile, rules)),
    };
  }

  async play(): Promise<Outcome> {
    const { time } = this.#parts;
    for (let place = 0; place < this.#episode.grants; place += 1) {
      this.#grants.push(await this.#consent());
      this.#calling(place);
    }
    for (let place = 0; place < this.#episode.instances; place += 1) this.#rise(place);
    this.#disturb();
    this.#look();
    await time.run(() => this.#judge.calls >= this.#episode.calls);
    const hours = time.elapsed() / (60 * MINUTE);
    await this.#calmDown();
    for (const instance of this.#instances) instance.die();
    const { struck, late } = this.#network.counts;
    const [kills, freezes, restarts] = [this.#kills, this.#freezes, this.#restarts];
    const { calls, losses, violations } = this.#judge;
    return {
      episode: this.#episode,
      calls,
      struck,
      late,
      kills,
      freezes,
      restarts,
      hours,
      losses,
      violations,
    };
  }

  async #consent(): Promise<string> {
    const { time, random, shared } = this.#parts;
    const { family, refreshToken, accessToken } = this.#server.consent();
    this.#consents += 1;
    const id = `g${this.#consents}`;
    const { access } = this.#profile.durations;
    const accessExpiresAt = time.now() + access * SECOND * random();
    const pair = { generation: 1, accessToken, accessExpiresAt, refreshToken };
    const tokens = sealPair(this.#seal, id, pair);
    const consenter = { userId: 'u', name: undefined, email: undefined };
    this.#judge.consented(id, family, tokens);
    await shared.grants.create({ id, consenter, scope: 'service', tokens, now: time.now() });
    return id;
  }

  /** The programs of one account, for the whole simulation. */
  #calling(place: number): void {
    const mean = place < this.#episode.grants * this.#episode.quiet ? QUIET : BUSY;
    this.#every(mean, () => {
      const grant = this.#grants[place];
      const instance = this.#instances[Math.floor(this.#parts.random() * this.#instances.length)];
      if (grant === undefined || instance === undefined || instance.isDead) return;
      this.#ask(instance, grant, () => undefined);
    });
  }

  #ask(instance: Instance, grant: string, onAnswer: (isGiven: boolean) => void): void {
    this.#parts.time.as(instance, () => {
      instance.vault.accessToken(grant).then(
        (token) => {
          this.#judge.handedOut(grant, token);
          onAnswer(true);
        },
        () => {
          onAnswer(false);
        },
      );
    });
  }

  #rise(place: number): void {
    const disk = this.#disks[place];
    if (disk === undefined) return;
    this.#lives += 1;
    const name = `instance ${place + 1}, life ${this.#lives}`;
    const instance = new Instance(name, disk, this.#surroundings);
    this.#instances[place] = instance;
  }

  #died(instance: Instance): void {
    const place = this.#instances.indexOf(instance);
    if (place < 0) return;
    this.#kills += 1;
    const back = BACK.least + this.#parts.random() * BACK.more;
    this.#parts.time.after(
      back,
      () => {
        this.#rise(place);
      },
      undefined,
    );
  }

  #disturb(): void {
    const { random, time } = this.#parts;
    const { betweenKills, betweenFreezes, betweenRestarts, betweenPartitions } = this.#weather;
    const anyone = (): Instance | undefined => this.#instances[Math.floor(random() * this.#instances.length)];
    const disturb = (mean: number, harm: () => void): void => {
      this.#every(mean, () => {
        if (this.#weather !== calm) harm();
      });
    };
    disturb(betweenKills, () => anyone()?.die());
    disturb(betweenFreezes, () => {
      const instance = anyone();
      if (instance === undefined) return;
      this.#freezes += 1;
      instance.frozenUntil = time.now() + this.#exponential(this.#weather.freeze);
    });
    disturb(betweenRestarts, () => {
      this.#restarts += 1;
      this.#databaseAwayUntil = time.now() + random() * this.#weather.restart;
    });
    disturb(betweenPartitions, () => {
      const instance = anyone();
      if (instance !== undefined) instance.partedUntil = time.now() + random() * this.#weather.restart;
    });
  }

  /** Runs repeatedly, at a mean interval of `mean`. */
  #every(mean: number, run: () => void): void {
    if (!Number.isFinite(mean)) return;
    const { time } = this.#parts;
    time.after(
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

  /** Counts lost grants, and has their customers consent again. */
  #look(): void {
    const { time } = this.#parts;
    time.after(
      BETWEEN_LOOKS,
      () => {
        void time.outside(() => this.#count());
        this.#look();
      },
      undefined,
    );
  }

  async #count(): Promise<void> {
    const { shared } = this.#parts;
    for (const family of this.#server.revocations.splice(0))
      await this.#lost(this.#judge.grantOf(family) ?? '', family.revoked?.why ?? 'revoked');
    for (const grant of await shared.grants.list())
      if (grant.state === 'lost') await this.#lost(grant.id, `the grant was given up: ${grant.reason}`);
  }

  async #lost(grant: string, why: string): Promise<void> {
    const place = this.#grants.indexOf(grant);
    if (place < 0) return;
    this.#judge.lose(grant, why);
    await this.#parts.shared.grants.forget(grant);
    this.#grants[place] = await this.#consent();
  }

  /** Ends the faults and brings every instance back; a grant without an access token is then lost. */
  async #calmDown(): Promise<void> {
    const { time } = this.#parts;
    this.#weather = calm;
    this.#databaseAwayUntil = 0;
    for (const instance of this.#instances) {
      instance.frozenUntil = 0;
      instance.partedUntil = 0;
    }
    const judged = time.now() + CALM;
    await time.run(() => time.now() >= judged);
    const waiting = new Set(this.#grants);
    for (const grant of this.#grants) this.#demand(grant, waiting);
    const end = time.now() + JUDGED;
    await time.run(() => time.now() >= end || waiting.size === 0);
    await this.#count();
    for (const grant of waiting)
      if (this.#judge.familyOf(grant) !== undefined) this.#judge.lose(grant, 'no token within five minutes');
  }

  #demand(grant: string, waiting: Set<string>): void {
    const { time } = this.#parts;
    const instance = this.#instances.find(({ isDead }) => !isDead);
    const again = (): void => {
      time.after(
        10 * SECOND,
        () => {
          this.#demand(grant, waiting);
        },
        undefined,
      );
    };
    if (instance === undefined) {
      again();
      return;
    }
    this.#ask(instance, grant, (isGiven) => {
      if (isGiven) waiting.delete(grant);
      else again();
    });
  }

  #log(): Log {
    const note = (event: string, fields: LogFields = {}): void => {
      if (typeof fields.grant !== 'string' || event === 'refresh.unanswered') return;
      const more = [fields.next, fields.level, fields.kept].filter((word) => word !== undefined);
      this.#judge.note(fields.grant, `log: ${event} ${more.map(String).join(' ')}`.trimEnd());
    };
    return { info: () => undefined, warn: note, error: note };
  }
}
