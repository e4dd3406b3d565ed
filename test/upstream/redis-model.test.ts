import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { RedisModel } from '../../scripts/simulate/limit/redis-model.ts';
import {
  block,
  enter,
  exchange,
  greet,
  type Script,
} from '../../src/upstream/limiter/redis/redis-scripts.ts';
import { fc } from '../support/random.ts';
import { hasRedis, RunningRedis } from '../support/redis.ts';

const suite = hasRedis ? describe : describe.skip;

const PLACES = 3;
const LIMIT = 12;
const KEY_LIVES = 86_400_000;
const BEGIN = 1_800_000_000_000;
const BOOK = ['{model}:epoch', '{model}:instances', '{model}:heard'] as const;

/** What one message says about a key. */
interface Claim {
  readonly key: number;
  readonly held: number;
  readonly busyFor: readonly number[];
  readonly waits: readonly number[];
  readonly burst: number;
  readonly ahead: number;
}

type Step =
  | { readonly kind: 'later'; readonly millis: number }
  | { readonly kind: 'forget' }
  | { readonly kind: 'greet'; readonly place: number; readonly gone: readonly number[] }
  | { readonly kind: 'enter'; readonly place: number }
  | { readonly kind: 'leave'; readonly place: number }
  | { readonly kind: 'block'; readonly key: number; readonly millis: number }
  | {
      readonly kind: 'exchange';
      readonly place: number;
      readonly claims: readonly Claim[];
      /** How many messages of its own overtook it. */
      readonly overtaken: number;
      /** Of what the server acknowledged it has forgotten something. */
      readonly isMissing: boolean;
    };

const place = fc.nat(PLACES - 1);
const claim = fc.record({
  key: fc.nat(1),
  held: fc.nat(LIMIT),
  busyFor: fc.array(fc.nat(70_000), { maxLength: LIMIT }),
  waits: fc.array(fc.integer({ min: -2_000, max: 5_000 }), { maxLength: 5 }),
  burst: fc.integer({ min: 1, max: LIMIT }),
  ahead: fc.nat(3),
});
const exchanges = fc.record({
  kind: fc.constant('exchange' as const),
  place,
  claims: fc.uniqueArray(claim, { minLength: 1, maxLength: 2, selector: ({ key }) => key }),
  overtaken: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 3 })),
  isMissing: fc.oneof({ weight: 20, arbitrary: fc.constant(false) }, fc.constant(true)),
});
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: exchanges },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('later' as const), millis: fc.nat(40_000) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('greet' as const),
      place,
      gone: fc.oneof(
        { weight: 4, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(place, { maxLength: 2 }) },
      ),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('enter' as const), place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), place }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('block' as const), key: fc.nat(1), millis: fc.nat(9_000) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const) }) },
);

/** The script with the time handed in, and a server whose identity is known: nothing else about it differs. */
function handed({ text }: Script): string {
  const timed = text.replaceAll("redis.call('TIME')", '{ math.floor(given / 1000), given % 1000 * 1000 }');
  return `local given = tonumber(table.remove(ARGV))\n${timed.replace(/local run = .*/, "local run = '0'")}`;
}

/** An instance, as far as the store can tell. */
interface Instance {
  readonly id: string;
  name: string;
  epoch: string;
  entries: number;
  number: number;
  acknowledged: number;
  greetings: number;
  former: string[];
}

/** The same steps at the model and at a real server. */
class Both {
  readonly told = { granted: 0, ahead: 0, late: 0, forgotten: 0, paused: 0 };
  readonly #client: Redis;
  readonly #model = new RedisModel(() => this.#now);
  readonly #instances: Instance[];
  #now = BEGIN;
  #lives = 0;
  /** The epoch that was answered last. */
  #epoch = '';

