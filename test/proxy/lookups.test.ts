import { describe, expect, it } from '@jest/globals';
import type { V2Tables } from '../../src/mapping/compile/v2/v2-model.ts';
import type { Destination } from '../../src/upstream/model.ts';
import { LookupCache, type LookupSource } from '../../src/proxy/translate/lookups/lookup-cache.ts';
import { Lookups } from '../../src/proxy/translate/lookups/lookups.ts';

const tables: V2Tables = {
  keepSeconds: 300,
  defaults: new Map(),
  assumed: [],
  lookups: new Map([
    [
      'staff',
      {
        form: 'list',
        name: 'staff',
        segments: ['staff'],
        queries: [[]],
        at: undefined,
        key: 'uuid',
        keep: ['name'],
        called: {},
        unknown: undefined,
        stays: false,
        families: ['staff.api'],
      },
    ],
  ]),
};

/** A list of so many entries, which counts how often it is asked for. */
class Service implements LookupSource {
  asked = 0;
  readonly #prefix: string;
  readonly #size: number;

  constructor(prefix: string, size: number) {
    this.#prefix = prefix;
    this.#size = size;
  }

  async *rows(): AsyncGenerator<readonly unknown[]> {
    this.asked += 1;
    yield Array.from({ length: this.#size }, (_, at) => ({
      uuid: String(at),
      name: `${this.#prefix} ${String(at)}`,
    }));
  }

  async record(): Promise<unknown> {
    return undefined;
  }
}

const toward = (accountId: string): Destination => ({
  accountId,
  product: 'standard',
  application: 'default',
  grantId: 'grant',
  organisationId: 'organisation',
});

const nameOf = async (
  lookupCache: LookupCache,
  account: string,
  service: Service,
  key: string,
): Promise<unknown> => {
  const lookups = new Lookups(lookupCache, toward(account), service, {
    lookups: new Set(),
    single: undefined,
  });
  return lookups.settled(() => lookups.finder(undefined)('staff', key));
};

describe('the cache of look-up lists', () => {
  it("never gives one account another account's data", async () => {
    const lookupCache = new LookupCache(tables, { now: () => 0 });
    const [mill, harbour] = [new Service('Mill', 3), new Service('Harbour', 3)];
    const names = await Promise.all([
      nameOf(lookupCache, 'mill', mill, '1'),
      nameOf(lookupCache, 'harbour', harbour, '1'),
    ]);
    expect(names).toEqual([{ name: 'Mill 1' }, { name: 'Harbour 1' }]);
    expect(await nameOf(lookupCache, 'mill', harbour, '2')).toEqual({ name: 'Mill 2' });
  });

  it('keeps as many lists as there is room for, the newest', async () => {
    const lookupCache = new LookupCache(tables, { now: () => 0 }, 10);
    const services = ['a', 'b', 'c'].map((name) => new Service(name, 4));
    for (const [at, service] of services.entries()) await nameOf(lookupCache, String(at), service, '1');
    for (const [at, service] of [...services.entries()].reverse())
      await nameOf(lookupCache, String(at), service, '1');
    expect(services.map(({ asked }) => asked)).toEqual([2, 1, 1]);
  });

  it('reads again for a key that is not in a cached list, once', async () => {
    let now = 0;
    const lookupCache = new LookupCache(tables, { now: () => now });
    const service = new Service('one', 3);
    await nameOf(lookupCache, 'same', service, '1');
    now = 1_000;
    expect(await nameOf(lookupCache, 'same', service, '7')).toBeUndefined();
    expect(service.asked).toBe(2);
    // A record that no longer exists is not looked for again and again; another one is.
    now = 2_000;
    expect(await nameOf(lookupCache, 'same', service, '7')).toBeUndefined();
    expect(service.asked).toBe(2);
    await nameOf(lookupCache, 'same', service, '8');
    expect(service.asked).toBe(3);
  });

  it('reads again for a missing key once the list is dropped or too old', async () => {
    let now = 0;
    const lookupCache = new LookupCache(tables, { now: () => now });
    const service = new Service('one', 3);
    await nameOf(lookupCache, 'same', service, '7');
    lookupCache.forgetFamily(toward('same'), 'client.api');
    await nameOf(lookupCache, 'same', service, '7');
    expect(service.asked).toBe(1);
    lookupCache.forgetFamily(toward('same'), 'staff.api');
    await nameOf(lookupCache, 'same', service, '7');
    expect(service.asked).toBe(2);
    now = 300_001;
    await nameOf(lookupCache, 'same', service, '7');
    expect(service.asked).toBe(3);
  });

  it('reads again if the clock was set back since the list was read', async () => {
    let now = 3_600_000;
    const lookupCache = new LookupCache(tables, { now: () => now });
    const service = new Service('one', 3);
    await nameOf(lookupCache, 'same', service, '1');
    now = 0;
    await nameOf(lookupCache, 'same', service, '1');
    expect(service.asked).toBe(2);
    await nameOf(lookupCache, 'same', service, '1');
    expect(service.asked).toBe(2);
  });

  it('of one account is not dropped by a write of another', async () => {
    const lookupCache = new LookupCache(tables, { now: () => 0 });
    const service = new Service('one', 3);
    await nameOf(lookupCache, 'same', service, '1');
    lookupCache.forgetFamily(toward('another'), 'staff.api');
    await nameOf(lookupCache, 'same', service, '1');
    expect(service.asked).toBe(1);
  });

  it('reads once for many simultaneous calls', async () => {
    const lookupCache = new LookupCache(tables, { now: () => 0 });
    const service = new Service('one', 5);
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => nameOf(lookupCache, 'same', service, String(at % 5))),
    );
    expect(service.asked).toBe(1);
  });
});
