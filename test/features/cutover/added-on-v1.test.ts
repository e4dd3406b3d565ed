import { describe, expect, it } from '@jest/globals';
import { HOUR, MINUTE } from '../../../src/lib/time/clock.ts';
import { silentLog } from '../../../src/lib/log/log.ts';
import { CutoverJob } from '../../../src/features/cutover/jobs.ts';
import { FIRST_ALLOTTED } from '../../../src/mapping/crosswalk/identifier.ts';
import { answeredByV1, leaveForV1 } from '../../support/v1-writes.ts';
import {
  addAccount,
  answer,
  arrive,
  depart,
  kindsAdded,
  linkFor,
  mapsOf,
  ok,
  openVillage,
  uuid,
  wholeV1,
  wordFor,
  type Village,
} from '../harness.ts';

/** V1's lists with client 13. */
const withClient13: Village['v1']['answers'] = {
  ...wholeV1,
  'f/client': () => answer(200, `ID,UUID\n11,${uuid(11)}\n12,${uuid(12)}\n13,${uuid(13)}\n`),
};
const closed: Village['v1']['answers'] = { 'uuid.api/maps': () => answer(403, '') };

/** The customer has pressed the button: V1's lists have been read. */
async function departed() {
  const village = await openVillage({ proofMode: 'name' });
  const { id } = await addAccount(village);
  const { store, clock, v1 } = village;
  const left = () => leaveForV1(store, { accountId: id, adds: kindsAdded('client.add'), at: clock.now() });
  const addOnV1 = async (): Promise<void> => answeredByV1(store, await left(), '13', clock.now());
  const link = await linkFor(village, id);
  const state = await depart(village, link);
  clock.advance(4 * MINUTE);
  const numberOf = async (n: number) =>
    (await store.crosswalk.numbers(id, [{ kind: 'client', uuid: uuid(n) }])).get(`client:${uuid(n)}`);
  const stage = async () => (await store.accounts.byId(id))?.life.stage;
  const reason = async () => (await store.accounts.timeline(id)).at(-1)?.detail;
  const job = new CutoverJob({ repository: store.accounts, cutover: village.cutover, log: silentLog });
  return { village, id, store, clock, v1, state, left, addOnV1, numberOf, stage, reason, job };
}

