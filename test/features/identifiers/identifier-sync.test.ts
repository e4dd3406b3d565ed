import { describe, expect, it } from '@jest/globals';
import { Failure } from '../../../src/lib/failure.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { HOUR } from '../../../src/lib/time/clock.ts';
import { IdentifierSyncJob } from '../../../src/features/cutover/jobs.ts';
import {
  addAccount,
  answer,
  arrive,
  depart,
  linkFor,
  maps,
  mapsOf,
  ok,
  openVillage,
  plan,
  uuid,
  wholeV1,
  type Village,
} from '../harness.ts';
import { KeptLog } from '../../http/harness.ts';

async function learn(village: Village, id: string) {
  const account = await village.store.accounts.byId(id);
  if (account === undefined) throw new Error('no account');
  return village.identifierSync.learn(account);
}

const completeKinds = async (village: Village, id: string) =>
  (await village.store.crosswalk.report(id))
    .filter(({ complete }) => complete)
    .map(({ kind }) => kind)
    .sort();

const client = (n: number, contacts: readonly number[] = []) =>
  `<Client><ID>${n}</ID><Name>N</Name><Contacts>${contacts
    .map((c) => `<Contact><ID>${c}</ID><UUID>${uuid(c)}</UUID></Contact>`)
    .join('')}</Contacts><UUID>${uuid(n)}</UUID></Client>`;

const listed = (...clients: readonly string[]) => ok(`<Clients>${clients.join('')}</Clients>`);

describe('learning from the exported maps', () => {
  it('stores every pair, and every kind is complete', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    expect(await learn(village, id)).toMatchObject({
      outcome: 'learned',
      added: 3,
      conflicts: 0,
      incomplete: [],
    });
    const known = await village.store.crosswalk.uuids(id, [
      { kind: 'client', number: 11 },
      { kind: 'client', number: 12 },
      { kind: 'contact', number: 21 },
    ]);
    expect([...known.values()].sort()).toEqual([uuid(11), uuid(12), uuid(21)]);
    expect(await completeKinds(village, id)).toEqual(['client', 'contact', 'time']);
  });

  it('calls V1 with the account’s own keys, never with the caller’s parameters', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village, 'X', 'A&B');
    await learn(village, id);
    expect(village.v1.asked[0]).toMatch(/^\/uuid\.api\/maps\?apiKey=A%26B&accountKey=KEY-\d+$/);
  });

  it('stores nothing in a rehearsal, which finds the same', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const account = await village.store.accounts.byId(id);
    if (account === undefined) throw new Error('no account');
    const found: unknown[] = [];
    const { learning, reads } = await village.identifierSync.look(account, (pairs) => found.push(...pairs));
    expect(learning).toMatchObject({ complete: ['client', 'contact', 'time'], incomplete: [] });
    expect([found.length, reads]).toEqual([3, village.v1.asked.length]);
    expect(await completeKinds(village, id)).toEqual([]);
    expect(await learn(village, id)).toMatchObject({ added: 3 });
  });

  it('is fresh for five minutes, and not because the clock was set back', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    expect(village.identifierSync.knowsFresh(id)).toBe(false);
    await learn(village, id);
    expect(village.identifierSync.knowsFresh(id)).toBe(true);
    village.clock.advance(-HOUR);
    expect(village.identifierSync.knowsFresh(id)).toBe(false);
  });

  it('learns no pair twice', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    await learn(village, id);
    expect(await learn(village, id)).toMatchObject({ added: 0, known: 3 });
  });

  it.each([
    ['another header', 'Number,Guid\r\n1,2\r\n'],
    ['nothing', ''],
    ['a line that is no pair', `ID,UUID\r\n11,${uuid(11)}\r\nx,y\r\n`],
    ['a number beyond 32 bits', `ID,UUID\r\n2147483648,${uuid(11)}\r\n`],
    ['HTML', '<html></html>'],
  ])('treats a map that contains %s as missing, and falls back on the list', async (_name, csv) => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    village.v1.answers = {
      ...wholeV1,
      'f/client': () => answer(200, csv),
      'client.api/list': () => listed(client(11), client(12)),
    };
    expect(await learn(village, id)).toMatchObject({ outcome: 'learned', incomplete: [] });
    expect(village.v1.asked.at(-1)).toMatch(/uuidMode=transition/);
  });

  it.each([
    ['2026-11-19T23:00:00', 'its map was exported earlier, or its date is not in UTC'],
    ['2026-11-20T22:30:00', 'its map was exported earlier, or its date is not in UTC'],
    ['', 'its map has no date'],
  ])('completes no kind by a map of %j, from which records may be missing', async (date, reason) => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const types = ['Client', 'Contact', 'Time'].map(
      (type) => [type, `http://v1/f/${type.toLowerCase()}`] as const,
    );
    village.v1.answers = {
      ...wholeV1,
      'uuid.api/maps': () => mapsOf(date, ...types),
      'client.api/list': () => listed(client(11, [21]), client(12), client(13)),
    };
    expect(await learn(village, id)).toMatchObject({
      added: 4,
      complete: ['client', 'contact'],
      incomplete: [{ kind: 'time', reason }],
    });
  });

  it('never follows a link to another host', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    village.v1.answers = { ...wholeV1, 'uuid.api/maps': () => maps(['Time', 'http://elsewhere/f/time']) };
    expect(await learn(village, id)).toMatchObject({
      incomplete: expect.arrayContaining([
        { kind: 'time', reason: 'its map is at another address' },
      ]) as unknown,
    });
  });
});

