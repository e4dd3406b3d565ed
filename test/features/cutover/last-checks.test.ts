import { describe, expect, it } from '@jest/globals';
import type { Wave } from '../../../src/features/campaign/waves/model.ts';
import { MINUTE } from '../../../src/lib/time/clock.ts';
import {
  addAccount,
  answer,
  arrive,
  depart,
  linkFor,
  ok,
  openVillage,
  type Village,
  type VillageOptions,
  shownClient,
} from '../harness.ts';

const isProof = ({ v3 }: Village): boolean => v3.asked.at(-1)?.[1].segments.includes('get') === true;

/** An account that is ready to move, and has not been checked since its consent. */
async function consented(options: VillageOptions = {}) {
  const village = await openVillage(options);
  const { id } = await addAccount(village);
  village.v3.answer = (asked) => (isProof(village) ? shownClient(asked) : answer(503, ''));
  await arrive(village, await depart(village, await linkFor(village, id)));
  village.v3.answer = shownClient;
  const stage = async () => (await village.store.accounts.byId(id))?.life.stage;
  expect(await stage()).toBe('consented');
  return { village, id, stage };
}

describe('an organisation that the operator names after the consent', () => {
  it.each([
    ['by its id', { organisationId: 'org-2' }, 'with the id org-2 is expected'],
    ['by its name', { organisationName: 'Mill Pond' }, 'named Mill Pond is expected'],
  ] as const)('keeps an account that is connected to another one (%s)', async (_how, change, words) => {
    const { village, id, stage } = await consented();
    village.clock.advance(MINUTE);
    await village.accounts.set(id, change);
    expect(await village.cutover.check(id)).toEqual({
      verdict: 'waiting',
      reason: expect.stringContaining(words) as unknown,
    });
    expect(await village.cutover.force(id, { allotUnlearned: true, despite: ['samples'] })).toMatchObject({
      verdict: 'waiting',
    });
    expect(await stage()).toBe('consented');
  });

  it.each([
    ['the one that is connected', { organisationId: 'org-1' }],
    ['alike by name', { organisationName: 'OLD MILL engineering' }],
    ['taken back', { organisationId: '' }],
  ] as const)('keeps no account if it is %s', async (_what, change) => {
    const { village, id } = await consented();
    await village.accounts.set(id, { organisationId: 'org-2', organisationName: 'Mill Pond' });
    await village.accounts.set(id, { organisationId: '', organisationName: '', ...change });
    expect(await village.cutover.check(id)).toEqual({ verdict: 'migrated' });
  });

  it('keeps no account if an operator has confirmed the other one since', async () => {
    const { village, id } = await consented();
    await village.accounts.set(id, { organisationId: 'org-2' });
    const at = village.clock.now();
    const event = { at, kind: 'consented', actor: 'operator', detail: 'confirmed by the operator' };
    await village.store.accounts.change(id, (life) => life, event);
    expect(await village.cutover.check(id)).toEqual({ verdict: 'migrated' });
  });

  it('keeps the account even if it is named while the checks run', async () => {
    const { village, id, stage } = await consented();
    const { identifierSync } = village;
    const learn = identifierSync.learn.bind(identifierSync);
    identifierSync.learn = async (...given) => {
      await village.accounts.set(id, { organisationId: 'org-2' });
      return learn(...given);
    };
    expect(await village.cutover.check(id)).toMatchObject({ verdict: 'waiting' });
    expect(await stage()).toBe('consented');
  });
});

describe('a reply of V3 that nobody can read', () => {
  it.each([
    [429, '{"error":"slow down"}', 'V3 answers with status 429'],
    [503, '<html><body><p>Down</body></html>', 'V3 answers with status 503'],
    [200, '<html><body><p>Down</body></html>', 'V3 answers, but its reply is an error or cannot be read'],
  ])('is no agreement of the two parsers (%i)', async (status, body, detail) => {
    const { village, id, stage } = await consented();
    let reads = 0;
    village.v3.answer = (asked) => {
      if (isProof(village)) return shownClient(asked);
      reads += 1;
      return reads === 1 ? shownClient(asked) : answer(status, body);
    };
    expect(await village.cutover.inspect(id)).toContainEqual({ name: 'readers', result: 'failed', detail });
    reads = 0;
    expect(await village.cutover.check(id)).toEqual({ verdict: 'waiting', reason: detail });
    expect(await stage()).toBe('consented');
  });
});

describe('a wave that is stopped while the checks of one of its accounts run', () => {
  it('keeps the account from moving by itself, but not an operator from moving it', async () => {
    const { village, id, stage } = await consented();
    const { waves, accounts } = village.store;
    const at = village.clock.now();
    const brake = { holdHours: 24, mostErrorPercent: 5, mostTroubledPercent: 10 };
    const wave: Wave = {
      ...{ name: 'Pilot', position: 1, query: '', most: undefined, start: undefined, brake },
      ...{ state: 'planned', since: at, reason: 'planned by Kim' },
    };
    await waves.add(wave);
    await waves.send(wave, [id], { at, reason: 'started by Kim' });
    village.v3.answer = (asked) => ({
      ...ok(''),
      body: (async function* () {
        await waves.enter('Pilot', { from: 'sent', to: 'stopped', at, reason: 'stopped by Kim' });
        yield* shownClient(asked).body;
      })(),
    });
    const cutover = village.cutoverWith({ held: (...given) => waves.held(...given) });
    const reason = 'its wave Pilot is stopped: stopped by Kim';
    expect(await cutover.check(id)).toEqual({ verdict: 'waiting', reason });
    expect(await stage()).toBe('consented');
    expect((await accounts.timeline(id)).at(-1)).toMatchObject({ kind: 'cutover.waiting', detail: reason });
    expect(await cutover.force(id, { allotUnlearned: false })).toEqual({ verdict: 'migrated' });
  });
});
