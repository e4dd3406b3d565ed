import { expect, it } from '@jest/globals';
import type { NewReplica } from '../../../src/features/replicas/stored-replicas.ts';
import { describeOnBoth } from '../../db/engines.ts';

const replica = (
  id: string,
  pieces: Readonly<Record<number, string>>,
  also: Partial<NewReplica> = {},
): NewReplica => ({
  ...{ id, accountId: 'a', head: 'head', count: Object.keys(pieces).length, bytes: 10, now: 1 },
  pieces: new Map(Object.entries(pieces).map(([place, text]) => [Number(place), text])),
  ...also,
});

describeOnBoth('stored replicas', (bench) => {
  it('keep their pieces in order, and replace those that have changed', async () => {
    const { replicas } = await bench.store();
    expect(await replicas.put(replica('order', { 0: 'a', 1: 'b', 2: 'c' }), undefined)).toBe(true);
    expect(await replicas.find('order')).toEqual({ version: 1, head: 'head', pieces: ['a', 'b', 'c'] });
    expect(await replicas.put(replica('order', { 1: 'B' }, { count: 2, head: 'later' }), 1)).toBe(true);
    expect(await replicas.find('order')).toEqual({ version: 2, head: 'later', pieces: ['a', 'B'] });
  });

  it('are started once and changed once from each version, by whichever process is first', async () => {
    const [one, other] = await bench.twoStores();
    const begun = await Promise.all(
      [one, other].map((store) => store.replicas.put(replica('race', { 0: 'a' }), undefined)),
    );
    expect(begun.filter(Boolean)).toHaveLength(1);
    const changed = await Promise.all(
      [one, other].map((store, at) => store.replicas.put(replica('race', { 0: `b${at}` }), 1)),
    );
    expect(changed.filter(Boolean)).toHaveLength(1);
    expect(await one.replicas.find('race')).toMatchObject({
      version: 2,
      pieces: [`b${changed.indexOf(true)}`],
    });
  });

  it('take no change made from a list that was removed and stored anew meanwhile', async () => {
    const { replicas } = await bench.store();
    await replicas.put(replica('anew', { 0: 'a', 1: 'b', 2: 'c' }, { now: 1 }), undefined);
    const removed = await replicas.find('anew');
    await replicas.remove(['anew']);
    await replicas.put(replica('anew', { 0: 'A', 1: 'B', 2: 'C' }, { now: 2 }), undefined);
    expect(await replicas.put(replica('anew', { 0: 'new' }, { now: 3, count: 3 }), removed?.version)).toBe(
      false,
    );
    expect((await replicas.find('anew'))?.pieces).toEqual(['A', 'B', 'C']);
  });

  it('are read as they were before or after a change, never in between', async () => {
    const [writer, reader] = await bench.twoStores();
    const text = (n: number): Readonly<Record<number, string>> => ({ 0: `${n}`, 1: `${n}`, 2: `${n}` });
    await writer.replicas.put(replica('between', text(1)), undefined);
    const finding = Array.from({ length: 20 }, () => reader.replicas.find('between'));
    for (let n = 1; n < 10; n += 1) await writer.replicas.put(replica('between', text(n + 1)), n);
    for (const found of await Promise.all(finding))
      expect(found?.pieces).toEqual([1, 2, 3].map(() => String(found?.version)));
  });

  it('are erased by account', async () => {
    const { replicas } = await bench.store();
    await replicas.put(replica('mine', { 0: 'a' }, { accountId: 'erased' }), undefined);
    await replicas.put(replica('theirs', { 0: 'a' }, { accountId: 'other' }), undefined);
    expect(await replicas.erase('erased')).toBe(1);
    expect(await replicas.find('mine')).toBeUndefined();
    expect(await replicas.find('theirs')).toMatchObject({ pieces: ['a'] });
  });

  it('are dropped beyond the limit, least recently used first, and after a time', async () => {
    const { replicas } = await bench.store();
    for (const [at, id] of ['old', 'older', 'new'].entries())
      await replicas.put(replica(id, { 0: 'a' }, { now: [200, 100, 300][at] ?? 0, bytes: 60 }), undefined);
    await replicas.trim(50, 130);
    expect(await replicas.find('older')).toBeUndefined();
    expect(await replicas.find('old')).toBeDefined();
    await replicas.trim(250);
    expect(await replicas.find('old')).toBeUndefined();
    expect(await replicas.find('new')).toBeDefined();
  });
});
