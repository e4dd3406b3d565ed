import { describe, expect, it } from '@jest/globals';
import { close, consent, lose, migrate, type Account } from '../../../src/features/accounts/account.ts';
import type { AccountRepository } from '../../../src/features/accounts/model.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/lib/time/clock.ts';
import { Failure } from '../../../src/lib/failure.ts';
import { silentLog } from '../../../src/lib/log/log.ts';
import { StoreFault } from '../../../src/lib/store-fault.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { Accounts } from '../../../src/features/accounts/accounts.ts';
import { systemRandom } from '../../../src/lib/secret/random.ts';
import type { Crosswalk } from '../../../src/mapping/crosswalk/identifier.ts';
import type { Cutover } from '../../../src/features/cutover/cutover.ts';
import { overridableNames, type Override } from '../../../src/features/cutover/override.ts';
import { CutoverJob } from '../../../src/features/cutover/jobs.ts';
import { IdentifierSync } from '../../../src/features/identifiers/identifier-sync.ts';
import {
  addAccount,
  answer,
  arrive,
  connection,
  depart,
  kindsAdded,
  knowsNoClient,
  linkFor,
  maps,
  mapsOf,
  ok,
  openVillage,
  ORGANISATION,
  plan,
  uuid,
  wholeV1,
  type Village,
  type VillageOptions,
  shownClient,
} from '../harness.ts';

/** An account with a grant whose checks have not passed. */
async function consented(options: VillageOptions = {}) {
  const village = await openVillage(options);
  const { id } = await addAccount(village);
  const isProof = () => village.v3.asked.at(-1)?.[1].segments.includes('get') === true;
  village.v3.answer = (asked) => (isProof() ? shownClient(asked) : answer(503, ''));
  await arrive(village, await depart(village, await linkFor(village, id)));
  village.v3.answer = shownClient;
  const stage = async () => (await village.store.accounts.byId(id))?.life.stage;
  expect(await stage()).toBe('consented');
  return { village, id, stage };
}

describe('the event of the irreversible step', () => {
  const fault = new StoreFault('unavailable', 'the database is away');

  it.each(['by the checks', 'by the operator'] as const)(
    'is not sent if the store refused it (%s)',
    async (who) => {
      const lines: string[] = [];
      const { village, id, stage } = await consented();
      const { accounts } = village.store;
      const cutover = village.cutoverWith({
        repository: refusingChange(accounts, () => Promise.reject(fault)),
        log: { ...silentLog, info: (event) => void lines.push(event) },
      });
      const step = who === 'by the checks' ? cutover.check(id) : cutover.force(id, { allotUnlearned: false });
      await expect(step).rejects.toBe(fault);
      expect(await stage()).toBe('consented');
      expect(lines).not.toContain('cutover.migrated');
      // Nothing is remembered of it: the next look moves the account.
      expect(await village.cutover.check(id)).toEqual({ verdict: 'migrated' });
    },
  );

  it('is logged with the name of the person who moved the account, without the address', async () => {
    const lines: unknown[] = [];
    const { village, id } = await consented();
    const cutover = village.cutoverWith({
      log: { ...silentLog, info: (event, fields) => void lines.push({ event, ...fields }) },
    });
    await cutover.force(id, { allotUnlearned: false }, 'Ada Lovelace <ada@example.com>');
    expect(lines).toContainEqual({ event: 'cutover.migrated', account: id, actor: 'Ada Lovelace' });
  });

  it('is not sent for an account closed meanwhile, but for one that another process moved', async () => {
    const closed = await consented();
    const event = { at: 1, kind: 'closed', actor: 'operator', detail: '' };
    const { accounts } = closed.village.store;
    const slow = closed.village.cutoverWith({
      repository: refusingChange(accounts, async (id, transition, wanted) => {
        await accounts.change(id, close, event);
        return accounts.change(id, transition, wanted);
      }),
    });
    expect(await slow.check(closed.id)).toEqual({ verdict: 'nothing' });
    expect(await closed.stage()).toBe('closed');

    const moved = await consented();
    const own = moved.village.store.accounts;
    const second = moved.village.cutoverWith({
      repository: refusingChange(own, async (id, transition, wanted) => {
        await own.change(id, migrate, event);
        return own.change(id, transition, wanted);
      }),
    });
    expect(await second.check(moved.id)).toEqual({ verdict: 'migrated' });
  });
});