describe('learning from lists in transition mode', () => {
  it('reads a list once for all the kinds it contains', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    village.v1.answers = { 'client.api/list': () => listed(client(11, [21, 22]), client(12)) };
    expect(await learn(village, id)).toMatchObject({ added: 4, complete: ['client', 'contact'] });
    expect(village.v1.asked.filter((target) => target.startsWith('/client.api/list'))).toHaveLength(1);
  });

  it('treats an empty list as complete', async () => {
    const village = await openVillage({ plan: { kinds: plan.kinds.slice(0, 2), parts: [] } });
    const { id } = await addAccount(village);
    village.v1.answers = { 'client.api/list': () => ok('<Clients />') };
    expect(await learn(village, id)).toMatchObject({ outcome: 'learned', incomplete: [] });
  });

  const notWhole: readonly (readonly [string, () => ReturnType<typeof ok>])[] = [
    ['a refusal in the body', () => answer(200, '<Response><Status>ERROR</Status></Response>')],
    [
      'a status that is neither OK nor ERROR',
      () => answer(200, `<Response><Status>WARNING</Status><Clients>${client(11)}</Clients></Response>`),
    ],
    ['a reply without the list', () => ok('<Jobs />')],
    ['records without UUIDs', () => ok('<Clients><Client><ID>11</ID><Name>N</Name></Client></Clients>')],
    ['status 500', () => answer(500, '')],
    ['an unknown method', () => answer(404, '')],
  ];

  it.each(notWhole)('%s leaves the kind incomplete', async (_name, list) => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    village.v1.answers = { 'client.api/list': list };
    const learning = await learn(village, id);
    expect(learning.outcome).toBe('learned');
    expect(await completeKinds(village, id)).not.toContain('client');
  });

  it('keeps the fault of one kind away from another in the same list', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const bare = client(11, [21]).replace(`<UUID>${uuid(21)}</UUID>`, '');
    village.v1.answers = { 'client.api/list': () => listed(bare) };
    await learn(village, id);
    expect(await completeKinds(village, id)).toEqual(['client']);
  });

  it('never treats half a list as complete', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    village.v1.answers = {
      'client.api/list': () => answer(200, `<Response><Status>OK</Status><Clients>${client(11)}`),
    };
    expect(await learn(village, id)).toEqual({ outcome: 'failed' });
    expect(await completeKinds(village, id)).toEqual([]);
  });
});

