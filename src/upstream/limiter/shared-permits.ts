/**
 * One instance's side of the permits in Redis: builds the calls of the scripts (redis-scripts.ts) and reads
 * their answers.
 *
 * Every message has a number, and may be about many keys. An answer that arrives too late, or belongs to an ended epoch,
 * is ignored; asking again is enough. An answer that no script gives is a `RedisFault`, because one wrong number would
 * break the counting.
 */
import type { PermitClaim, PermitGrant } from './permit-pool.ts';
import { MINUTE, SECOND } from '../../lib/time/clock.ts';
import type { Greeted } from './contacts.ts';
import { RedisFault, type RedisLine } from './redis/redis-connection.ts';
import { block, enter, exchange, greet } from './redis/redis-scripts.ts';

/**
 * How long a request for permits is valid, in milliseconds, unless repeated; waiting requests are repeated
 * every second.
 */
const WAITING_HOLDS = 3 * SECOND;
/**
 * Longer than any instance holds a permit without reporting it again, and than the permits of a dead one
 * count.
 */
const KEY_LIVES = 10 * MINUTE;
/** Keys of one message: the server does nothing else while a script runs. */
export const MOST_CLAIMS = 50;
/** Positions in the queue that are reported; those further back have others before them anyway. */
const MOST_WAITING = 30;
/** Permits taken ahead, since a request is often followed by others, as a share of its limit, and at most. */
const AHEAD = 1 / 12;
const MOST_AHEAD = 10;
const GRANTED = 0;
const LATE = 1;
const ENDED = 2;

/** Why sharing ended: the epoch has changed. */
export const FORGOTTEN = 'Redis has forgotten what it held';

/** Dependencies of `SharedPermits`. */
export interface SharedPermitsParts {
  readonly line: RedisLine;
  /** Prefix of every key: other deployments may use the same server. */
  readonly prefix: string;
  /** Name of the instance. */
  readonly id: string;
  /** How long a key lives at least after its last use, in milliseconds. */
  readonly keyLives: number;
}

const isCount = (one: unknown): one is number => Number.isSafeInteger(one) && Number(one) >= 0;

/** Throws `RedisFault` for what the script never answers: one invalid number would break the counting. */
function answerIn(answer: unknown, requested: readonly number[]): readonly [number, ...PermitGrant[]] {
  if (Array.isArray(answer)) {
    const [code, ...lists] = answer as readonly unknown[];
    if (code === LATE || code === ENDED) return [code];
    const grants = lists.map((list, at) => grantIn(list, requested[at] ?? 0));
    if (code === GRANTED && lists.length === requested.length && !grants.includes(undefined))
      return [GRANTED, ...(grants as PermitGrant[])];
  }
  throw new RedisFault('it answers what no script of ours does');
}

function grantIn(list: unknown, requested: number): PermitGrant | undefined {
  if (!Array.isArray(list) || list.length < 5 || !list.every(isCount)) return undefined;
  const [granted = 0, blockedFor = 0, idle = 0, next = 0, ago = 0, ...foreign] = list;
  return granted <= requested ? { granted, blockedFor, idle, next, ago, foreign } : undefined;
}

/** Permits wanted besides those that its requests wait for. */
const aheadOf = ({ isBusy, waiting, limit, unused }: PermitClaim): number =>
  isBusy || waiting.length > 0 ? Math.max(0, Math.min(Math.ceil(limit * AHEAD), MOST_AHEAD) - unused) : 0;

/** As the script reads it: a list is one text, because each argument of a command has a price. */
function argumentsOf(claim: PermitClaim): readonly (number | string)[] {
  const { held, limit, burst, busyFor } = claim;
  const waits = claim.waiting.slice(0, MOST_WAITING).map(Math.floor).join(' ');
  return [held, limit, burst, aheadOf(claim), busyFor.map(Math.ceil).join(' '), waits];
}

/** The permits in Redis, as one instance reads and writes them. Methods throw `RedisFault`. */
export class SharedPermits {
  readonly #parts: SharedPermitsParts;
  /**
   * The name of this entry: a new one each time, so that nothing forgotten meanwhile stays attached to it.
   */
  #member = '';
  #entries = 0;
  /** The store's epoch at the last greeting. */
  #epoch = '';
  #entered = '';
  #number = 0;
  #greetings = 0;
  #acknowledged = 0;
  /** Former names that the store may still have. */
  #formerNames: readonly string[] = [];

