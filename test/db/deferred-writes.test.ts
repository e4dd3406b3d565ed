import { describe, expect, it } from '@jest/globals';
import { StoreFault } from '../../src/lib/store-fault.ts';
import { DeferredWrites, Dropped, type DeferredWrite } from '../../src/db/deferred-writes.ts';

/** A database that can be away, and what was written to it. */
class Database {
  away = false;
  readonly written: string[] = [];
  readonly failures: unknown[] = [];

  write(key: string, more: Partial<DeferredWrite> = {}): DeferredWrite {
    return {
      key,
      write: async () => {
        if (this.away) throw new StoreFault('unavailable', 'it is away');
        this.written.push(key);
      },
      failed: (error) => this.failures.push(error),
      ...more,
    };
  }
}

describe('deferred writes', () => {
  it('run in order, and equivalent ones run once', async () => {
    const database = new Database();
    const deferred = new DeferredWrites();
    for (const key of ['a', 'b', 'a', 'c']) deferred.add(database.write(key));
    expect(database.written).toEqual([]);
    expect(deferred.waiting).toBe(3);
    await deferred.settled();
    expect(database.written).toEqual(['a', 'b', 'c']);
    expect(deferred.waiting).toBe(0);
  });

  it('wait while the database is down, and run when it is back', async () => {
    const database = new Database();
    const deferred = new DeferredWrites();
    database.away = true;
    deferred.add(database.write('a'));
    await deferred.settled();
    deferred.add(database.write('b'));
    await deferred.settled();
    expect([deferred.waiting, database.failures]).toEqual([2, []]);
    database.away = false;
    deferred.resume();
    await deferred.settled();
    expect(database.written).toEqual(['a', 'b']);
    await deferred.close();
  });

  it('lose the oldest beyond the limit, and count them', async () => {
    const database = new Database();
    const deferred = new DeferredWrites(3);
    database.away = true;
    deferred.add(database.write('a', { count: 2 }));
    for (const key of ['b', 'c', 'd']) deferred.add(database.write(key));
    expect([deferred.waiting, deferred.dropped]).toEqual([3, 2]);
    await deferred.settled();
    database.away = false;
    await deferred.close();
    expect(database.written).toEqual(['b', 'c', 'd']);
    expect(database.failures).toEqual([new Dropped()]);
  });

  it.each([
    ['succeeds', false, []],
    ['fails', true, [new Dropped()]],
  ])('that are dropped while one of them %s are given up at most once', async (_, isAway, failures) => {
    const database = new Database();
    const deferred = new DeferredWrites(2);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const slow = database.write('slow');
    const write = async () => {
      await promise;
      await slow.write();
    };
    deferred.add({ ...slow, write });
    await Promise.resolve();
    database.away = isAway;
    for (const key of ['b', 'c']) deferred.add(database.write(key));
    resolve(undefined);
    await deferred.settled();
    expect(database.written.includes('slow')).toBe(!isAway);
    expect(database.failures).toEqual(failures);
    await deferred.close();
  });

  it('are reported if they fail for a reason of their own, and block no others', async () => {
    const database = new Database();
    const deferred = new DeferredWrites();
    deferred.add(database.write('a', { write: () => Promise.reject(new Error('no such account')) }));
    deferred.add(database.write('b'));
    await deferred.settled();
    expect(database.failures).toEqual([new Error('no such account')]);
    expect(database.written).toEqual(['b']);
  });

  it('run even if they arrive while others are running', async () => {
    const database = new Database();
    const deferred = new DeferredWrites();
    const late = database.write('late');
    deferred.add(
      database.write('a', {
        write: async () => {
          deferred.add(late);
        },
      }),
    );
    await deferred.settled();
    expect(database.written).toEqual(['late']);
  });
});
