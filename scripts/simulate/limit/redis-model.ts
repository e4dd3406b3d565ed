/**
 * The Lua scripts of the shared permits, simulated in memory for the rate limit: the same answers as a Redis server's,
 * on virtual time, with `forget` to lose everything like a server without persistence. `test/` compares the model with
 * the scripts on a real server.
 */
import {
  block,
  enter,
  exchange,
  greet,
  type Script,
} from '../../../src/upstream/limiter/redis/redis-scripts.ts';

const WINDOW = 60_000;

interface Held {
  readonly held: number;
  readonly freeAt: readonly number[];
}

interface Request {
  readonly until: number;
  readonly since: readonly number[];
}

class KeyPermits {
  readonly held = new Map<string, Held>();
  readonly requests = new Map<string, Request>();
  blockedUntil = 0;
  last: number | undefined;
}

/** The scripts of the shared permits as a Redis server runs them; a test compares them with the real one. */
export class RedisModel {
  readonly #now: () => number;
  #run = 0;
  #epoch: string | undefined;
  #members = new Map<string, number>();
  #marks = new Set<string>();
  #heard = new Map<string, string>();
  #permits = new Map<string, KeyPermits>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Loses everything; after a restart it also counts as another server. */
  forget(restarted: boolean): void {
    if (restarted) this.#run += 1;
    this.#epoch = undefined;
    this.#members = new Map();
    this.#marks = new Set();
    this.#heard = new Map();
    this.#permits = new Map();
  }

  call(script: Script, keys: readonly string[], args: readonly (string | number)[]): unknown {
    if (script === greet) return this.#greet(args);
    if (script === enter) return this.#enter(args);
    if (script === exchange) return this.#exchange(keys.slice(2), args);
    if (script === block) return this.#block(keys[0] ?? '', Number(args[0]));
    throw new Error('no script of ours');
  }