  constructor(parts: SharedPermitsParts) {
    this.#parts = parts;
  }

  /** The epoch that has this instance's permits; empty: none. */
  get entered(): string {
    return this.#entered;
  }

  /** What the store has under this name can no longer be relied on. */
  leave(): void {
    this.#entered = '';
  }

  /**
   * Shows that this instance is alive, and removes those that are `gone`. `isWhole`: everything this instance
   * wrote is still there; undefined if it is not in the store.
   */
  async greet(
    fresh: string,
    gone: readonly string[],
  ): Promise<Pick<Greeted, 'epoch' | 'heard'> & { readonly isWhole: boolean | undefined }> {
    const asked = this.#entered;
    const former = asked === '' ? [] : this.#formerNames;
    this.#greetings += 1;
    const answer = await this.#parts.line.run(
      greet,
      [...this.#keys(), this.#key('heard')],
      [
        this.#member,
        asked,
        this.#acknowledged,
        fresh,
        this.#parts.id,
        this.#greetings,
        former.length,
        ...former,
        ...gone,
      ],
    );
    const [epoch, mine, ...words] = answer as [string, number, ...string[]];
    this.#epoch = epoch;
    this.#formerNames = this.#formerNames.filter((name) => !former.includes(name));
    const heard = new Map<string, string>();
    for (let at = 0; at + 1 < words.length; at += 2) heard.set(String(words[at]), String(words[at + 1]));
    return { epoch, heard, isWhole: asked !== '' && asked === this.#entered ? mine === 1 : undefined };
  }

  /** Stores what this instance holds. */
  async enter(claims: readonly PermitClaim[]): Promise<void> {
    const epoch = this.#epoch;
    this.#number += 1;
    const number = this.#number;
    if (this.#member !== '') this.#formerNames = [...this.#formerNames, this.#member];
    this.#entries += 1;
    this.#member = `${this.#parts.id}.${this.#entries}`;
    const entered = await this.#parts.line.run(enter, this.#keys(), [this.#member, epoch, number]);
    if (entered !== 1) throw new RedisFault(FORGOTTEN);
    this.#acknowledged = number;
    this.#entered = epoch;
    for (let at = 0; at < claims.length; at += MOST_CLAIMS) {
      const written = await this.exchange(claims.slice(at, at + MOST_CLAIMS));
      if (written === undefined) throw new RedisFault('not everything could be written down');
    }
  }

  /**
   * A grant for each claim, at most `MOST_CLAIMS`. Undefined for a message that came too late: a younger one overtook
   * it, or it belongs to an ended epoch. Asking again is enough.
   */
  async exchange(claims: readonly PermitClaim[]): Promise<readonly PermitGrant[] | undefined> {
    const epoch = this.#entered;
    this.#number += 1;
    const number = this.#number;
    const keyLives = Math.max(KEY_LIVES, this.#parts.keyLives);
    const head = [this.#member, epoch, number, this.#acknowledged, WAITING_HOLDS, keyLives];
    const keys = [...this.#keys(), ...claims.map(({ key }) => this.#permitsOf(key))];
    try {
      const answer = await this.#parts.line.run(exchange, keys, [...head, ...claims.flatMap(argumentsOf)]);
      const requested = claims.map((claim) => claim.waiting.length + aheadOf(claim));
      const [code, ...grants] = answerIn(answer, requested);
      if (epoch !== this.#entered || code === LATE) return undefined;
      if (code !== GRANTED) throw new RedisFault(FORGOTTEN);
      this.#acknowledged = Math.max(this.#acknowledged, number);
      return grants;
    } catch (error) {
      if (epoch !== this.#entered) return undefined;
      throw error;
    }
  }

  async block(key: string, millis: number): Promise<void> {
    await this.#parts.line.run(block, [this.#permitsOf(key)], [Math.ceil(millis), KEY_LIVES]);
  }

  /** Braces: on a cluster they keep all keys of a deployment on one node, as a script needs. */
  #key(name: string): string {
    return `{${this.#parts.prefix}}:${name}`;
  }

  #keys(): readonly [string, string] {
    return [this.#key('epoch'), this.#key('instances')];
  }

  #permitsOf(key: string): string {
    return this.#key(`${key.replaceAll('\n', ':')}:${this.#entered}`);
  }
}
