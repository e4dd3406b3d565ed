import { afterEach, expect, it } from '@jest/globals';
import { mock } from 'node:test';
import { Snapshot, WRITTEN_SINCE } from '../../../src/features/snapshot/snapshot.ts';
import type { StoredSnapshot } from '../../../src/features/snapshot/stored-snapshot.ts';
import { testRing } from '../../tokens/harness.ts';
import { StoreFault } from '../../../src/lib/store-fault.ts';
import { systemClock, type Clock } from '../../../src/lib/time/clock.ts';
import { clockFrom, HandClock, setBackFor } from '../../support/clock.ts';
import { describeOnBoth } from '../../db/engines.ts';

const ACCOUNT = 'account';
const client = (last: number) =>
  ({ kind: 'client', uuid: `00000000-0000-4000-8000-${String(last).padStart(12, '0')}` }) as const;

const seal = testRing();

function snapshotIn(repository: StoredSnapshot, clock: Clock = clockFrom('2026-11-23T00:00:00Z')): Snapshot {
  const elements = new Map([
    ['IsProspect', { as: 'structure', absent: 'No', isWrittenEmpty: false, isGap: false }],
    ['DateOfBirth', { as: 'personal', absent: undefined, isWrittenEmpty: false, isGap: false }],
    ['Position', { as: 'structure', absent: undefined, isWrittenEmpty: true, isGap: false }],
  ] as const);
  const kinds = () => new Map([['client', elements]]);
  const parts = { repository, clock, mode: 'all', kinds } as const;
  return new Snapshot({ ...parts, seal });
}

/** What is kept of clients 1, 2 and 3. */
async function keptIn(snapshot: Snapshot): Promise<readonly unknown[]> {
  const account = await snapshot.of(ACCOUNT);
  const found = account && (await snapshot.read(account, [client(1), client(2), client(3)]));
  return (found ?? []).filter((kept) => kept !== undefined);
}

afterEach(() => {
  mock.restoreAll();
});

describeOnBoth('the stored snapshot of V1', (bench) => {
  it('is the last that V1 returned, and no row stores what a record has anyway', async () => {
    const { snapshot: repository } = await bench.store();
    const snapshot = snapshotIn(repository);
    const records = (mark: string) => [
      { ...client(1), fields: { IsProspect: mark, DateOfBirth: '1970-02-03' } },
      { ...client(2), fields: { IsProspect: mark } },
      { ...client(3), fields: {} },
    ];
    expect(await snapshot.keep(ACCOUNT, records('Yes'), 1_000)).toBe(2);
    expect(await keptIn(snapshot)).toEqual([
      { fields: { Position: '', IsProspect: 'Yes', DateOfBirth: '1970-02-03' }, readAt: 1_000 },
      { fields: { Position: '', IsProspect: 'Yes' }, readAt: 1_000 },
    ]);
    expect(await snapshot.keep(ACCOUNT, records('No'), 2_000)).toBe(1);
    expect(await keptIn(snapshot)).toEqual([
      { fields: { Position: '', DateOfBirth: '1970-02-03' }, readAt: 2_000 },
    ]);
    expect(await snapshot.erase(ACCOUNT)).toBe(1);
  });

  it('is known while the database is away for longer than it is remembered', async () => {
    const { snapshot: repository } = await bench.store();
    let fault: Error | undefined;
    const kinds = async (id: string) => {
      if (fault !== undefined) throw fault;
      return repository.kinds(id);
    };
    const clock = new HandClock();
    const failing = Object.assign(Object.create(repository) as StoredSnapshot, { kinds });
    const snapshot = snapshotIn(failing, clock);
    expect(await snapshot.of(ACCOUNT)).toBeUndefined();
    fault = new StoreFault('unavailable', 'away');
    clock.advance(61_000);
    expect(await snapshot.of(ACCOUNT)).toBeUndefined();
    await expect(async () => snapshot.of('another')).rejects.toThrow('away');
    fault = new StoreFault('refused', 'no such table');
    await expect(async () => snapshot.of(ACCOUNT)).rejects.toThrow('no such table');
  });

  it('is asked for again after a minute, although the clock was set back', async () => {
    const { snapshot: repository } = await bench.store();
    const snapshot = snapshotIn(repository, systemClock);
    expect(await snapshot.of(ACCOUNT)).toBeUndefined();
    const another = snapshotIn(repository, systemClock);
    await another.keep(ACCOUNT, [{ ...client(1), fields: { IsProspect: 'Yes' } }], 1_000);
    setBackFor(59_000);
    expect(await snapshot.of(ACCOUNT)).toBeUndefined();
    setBackFor(2_000);
    expect(await snapshot.of(ACCOUNT)).toMatchObject({ accountId: ACCOUNT });
    await another.erase(ACCOUNT);
  });

  it('takes the last of a record that a list has more than once', async () => {
    const { snapshot: repository } = await bench.store();
    const snapshot = snapshotIn(repository);
    const records = [
      { ...client(1), fields: { IsProspect: 'Yes' } },
      { ...client(2), fields: { IsProspect: 'Yes' } },
      { kind: 'client', uuid: client(1).uuid.toUpperCase(), fields: { DateOfBirth: '1970-02-03' } },
      { ...client(2), fields: {} },
    ] as const;
    expect(await snapshot.keep(ACCOUNT, records, 1_000)).toBe(1);
    expect(await keptIn(snapshot)).toEqual([
      { fields: { Position: '', DateOfBirth: '1970-02-03' }, readAt: 1_000 },
    ]);
  });

  it('follows what the account writes, from two processes at once, without a time if V1 returned none', async () => {
    const [one, other] = (await bench.twoStores()).map(({ snapshot }) => snapshotIn(snapshot));
    await one?.keep(ACCOUNT, [{ ...client(1), fields: { IsProspect: 'Yes' } }], 1_000);
    await Promise.all([
      one?.change(ACCOUNT, client(2), { IsProspect: 'Yes' }),
      other?.change(ACCOUNT, client(2), { DateOfBirth: '1980-01-01' }),
      other?.change(ACCOUNT, client(3), { IsProspect: 'No' }),
      other?.change(ACCOUNT, client(1), { IsProspect: 'No', Unknown: 'not kept' }),
    ]);
    if (one === undefined) throw new Error('there is no store');
    expect(await keptIn(one)).toEqual([
      { fields: { Position: '' }, readAt: 1_000 },
      { fields: { IsProspect: 'Yes', DateOfBirth: '1980-01-01' }, readAt: WRITTEN_SINCE },
    ]);
    expect(await one.erase(ACCOUNT)).toBe(2);
  });
});
