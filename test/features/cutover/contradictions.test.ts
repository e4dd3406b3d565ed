import { describe, expect, it } from '@jest/globals';
import { close, migrate } from '../../../src/features/accounts/account.ts';
import { Failure } from '../../../src/lib/failure.ts';
import type { LearnTerms, Pair } from '../../../src/mapping/crosswalk/identifier.ts';
import {
  addAccount,
  answer,
  arrive,
  connection,
  depart,
  linkFor,
  openVillage,
  REFUSED,
  uuid,
  wholeV1,
  wordFor,
  type Village,
  shownClient,
} from '../harness.ts';

const client = (number: number, of: number) => ({ kind: 'client', number, uuid: uuid(of) });
const swapped = [client(11, 12), client(12, 11)];
const IMPORTED = { origin: 'imported' } as const;

/** An account with a consent and pairs of an operator's file; V1 shows 11 and 12 with their own UUIDs. */
async function consented(pairs: readonly Pair[], terms: LearnTerms = IMPORTED) {
  const village = await openVillage();
  const { id } = await addAccount(village);
  const { v1, v3, store } = village;
  await store.crosswalk.learn(id, pairs, terms);
  v1.answers = {};
  const isProof = () => v3.asked.at(-1)?.[1].segments.includes('get') === true;
  v3.answer = (asked) => (isProof() ? shownClient(asked) : shownClient(asked));
  const organisationId = 'org-1';
  await village.accounts.set(id, { organisationId });
  await arrive(village, await depart(village, await linkFor(village, id)));
  v1.answers = wholeV1;
  const account = async () => {
    const found = await store.accounts.byId(id);
    if (found === undefined) throw new Error('it was added');
    return found;
  };
  expect((await account()).life.stage).toBe('consented');
  return { village, id, account };
}

const all = async (pairs: AsyncIterable<Pair>): Promise<readonly Pair[]> => {
  const found: Pair[] = [];
  for await (const pair of pairs) found.push(pair);
  return found;
};

/** `11 12 imported`: number, UUID, and whether V1 has never shown it. */
async function known({ store }: Village, id: string): Promise<readonly string[]> {
  const shown = (await all(store.crosswalk.export(id, 'client', 'imported'))).map(({ number }) => number);
  return (await all(store.crosswalk.export(id, 'client'))).map(
    (pair) =>
      `${pair.number} ${Number(pair.uuid.slice(-12))}${shown.includes(pair.number) ? '' : ' imported'}`,
  );
}

const SWAPPED = `V1 contradicts 2 known pairs (client): client 11 is UUID ${uuid(11)} on V1, but ${uuid(12)} according to an import; client 12 is UUID ${uuid(12)} on V1, but ${uuid(11)} according to an import. A program would change another record by such a number; causeway crosswalk learn NAME --correct replaces these pairs by V1’s`;

describe('imported pairs that V1 contradicts', () => {
  it('keep the account from moving, by itself and with new numbers, and the timeline says how, once', async () => {
    const { village, id, account } = await consented(swapped);
    const { cutover, store } = village;
    for (const verdict of [
      await cutover.check(id),
      await cutover.check(id),
      await cutover.force(id, { allotUnlearned: true }),
    ])
      expect(verdict).toEqual({ verdict: 'waiting', reason: SWAPPED });
    expect((await account()).life.stage).toBe('consented');
    const told = (await store.accounts.timeline(id)).filter(({ kind }) => kind === 'crosswalk.contradicted');
    expect(told).toMatchObject([{ actor: 'bridge', detail: SWAPPED }]);
  });

  it('keep it from moving while V1 does not answer either', async () => {
    const { village, id, account } = await consented(swapped);
    await village.identifierSync.learn(await account());
    village.v1.get = () => Promise.reject(new Failure('upstreamUnavailable'));
    expect(await village.cutover.check(id)).toEqual({ verdict: 'waiting', reason: SWAPPED });
  });

  it('are replaced by those of V1 if the operator asks for it, and then the account moves', async () => {
    const { village, id, account } = await consented([...swapped, client(77, 77)]);
    const { cutover, store, identifierSync } = village;
    await cutover.check(id);
    const both = [11, 12].map((number) => ({ kind: 'client', number }));
    expect([...(await store.crosswalk.uuids(id, both)).values()]).toEqual([uuid(12), uuid(11)]);
    expect(await identifierSync.learn(await account(), 'Kim', true)).toMatchObject({
      added: 2,
      conflicts: 0,
    });
    expect(await known(village, id)).toEqual(['11 11', '12 12', '77 77 imported']);
    expect([...(await store.crosswalk.uuids(id, both)).values()]).toEqual([uuid(11), uuid(12)]);
    expect((await store.accounts.timeline(id)).map(({ kind }) => kind)).toContain('crosswalk.agreed');
    expect(await cutover.check(id)).toEqual({ verdict: 'migrated' });
  });

  it('are named by the number that they gave to a UUID of V1', async () => {
    const { village, id } = await consented([client(13, 11)]);
    expect(await village.cutover.check(id)).toMatchObject({
      reason: expect.stringContaining(
        `client 11 is UUID ${uuid(11)} on V1, which is client 13 according to an import.`,
      ) as unknown,
    });
  });

  it('are not replaced once the account has moved', async () => {
    const { village, id, account } = await consented(swapped);
    const event = { at: village.clock.now(), kind: 'migrated', actor: 'test', detail: '' };
    await village.store.accounts.change(id, migrate, event);
    await expect(village.identifierSync.learn(await account(), 'Kim', true)).rejects.toThrow(
      'the account has moved: no pair of numbers can be corrected any more',
    );
    expect(await known(village, id)).toEqual(['11 12 imported', '12 11 imported']);
    await village.store.accounts.change(id, close, event);
    await expect(village.store.crosswalk.learn(id, swapped, { corrects: true })).rejects.toThrow('has moved');
  });
});

