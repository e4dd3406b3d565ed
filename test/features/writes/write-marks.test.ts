import { expect, it } from '@jest/globals';
import { KeyRing } from '../../../src/tokens/sealing/keyring.ts';
import { isQuiet, isUntouched } from '../../../src/features/writes/rows/write-marks.ts';
import { describeOnBoth } from '../../db/engines.ts';
import { lose } from '../../support/writes.ts';

const ring = new KeyRing([{ id: 'k', bytes: Buffer.alloc(32, 1) }]);
const every = (): boolean => true;

describeOnBoth('the marks of writes', (bench) => {
  it('count each write before it is sent, by account and method, for every process', async () => {
    const [one, other] = await bench.twoStores();
    const before = await one.writeMarks.look('a');
    expect([...before.counts, ...before.open]).toEqual([]);
    await lose({ store: other, ring }, { accountId: 'a', method: 'staff.add', settlement: 'done' });
    await lose({ store: other, ring }, { accountId: 'b', method: 'client.add' });
    const after = await one.writeMarks.look('a');
    expect([...after.counts]).toEqual([['staff.add', 1]]);
    expect(isUntouched(before, after, every)).toBe(false);
    expect(isUntouched(before, after, (method) => method.startsWith('client.'))).toBe(true);
    expect(isUntouched(after, await other.writeMarks.look('a'), every)).toBe(true);
  });

  it('show a write as open until its outcome is known', async () => {
    const store = await bench.store();
    await lose({ store, ring }, { accountId: 'c', method: 'client.add' });
    const open = await store.writeMarks.look('c');
    expect(isQuiet(open, every)).toBe(false);
    expect(isUntouched(open, open, every)).toBe(false);
    expect(isUntouched(open, open, (method) => method.startsWith('staff.'))).toBe(true);
  });

  it('remain when the rows of old writes are dropped', async () => {
    const store = await bench.store();
    await lose({ store, ring }, { accountId: 'd', settlement: 'done', at: 1 });
    await store.writes.forget({ answers: 1_000, writes: 1_000, now: 3_000 });
    expect([...(await store.writeMarks.look('d')).counts]).toEqual([['client.add', 1]]);
  });
});