  constructor(client: Redis) {
    this.#client = client;
    this.#instances = Array.from({ length: PLACES }, (_, at) => ({
      id: `i${at}`,
      name: '',
      epoch: '',
      entries: 0,
      number: 0,
      acknowledged: 0,
      greetings: 0,
      former: [],
    }));
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'later') this.#now += step.millis;
    else if (step.kind === 'block')
      await this.#ask(block, [keyOf(step.key, this.#epoch)], [step.millis, KEY_LIVES]);
    else if (step.kind === 'forget') {
      this.#model.forget(false);
      await this.#client.flushall();
    } else await this.#by(step, this.#instance(step.place));
  }

  async #by(step: Exclude<Step, { kind: 'later' | 'forget' | 'block' }>, one: Instance): Promise<void> {
    if (step.kind === 'greet') await this.#greet(one, step.gone);
    else if (step.kind === 'enter') await this.#enter(one);
    else if (step.kind === 'exchange') await this.#exchange(one, step);
    else one.epoch = '';
  }

  async #greet(one: Instance, gone: readonly number[]): Promise<void> {
    this.#lives += 1;
    one.greetings += 1;
    const former = one.epoch === '' ? [] : one.former.splice(0);
    const names = [...former, ...gone.map((at) => this.#instance(at).id)];
    const args = [one.name, one.epoch, one.acknowledged, this.#lives, one.id, one.greetings];
    const answer = await this.#ask(greet, BOOK, [...args, former.length, ...names]);
    this.#epoch = String((answer as readonly unknown[])[0]);
  }

  async #enter(one: Instance): Promise<void> {
    if (one.name !== '') one.former.push(one.name);
    one.entries += 1;
    one.number += 1;
    one.name = `${one.id}.${one.entries}`;
    const answer = await this.#ask(enter, BOOK.slice(0, 2), [one.name, this.#epoch, one.number]);
    if (answer !== 1) return;
    one.epoch = this.#epoch;
    one.acknowledged = one.number;
  }

  async #exchange(one: Instance, step: Extract<Step, { kind: 'exchange' }>): Promise<void> {
    one.number += 1;
    const known = step.isMissing ? one.number + 1 : one.acknowledged;
    const head = [one.name, one.epoch, one.number - step.overtaken, known, 3_000, KEY_LIVES];
    const claimed = step.claims.flatMap(({ held, burst, ahead, busyFor, waits }) => {
      const times = busyFor.slice(0, held);
      return [held, LIMIT, burst, ahead, times.join(' '), waits.join(' ')];
    });
    const keys = [...BOOK.slice(0, 2), ...step.claims.map(({ key }) => keyOf(key, one.epoch))];
    const [code, ...grants] = (await this.#ask(exchange, keys, [...head, ...claimed])) as ExchangeAnswer;
    if (code === 0) one.acknowledged = Math.max(one.acknowledged, one.number - step.overtaken);
    if (code === 1) this.told.late += 1;
    if (code === 2) this.told.forgotten += 1;
    for (const [place, grant] of grants.entries()) this.#count(grant, step.claims[place]?.waits.length ?? 0);
  }

  #count([granted = 0, pause = 0]: readonly number[], waiting: number): void {
    this.told.granted += granted;
    if (granted > waiting) this.told.ahead += 1;
    if (pause > 0) this.told.paused += 1;
  }

  async #ask(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const real = await this.#client.eval(handed(script), keys.length, ...keys, ...args, this.#now);
    const played = this.#model.call(script, keys, args);
    const which = names.get(script) ?? '';
    expect([which, args, inOrder(script, played)]).toEqual([which, args, inOrder(script, real)]);
    return real;
  }

  #instance(at: number): Instance {
    const one = this.#instances[at];
    if (one === undefined) throw new Error(`no instance ${at}`);
    return one;
  }
}

type ExchangeAnswer = readonly [number, ...(readonly number[])[]];

const names = new Map(
  [greet, enter, exchange, block].map((one, at) => [one, ['greet', 'enter', 'exchange', 'block'][at]]),
);

const keyOf = (key: number, epoch: string): string => `{model}:key-${key}:${epoch}`;

/** What a hash of Redis tells comes in no order. */
function inOrder(script: Script, answer: unknown): unknown {
  if (script === exchange) {
    const [code, ...grants] = answer as ExchangeAnswer;
    return [code, ...grants.map((grant) => [...grant.slice(0, 5), ...grant.slice(5).sort((a, b) => a - b)])];
  }
  if (script !== greet) return answer;
  const [epoch, isMine, ...heard] = answer as readonly (string | number)[];
  const pairs = heard.flatMap((word, at) => (at % 2 === 0 ? [`${word} ${heard[at + 1] ?? ''}`] : []));
  return [epoch, isMine, ...pairs.sort()];
}

suite('the model of the shared permits in Redis', () => {
  let redis: RunningRedis;
  let client: Redis;

  beforeAll(async () => {
    redis = await RunningRedis.start();
    client = new Redis(redis.url);
  });

  afterAll(async () => {
    client.disconnect();
    await redis.stop();
  });

  it('runs every script as a real server does', async () => {
    const seen = { granted: 0, ahead: 0, late: 0, forgotten: 0, paused: 0 };
    const sequences = fc.array(steps, { minLength: 40, maxLength: 120 });
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        await client.flushall();
        const both = new Both(client);
        for (const step of [...opening, ...sequence]) await both.take(step);
        for (const what of ['granted', 'ahead', 'late', 'forgotten', 'paused'] as const)
          seen[what] += both.told[what];
      }),
      { numRuns: 150 },
    );
    // Otherwise the steps went past what they are for.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
  });
});

/** Everybody has entered to begin with. */
const opening: readonly Step[] = [
  { kind: 'greet', place: 0, gone: [] },
  ...Array.from({ length: PLACES }, (_, at): Step => ({ kind: 'enter', place: at })),
];