describe('pairs that V1 or the bridge has given', () => {
  it('keep an account from moving by each kind until V1 has shown all of that kind again', async () => {
    const { village, id, account } = await consented([
      ...swapped,
      { kind: 'contact', number: 21, uuid: uuid(99) },
    ]);
    await village.cutover.check(id);
    village.v1.answers = { ...wholeV1, 'f/client': () => answer(404, '') };
    await village.cutover.check(id);
    await village.identifierSync.learn(await account(), 'Kim', true);
    await village.cutover.check(id);
    expect((await account()).life.stage).toBe('consented');
    expect(await known(village, id)).toEqual(['11 12 imported', '12 11 imported']);
    const agreed = async () =>
      (await village.store.accounts.timeline(id)).flatMap(({ kind, detail }) =>
        kind === 'crosswalk.agreed' ? [detail] : [],
      );
    expect(await agreed()).toEqual(['V1 no longer contradicts known pairs of some kinds (contact)']);
    village.v1.answers = wholeV1;
    await village.identifierSync.learn(await account(), 'Kim', true);
    await village.cutover.check(id);
    expect((await account()).life.stage).toBe('migrated');
    expect((await agreed()).at(-1)).toBe('V1 no longer contradicts any known pair');
  });

  it('keep an account from moving if V1 contradicts itself, unless an operator overrides that', async () => {
    const { village, id } = await consented([client(11, 99)], { origin: 'learned' });
    const detail = `client 11 is UUID ${uuid(11)} on V1, but ${uuid(99)} according to an earlier reading of V1`;
    expect(await village.cutover.check(id)).toMatchObject({
      reason: expect.stringContaining(detail) as unknown,
    });
    expect(await village.cutover.force(id, { allotUnlearned: true })).toEqual({ verdict: 'migrated' });
  });

  it('keep no account from moving if the bridge has assigned the number, and are never replaced', async () => {
    const { village, id, account } = await consented([]);
    const { store } = village;
    const given = { kind: 'client', uuid: uuid(11) };
    await store.crosswalk.numbers(id, [given], new Set([given.uuid]));
    await village.identifierSync.learn(await account(), 'Kim', true);
    expect(await known(village, id)).toEqual(['12 12', '1500000000 11']);
    expect(await village.cutover.check(id)).toEqual({ verdict: 'migrated' });
  });

  it('count as learned from V1 as soon as V1 shows what an operator imported', async () => {
    const { village, id, account } = await consented([client(11, 11), client(77, 77)]);
    await village.identifierSync.learn(await account());
    expect(await known(village, id)).toEqual(['11 11', '12 12', '77 77 imported']);
    expect(await village.store.crosswalk.report(id)).toMatchObject([{ kind: 'client', learned: 3 }, {}, {}]);
  });
});

describe('imported pairs', () => {
  /** V3 shows only these clients in the organisation that is approved. */
  async function approve(numbers: readonly number[], organisation: readonly [string, string]) {
    const village = await openVillage();
    const { id } = await addAccount(village);
    await village.store.crosswalk.learn(id, [client(11, 911), client(12, 912)], IMPORTED);
    village.authority.organisationIds = [organisation[0]];
    village.authority.known = [connection(...organisation, 'event-1')];
    village.v3.answer = (asked) => {
      const segments = village.v3.asked.at(-1)?.[1].segments ?? [];
      if (!segments.includes('get')) return shownClient(asked);
      return numbers.some((n) => segments.at(-1) === uuid(n)) ? shownClient(asked) : answer(200, REFUSED);
    };
    const outcome = await arrive(village, await depart(village, await linkFor(village, id)));
    return { outcome, stage: (await village.store.accounts.byId(id))?.life.stage };
  }

  it('prove no organisation that has their clients', async () => {
    const { stage } = await approve([911, 912], ['org-2', 'Totally Different Ltd']);
    expect(stage).not.toBe('consented');
    expect(stage).not.toBe('migrated');
  });

  it('rule out no organisation that lacks their clients', async () => {
    const { outcome, stage } = await approve([11, 12], ['org-1', 'Old Mill Engineering Ltd']);
    expect(wordFor(outcome)).not.toBe('foreignOrganisation');
    expect(stage).toBe('awaiting-operator');
  });
});