describe('a record that a program adds on V1 while its customer approves', () => {
  it('keeps the account from moving if V1 cannot be read any more, and gets no second number', async () => {
    const { village, v1, state, addOnV1, numberOf, stage, reason } = await departed();
    await addOnV1();
    v1.answers = closed;
    expect(wordFor(await arrive(village, state))).toBe('connected');
    expect(await stage()).toBe('consented');
    expect(await reason()).toBe(
      'V1 refuses the keys; not learned: client, contact (a program may have added some on V1 since they were last read). Import them, or accept new numbers',
    );
    expect(await numberOf(13)).toBeUndefined();
  });

  it('has its own number after the move if V1 still shows it', async () => {
    const { village, v1, state, addOnV1, numberOf, stage } = await departed();
    await addOnV1();
    v1.answers = withClient13;
    await arrive(village, state);
    expect(await stage()).toBe('migrated');
    expect([await numberOf(13), await numberOf(77)]).toEqual([13, FIRST_ALLOTTED]);
  });

  it('is counted as unlearned if an operator moves the account without it, until its pair is imported', async () => {
    const { village, id, store, v1, state, addOnV1, numberOf, stage } = await departed();
    await addOnV1();
    v1.answers = closed;
    await arrive(village, state);
    const override = { allotUnlearned: false, despite: ['identifiers'] } as const;
    expect(await village.cutover.force(id, override)).toEqual({ verdict: 'migrated' });
    expect(await stage()).toBe('migrated');
    expect([await numberOf(13), await numberOf(77)]).toEqual([undefined, undefined]);
    const reported = async () => (await store.crosswalk.report(id)).filter(({ kind }) => kind === 'client');
    expect(await reported()).toMatchObject([{ unlearned: 2, allotted: 0, complete: false }]);
    await store.crosswalk.learn(id, [{ kind: 'client', number: 13, uuid: uuid(13) }]);
    expect([await numberOf(13), await numberOf(78)]).toEqual([13, FIRST_ALLOTTED]);
    expect(await reported()).toMatchObject([{ unlearned: 1, allotted: 1, complete: true }]);
  });

  it('gets a new number if the operator accepts that', async () => {
    const { village, id, v1, state, addOnV1, numberOf } = await departed();
    await addOnV1();
    v1.answers = closed;
    await arrive(village, state);
    expect(await village.cutover.force(id, { allotUnlearned: true })).toEqual({ verdict: 'migrated' });
    expect(await numberOf(13)).toBe(FIRST_ALLOTTED);
    expect(await village.cutover.force(id, { allotUnlearned: true })).toEqual({ verdict: 'nothing' });
  });

  it('does not matter if V1 has refused it, or it was not carried out', async () => {
    const { village, id, store, v1, state, left, stage } = await departed();
    await store.writes.end(await left(), { state: 'refused', caller: 'told', now: 2 });
    const lost = await left();
    await store.writes.end(lost, { state: 'unknown', caller: 'untold', now: 2 });
    v1.answers = closed;
    await arrive(village, state);
    // Nobody knows yet what came of the second.
    expect(await stage()).toBe('consented');
    await store.writes.settle(lost, { settlement: 'not-done', note: '', now: 3 });
    expect(await village.cutover.check(id)).toEqual({ verdict: 'migrated' });
  });

  it('does not matter if V1 was read after it', async () => {
    const { village, id, store, v1, left } = await departed();
    await answeredByV1(store, await left(), '13');
    v1.answers = withClient13;
    const again = await depart(village, await linkFor(village, id));
    v1.answers = closed;
    await arrive(village, again);
    expect((await store.accounts.byId(id))?.life.stage).toBe('migrated');
  });
});

/** The maps of `wholeV1`, exported two and a half minutes before V1 lists them. */
const exportedBefore: Village['v1']['answers'] = {
  ...wholeV1,
  'uuid.api/maps': () =>
    mapsOf(
      '2026-11-20T09:27:30',
      ...['Client', 'Contact', 'Time'].map((type) => [type, `http://v1/f/${type.toLowerCase()}`] as const),
    ),
};
const shown = (n: number) => `<Client><ID>${n}</ID><UUID>${uuid(n)}</UUID></Client>`;

describe('a map that V1 exported before it was asked for it', () => {
  it('hides no record that V1’s list shows, whoever added it', async () => {
    const { village, clock, v1, state, addOnV1, numberOf, stage } = await departed();
    await addOnV1();
    clock.advance(2 * MINUTE);
    const listed = () => ok(`<Clients>${[11, 12, 13, 14].map(shown).join('')}</Clients>`);
    v1.answers = { ...exportedBefore, 'client.api/list': listed };
    await arrive(village, state);
    expect(await stage()).toBe('migrated');
    // The service's own screens have added 14.
    expect([await numberOf(13), await numberOf(14), await numberOf(77)]).toEqual([13, 14, FIRST_ALLOTTED]);
  });

  it('does not count as read by it what was added since, if no list shows it', async () => {
    const { village, id, store, clock, v1, state, stage, reason } = await departed();
    const write = await leaveForV1(store, { accountId: id, adds: ['time'], at: clock.now() });
    await answeredByV1(store, write, '41', clock.now());
    clock.advance(2 * MINUTE);
    v1.answers = exportedBefore;
    await arrive(village, state);
    expect(await stage()).toBe('consented');
    expect(await reason()).toBe(
      'V1 does not show every number; not learned: time (its map was exported earlier, or its date is not in UTC). Import them, or accept new numbers',
    );
    v1.answers = wholeV1;
    expect(await village.cutover.check(id)).toEqual({ verdict: 'migrated' });
  });

  it('shows what was added long before it was exported', async () => {
    const { village, id, store, clock, v1, state, stage } = await departed();
    const write = await leaveForV1(store, { accountId: id, adds: ['time'], at: clock.now() });
    await answeredByV1(store, write, '41', clock.now());
    clock.advance(5 * MINUTE);
    v1.answers = exportedBefore;
    await arrive(village, state);
    expect(await stage()).toBe('migrated');
  });

  it.each([
    ['does not show', 'less', 'consented', 23 * HOUR],
    ['shows', 'more', 'migrated', 25 * HOUR],
  ])('%s what 1.0.0-rc.1 noted %s than a day before its export', async (_does, _age, end, later) => {
    const { village, id, store, clock, v1, state, stage } = await departed();
    const write = await leaveForV1(store, { accountId: id, adds: ['time'], at: clock.now() });
    const ending = { state: 'done', caller: 'told', route: 'v1', made: '41', kind: 'time' } as const;
    await store.writes.end(write, { ...ending, now: clock.now() });
    v1.answers = exportedBefore;
    clock.advance(5 * MINUTE);
    await arrive(village, state);
    expect(await stage()).toBe('consented');
    clock.advance(later);
    await village.cutover.check(id);
    expect(await stage()).toBe(end);
  });
});