  #greet(args: readonly (string | number)[]): unknown {
    const [me, mine, acknowledged, fresh, id, greeting, former = 0, ...names] = args;
    let epoch = this.#epoch;
    if (epoch?.startsWith(`${this.#run}.`) === false) epoch = undefined;
    if (epoch !== undefined && mine === epoch) {
      const last = this.#members.get(String(me));
      if (last === undefined || last < Number(acknowledged)) epoch = undefined;
    }
    if (epoch === undefined) {
      epoch = `${this.#run}.${fresh ?? ''}`;
      this.#epoch = epoch;
      this.#members = new Map();
      this.#marks = new Set();
      this.#heard = new Map();
    }
    for (const name of names.slice(0, Number(former))) this.#members.delete(String(name));
    const gone = new Set(names.slice(Number(former)).map(String));
    for (const name of gone) this.#heard.delete(name);
    for (const name of [...this.#members.keys()])
      if (gone.has(name.split('.')[0] ?? '')) this.#members.delete(name);
    if (mine === epoch) this.#heard.set(String(id), String(greeting));
    return [epoch, mine === epoch ? 1 : 0, ...[...this.#heard].flat()];
  }

  #enter([me, epoch, number]: readonly (string | number)[]): unknown {
    if (this.#epoch !== epoch) return 0;
    this.#members.set(String(me), Number(number));
    return 1;
  }

  #exchange(keys: readonly string[], args: readonly (string | number)[]): unknown {
    const [me = '', epoch, ...rest] = args;
    const [number = 0, acknowledged = 0, requestHolds = 0] = rest.slice(0, 4).map(Number);
    const claims = rest.slice(4);
    if (this.#epoch !== epoch) return [2];
    const name = String(me);
    const last = this.#members.get(name);
    const isLost = keys.some((key) => this.#marks.has(key) && !this.#permits.has(key));
    if (last === undefined || last < acknowledged || isLost) {
      this.#epoch = undefined;
      return [2];
    }
    if (number <= last) return [1];
    this.#members.set(name, number);
    const answers = keys.map((key, at) =>
      this.#grant(key, name, claims.slice(6 * at, 6 * at + 6), requestHolds),
    );
    return [0, ...answers];
  }

  #grant(
    key: string,
    name: string,
    claim: readonly (string | number)[],
    requestHolds: number,
  ): readonly number[] {
    const [held = 0, limit = 0, burst = 0, wanted = 0] = claim.slice(0, 4).map(Number);
    const [busyFor = [], waits = []] = claim.slice(4).map(numbersIn);
    const permits = this.#permits.get(key) ?? new KeyPermits();
    this.#permits.set(key, permits);
    const now = this.#now();
    const { used, foreign, ahead } = this.#others(permits, name, now);
    const turns = new Pace(held + used, limit, burst, now - (permits.last ?? now - WINDOW), [
      ...busyFor,
      ...new Array<number>(held - busyFor.length).fill(WINDOW),
      ...foreign,
    ]);
    const blocked = Math.max(0, permits.blockedUntil - now);
    if (blocked === 0) {
      for (const wait of waits) {
        if (turns.going <= 0) break;
        const older = ahead.filter((since) => since < now - wait).length;
        if (older + 1 > turns.going) break;
        turns.grant();
      }
      if (turns.granted === waits.length && ahead.length === 0) turns.grantAhead(wanted);
    }
    const { granted } = turns;
    if (granted > 0) permits.last = now;
    if (held + granted > 0)
      permits.held.set(name, { held: held + granted, freeAt: busyFor.map((millis) => now + millis) });
    else permits.held.delete(name);
    const request = waits.slice(granted).map((wait) => now - wait);
    if (request.length > 0) permits.requests.set(name, { until: now + requestHolds, since: request });
    else permits.requests.delete(name);
    if (used + held + granted > 0) this.#marks.add(key);
    else this.#marks.delete(key);
    return [granted, blocked, Math.max(0, limit - held - used - granted), turns.next, turns.ago, ...foreign];
  }

  #others(
    permits: KeyPermits,
    me: string,
    now: number,
  ): { readonly used: number; readonly foreign: number[]; readonly ahead: number[] } {
    let used = 0;
    const foreign: number[] = [];
    const ahead: number[] = [];
    for (const [name, { held, freeAt }] of [...permits.held]) {
      if (!this.#members.has(name)) permits.held.delete(name);
      else if (name !== me) {
        used += held;
        foreign.push(...freeAt.map((at) => Math.max(0, at - now)));
        for (let n = freeAt.length; n < held; n += 1) foreign.push(WINDOW);
      }
    }
    for (const [name, { until, since }] of [...permits.requests]) {
      if (!this.#members.has(name)) permits.requests.delete(name);
      else if (name !== me && until > now) ahead.push(...since);
    }
    return { used, foreign, ahead };
  }

  #block(key: string, millis: number): unknown {
    const permits = this.#permits.get(key) ?? new KeyPermits();
    this.#permits.set(key, permits);
    permits.blockedUntil = Math.max(permits.blockedUntil, this.#now() + millis);
    return 1;
  }
}

const numbersIn = (text: string | number): readonly number[] =>
  String(text).split(' ').filter(Boolean).map(Number);

/** The pace at which the script grants permits. */
class Pace {
  granted = 0;
  ago: number;
  readonly #used: number;
  readonly #limit: number;
  readonly #burst: number;
  readonly #releases: number[];
  #next: number | undefined;

  constructor(used: number, limit: number, burst: number, ago: number, releases: number[]) {
    this.#used = used;
    this.#limit = limit;
    this.#burst = burst;
    this.ago = Math.max(0, Math.min(WINDOW, ago));
    this.#releases = releases;
  }

  get #free(): number {
    return this.#limit - this.#used - this.granted;
  }

  get going(): number {
    const spare = this.#burst - this.#used - this.granted;
    return Math.min(Math.max(spare, this.next === 0 ? 1 : 0), this.#free);
  }

  grant(): void {
    this.#next = undefined;
    this.granted += 1;
    this.ago = 0;
    this.#releases.push(WINDOW);
  }

  /** Grants permits for requests to come. */
  grantAhead(wanted: number): void {
    const spare = Math.floor((this.#burst - this.#used - this.granted) / 2);
    for (let left = Math.min(wanted, spare, this.#free); left > 0; left -= 1) this.grant();
  }

  get next(): number {
    return (this.#next ??= this.#nextTurn());
  }

  #nextTurn(): number {
    const inUse = this.#used + this.granted;
    if (inUse < this.#burst && this.#free > 0) return 0;
    const releases = this.#releases.sort((a, b) => a - b);
    let turn = Math.max(0, this.#free);
    let step = 0;
    for (const millis of releases) {
      if (millis > WINDOW) break;
      turn += 1;
      step = Math.max(step, (millis + this.ago) / turn);
    }
    if (turn === 0) return releases[0] ?? WINDOW;
    const paced = Math.ceil(Math.max(step, (WINDOW + this.ago) / (turn + 1)) - this.ago);
    return Math.max(0, Math.min(paced, releases[inUse - this.#burst] ?? paced));
  }
}