describe('a consent that is stored while another one is checked', () => {
  const checked = (village: Village, id: string) => village.cutover.check(id);
  const forced = (village: Village, id: string) => village.cutover.force(id, { allotUnlearned: false });

  it.each([
    ['keeps the account from moving if its organisation is closed', checked, 'org-1', 'consented'],
    ['keeps an operator from moving it, too', forced, 'org-1', 'consented'],
    ['moves the account if only the former organisation is closed', checked, 'org-2', 'migrated'],
  ] as const)('%s', async (_, step, open, stage) => {
    const { village, id } = await consented();
    const { accounts, grants } = village.store;
    const [first] = await grants.list();
    if (first?.state !== 'held') throw new Error('no grant');
    await grants.create({ ...first, id: 'second', now: first.createdAt });
    const second = { grantId: 'second', organisation: { id: 'org-2', name: 'Two' } };
    const { v3 } = village;
    let isBound = false;
    v3.answer = (asked) =>
      v3.asked.at(-1)?.[0].organisationId === open ? shownClient(asked) : answer(403, '');
    const send = v3.send.bind(v3);
    v3.send = async (...request) => {
      const event = { at: 0, kind: 'test', actor: 'test', detail: '' };
      if (!isBound) await accounts.change(id, (life) => consent(life, second), event);
      isBound = true;
      return send(...request);
    };
    village.authority.known = ['org-1', 'org-2'].map((org) => connection(org, org, 'event-1'));
    await step(village, id);
    expect((await accounts.byId(id))?.life).toEqual({ stage, binding: second });
  });
});

