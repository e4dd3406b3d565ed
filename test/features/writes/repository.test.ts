import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Ending, NewWrite, Reach, Settling, Write } from '../../../src/features/writes/model.ts';
import type { Store } from '../../../src/app/store.ts';
import { describeOnBoth } from '../../db/engines.ts';
import { newAccount, NOW } from '../../db/records.ts';

const writeOf = (accountId: string, changes: Partial<NewWrite> = {}): NewWrite => ({
  id: randomUUID(),
  accountId,
  method: 'client.add',
  route: 'v3',
  fingerprints: ['same bytes'],
  idempotency: [],
  length: 100,
  owner: 'process-1',
  factsSealed: 'sealed',
  kind: 'client',
  now: NOW,
  ...changes,
});

const reach = (changes: Partial<Reach> = {}): Reach => ({
  untoldSince: NOW - 600_000,
  keyedSince: NOW - 86_400_000,
  besides: [],
  ...changes,
});

const done = (made: string, changes: Partial<Ending> = {}): Ending => ({
  state: 'done',
  caller: 'told',
  made,
  kind: 'client',
  now: NOW + 1,
  ...changes,
});

const unknown: Ending = { state: 'unknown', caller: 'untold', now: NOW + 1 };

const settled = (changes: Partial<Settling>): Settling => ({
  settlement: 'done',

  note: '',
  now: NOW + 2,
  ...changes,
});

const accountIn = async (store: Store): Promise<string> => (await store.accounts.add(newAccount())).id;

async function opened(store: Store, write: NewWrite): Promise<string> {
  expect(await store.writes.enter(write, reach())).toEqual({ entered: 'opened' });
  return write.id;
}

const stateOf = async (store: Store, id: string): Promise<Partial<Write> | undefined> =>
  store.writes.find(id);

