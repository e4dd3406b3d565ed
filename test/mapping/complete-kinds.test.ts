import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Store } from '../../src/app/store.ts';
import { FIRST_ALLOTTED, idKey, type Pair } from '../../src/mapping/crosswalk/identifier.ts';
import { describeOnBoth } from '../db/engines.ts';
import { eventually } from '../support/clock.ts';
import { fc } from '../support/random.ts';
import { sqlOf } from '../support/sql.ts';
import { answeredByV1, leaveForV1 } from '../support/v1-writes.ts';

const terms = { kindsAdded: () => ['client', 'contact'], hasMoved: false };
const moved = { ...terms, hasMoved: true };
const both = ['client', 'contact'];

/** V1's lists are read from beginning to end, and show `pairs`. */
async function read(store: Store, id: string, pairs: readonly Pair[] = [], kinds = both): Promise<void> {
  const before = await store.crosswalk.writesBefore(id, terms);
  await store.crosswalk.learn(id, pairs);
  await store.crosswalk.markComplete(id, kinds, before);
}

const completeIn = async (store: Store, id: string): Promise<readonly string[]> =>
  (await store.crosswalk.report(id)).filter(({ complete }) => complete).map(({ kind }) => kind);

async function numberOf(store: Store, id: string, uuid: string): Promise<number | undefined> {
  const numbers = await store.crosswalk.numbers(id, [{ kind: 'client', uuid }]);
  return numbers.get(idKey('client', uuid));
}

const usually = ([value, weight]: [string, number]) => ({ arbitrary: fc.constant(value), weight });

