import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { openEngine } from '../../src/app/migration.ts';
import { DeferredWrites } from '../../src/db/deferred-writes.ts';
import { StoreFault } from '../../src/lib/store-fault.ts';
import { StoredCrosswalk } from '../../src/mapping/crosswalk/crosswalk.ts';
import { FIRST_ALLOTTED, idKey, type Pair, type UuidId } from '../../src/mapping/crosswalk/identifier.ts';
import type { Store } from '../../src/app/store.ts';
import { describeOnBoth, either } from '../db/engines.ts';
import { sqlOf } from '../support/sql.ts';
import { turnsDuring } from '../support/turns.ts';

const LAST = 2_147_483_647;
/** Records of a long list: many queries for each way. */
const MANY = 20_000;
/** Numbers for which a list and a caller compete. */
const CONTESTED = 20;

const client = (number: number, uuid: string = randomUUID()): Pair => ({ kind: 'client', number, uuid });

const unknown = (kind = 'client'): UuidId => ({ kind, uuid: randomUUID() });

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** As `toEqual`, in a tenth of its time. */
const expectSame = (got: unknown, expected: unknown): void => {
  expect(isDeepStrictEqual(got, expected)).toBe(true);
};

describeOnBoth('the crosswalk', (bench) => {
  /** A new account whose client map is complete. */
  const moved = async (store: Store): Promise<string> => {
    const account = randomUUID();
    await store.crosswalk.markComplete(account, ['client']);
    return account;
  };

  it('looks up many pairs with a pause after each thousand, even from memory', async () => {
    const store = await bench.store();
    const account = await moved(store);
    const pairs = Array.from({ length: 10_001 }, (_, at) => client(1_000_000 + at));
    await store.crosswalk.learn(account, pairs);
    await store.crosswalk.uuids(account, pairs);
    const numbers = await turnsDuring(() => store.crosswalk.numbers(account, pairs));
    const uuids = await turnsDuring(() => store.crosswalk.uuids(account, pairs));
    expect([numbers.value.size, uuids.value.size]).toEqual([10_001, 10_001]);
    expect(Math.min(numbers.turns, uuids.turns)).toBeGreaterThanOrEqual(9);
  });

  it('counts ten thousand pairs at a time, across the borders of kinds', async () => {
    const store = await bench.store();
    const account = randomUUID();
    await store.crosswalk.markComplete(account, ['client', 'job']);
    const pairs = Array.from({ length: 13_000 }, (_, at) => client(1_000_000 + at));
    await store.crosswalk.learn(account, [...pairs, ...pairs.map((pair) => ({ ...pair, kind: 'job' }))]);
    await store.crosswalk.numbers(account, [unknown('client'), unknown('job'), unknown('job')]);
    const { value, turns } = await turnsDuring(() => store.crosswalk.report(account));
    expect(value).toMatchObject([
      { kind: 'client', learned: 13_000, allotted: 1 },
      { kind: 'job', learned: 13_000, allotted: 2 },
    ]);
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  it('translates both ways between learned pairs', async () => {
    const [store, other] = [await bench.store(), await bench.store()];
    const account = randomUUID();
    const [pair, job] = [client(1_000_000), { kind: 'job', number: 1_000_000, uuid: randomUUID() }];
    expect(await store.crosswalk.learn(account, [pair, job])).toEqual({ added: 2, known: 0, conflicts: [] });
    for (const crosswalk of [store.crosswalk, other.crosswalk]) {
      expect(await crosswalk.uuids(account, [pair, job, { kind: 'client', number: 5 }])).toEqual(
        new Map([
          ['client:1000000', pair.uuid],
          ['job:1000000', job.uuid],
        ]),
      );
      expect(await crosswalk.numbers(account, [pair, job])).toEqual(
        new Map([
          [idKey('client', pair.uuid), 1_000_000],
          [idKey('job', job.uuid), 1_000_000],
        ]),
      );
    }
    expect(await store.crosswalk.uuids(account, [])).toEqual(new Map());
    expect(await store.crosswalk.numbers(account, [])).toEqual(new Map());
  });

  it('shows an account no pair of another, in memory or stored', async () => {
    const store = await bench.store();
    const [mine, theirs] = [randomUUID(), randomUUID()];
    const pair = client(7);
    await store.crosswalk.learn(mine, [pair]);
    await store.crosswalk.uuids(mine, [pair]);
    expect(await store.crosswalk.uuids(theirs, [pair])).toEqual(new Map());
    expect(await store.crosswalk.numbers(theirs, [pair])).toEqual(new Map());
    expect(await all(store.crosswalk.export(theirs))).toEqual([]);
    await store.crosswalk.learn(theirs, [client(7)]);
    expect(await store.crosswalk.uuids(mine, [pair])).toEqual(new Map([['client:7', pair.uuid]]));
  });

  it('treats UUIDs as equal in any case', async () => {
    const store = await bench.store();
    const account = await moved(store);
    const uuid = randomUUID();
    await store.crosswalk.learn(account, [client(9, uuid.toUpperCase())]);
    const wanted = [
      { kind: 'client', uuid },
      { kind: 'client', uuid: uuid.toUpperCase() },
    ];
    expect(await store.crosswalk.numbers(account, wanted)).toEqual(
      new Map(wanted.map((id) => [idKey('client', id.uuid), 9])),
    );
    expect(await store.crosswalk.uuids(account, [{ kind: 'client', number: 9 }])).toEqual(
      new Map([['client:9', uuid]]),
    );
    expect(await store.crosswalk.learn(account, [client(9, uuid)])).toMatchObject({ known: 1 });
  });

  it('overwrites nothing and reports contradictions', async () => {
    const store = await bench.store();
    const account = randomUUID();
    const [first, second] = [client(1), client(2)];
    await store.crosswalk.learn(account, [first]);
    const [numberTaken, uuidTaken] = [client(1), client(3, first.uuid)];
    const twice = client(2);
    const report = await store.crosswalk.learn(account, [
      first,
      numberTaken,
      uuidTaken,
      second,
      second,
      twice,
    ]);
    const origin = 'learned';
    expect(report).toEqual({
      ...{ added: 1, known: 2, conflicts: [numberTaken, uuidTaken, twice] },
      contradictions: [
        { pair: numberTaken, known: [{ ...first, origin }] },
        { pair: uuidTaken, known: [{ ...first, origin }] },
        { pair: twice, known: [{ ...second, origin }] },
      ],
    });
    expect(await all(store.crosswalk.export(account))).toEqual([first, second]);
  });

  it('refuses numbers too large for legacy programs, and stores nothing of that batch', async () => {
    const store = await bench.store();
    const account = randomUUID();
    for (const number of [-1, 1.5, LAST + 1, Number.NaN])
      await expect(store.crosswalk.learn(account, [client(1), client(number)])).rejects.toThrow('number');
    expect(await all(store.crosswalk.export(account))).toEqual([]);
    await store.crosswalk.learn(account, [client(0), client(LAST)]);
    expect(await all(store.crosswalk.export(account))).toHaveLength(2);
  });

  it('allots numbers to new records of a complete kind, once and for all', async () => {
    const [store, other] = [await bench.store(), await bench.store()];
    const account = await moved(store);
    const [first, second] = [unknown(), unknown()];
    const numbers = await store.crosswalk.numbers(account, [first, second, first]);
    expect([...numbers.values()].sort()).toEqual([FIRST_ALLOTTED, FIRST_ALLOTTED + 1]);
    expect(await other.crosswalk.numbers(account, [second, first])).toEqual(numbers);
    const number = numbers.get(idKey('client', first.uuid)) ?? 0;
    expect(await other.crosswalk.uuids(account, [{ kind: 'client', number }])).toEqual(
      new Map([[idKey('client', number), first.uuid]]),
    );
  });

  it('allots numbers above every known one', async () => {
    const store = await bench.store();
    const account = await moved(store);
    await store.crosswalk.learn(account, [client(FIRST_ALLOTTED + 40), client(3)]);
    const wanted = unknown();
    expect(await store.crosswalk.numbers(account, [wanted])).toEqual(
      new Map([[idKey('client', wanted.uuid), FIRST_ALLOTTED + 41]]),
    );
  });

  it('says clearly when the numbers are used up, and allots none of that batch', async () => {
    const store = await bench.store();
    const account = await moved(store);
    await store.crosswalk.learn(account, [client(LAST - 1)]);
    const wanted = [unknown(), unknown()];
    await expect(store.crosswalk.numbers(account, wanted)).rejects.toThrow('no client number is left');
    expect(await store.crosswalk.report(account)).toMatchObject([{ allotted: 0 }]);
    expect([...(await store.crosswalk.numbers(account, wanted.slice(1))).values()]).toEqual([LAST]);
  });

  it('never allots a number to a record that may be older than the move', async () => {
    const store = await bench.store();
    const account = randomUUID();
    const old = unknown();
    for (const time of [1, 2]) {
      expect([time, await store.crosswalk.numbers(account, [old])]).toEqual([time, new Map()]);
      expect(await store.crosswalk.report(account)).toEqual([
        { kind: 'client', learned: 0, allotted: 0, unlearned: 1, complete: false },
      ]);
    }
    await store.crosswalk.markComplete(account, ['client']);
    expect(await store.crosswalk.numbers(account, [old])).toEqual(new Map());
    expect(await store.crosswalk.learn(account, [client(12, old.uuid)])).toMatchObject({ added: 1 });
    expect(await store.crosswalk.report(account)).toEqual([
      { kind: 'client', learned: 1, allotted: 0, unlearned: 0, complete: true },
    ]);
    expect(await store.crosswalk.numbers(account, [old])).toEqual(new Map([[idKey('client', old.uuid), 12]]));
  });

  it('allots a number to a record that the bridge created, whether the kind is complete or not', async () => {
    const store = await bench.store();
    const account = randomUUID();
    const [own, old] = [unknown(), unknown()];
    await store.crosswalk.numbers(account, [own]);
    const numbers = await store.crosswalk.numbers(account, [own, old], new Set([own.uuid.toUpperCase()]));
    expect(numbers).toEqual(new Map([[idKey('client', own.uuid), FIRST_ALLOTTED]]));
    expect(await store.crosswalk.report(account)).toMatchObject([{ allotted: 1, unlearned: 1 }]);
  });

  it('allots a created record its number after refusals of a database that answers, without haste or probes', async () => {
    const engine = await openEngine(bench.url());
    const attempts: number[] = [];
    let probes = 0;
    const { reach } = engine;
    const doubt = reach.doubt.bind(reach);
    reach.doubt = () => {
      probes += 1;
      return doubt();
    };
    const read: typeof engine.read = async (query) => {
      attempts.push(performance.now());
      if (attempts.length <= 3) throw new StoreFault('unavailable', 'every connection waits');
      return engine.read(query);
    };
    const crosswalk = new StoredCrosswalk({ ...engine, read }, new DeferredWrites(), 0);
    const own = unknown();
    const numbers = await crosswalk.numbers(randomUUID(), [own], new Set([own.uuid]));
    await engine.db.destroy();
    expect(numbers).toEqual(new Map([[idKey('client', own.uuid), FIRST_ALLOTTED]]));
    expect(probes).toBe(0);
    // A busy machine makes the pauses longer, never shorter.
    const pauses = attempts.slice(1, 4).map((at, before) => at - (attempts[before] ?? at));
    expect(pauses.map((millis) => millis > 200)).toEqual([true, true, true]);
  });

  it("allots numbers to every unlearned record on the operator's request", async () => {
    const store = await bench.store();
    const account = randomUUID();
    const old = [...Array.from({ length: 1_200 }, () => unknown()), unknown('job')];
    await store.crosswalk.numbers(account, old);
    expect(await store.crosswalk.report(account)).toMatchObject([
      { kind: 'client', allotted: 0, unlearned: 1_200, complete: false },
      { kind: 'job', allotted: 0, unlearned: 1, complete: false },
    ]);
    await store.crosswalk.acceptUnlearned(account, ['client', 'job']);
    expect(await store.crosswalk.numbers(account, old)).toHaveProperty('size', 1_201);
    expect(await store.crosswalk.report(account)).toMatchObject([
      { kind: 'client', allotted: 1_200, unlearned: 0, complete: true },
      { kind: 'job', allotted: 1, unlearned: 0, complete: true },
    ]);
  });

  it("allots numbers to records not seen before on the operator's request, and to no kind that it leaves out", async () => {
    const store = await bench.store();
    const account = randomUUID();
    await store.crosswalk.acceptUnlearned(account, ['client']);
    const [fresh, other] = [unknown(), unknown('job')];
    expect(await store.crosswalk.numbers(account, [fresh, other])).toEqual(
      new Map([[idKey('client', fresh.uuid), FIRST_ALLOTTED]]),
    );
  });

  it("does not lose the operator's request to a mark that is written later", async () => {
    const stores = await bench.twoStores();
    const account = randomUUID();
    const old = unknown();
    const seen = stores[0].crosswalk.numbers(account, [old]);
    await stores[1].crosswalk.acceptUnlearned(account, ['client']);
    await seen;
    await stores[0].deferred.settled();
    expect((await stores[1].crosswalk.numbers(account, [old])).size).toBe(1);
  });

  it('allots one number to a record that many see at once, in two processes', async () => {
    const stores = await bench.twoStores();
    const account = await moved(stores[0]);
    const wanted = Array.from({ length: 60 }, () => unknown());
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => {
        const rotated = [...wanted.slice(n * 5), ...wanted.slice(0, n * 5)];
        return either(stores, n).crosswalk.numbers(account, rotated.slice(0, 40));
      }),
    );
    const stored = new Map(
      (await all(stores[0].crosswalk.export(account))).map((pair) => [
        idKey(pair.kind, pair.uuid),
        pair.number,
      ]),
    );
    expect(stored.size).toBe(60);
    expect(new Set(stored.values()).size).toBe(60);
    for (const answer of answers) {
      expect(answer.size).toBe(40);
      for (const [key, number] of answer) expect([key, stored.get(key)]).toEqual([key, number]);
    }
  });

  it('allots a number once, even if the record that had it is forgotten, in two processes', async () => {
    const stores = await bench.twoStores();
    const account = await moved(stores[0]);
    const given: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => either(stores, n).crosswalk.numbers(account, [unknown()])),
      );
      given.push(...answers.flatMap((answer) => [...answer.values()]));
      // A legacy program may have kept what this database has lost.
      const highest = Math.max(...given);
      await sqlOf(
        bench.url(),
        `delete from crosswalk where account_id = '${account}' and number > ${highest - 5}`,
      );
    }
    expect(given).toHaveLength(30);
    expect(new Set(given).size).toBe(30);
  });

  it('learns and allots at once without giving a number to two records', async () => {
    const [first, caller] = [await bench.store(), await bench.store()];
    const account = await moved(first);
    const kinds = ['client', 'job'];
    await first.crosswalk.markComplete(account, kinds);
    const contested = Array.from({ length: CONTESTED }, (_, n) => client(FIRST_ALLOTTED + n));
    const jobs = contested.map((pair) => ({ ...pair, kind: 'job' }));
    const work = contested.flatMap((pair, n) => [
      first.crosswalk.learn(
        account,
        n % 2 === 0 ? [pair, ...jobs.slice(n, n + 1)] : [...jobs.slice(n, n + 1), pair],
      ),
      caller.crosswalk.numbers(
        account,
        n % 2 === 0 ? [unknown(), unknown('job')] : [unknown('job'), unknown()],
      ),
    ]);
    await Promise.all(work);
    const pairs = await all(caller.crosswalk.export(account));
    expect(new Set(pairs.map((pair) => idKey(pair.kind, pair.number))).size).toBe(pairs.length);
    expect(new Set(pairs.map((pair) => idKey(pair.kind, pair.uuid))).size).toBe(pairs.length);
    expect(pairs.length).toBeGreaterThanOrEqual(2 * CONTESTED);
  });

  it('learns twenty thousand pairs and exports them in order', async () => {
    const store = await bench.store();
    const account = randomUUID();
    const pairs = Array.from({ length: MANY }, (_, n) => client(n + 1));
    const shuffled = pairs.map((pair, n) => pairs[(n * 7_919) % pairs.length] ?? pair);
    expect(await store.crosswalk.learn(account, shuffled)).toEqual({
      added: MANY,
      known: 0,
      conflicts: [],
    });
    expect(await store.crosswalk.learn(account, pairs.slice(0, 2_500))).toMatchObject({
      added: 0,
      known: 2_500,
    });
    expectSame(await all(store.crosswalk.export(account)), pairs);
    // The second time from memory.
    for (const attempt of [1, 2]) {
      const found = await store.crosswalk.uuids(account, pairs);
      expectSame(
        [attempt, found],
        [attempt, new Map(pairs.map((pair) => [idKey('client', pair.number), pair.uuid]))],
      );
    }
    const some = pairs.slice(MANY / 2, MANY / 2 + 5_000);
    const numbers = await store.crosswalk.numbers(account, some);
    expect(numbers).toEqual(new Map(some.map((pair) => [idKey('client', pair.uuid), pair.number])));
    expect(await store.crosswalk.report(account)).toMatchObject([{ learned: MANY }]);
  });

  it('exports one kind after the other, or one alone', async () => {
    const store = await bench.store();
    const account = randomUUID();
    const pairs = ['b', 'C', 'a'].flatMap((kind) => [2, 1].map((number) => ({ ...client(number), kind })));
    await store.crosswalk.learn(account, pairs);
    const order = (await all(store.crosswalk.export(account))).map(({ kind, number }) => `${kind}${number}`);
    expect(order).toEqual(['C1', 'C2', 'a1', 'a2', 'b1', 'b2']);
    expect(await all(store.crosswalk.export(account, 'client'))).toEqual(
      (await all(store.crosswalk.export(account))).filter(({ kind }) => kind === 'client'),
    );
    expect(await all(store.crosswalk.export(account, 'nothing'))).toEqual([]);
  });
});