describeOnBoth('the ledger of writes', (bench) => {
  it('shows a write to every other process as soon as it is entered', async () => {
    const [one, other] = await bench.twoStores();
    const id = await opened(one, writeOf(await accountIn(one)));
    expect(await other.writes.find(id)).toMatchObject({ state: 'open', caller: 'waits', owner: 'process-1' });
  });

  it('treats an identical write as another one once the caller knew the outcome of the first', async () => {
    const store = await bench.store();
    const account = await accountIn(store);
    const first = await opened(store, writeOf(account));
    expect(await store.writes.enter(writeOf(account), reach())).toMatchObject({
      entered: 'earlier',
      by: 'bytes',
      write: { id: first },
    });
    await store.writes.end(first, done('11'));
    await opened(store, writeOf(account));
  });

  it('finds the write whose caller had no reply for ten minutes', async () => {
    const store = await bench.store();
    const account = await accountIn(store);
    const first = await opened(store, writeOf(account));
    await store.writes.end(first, done('12', { caller: 'untold' }));
    expect(await store.writes.enter(writeOf(account), reach())).toMatchObject({
      write: { id: first, made: '12' },
    });
    await opened(store, writeOf(await accountIn(store)));
    expect(await store.writes.enter(writeOf(account), reach({ untoldSince: NOW + 1 }))).toEqual({
      entered: 'opened',
    });
  });

  it('finds it for ten minutes more if the clock was set back meanwhile', async () => {
    const store = await bench.store();
    const account = await accountIn(store);
    const ahead = NOW + 13 * 3_600_000;
    const first = await opened(store, writeOf(account, { now: ahead }));
    await store.writes.end(first, done('12', { caller: 'untold', now: ahead }));
    await store.writes.forget({ answers: 0, writes: 0, now: NOW });
    expect(await store.writes.enter(writeOf(account), reach())).toMatchObject({ write: { id: first } });
    expect(await store.writes.enter(writeOf(account), reach({ untoldSince: NOW + 1 }))).toEqual({
      entered: 'opened',
    });
  });

  it('allows a single repeat of a write that was not done', async () => {
    const [one, other] = await bench.twoStores();
    const account = await accountIn(one);
    const first = await opened(one, writeOf(account));
    await one.writes.end(first, unknown);
    await one.writes.settle(first, settled({ settlement: 'not-done' }));
    const again = writeOf(account, { repeats: first });
    const entered = await Promise.all([
      one.writes.enter(again, reach()),
      other.writes.enter(writeOf(account, { repeats: first }), reach()),
    ]);
    expect(entered.map((each) => each.entered).toSorted()).toEqual(['earlier', 'opened']);
  });

  it('finds a write of several steps that was not done in full, however late, until it is repeated', async () => {
    const store = await bench.store();
    const account = await accountIn(store);
    const first = await opened(store, writeOf(account, { stepsSealed: 'steps' }));
    await store.writes.end(first, unknown);
    const late = reach({ untoldSince: NOW + 1_000 });
    expect(await store.writes.enter(writeOf(account), late)).toMatchObject({ write: { id: first } });
    await store.writes.settle(first, settled({ settlement: 'not-done' }));
    expect(await store.writes.enter(writeOf(account), late)).toMatchObject({ write: { id: first } });
    await opened(store, writeOf(account, { repeats: first, stepsSealed: 'steps' }));
    expect(await store.writes.enter(writeOf(account), { ...late, besides: [first] })).toMatchObject({
      write: { repeats: first },
    });
  });

  it('assigns a key to one write for a day, and then to another', async () => {
    const [one, other] = await bench.twoStores();
    const account = await accountIn(one);
    const keyed = (bytes: string) => writeOf(account, { idempotency: ['key'], fingerprints: [bytes] });
    const entered = await Promise.all([
      one.writes.enter(keyed('a'), reach()),
      other.writes.enter(keyed('b'), reach()),
    ]);
    expect(entered.map((each) => each.entered).toSorted()).toEqual(['earlier', 'opened']);
    expect(await one.writes.enter(keyed('c'), reach({ keyedSince: NOW }))).toEqual({ entered: 'opened' });
  });

  it('assigns a key to one write even if two bridges have their encryption keys in another order', async () => {
    const [one, other] = await bench.twoStores();
    const account = await accountIn(one);
    const keyed = (bytes: string, idempotency: readonly string[]) =>
      writeOf(account, { idempotency, fingerprints: [bytes] });
    for (let round = 0; round < 20; round += 1) {
      const [first, second] = [`first ${round}`, `second ${round}`];
      const entered = await Promise.all([
        one.writes.enter(keyed(`a ${round}`, [first, second]), reach()),
        other.writes.enter(keyed(`b ${round}`, [second, first]), reach()),
      ]);
      expect(entered.map((each) => each.entered).toSorted()).toEqual(['earlier', 'opened']);
    }
  });

  it.each([
    ['nothing of it has left', {}, (store: Store, id: string) => store.writes.withdraw(id)],
    [
      'its process dies before the document is whole',
      { fingerprints: [] },
      (store: Store, _id: string, owner: string) => store.writes.declareDead(owner, NOW),
    ],
  ])('returns the key to the write that a repeat took it from if %s', async (_, changes, over) => {
    const [one, other] = await bench.twoStores();
    const account = await accountIn(one);
    const keyed = { idempotency: ['key'], owner: randomUUID() };
    const first = await opened(one, writeOf(account, keyed));
    await one.writes.end(first, { ...done('19'), state: 'refused', made: undefined });
    const second = await opened(one, writeOf(account, { ...keyed, repeats: first }));
    await one.writes.end(second, unknown);
    await one.writes.settle(second, settled({ settlement: 'not-done' }));
    const third = await opened(one, writeOf(account, { ...keyed, ...changes, repeats: second }));
    await over(one, third, keyed.owner);
    expect(await one.writes.find(third)).toBeUndefined();
    expect(await other.writes.enter(writeOf(account, keyed), reach())).toMatchObject({
      by: 'key',
      write: { id: second },
    });
    expect(await stateOf(other, first)).toMatchObject({ keyed: false });
  });

  it('withdraws a repeat of a forgotten write, and nothing that has ended', async () => {
    const store = await bench.store();
    const account = await accountIn(store);
    const keyed = { idempotency: ['key'] };
    const first = await opened(store, writeOf(account, { ...keyed, now: 1_000 }));
    await store.writes.end(first, { ...done('20'), state: 'refused', made: undefined });
    const second = await opened(store, writeOf(account, { ...keyed, repeats: first }));
    await store.writes.forget({ answers: 2_000, writes: 2_000, now: 3_000 });
    await store.writes.withdraw(second);
    expect(await store.writes.find(second)).toBeUndefined();
    const third = await opened(store, writeOf(account, keyed));
    await store.writes.end(third, unknown);
    await store.writes.withdraw(third);
    expect(await stateOf(store, third)).toMatchObject({ keyed: true });
  });

  it('marks open writes of a dead process as unknown, and records that in the timeline', async () => {
    const store = await bench.store();
    const account = await accountIn(store);
    const owner = randomUUID();
    const id = await opened(store, writeOf(account, { owner }));
    await store.writes.beat(owner);
    expect(await store.writes.owners()).toContainEqual({ owner, beats: 1 });
    expect(await store.writes.declareDead(owner, NOW + 5)).toBe(1);
    expect(await stateOf(store, id)).toMatchObject({
      state: 'unknown',
      caller: 'untold',
      unknownAt: NOW + 5,
    });
    expect(await store.writes.beatsOf(owner)).toBeUndefined();
    expect((await store.accounts.timeline(account)).at(-1)).toMatchObject({ kind: 'write unknown' });
  });

  it('accepts the outcome from a process that was believed dead', async () => {
    const store = await bench.store();
    const id = await opened(store, writeOf(await accountIn(store), { owner: 'frozen' }));
    await store.writes.declareDead('frozen', NOW);
    expect(await store.writes.end(id, done('13'))).toBe(true);
    expect(await stateOf(store, id)).toMatchObject({ state: 'done', made: '13', nextAt: undefined });
  });

  it('changes no settled write, except an undecidable one by an operator', async () => {
    const store = await bench.store();
    const id = await opened(store, writeOf(await accountIn(store)));
    await store.writes.end(id, unknown);
    expect(await store.writes.settle(id, settled({ settlement: 'undecidable' }))).toBe('settled');
    expect(await store.writes.settle(id, settled({}))).toBe('over');
    expect(await store.writes.end(id, done('14'))).toBe(false);
    const byPerson = settled({ settlement: 'done', by: 'operator', made: '15', kind: 'client' });
    expect(await store.writes.settle(id, byPerson)).toBe('settled');
    expect(await store.writes.settle(id, byPerson)).toBe('over');
  });

  it('never assigns one record to two writes', async () => {
    const store = await bench.store();
    const account = await accountIn(store);
    const first = await opened(store, writeOf(account));
    await store.writes.end(first, done('16'));
    const second = await opened(store, writeOf(account));
    await store.writes.end(second, unknown);
    expect(await store.writes.settle(second, settled({ made: '16', kind: 'client' }))).toBe('taken');
    expect(await stateOf(store, second)).toMatchObject({ state: 'unknown' });
    expect(await store.writes.claimed(account, ['client:16', 'client:17'])).toEqual(new Set(['client:16']));
  });

  it('gives an unknown write to one process at a time', async () => {
    const [one, other] = await bench.twoStores();
    const id = await opened(one, writeOf(await accountIn(one)));
    await one.writes.end(id, unknown);
    expect(await one.writes.takeOne(id, NOW + 1, 60_000)).toMatchObject({ attempts: 1 });
    expect(await other.writes.takeOne(id, NOW + 2, 60_000)).toBeUndefined();
    await one.writes.postpone(id, NOW + 3, 'nothing yet');
    expect(await other.writes.takeOne(id, NOW + 3, 60_000)).toMatchObject({ attempts: 2 });
  });

  it('looks up a write that became unknown before the clock was set back', async () => {
    const store = await bench.store();
    const id = await opened(store, writeOf(await accountIn(store)));
    const ahead = NOW + 30 * 86_400_000;
    await store.writes.end(id, { ...unknown, now: ahead });
    expect(await store.writes.takeOne(id, NOW, 60_000)).toMatchObject({ unknownAt: NOW });
    expect(await store.writes.takeOne(id, NOW, 60_000)).toBeUndefined();
  });

  it('gives all due writes of an account to one process, the account waiting longest first', async () => {
    const [one, other] = await bench.twoStores();
    const [early, late] = [await accountIn(one), await accountIn(one)];
    // Of earlier tests, who use the same database.
    while ((await one.writes.take(NOW + 60_000, 600_000, 100)).length > 0);
    const unknownOf = async (account: string, now: number, bytes: string): Promise<string> => {
      const id = await opened(one, writeOf(account, { fingerprints: [bytes] }));
      await one.writes.end(id, { ...unknown, now });
      return id;
    };
    await unknownOf(late, NOW + 6, 'a');
    const ids = [await unknownOf(early, NOW + 5, 'a'), await unknownOf(early, NOW + 7, 'b')];
    await unknownOf(early, NOW + 90, 'c');
    const taken = await other.writes.take(NOW + 10, 60_000, 100);
    expect(taken.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect((await one.writes.take(NOW + 10, 60_000, 100)).map(({ accountId }) => accountId)).toEqual([late]);
    expect(await one.writes.take(NOW + 95, 60_000, 100, [early])).toEqual([]);
  });

  it('leaves a write to the process that reports in time that it still works on it', async () => {
    const [one, other] = await bench.twoStores();
    const id = await opened(one, writeOf(await accountIn(one)));
    await one.writes.end(id, unknown);
    await one.writes.takeOne(id, NOW + 1, 1_000);
    await one.writes.hold([id], NOW + 1_001, NOW + 5_000);
    expect(await other.writes.takeOne(id, NOW + 1_001, 1_000)).toBeUndefined();
    expect(await other.writes.takeOne(id, NOW + 5_000, 1_000)).toMatchObject({ attempts: 2 });
    // Who stood still meanwhile has lost it.
    await one.writes.hold([id], NOW + 5_000, NOW + 90_000);
    expect(await one.writes.find(id)).toMatchObject({ nextAt: NOW + 6_000 });
  });

  it('lists by state, newest first, page by page', async () => {
    const store = await bench.store();
    const accountId = await accountIn(store);
    const ids: string[] = [];
    for (const now of [NOW, NOW + 1, NOW + 2])
      ids.unshift(await opened(store, writeOf(accountId, { now, fingerprints: [String(now)] })));
    const [youngest = '', ...others] = ids;
    const listed = await store.writes.list({ limit: 2, accountId });
    expect(listed.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const next = await store.writes.list({ limit: 5, accountId, before: youngest });
    expect(next.map(({ id }) => id)).toEqual(others);
    await store.writes.end(youngest, unknown);
    expect(await store.writes.list({ limit: 5, accountId, state: 'unknown' })).toHaveLength(1);
    expect((await store.writes.counts()).unknown).toBeGreaterThan(0);
  });

  it('drops replies after a day and writes after their time, but none that is unknown or undecidable', async () => {
    const store = await bench.store();
    const account = await accountIn(store);
    const first = await opened(store, writeOf(account, { now: 1_000, fingerprints: ['a'] }));
    const second = await opened(store, writeOf(account, { now: 1_000, fingerprints: ['b'] }));
    await store.writes.end(first, done('18', { answerSealed: 'sealed' }));
    await store.writes.end(second, unknown);
    const third = await opened(store, writeOf(account, { now: 1_000, fingerprints: ['c'] }));
    await store.writes.end(third, unknown);
    await store.writes.settle(third, settled({ settlement: 'undecidable' }));
    await store.writes.forget({ answers: 2_000, writes: 500, now: 3_000 });
    expect(await stateOf(store, first)).toMatchObject({ answerSealed: undefined });
    await store.writes.forget({ answers: 2_000, writes: 2_000, now: 3_000 });
    expect(await store.writes.find(first)).toBeUndefined();
    expect(await store.writes.find(second)).toBeDefined();
    expect(await store.writes.find(third)).toBeDefined();
    await store.writes.settle(third, settled({ settlement: 'not-done', by: 'ana' }));
    await store.writes.forget({ answers: 2_000, writes: 2_000, now: 3_000 });
    expect(await store.writes.find(third)).toBeUndefined();
  });
});