describeOnBoth('a kind of which V1 may have added records', (bench) => {
  const added = async (store: Store, id: string, made = '13'): Promise<string> => {
    const write = await leaveForV1(store, { accountId: id, adds: both });
    await answeredByV1(store, write, made);
    return write;
  };

  it('is not complete until its lists have been read from a moment after the answer', async () => {
    const [one, other] = await bench.twoStores();
    const id = randomUUID();
    await read(one, id);
    expect(await completeIn(one, id)).toEqual(both);
    await added(one, id);
    const before = await one.crosswalk.writesBefore(id, terms);
    expect(before).toHaveLength(1);
    await added(one, id, '14');
    await one.crosswalk.markComplete(id, both, before);
    expect(await completeIn(other, id)).toEqual([]);
    expect(await other.crosswalk.addedSince(id)).toEqual(new Set(both));
    await read(other, id, [], ['contact']);
    expect(await completeIn(one, id)).toEqual(['contact']);
    expect(await other.crosswalk.addedSince(id)).toEqual(new Set(['client']));
    await read(other, id, [], ['client']);
    expect(await completeIn(one, id)).toEqual(both);
    expect(await other.crosswalk.addedSince(id)).toEqual(new Set());
  });

  it('marks no record as older than the move for a write under way that adds nothing after all', async () => {
    const store = await bench.store();
    const id = randomUUID();
    await read(store, id);
    const write = await leaveForV1(store, { accountId: id, adds: both });
    const ids = ['client', 'job'].map((kind) => ({ kind, uuid: randomUUID() }));
    expect(await store.crosswalk.numbers(id, ids)).toEqual(new Map());
    // Both are written together.
    await eventually('the job is marked', async () => {
      const report = await store.crosswalk.report(id);
      return report.some(({ kind, unlearned }) => kind === 'job' && unlearned === 1) ? true : undefined;
    });
    await store.writes.allot(write, 'client');
    expect(await numberOf(store, id, ids[0]?.uuid ?? '')).toBeGreaterThan(FIRST_ALLOTTED);
  });

  it('stays complete while the ledger keeps an undecidable write, and once that is settled as not done', async () => {
    const store = await bench.store();
    const id = randomUUID();
    await read(store, id);
    const write = await leaveForV1(store, { accountId: id, adds: both });
    await store.writes.end(write, { state: 'unknown', caller: 'untold', now: 2 });
    await store.writes.settle(write, { settlement: 'undecidable', note: '', now: 3 });
    await store.writes.forget({ answers: 0, writes: Date.now() + 1_000, now: Date.now() });
    expect(await completeIn(store, id)).toEqual([]);
    await store.writes.settle(write, { settlement: 'not-done', note: '', now: 4, by: 'kim' });
    expect(await completeIn(store, id)).toEqual(both);
  });

  it('is not complete while a write is under way, or while nobody knows what came of it', async () => {
    const store = await bench.store();
    const id = randomUUID();
    const write = await leaveForV1(store, { accountId: id, adds: both });
    await read(store, id);
    expect(await completeIn(store, id)).toEqual([]);
    await store.writes.end(write, { state: 'unknown', caller: 'untold', now: 2 });
    await read(store, id);
    expect(await completeIn(store, id)).toEqual([]);
    // Whatever V1 carries out after the move, no program gets to see there.
    const before = await store.crosswalk.writesBefore(id, moved);
    await store.crosswalk.markComplete(id, both, before);
    expect(await completeIn(store, id)).toEqual(both);
  });

  it('is complete although V1 refused a write, or V3 answered it instead', async () => {
    const store = await bench.store();
    const id = randomUUID();
    await read(store, id);
    const refused = await leaveForV1(store, { accountId: id, adds: both });
    await store.writes.end(refused, { state: 'refused', caller: 'told', now: 2 });
    const elsewhere = await leaveForV1(store, { accountId: id, adds: both });
    await store.writes.allot(elsewhere, 'client');
    await store.writes.end(elsewhere, { state: 'unknown', caller: 'untold', now: 2 });
    expect(await completeIn(store, id)).toEqual(both);
  });

  it('stays incomplete when the write is forgotten', async () => {
    const store = await bench.store();
    const id = randomUUID();
    const settled = randomUUID();
    await read(store, id);
    await read(store, settled);
    const lost = await leaveForV1(store, { accountId: settled, adds: both });
    await store.writes.end(lost, { state: 'unknown', caller: 'untold', now: 2 });
    await store.writes.settle(lost, { settlement: 'not-done', note: '', now: 3 });
    const write = await added(store, id);
    await store.writes.forget({ answers: 10, writes: 10, now: 20 });
    expect(await store.writes.find(write)).toBeUndefined();
    expect(await completeIn(store, id)).toEqual([]);
    expect(await completeIn(store, settled)).toEqual(both);
    await read(store, id);
    expect(await completeIn(store, id)).toEqual(both);
  });

  it('is complete once the pair of the record is stored, if it adds nothing else', async () => {
    const store = await bench.store();
    const id = randomUUID();
    await read(store, id);
    await added(store, id);
    await store.crosswalk.learn(id, [{ kind: 'client', number: 13, uuid: randomUUID() }]);
    expect(await completeIn(store, id)).toEqual(['client']);
  });

  it('is complete once an operator accepts new numbers', async () => {
    const store = await bench.store();
    const id = randomUUID();
    const uuid = randomUUID();
    await read(store, id);
    await added(store, id);
    expect(await numberOf(store, id, uuid)).toBeUndefined();
    await store.crosswalk.acceptUnlearned(id, both);
    expect(await numberOf(store, id, uuid)).toBe(FIRST_ALLOTTED);
  });

  it('is taken for incomplete before the move if 1.0.0-rc.1 has recorded a write, which does not say', async () => {
    const store = await bench.store();
    const [own, late] = [randomUUID(), randomUUID()];
    for (const id of [own, late]) {
      await read(store, id);
      await olderWrite(bench.url(), id);
      // Which release has moved the account, and what it has read, is not known.
      expect(await completeIn(store, id)).toEqual(both);
    }
    expect(await store.crosswalk.writesBefore(late, moved)).toEqual([]);
    expect(await completeIn(store, late)).toEqual(both);
    const before = await store.crosswalk.writesBefore(own, terms);
    expect(before).toHaveLength(1);
    expect(await completeIn(store, own)).toEqual([]);
    await store.crosswalk.markComplete(own, both, before);
    expect(await completeIn(store, own)).toEqual(both);
  });

  /** What may happen, and how often. */
  const step = fc.oneof(
    ...Object.entries({ add: 4, answer: 3, begin: 3, list: 3, end: 3 }).map(usually),
    ...Object.entries({ lose: 1, 'carry-out': 1, see: 1, forget: 1, move: 1 }).map(usually),
  );

  it('never gets two numbers for one record, whatever happens in which order', async () => {
    const stores = await bench.twoStores();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (taken) => {
        const played = new Played(stores);
        await read(stores[0], played.id, []);
        for (const [at, one] of taken.entries()) await played.take(one, at);
        await played.take('see', taken.length);
        expect(played.doubled).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

interface Sent {
  readonly write: string;
  readonly pair: Pair;
  isDone: boolean;
  isAnswered: boolean;
  isLost: boolean;
  /** A program may hold the number of V1. */
  isHeld: boolean;
}

/** An account on V1, whose lists one pass reads while its programs add clients; two processes take turns. */
class Played {
  readonly id = randomUUID();
  /** Numbers of V1 that a program may hold, whose records got others. */
  readonly doubled: string[] = [];
  readonly #stores: readonly [Store, Store];
  readonly #sent: Sent[] = [];
  #hasMoved = false;
  #before: readonly string[] | undefined;
  #listed: readonly Pair[] | undefined;

  constructor(stores: readonly [Store, Store]) {
    this.#stores = stores;
  }

  async take(step: string, at: number): Promise<void> {
    const store = this.#stores[at % 2 === 0 ? 0 : 1];
    const open = this.#sent.find(({ isAnswered, isLost }) => !isAnswered && !isLost);
    const waiting = this.#sent.find(({ isDone }) => !isDone);
    switch (step) {
      case 'add':
        if (!this.#hasMoved) await this.#add(store);
        break;
      case 'carry-out':
        if (waiting !== undefined) this.#carryOut(waiting);
        break;
      case 'answer':
        if (open === undefined) break;
        this.#carryOut(open);
        Object.assign(open, { isAnswered: true, isHeld: true });
        await answeredByV1(store, open.write, `${open.pair.number}`);
        break;
      case 'lose':
        if (open === undefined) break;
        open.isLost = true;
        await store.writes.end(open.write, { state: 'unknown', caller: 'untold', now: 2 });
        break;
      case 'begin':
        this.#before = await store.crosswalk.writesBefore(this.id, { ...terms, hasMoved: this.#hasMoved });
        this.#listed = undefined;
        break;
      case 'list':
        if (this.#before !== undefined) this.#listed ??= this.#done.map(({ pair }) => pair);
        break;
      case 'end':
        if (this.#before === undefined || this.#listed === undefined) break;
        await store.crosswalk.learn(this.id, this.#listed);
        await store.crosswalk.markComplete(this.id, both, this.#before);
        this.#before = undefined;
        break;
      case 'forget':
        // Days after the answer; a pass takes minutes.
        if (this.#before !== undefined) break;
        await store.writes.forget({ answers: 10, writes: 10, now: 20 });
        break;
      case 'move':
        this.#hasMoved = true;
        break;
      case 'see':
        for (const one of this.#done) await this.#see(store, one);
    }
  }

  get #done(): readonly Sent[] {
    return this.#sent.filter(({ isDone }) => isDone);
  }

  async #add(store: Store): Promise<void> {
    const number = 13 + this.#sent.length;
    const write = await leaveForV1(store, { accountId: this.id, adds: both });
    const pair = { kind: 'client', number, uuid: randomUUID() };
    this.#sent.push({ write, pair, isDone: false, isAnswered: false, isLost: false, isHeld: false });
  }

  /** Before the move a program may read it in a list of V1. */
  #carryOut(one: Sent): void {
    if (!one.isDone) Object.assign(one, { isDone: true, isHeld: !this.#hasMoved });
  }

  async #see(store: Store, { pair, isHeld }: Sent): Promise<void> {
    const number = await numberOf(store, this.id, pair.uuid);
    if (isHeld && number !== undefined && number !== pair.number)
      this.doubled.push(`${pair.number}: ${number}`);
  }
}

/** The row of a write, as a program inserts it that knows no column `adds`. */
const olderWrite = (url: string, accountId: string): Promise<unknown> =>
  sqlOf(
    url,
    `insert into writes (id, account_id, method, route, fingerprint, length, owner, state, caller, facts_sealed,
       created_at, attempts, note)
     values ('${randomUUID()}', '${accountId}', 'client.add', 'v1', 'f', 1, 'p', 'done', 'told', '', 1, 0, '')`,
  );