describe('a kind that V1 does not offer', () => {
  it('has no numbers if V1 exports maps and this kind is in neither maps nor lists', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    village.v1.answers = {
      'uuid.api/maps': () => maps(['Client', 'http://v1/f/client']),
      'f/client': () => answer(200, 'ID,UUID\n'),
    };
    await learn(village, id);
    expect(await completeKinds(village, id)).toEqual(['client', 'contact', 'time']);
  });

  it('stays open if V1 exports no maps', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    village.v1.answers = { 'client.api/list': () => listed() };
    expect(await learn(village, id)).toMatchObject({ incomplete: [{ kind: 'time' }] });
  });
});

describe('an identifier sync', () => {
  it.each([401, 403])('ends if V1 answers %d', async (status) => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    village.v1.answers = {
      ...wholeV1,
      'f/client': () => answer(404, ''),
      'client.api/list': () => answer(status, ''),
    };
    expect(await learn(village, id)).toEqual({ outcome: 'refused' });
    expect(await completeKinds(village, id)).toEqual([]);
  });

  it.each([401, 403])('reads the list of a kind whose map V1 answers with %d', async (status) => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    village.v1.answers = {
      ...wholeV1,
      'f/client': () => answer(status, ''),
      'f/time': () => answer(status, ''),
      'client.api/list': () => listed(client(11)),
    };
    expect(await learn(village, id)).toMatchObject({
      complete: ['contact', 'client'],
      incomplete: [{ kind: 'time', reason: `its map cannot be read: V1 answered ${status}` }],
    });
  });

  it('records in the timeline when V1 starts to refuse the keys, and when it accepts them again', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const kinds = async () =>
      (await village.store.accounts.timeline(id))
        .map(({ kind }) => kind)
        .filter((kind) => kind.startsWith('v1'));
    await learn(village, id);
    expect(await kinds()).toEqual([]);
    for (const answers of [{ 'uuid.api/maps': () => answer(401, '') }, wholeV1]) {
      village.v1.answers = answers;
      for (let times = 0; times < 3; times += 1) await learn(village, id);
    }
    expect(await kinds()).toEqual(['v1.refused', 'v1.accepted']);
    const rows = await village.store.statusReport.read(village.clock.now());
    expect(rows.v1Refused.size).toBe(0);
  });

  it('does not report refused keys after a consent, which may be the reason', async () => {
    const village = await openVillage({ mode: 'manual' });
    const { id } = await addAccount(village);
    await arrive(village, await depart(village, await linkFor(village, id)));
    village.v1.answers = { 'uuid.api/maps': () => answer(401, '') };
    expect(await learn(village, id)).toEqual({ outcome: 'refused' });
    expect((await village.store.statusReport.read(village.clock.now())).v1Refused.size).toBe(0);
  });

  it('fails if V1 is down', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    village.v1.get = async () => Promise.reject(new Failure('upstreamTimeout'));
    expect(await learn(village, id)).toEqual({ outcome: 'failed' });
  });

  it('is skipped without V1, or while no API key is known', async () => {
    const without = await openVillage({ withoutV1: true });
    expect(await learn(without, (await addAccount(without)).id)).toEqual({ outcome: 'absent' });
    const village = await openVillage();
    const key = new Secret('K-NO-API');
    const account = await village.accounts.add({ name: 'No API key', accountKey: key });
    expect(await learn(village, account.id)).toEqual({ outcome: 'absent' });
    await village.accounts.observed(account.id, { apiKey: new Secret('SEEN'), accountKey: key });
    expect(await learn(village, account.id)).toMatchObject({ outcome: 'learned' });
  });

  it('has nothing to learn if the plan is empty', async () => {
    const village = await openVillage({ plan: { kinds: [], parts: [] } });
    const { id } = await addAccount(village);
    expect(await learn(village, id)).toMatchObject({ outcome: 'learned', added: 0 });
    expect(village.v1.asked).toEqual([]);
  });

  it('runs once for all simultaneous requests', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    await Promise.all([learn(village, id), learn(village, id), learn(village, id)]);
    expect(village.v1.asked.filter((target) => target.includes('uuid.api'))).toHaveLength(1);
  });

  it('counts contradicting pairs, and overwrites nothing', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    await village.store.crosswalk.learn(id, [{ kind: 'client', number: 11, uuid: uuid(99) }]);
    expect(await learn(village, id)).toMatchObject({ conflicts: 1 });
    const known = await village.store.crosswalk.uuids(id, [{ kind: 'client', number: 11 }]);
    expect([...known.values()]).toEqual([uuid(99)]);
  });

  it('passes a fault of the store on', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const account = await village.store.accounts.byId(id);
    village.store.crosswalk.learn = async () => Promise.reject(new Error('disk full'));
    if (account === undefined) throw new Error('no account');
    await expect(village.identifierSync.learn(account)).rejects.toThrow('disk full');
  });
});