describe('a list of V1 that cannot be read after the move', () => {
  it('is read again, and the timeline names it instead of a write that is long over', async () => {
    const { village, id, store, clock, v1, state, addOnV1, job } = await departed();
    await addOnV1();
    v1.answers = { ...wholeV1, 'f/client': () => answer(500, '') };
    await arrive(village, state);
    await village.cutover.force(id, { allotUnlearned: false, despite: ['identifiers'] });
    const entries = async () =>
      (await store.accounts.timeline(id)).flatMap(({ kind, detail }) =>
        kind.startsWith('numbers.') ? [`${kind}: ${detail}`] : [],
      );
    const unread =
      'numbers.unread: V1 did not show client (V1 does not know the method); it is tried again for a day';
    expect(await entries()).toEqual([unread]);
    v1.answers = withClient13;
    clock.advance(MINUTE);
    await job.run();
    expect(await entries()).toEqual([unread, 'numbers.read: 1 number learned']);
  });
});

describe('a write that V1 is still carrying out when its account moves', () => {
  it('leaves new records without a number until V1 has shown what it added', async () => {
    const { village, store, clock, v1, state, left, numberOf, stage, job } = await departed();
    const write = await left();
    await arrive(village, state);
    expect(await stage()).toBe('migrated');
    expect(await numberOf(13)).toBeUndefined();
    await job.run();
    expect(await numberOf(13)).toBeUndefined();
    await answeredByV1(store, write, '13', clock.now());
    v1.answers = withClient13;
    clock.advance(MINUTE);
    await job.run();
    expect([await numberOf(13), await numberOf(77)]).toEqual([13, FIRST_ALLOTTED]);
    const asked = v1.asked.length;
    clock.advance(MINUTE);
    await job.run();
    expect(v1.asked).toHaveLength(asked);
  });

  it('leaves them so if V1 has closed', async () => {
    const { village, clock, v1, state, left, numberOf, job } = await departed();
    await left();
    await arrive(village, state);
    v1.answers = closed;
    for (let hour = 0; hour < 48; hour += 1) {
      await job.run();
      clock.advance(HOUR);
    }
    expect(await numberOf(13)).toBeUndefined();
  });

  it('keeps the reading after the move open, and the timeline says why', async () => {
    const { village, id, store, clock, state, left, job } = await departed();
    const write = await left();
    await arrive(village, state);
    const entries = async () =>
      (await store.accounts.timeline(id))
        .filter(({ kind }) => kind.startsWith('numbers.'))
        .map(({ kind, detail }) => `${kind}: ${detail}`);
    const underWay =
      'numbers.unread: V1 was still carrying out a write of a program; it is tried again for a day';
    expect(await entries()).toEqual([underWay]);
    await answeredByV1(store, write, '13', clock.now());
    clock.advance(MINUTE);
    await job.run();
    expect(await entries()).toEqual([underWay, 'numbers.read: 0 numbers learned']);
  });
});