/** The repository, but for one method. */
const replacing = <Of extends object, Name extends keyof Of>(of: Of, method: Name, by: Of[Name]): Of =>
  new Proxy(of, {
    get: (target, name) => {
      if (name === method) return by;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

const refusingChange = (
  repository: AccountRepository,
  change: AccountRepository['change'],
): AccountRepository => replacing(repository, 'change', change);

const acceptingNothing = (crosswalk: Crosswalk): Crosswalk =>
  replacing(crosswalk, 'acceptUnlearned', () => Promise.reject(new Error('killed')));

describe('the checks before the cut-over', () => {
  it('move the account if they pass, after a small read of its own organisation', async () => {
    const { village, id, stage } = await consented();
    expect(await village.cutover.check(id)).toEqual({ verdict: 'migrated' });
    expect(await stage()).toBe('migrated');
    const [to, request] = village.v3.asked.findLast(([, { segments }]) => segments.includes('list')) ?? [];
    expect(to).toMatchObject({ accountId: id, organisationId: 'org-1' });
    expect(request).toMatchObject({ verb: 'GET', segments: ['client.api', 'list'], query: [['page', '1']] });
  });

  it.each([
    [
      'no answer',
      () => {
        throw new Failure('upstreamTimeout');
      },
      /does not answer/,
    ],
    [
      'a grant that is lost',
      () => {
        throw new Failure('consentNeeded');
      },
      /authorised again/,
    ],
    ['status 403', () => answer(403, '{}'), /status 403/],
    ['a refusal', () => answer(200, '<Response><Status>ERROR</Status></Response>'), /refuses/],
    ['HTML', () => answer(200, '<html><body>'), /cannot be read/],
    [
      'a reply that two readers understand differently',
      () => ok('<Clients><Client><toString>x</toString></Client></Clients>'),
      /differently at the whole reply: the second reader cannot read it$/,
    ],
  ])('wait after %s', async (_name, fault, reason) => {
    const { village, id, stage } = await consented();
    village.v3.answer = fault;
    expect(await village.cutover.check(id)).toEqual({
      verdict: 'waiting',
      reason: expect.stringMatching(reason) as unknown,
    });
    expect(await stage()).toBe('consented');
  });

  it('wait while a number is missing, and name the record', async () => {
    const village = await openVillage({ proofMode: 'name' });
    const other = await addAccount(village);
    village.v1.answers = { 'uuid.api/maps': () => answer(403, '') };
    await arrive(village, await depart(village, await linkFor(village, other.id)));
    const verdict = await village.cutover.check(other.id);
    expect(verdict).toMatchObject({
      verdict: 'waiting',
      reason: expect.stringMatching(/V1 refuses the keys; not learned: client, contact, time/) as unknown,
    });
  });

  it('wait while V1 does not show every number, and say why', async () => {
    const village = await openVillage({ proofMode: 'name' });
    const { id } = await addAccount(village);
    village.v1.answers = { ...wholeV1, 'uuid.api/maps': () => mapsOf('', ['Time', 'http://v1/f/time']) };
    await arrive(village, await depart(village, await linkFor(village, id)));
    expect(await village.cutover.check(id)).toMatchObject({
      reason: expect.stringMatching(/not learned: .*time \(its map has no date\)\. Import/) as unknown,
    });
  });

  it('pass with what was learned before if V1 has closed since', async () => {
    const { village, id } = await consented();
    village.v1.answers = { 'uuid.api/maps': () => answer(403, '') };
    expect(await village.cutover.check(id)).toEqual({ verdict: 'migrated' });
  });

  it('leave a disconnected account lost, even once no other account uses its grant', async () => {
    const { village, id } = await consented();
    const { accounts } = village.store;
    const event = { at: 0, kind: 'test', actor: 'test', detail: '' };
    const before = await accounts.byId(id);
    if (before?.life.stage !== 'consented') throw new Error('there is no consent');
    const { grantId } = before.life.binding;
    const shared = { grantId, organisation: { id: 'org-2', name: 'Two' } };
    const other = await addAccount(village);
    await accounts.change(other.id, () => ({ stage: 'migrated', binding: shared }), event);
    await accounts.change(id, (life) => lose(migrate(life), 'disconnected'), event);
    await accounts.change(other.id, close, event);
    await new CutoverJob({ repository: accounts, cutover: village.cutover, log: silentLog }).run();
    expect(await village.cutover.check(id)).toEqual({ verdict: 'nothing' });
    expect((await accounts.byId(id))?.life).toMatchObject({ stage: 'lost', reason: 'disconnected' });
  });

  const byItself = (cutover: Cutover, id: string) => cutover.check(id);
  const byOperator = (cutover: Cutover, id: string) => cutover.force(id, { allotUnlearned: false });
  const accepting = (cutover: Cutover, id: string) => cutover.force(id, { allotUnlearned: true });

  it.each([
    ['by itself', byItself],
    ['by the operator', byOperator],
    ['by the operator with new numbers', accepting],
  ])('run the identifier sync once more after a move %s, while V1 still answers', async (_, step) => {
    const { village, id } = await consented();
    let syncs = 0;
    village.v1.answers = {
      ...wholeV1,
      'f/client': () => {
        syncs += 1;
        return answer(200, `ID,UUID\n11,${uuid(11)}\n12,${uuid(12)}\n${syncs > 1 ? `13,${uuid(13)}\n` : ''}`);
      },
    };
    await step(village.cutover, id);
    expect((await village.store.crosswalk.uuids(id, [{ kind: 'client', number: 13 }])).size).toBe(1);
  });

  it.each([
    ['by itself', byItself],
    ['by the operator', byOperator],
    ['by the operator with new numbers', accepting],
  ])('report a move %s although the sync after it fails', async (_, step) => {
    const { village, id, stage } = await consented();
    const lines: string[] = [];
    const { identifierSync } = village;
    const failing = new Proxy(identifierSync, {
      get: (target, name) => {
        if (name === 'plan') return target.plan;
        return async (account: Account) => {
          if ((await stage()) === 'migrated') throw new StoreFault('unavailable', 'the database is away');
          return target.learn(account);
        };
      },
    });
    const cutover = village.cutoverWith({
      identifierSync: failing,
      log: { ...silentLog, error: (event) => void lines.push(event) },
    });
    expect(await step(cutover, id)).toEqual({
      verdict: 'migrated',
      open: 'V1 is read once more, and the numbers are stored, as soon as the database can be used',
    });
    expect(lines).toEqual(['cutover.resume-failed']);
  });

  it('are followed by a sync that does not overwrite what programs wrote since the move', async () => {
    const { village, id } = await consented();
    const { store, ring: seal, clock, v1 } = village;
    const kept: (string | undefined)[] = [];
    const identifierSync = new IdentifierSync({
      ...{ repository: store.accounts, crosswalk: store.crosswalk, seal, clock, v1, plan, log: silentLog },
      kindsAdded,
      keep: {
        kinds: new Set(['client']),
        keep: async () => kept.push((await store.accounts.byId(id))?.life.stage),
        keepParts: async () => 0,
        askedUpTo: async () => '',
        asked: async () => undefined,
      },
    });
    const account = await store.accounts.byId(id);
    if (account === undefined) throw new Error('no account');
    const client = `<Client><ID>11</ID><UUID>${uuid(11)}</UUID></Client>`;
    v1.answers = { ...wholeV1, 'client.api/list': () => ok(`<Clients>${client}</Clients>`) };
    await identifierSync.learn(account);
    expect(await village.cutoverWith({ identifierSync }).check(id)).toEqual({ verdict: 'migrated' });
    // A job may have read the account before its move.
    await identifierSync.learn(account);
    expect(kept).toEqual(['consented']);
  });

  it('are preceded by syncs that read a list that V1 cannot serve every hour a few times, then daily', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const { store, ring: seal, clock, v1 } = village;
    const identifierSync = new IdentifierSync({
      ...{ repository: store.accounts, crosswalk: store.crosswalk, seal, clock, v1, plan, log: silentLog },
      kindsAdded,
      keep: {
        ...{ kinds: new Set(['client']), keep: async () => 0, keepParts: async () => 0 },
        ...{ askedUpTo: async () => '', asked: async () => undefined },
      },
    });
    const account = await store.accounts.byId(id);
    if (account === undefined) throw new Error('no account');
    v1.answers = { ...wholeV1, 'client.api/list': () => answer(500, '') };
    for (let hour = 0; hour < 30; hour += 1) {
      await identifierSync.learn(account);
      clock.advance(HOUR);
    }
    expect(v1.asked.filter((target) => target.startsWith('/client.api/list'))).toHaveLength(4);
  });

  it('record each reason once, not in every run', async () => {
    const { village, id } = await consented();
    village.v3.answer = () => answer(500, '');
    for (let job = 0; job < 3; job += 1) await village.cutover.check(id);
    const told = (await village.store.accounts.timeline(id)).filter(({ kind }) => kind === 'cutover.waiting');
    expect(told.map(({ detail }) => detail)).toEqual([
      'V3 answers with status 503',
      'V3 answers with status 500',
    ]);
  });

  it('leave the decision to the operator if so configured', async () => {
    const { village, id, stage } = await consented({ mode: 'manual' });
    expect(await village.cutover.check(id)).toMatchObject({ verdict: 'waiting' });
    expect(await stage()).toBe('consented');
    expect(await village.cutover.force(id, { allotUnlearned: false })).toEqual({ verdict: 'migrated' });
    expect(await stage()).toBe('migrated');
  });

  it('report nothing for an account without consent', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    expect(await village.cutover.check(id)).toEqual({ verdict: 'nothing' });
    expect(await village.cutover.force(id, { allotUnlearned: true })).toEqual({ verdict: 'nothing' });
  });

  it('run once for all simultaneous requests', async () => {
    const { village, id } = await consented();
    const verdicts = await Promise.all([village.cutover.check(id), village.cutover.check(id)]);
    expect(verdicts).toEqual([{ verdict: 'migrated' }, { verdict: 'migrated' }]);
    const moves = (await village.store.accounts.timeline(id)).filter(({ kind }) => kind === 'migrated');
    expect(moves).toHaveLength(1);
  });
});

describe('an account without a known API key', () => {
  /** Its numbers were imported; V1 has never answered for it. */
  async function keyless() {
    const village = await openVillage({ plan: { kinds: [], parts: [] } });
    const { id } = await village.accounts.add({
      name: 'Keyless',
      accountKey: new Secret('KEYLESS'),
      details: { organisationId: ORGANISATION.id },
    });
    await arrive(village, await depart(village, await linkFor(village, id)));
    const stage = async () => (await village.store.accounts.byId(id))?.life.stage;
    return { village, id, stage };
  }

  const asks = { verdict: 'waiting', reason: expect.stringMatching(/accounts set --api-key/) as unknown };

  it('does not move by itself, and asks the operator for one', async () => {
    const { village, id, stage } = await keyless();
    expect(await village.cutover.check(id)).toEqual(asks);
    expect(await stage()).toBe('consented');
    await village.accounts.set(id, { apiKey: new Secret('API') });
    expect(await village.cutover.check(id)).toEqual({ verdict: 'migrated' });
  });

  it('moves once V1 has accepted a key, whether it is already stored or not', async () => {
    const { village, id } = await keyless();
    const keys = { accountKey: new Secret('KEYLESS'), apiKey: new Secret('API') };
    const { store, ring: seal, clock } = village;
    const { accounts: repository, invitations, grants, crosswalk } = store;
    const parts = { repository, invitations, grants, crosswalk, seal, clock, random: systemRandom };
    let waits = true;
    const accounts: Accounts = new Accounts({
      ...parts,
      deferred: {
        settled: async () => {
          if (waits) await accounts.observed(id, keys);
          waits = false;
        },
      },
    });
    expect(await village.accounts.knowsApiKey(id)).toBe(false);
    expect(await accounts.knowsApiKey(id)).toBe(true);
    expect(await village.cutover.check(id)).toEqual({ verdict: 'migrated' });
  });

  it('is moved if the operator overrides this check', async () => {
    const { village, id, stage } = await keyless();
    const despite = ['api-key'] as const;
    expect(await village.cutover.force(id, { allotUnlearned: false, despite })).toEqual({
      verdict: 'migrated',
    });
    expect(await stage()).toBe('migrated');
  });
});

describe('the operator’s override', () => {
  const everything = { allotUnlearned: true, despite: overridableNames };
  const samplesAlone = { allotUnlearned: false, despite: ['samples'] } as const;

  it('moves no account whose V3 does not work', async () => {
    const { village, id, stage } = await consented();
    village.v3.answer = () => answer(401, '');
    expect(await village.cutover.force(id, everything)).toMatchObject({ verdict: 'waiting' });
    expect(await stage()).toBe('consented');
  });

  it('of missing numbers is none of other failed checks', async () => {
    const { village, id, stage } = await consented();
    knowsNoClient(village);
    const reason = expect.stringMatching(/^V3 shows none of the \d clients of V1/) as unknown;
    const force = (override: Override) => village.cutover.force(id, override, 'anna');
    for (const override of [
      { allotUnlearned: true },
      { allotUnlearned: false, despite: [] },
      { allotUnlearned: true, despite: ['readers', 'v2', 'api-key', 'parity'] },
    ] as const)
      expect(await force(override)).toEqual({ verdict: 'waiting', reason });
    expect(await stage()).toBe('consented');
    expect(await force(samplesAlone)).toEqual({ verdict: 'migrated' });
    const moved = (await village.store.accounts.timeline(id)).findLast(({ kind }) => kind === 'migrated');
    expect(moved).toMatchObject({ actor: 'anna', detail: 'by the operator, despite samples' });
  });

  it('does not hold for a check that fails later', async () => {
    const fault = 'V2 answers with status 403';
    const faults: string[] = [];
    const { village, id, stage } = await consented({ v2: async () => faults.at(0) });
    knowsNoClient(village);
    const failed = (await village.cutover.inspect(id)).filter(({ result }) => result === 'failed');
    expect(failed.map(({ name }) => name)).toEqual(['samples']);
    faults.push(fault);
    expect(await village.cutover.force(id, samplesAlone)).toEqual({ verdict: 'waiting', reason: fault });
    expect(await stage()).toBe('consented');
  });

  it('spares the calls of the checks that it names', async () => {
    let calls = 0;
    const v2 = async () => {
      calls += 1;
      return 'V2 does not answer';
    };
    const { village, id } = await consented({ v2, proofMode: 'name' });
    const [before, asked] = [calls, village.v3.asked.length];
    expect(await village.cutover.force(id, everything)).toEqual({ verdict: 'migrated' });
    expect(calls).toBe(before);
    // The read that nobody can override.
    expect(village.v3.asked.length).toBe(asked + 1);
  });

  it.each([
    ['report', false, { verdict: 'migrated' }],
    [
      'required',
      true,
      {
        verdict: 'waiting',
        reason: '1 difference; CAUSEWAY_PARITY is required, so nobody can override it',
      },
    ],
  ])('of the comparison depends on CAUSEWAY_PARITY: %s', async (_, isFinal, verdict) => {
    const moments: string[] = [];
    const { village, id } = await consented({
      parity: async (_account, moment) => {
        moments.push(moment);
        return { result: 'failed', detail: '1 difference', isFinal };
      },
    });
    moments.length = 0;
    const waiting = { verdict: 'waiting', reason: '1 difference' };
    expect(await village.cutover.force(id, { ...everything, despite: ['samples'] })).toEqual(waiting);
    expect(await village.cutover.force(id, { allotUnlearned: false, despite: ['parity'] })).toEqual(verdict);
    expect(moments).toEqual(['moving', 'forced']);
  });

  it('allots numbers to records without one, on request', async () => {
    const village = await openVillage({ proofMode: 'name' });
    const { id } = await addAccount(village);
    village.v1.answers = { 'uuid.api/maps': () => answer(403, '') };
    await arrive(village, await depart(village, await linkFor(village, id)));
    await village.store.crosswalk.numbers(id, [{ kind: 'client', uuid: uuid(77) }]);
    await village.cutover.force(id, { allotUnlearned: true });
    expect(await village.store.crosswalk.numbers(id, [{ kind: 'client', uuid: uuid(77) }])).toEqual(
      new Map([[`client:${uuid(77)}`, 1_500_000_000]]),
    );
  });
});

/** The account moves, and records whose V1 numbers are unknown keep an empty `ID`. */
const withoutNumbers = { allotUnlearned: false, despite: ['identifiers'] } as const;

/** V1 refuses the keys, so that nothing is known; `seen`: the records that V3 has shown before the move. */
async function unlearned(seen: readonly number[] = []) {
  const village = await openVillage({ proofMode: 'name' });
  const { id } = await addAccount(village);
  village.v1.answers = { 'uuid.api/maps': () => answer(403, '') };
  await arrive(village, await depart(village, await linkFor(village, id)));
  const { accounts, crosswalk } = village.store;
  const numberOf = async (n: number) =>
    (await crosswalk.numbers(id, [{ kind: 'client', uuid: uuid(n) }])).get(`client:${uuid(n)}`);
  for (const n of seen) await numberOf(n);
  const stage = async () => (await accounts.byId(id))?.life.stage;
  expect(await stage()).toBe('consented');
  const force = (cutover = village.cutover) => cutover.force(id, { allotUnlearned: true }, 'anna');
  return { village, id, numberOf, stage, force };
}

describe('the operator’s override of unknown numbers', () => {
  it('holds for records that V3 shows for the first time after the move', async () => {
    const { numberOf, force } = await unlearned([77]);
    expect(await force()).toEqual({ verdict: 'migrated' });
    expect([await numberOf(77), await numberOf(78)]).toEqual([1_500_000_000, 1_500_000_001]);
    expect(await numberOf(78)).toBe(1_500_000_001);
  });

  it('is stored with the move or not at all', async () => {
    const { village, id, numberOf, stage, force } = await unlearned([77]);
    const { accounts } = village.store;
    const dying = refusingChange(accounts, (account, transition, event, also) =>
      accounts.change(account, transition, event, async (trx) => {
        await also?.(trx);
        throw new Error('killed');
      }),
    );
    await expect(force(village.cutoverWith({ repository: dying }))).rejects.toThrow('killed');
    expect([await stage(), await numberOf(77)]).toEqual(['consented', undefined]);
    expect((await accounts.timeline(id)).map(({ kind }) => kind)).not.toContain('numbers.requested');
    expect(await force(village.cutoverWith({}))).toEqual({ verdict: 'migrated' });
    expect(await numberOf(77)).toBe(1_500_000_000);
  });

  it('is reported as open, and fulfilled by the next run, if it cannot be stored after the move', async () => {
    const { village, id, numberOf, stage, force } = await unlearned([77]);
    const { store, clock } = village;
    const crosswalk = acceptingNothing(store.crosswalk);
    expect(await force(village.cutoverWith({ crosswalk }))).toMatchObject({
      verdict: 'migrated',
      open: expect.stringMatching(/as soon as the database can be used/) as unknown,
    });
    expect([await stage(), await numberOf(77)]).toEqual(['migrated', undefined]);
    clock.advance(10 * MINUTE);
    await new CutoverJob({ repository: store.accounts, cutover: village.cutover, log: silentLog }).run();
    expect(await numberOf(77)).toBe(1_500_000_000);
    expect((await store.accounts.timeline(id)).at(-1)).toMatchObject({ kind: 'numbers.given' });
  });

  it('is not reported as done if another process moved the account, and it cannot be stored', async () => {
    const { village, id, stage, numberOf } = await unlearned();
    const { accounts } = village.store;
    const event = { at: 1, kind: 'migrated', actor: 'bridge', detail: '' };
    const moving = refusingChange(accounts, async (...[account, transition, ...rest]) => {
      if ((await stage()) === 'consented') await accounts.change(account, migrate, event);
      return accounts.change(account, transition, ...rest);
    });
    const killed = () => Promise.reject(new Error('killed'));
    const force = (repository: AccountRepository) =>
      village.cutoverWith({ repository }).force(id, { allotUnlearned: true }, 'anna');
    await expect(force(replacing(moving, 'note', killed))).rejects.toThrow('killed');
    expect([await stage(), await numberOf(78)]).toEqual(['migrated', undefined]);
    expect(await force(accounts)).toEqual({ verdict: 'numbered' });
    expect(await numberOf(78)).toBe(1_500_000_000);
  });

  it('keeps V1’s numbers of records that programs list while V1 is read after the move', async () => {
    const { village, id, numberOf, stage, force } = await unlearned();
    const shown: (number | undefined)[] = [];
    const wholeMaps = maps(['Client', 'http://v1/f/client'], ['Contact', 'http://v1/f/contact']);
    village.v1.answers = {
      ...wholeV1,
      'uuid.api/maps': async () => {
        if ((await stage()) !== 'migrated') return answer(503, '');
        shown.push(await numberOf(11));
        return wholeMaps;
      },
    };
    expect(await force()).toEqual({ verdict: 'migrated' });
    expect(shown).toEqual([undefined]);
    expect([await numberOf(11), await numberOf(78)]).toEqual([11, 1_500_000_000]);
    expect((await village.store.accounts.timeline(id)).map(({ kind }) => kind).slice(-5)).toEqual([
      ...['migrated', 'numbers.requested', 'crosswalk.learned', 'numbers.read', 'numbers.given'],
    ]);
  });

  it('can follow a move without it, and says when it changes nothing', async () => {
    const { village, id, numberOf, force } = await unlearned();
    expect(await village.cutover.force(id, withoutNumbers)).toEqual({ verdict: 'migrated' });
    expect(await numberOf(78)).toBeUndefined();
    expect(await force()).toEqual({ verdict: 'numbered' });
    expect(await numberOf(78)).toBe(1_500_000_000);
    expect(await force()).toEqual({ verdict: 'nothing' });
  });

  it('reads V1 first where the account has moved, and keeps the numbers that it shows', async () => {
    const { village, id, numberOf, force } = await unlearned();
    await village.cutover.force(id, withoutNumbers);
    expect(await numberOf(11)).toBeUndefined();
    village.v1.answers = wholeV1;
    await force();
    expect([await numberOf(11), await numberOf(78)]).toEqual([11, 1_500_000_000]);
  });
});

describe('a run of checks', () => {
  it('moves accounts that have become ready', async () => {
    const { village, stage } = await consented();
    await new CutoverJob({
      repository: village.store.accounts,
      cutover: village.cutover,
      log: silentLog,
    }).run();
    expect(await stage()).toBe('migrated');
  });

  it('checks an account that waits at longer and longer intervals', async () => {
    const { village } = await consented({ mode: 'manual' });
    const { store, cutover, clock, v3 } = village;
    const job = new CutoverJob({ repository: store.accounts, cutover, log: silentLog });
    const asked: boolean[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      const before = v3.asked.length;
      await job.run();
      asked.push(v3.asked.length > before);
      clock.advance(30 * SECOND);
    }
    expect(asked).toEqual([true, true, false, true, false, false, false, true]);
  });
});

describe('a reading of V1 that fails after the move', () => {
  const away = { 'uuid.api/maps': () => answer(503, '') };
  const numberEvents = async ({ store }: Village, id: string) =>
    (await store.accounts.timeline(id)).filter(({ kind }) => kind.startsWith('numbers.'));

  /** The account has moved, by one process; `job` is another one’s. No number is known. */
  async function moved(allotUnlearned: boolean) {
    const { village, id, numberOf } = await unlearned();
    const { store, clock, v1 } = village;
    v1.answers = away;
    const override = allotUnlearned ? { allotUnlearned } : withoutNumbers;
    const verdict = await village.cutoverWith({}).force(id, override);
    const job = new CutoverJob({ repository: store.accounts, cutover: village.cutover, log: silentLog });
    const kinds = async () => (await numberEvents(village, id)).map(({ kind }) => kind);
    return { village, id, clock, v1, verdict, job, kinds, numberOf };
  }

  it('is told, once, and repeated less and less often until V1 answers', async () => {
    const { village, id, clock, v1, verdict, job, kinds } = await moved(false);
    expect(verdict).toEqual({
      verdict: 'migrated',
      open: 'V1 could not be read once more and is tried again for a day; the timeline shows the outcome',
    });
    const tries: boolean[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      const before = v1.asked.length;
      await job.run();
      tries.push(v1.asked.length > before);
      clock.advance(30 * SECOND);
    }
    expect(tries).toEqual([true, true, false, true, false, false, false, true]);
    expect(await kinds()).toEqual(['numbers.unread']);
    v1.answers = wholeV1;
    clock.advance(15 * MINUTE);
    await job.run();
    expect(await numberEvents(village, id)).toMatchObject([
      { kind: 'numbers.unread', detail: 'it is tried again for a day' },
      { kind: 'numbers.read', detail: '3 numbers learned' },
    ]);
    const asked = v1.asked.length;
    clock.advance(HOUR);
    await job.run();
    expect(v1.asked.length).toBe(asked);
  });

  it('is given up after a day, which the timeline says', async () => {
    const { clock, v1, job, kinds } = await moved(false);
    for (let turn = 0; turn < 100; turn += 1) {
      await job.run();
      clock.advance(15 * MINUTE);
    }
    expect(await kinds()).toEqual(['numbers.unread', 'numbers.missed']);
    const asked = v1.asked.length;
    clock.advance(HOUR);
    await job.run();
    expect(v1.asked.length).toBe(asked);
  });

  it('delays the new numbers that the operator accepted, by an hour at most', async () => {
    const { clock, verdict, job, numberOf } = await moved(true);
    expect(verdict).toMatchObject({
      open: expect.stringMatching(/at the latest an hour after the move$/) as unknown,
    });
    for (let turn = 0; turn < 3; turn += 1) {
      clock.advance(15 * MINUTE);
      await job.run();
    }
    expect(await numberOf(78)).toBeUndefined();
    clock.advance(15 * MINUTE);
    await job.run();
    expect(await numberOf(78)).toBe(1_500_000_000);
  });

  it('does not delay new numbers that the operator accepts again after the move', async () => {
    const { village, id, numberOf } = await moved(true);
    expect(await village.cutover.force(id, { allotUnlearned: true })).toEqual({ verdict: 'numbered' });
    expect(await numberOf(78)).toBe(1_500_000_000);
  });

  it('is left to the process that moved the account for some minutes', async () => {
    const { village, id } = await consented();
    const { store, clock, v1 } = village;
    const event = { at: clock.now(), kind: 'migrated', actor: 'bridge', detail: 'all checks passed' };
    await store.accounts.change(id, migrate, event);
    const job = new CutoverJob({ repository: store.accounts, cutover: village.cutover, log: silentLog });
    const asked = v1.asked.length;
    await job.run();
    expect(v1.asked.length).toBe(asked);
    clock.advance(5 * MINUTE);
    await job.run();
    expect(v1.asked.length).toBeGreaterThan(asked);
  });
});

describe('a process that starts', () => {
  it('runs the identifier sync that another one missed when it died after the move, once', async () => {
    const { village, id } = await consented();
    const { store, clock, v1 } = village;
    const moved = { at: clock.now(), kind: 'migrated', actor: 'bridge', detail: 'all checks passed' };
    await store.accounts.change(id, migrate, moved);
    const job = new CutoverJob({ repository: store.accounts, cutover: village.cutover, log: silentLog });
    // A new process remembers no lesson; one of this process is forgotten after a while.
    clock.advance(10 * MINUTE);
    const asked = v1.asked.length;
    await job.run();
    const sync = v1.asked.length - asked;
    expect(sync).toBeGreaterThan(0);
    await job.run();
    expect(v1.asked.length).toBe(asked + sync);
    clock.advance(2 * DAY);
    await new CutoverJob({ repository: store.accounts, cutover: village.cutover, log: silentLog }).run();
    expect(v1.asked.length).toBe(asked + sync);
  });
});

describe('each check before the cut-over', () => {
  const named = async (village: Village, id: string) =>
    (await village.cutover.inspect(id)).map(({ name, result }) => `${name} ${result}`);

  it('is reported by its name, and changes nothing', async () => {
    const { village, id, stage } = await consented({ v2: async () => undefined });
    expect(await named(village, id)).toEqual([
      'token passed',
      'scopes passed',
      'organisation passed',
      'v3 passed',
      'readers passed',
      'v2 passed',
      'api-key passed',
      'identifiers passed',
      'samples passed',
    ]);
    expect(await stage()).toBe('consented');
  });

  it('refreshes the pair of the code exchange', async () => {
    const { village } = await consented();
    const [grant] = await village.store.grants.list();
    expect(village.vault.renewed).toContain(grant?.id);
  });

  it.each<readonly [string, (village: Village) => void, string]>([
    [
      'a token that cannot be refreshed',
      (village) => (village.vault.fault = new Failure('upstreamUnavailable')),
      'token failed',
    ],
    [
      'a person who has left the organisation',
      (village) => (village.authority.known = []),
      'organisation failed',
    ],
    [
      'connections that cannot be read',
      (village) => (village.authority.connectionsFault = 'unavailable'),
      'organisation failed',
    ],
    ['an organisation that shows other clients', knowsNoClient, 'samples failed'],
  ])('blocks an account with %s', async (_name, turn, failed) => {
    const { village, id, stage } = await consented();
    turn(village);
    expect((await named(village, id)).at(-1)).toBe(failed);
    expect(await village.cutover.check(id)).toMatchObject({ verdict: 'waiting' });
    expect(await stage()).toBe('consented');
  });

  it('blocks an account that V2 does not know', async () => {
    const { village, id } = await consented({ v2: async () => 'V2 answers with status 403' });
    expect(await village.cutover.check(id)).toEqual({
      verdict: 'waiting',
      reason: 'V2 answers with status 403',
    });
  });

  it('reports nothing before a consent', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    expect(await village.cutover.inspect(id)).toEqual([]);
  });
});