describe('an account whose keys the bridge made', () => {
  it('has nothing to learn, and V1 is never asked', async () => {
    const village = await openVillage();
    const { account } = await village.accounts.issue({ name: 'Brand New' });
    expect(await village.identifierSync.learn(account)).toMatchObject({
      outcome: 'learned',
      complete: ['client', 'contact', 'time'],
    });
    expect(await completeKinds(village, account.id)).toEqual(['client', 'contact', 'time']);
    expect(village.v1.asked).toEqual([]);
  });
});

describe('a run of identifier syncs', () => {
  it('visits the accounts that have not moved, and separates the faults of each', async () => {
    const village = await openVillage();
    const accounts = [await addAccount(village, 'A'), await addAccount(village, 'B')];
    const log = new KeptLog();
    const keep = village.store.crosswalk.learn.bind(village.store.crosswalk);
    village.store.crosswalk.learn = async (accountId, pairs) =>
      accountId === accounts[0]?.id ? Promise.reject(new Error('odd')) : keep(accountId, pairs);
    await new IdentifierSyncJob({
      repository: village.store.accounts,
      identifierSync: village.identifierSync,
      log,
    }).run();
    expect(await completeKinds(village, accounts[0]?.id ?? '')).toEqual([]);
    expect(await completeKinds(village, accounts[1]?.id ?? '')).toEqual(['client', 'contact', 'time']);
    expect(log.lines).toMatchObject([
      { level: 'error', event: 'learning.failed', fields: { account: accounts[0]?.id } },
    ]);
  });
});

describe('numbers in an element of their own', () => {
  const list = { call: 'job.api/list', query: {}, at: ['Jobs', 'Job'], number: 'InternalID' };
  const learned = async (jobs: string) => {
    const village = await openVillage({
      plan: { kinds: [{ kind: 'job', map: undefined, list }], parts: [] },
    });
    const { id } = await addAccount(village);
    village.v1.answers = { 'job.api/list': () => ok(`<Jobs>${jobs}</Jobs>`) };
    return { learning: await learn(village, id), complete: await completeKinds(village, id) };
  };
  const job = (inner: string): string => `<Job><ID>J000001</ID>${inner}</Job>`;

  it('are learned from there', async () => {
    const jobs = job(`<InternalID>11</InternalID><UUID>${uuid(11)}</UUID>`);
    expect(await learned(jobs)).toMatchObject({ learning: { added: 1 }, complete: ['job'] });
  });

  it('are absent from a record without the element, which no program could hold', async () => {
    const jobs = job(`<UUID>${uuid(11)}</UUID>`) + job(`<InternalID></InternalID><UUID>${uuid(12)}</UUID>`);
    expect(await learned(jobs)).toMatchObject({ learning: { added: 0 }, complete: ['job'] });
  });

  it('without a UUID leave the kind incomplete', async () => {
    expect(await learned(job('<InternalID>11</InternalID>'))).toMatchObject({ complete: [] });
  });
});
