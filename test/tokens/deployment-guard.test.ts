import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  doubtOf,
  doubts,
  MarkUnwritable,
  type DeploymentRepository,
  type DeploymentView,
} from '../../src/tokens/deployment/deployment.ts';
import { openMemoryStore } from '../support/store.ts';
import { DeploymentGuard } from '../../src/tokens/deployment/deployment-guard.ts';
import { bench, ListLog } from './harness.ts';
import { HandClock, START } from '../support/clock.ts';
import { MINUTE } from '../../src/lib/time/clock.ts';

const sure: DeploymentView = {
  id: 'one',
  epoch: 10,
  lies: 'same',
  memory: 'none',
  uncompared: false,
  seenEpoch: 10,
  awaited: [],
  withheld: 0,
  outside: { state: 'there', path: 'mark', id: 'one', epoch: 10 },
  marked: true,
  grants: true,
  accounts: true,
  written: undefined,
};

const noMark = { outside: { state: 'missing', path: 'mark' } } as const;

class ListRepository implements DeploymentRepository {
  view = sure;
  raises: number[] = [];
  written: string[] = [];
  skips = 0;
  skipFault: Error | undefined;
  followed = 0;
  compared = 0;
  onCompared: Partial<DeploymentView> = {};
  carried: number[] = [];
  signs = 0;
  fault: Error | undefined;

  async look(): Promise<DeploymentView> {
    return this.view;
  }

  async isUnchanged(): Promise<boolean> {
    return false;
  }

  async raise(now: number): Promise<void> {
    if (this.fault !== undefined) throw this.fault;
    this.raises.push(now);
  }

  async follow(): Promise<void> {
    this.followed += 1;
  }

  async compare(): Promise<void> {
    this.compared += 1;
    this.view = { ...this.view, ...this.onCompared, uncompared: false };
  }

  async carry(now: number): Promise<boolean> {
    if (this.fault !== undefined) throw this.fault;
    this.carried.push(now);
    this.view = { ...this.view, lies: 'running' };
    return true;
  }

  async present(): Promise<void> {
    this.signs += 1;
  }

  async leave(): Promise<void> {
    this.signs = 0;
  }

  async doubt(why: string): Promise<void> {
    this.written.push(why);
  }

  async skipNumbers(): Promise<void> {
    if (this.skipFault !== undefined) throw this.skipFault;
    this.skips += 1;
  }

  async acknowledge(): Promise<void> {
    this.view = sure;
  }
}

describe('a deployment', () => {
  it.each<readonly [string, Partial<DeploymentView>, string | undefined]>([
    ['that agrees with its mark', {}, undefined],
    ['that is ahead of its mark', { epoch: 20 }, undefined],
    ['that is behind its mark', { epoch: 9 }, 'older'],
    ['that is behind its mark and has no grant', { epoch: 9, grants: false }, undefined],
    ['with the mark of another one', { id: 'two' }, 'foreign'],
    [
      'that is new and finds the mark of another one',
      { id: 'two', marked: false, grants: false },
      'vanished',
    ],
    ['with grants that finds the mark of another one', { id: 'two', marked: false }, 'foreign'],
    ['whose mark is gone', { outside: { state: 'missing', path: 'mark' } }, 'missing'],
    ['that never had a mark', { outside: { state: 'missing', path: 'mark' }, marked: false }, undefined],
    [
      'whose mark cannot be read',
      { outside: { state: 'unusable', path: 'mark', words: 'EACCES' } },
      'unusable',
    ],
    ['that keeps no mark', { outside: { state: 'none' } }, undefined],
    ['that was moved', { lies: 'moved' }, 'copied'],
    ['that keeps no mark and was moved', { outside: { state: 'none' }, lies: 'moved' }, 'copied'],
    ['that is a backup', { written: { why: 'backup', at: START } }, 'backup'],
    ['that was restored, and moved', { written: { why: 'restored', at: START }, lies: 'moved' }, 'restored'],
    ['whose server runs on', { lies: 'running' }, undefined],
    ['whose server runs on, and whose mark is gone', { ...noMark, lies: 'running' }, undefined],
    ['whose server was started anew, with its mark', { lies: 'restarted' }, undefined],
    ['whose server was started anew, without a mark', { ...noMark, lies: 'restarted' }, 'copied'],
    ['behind its mark, whose server was started anew', { epoch: 9, lies: 'restarted' }, 'older'],
    ['that went over with all who worked with it', { lies: 'moved', memory: 'held' }, undefined],
    [
      'that went over with all who worked with it, without a mark',
      { ...noMark, lies: 'moved', memory: 'held' },
      undefined,
    ],
    ['that went over without one of them', { lies: 'moved', memory: 'held', awaited: ['b'] }, 'awaiting'],
    [
      'whose server was started anew without one of them',
      { lies: 'restarted', memory: 'held', awaited: ['b'] },
      'awaiting',
    ],
    ['that went over to a server that lacks something', { lies: 'moved', memory: 'older' }, 'older'],
    ['that lacks something where it was', { lies: 'running', memory: 'older' }, 'older'],
    ['that came back to a server that was left', { lies: 'running', memory: 'left' }, 'copied'],
  ])('%s is judged by its file, its place and other instances', (_which, change, why) => {
    const doubt = doubtOf({ ...sure, ...change });
    expect(doubt?.why).toBe(why);
    if (why !== undefined) expect(doubts).toContain(why);
    expect(doubt?.words).not.toBe('');
  });
});

describe('a vault whose deployment guard refuses refreshes', () => {
  it('returns tokens that are still valid, refuses the rest at once, and leaves no intent', async () => {
    const store = await openMemoryStore();
    const clock = new HandClock();
    const { vault, authority } = await bench(store.grants, clock);
    let may = false;
    const guarded = vault({ guard: { mayPresent: async () => may } });
    expect((await guarded.accessToken('g')).generation).toBe(1);
    clock.advance(31 * MINUTE);
    await expect(guarded.accessToken('g')).rejects.toMatchObject({ code: 'heldBack', retryAfter: 60 });
    await expect(guarded.renewAfter('g', 1)).rejects.toMatchObject({ code: 'heldBack' });
    expect(await guarded.keepAlive('g', clock.now())).toBe('withheld');
    expect(await store.grants.find('g')).toMatchObject({ state: 'held', tokens: { generation: 1 } });
    expect(authority.presented).toEqual([]);

    may = true;
    expect((await guarded.accessToken('g')).generation).toBe(2);
    expect(authority.presented).toEqual(['rt-1']);
    await guarded.close();
    await store.close();
  });

  it('sends nothing either if the doubt arises after the intent is written', async () => {
    const store = await openMemoryStore();
    const clock = new HandClock();
    const { vault, authority } = await bench(store.grants, clock);
    let doubt: object | undefined = { why: 'copied' };
    const guard = {
      mayPresent: async () => true,
      get doubt() {
        return doubt;
      },
    };
    const guarded = vault({ guard, patienceMs: 0 });
    expect(await guarded.keepAlive('g', clock.now() + 1)).toBe('later');
    expect([authority.presented, guarded.verdicts]).toEqual([[], new Map()]);

    doubt = undefined;
    clock.advance(2 * MINUTE);
    expect(await guarded.drive('g')).toBe('held');
    expect([authority.presented, guarded.verdicts.get('default renewed')]).toEqual([['rt-1'], 1]);
    await guarded.close();
    await store.close();
  });
});

describe('the deployment guard', () => {
  let repository: ListRepository;
  let clock: HandClock;
  let log: ListLog;
  let guard: DeploymentGuard;

  beforeEach(() => {
    repository = new ListRepository();
    clock = new HandClock();
    log = new ListLog();
    guard = new DeploymentGuard({ repository, clock, log });
  });

  it('raises the epoch before the first refresh of a minute, once for all simultaneous ones', async () => {
    expect(await Promise.all([guard.mayPresent(), guard.mayPresent(), guard.mayPresent()])).toEqual([
      true,
      true,
      true,
    ]);
    expect(repository.raises).toEqual([START]);
    clock.advance(MINUTE - 1);
    await guard.mayPresent();
    expect(repository.raises).toHaveLength(1);
    clock.advance(1);
    await guard.mayPresent();
    expect(repository.raises).toEqual([START, START + MINUTE]);
    clock.advance(-10 * MINUTE);
    await guard.mayPresent();
    expect(repository.raises).toHaveLength(3);
  });

  it('refuses refreshes in doubt, raises no epoch, and logs it once in ten minutes', async () => {
    repository.view = { ...sure, lies: 'moved' };
    expect([await guard.mayPresent(), await guard.mayPresent()]).toEqual([false, false]);
    expect(repository.raises).toEqual([]);
    expect(guard.doubt).toMatchObject({ why: 'copied' });
    expect(log.named('deployment.in-doubt')).toEqual([
      expect.objectContaining({ why: 'copied', command: 'causeway deployment acknowledge' }),
    ]);
    clock.advance(10 * MINUTE);
    await guard.watch();
    expect(log.named('deployment.in-doubt')).toHaveLength(2);
    expect(repository.followed).toBe(0);

    await repository.acknowledge();
    expect(await guard.mayPresent()).toBe(true);
    expect(guard.doubt).toBeUndefined();
    expect(log.named('deployment.clear')).toHaveLength(1);
  });

  it('tells the other instances that the store is older than its file', async () => {
    repository.view = { ...sure, epoch: 9 };
    await guard.look();
    expect(repository.written).toEqual(['older']);
    repository.view = { ...sure, written: { why: 'older', at: START } };
    await guard.look();
    expect(repository.written).toEqual(['older']);
  });

  it('leaves out numbers once in each doubt, and keeps the doubt while that fails', async () => {
    repository.view = { ...sure, ...noMark };
    repository.skipFault = new Error('deadlock');
    expect(await guard.look()).toMatchObject({ why: 'missing' });
    expect(repository.skips).toBe(0);
    repository.skipFault = undefined;
    for (let look = 0; look < 2; look += 1) await guard.look();
    expect(repository.skips).toBe(1);
    repository.view = sure;
    await guard.look();
    repository.view = { ...sure, epoch: 9 };
    await guard.look();
    expect([repository.written, repository.skips]).toEqual([['older'], 2]);
  });

  it('tells the other instances that the database is new in an old place', async () => {
    repository.view = { ...sure, id: 'two', marked: false, grants: false };
    await guard.look();
    expect(repository.written).toEqual(['vanished']);
    expect(guard.mayLackAccounts).toBe(true);
    expect(guard.hasVanished).toBe(true);
    repository.view = sure;
    await guard.look();
    expect(guard.mayLackAccounts).toBe(false);
    expect(guard.hasVanished).toBe(false);
  });

  it('adopts the new place if nothing is missing, and refreshes nothing before', async () => {
    repository.view = { ...sure, lies: 'moved', uncompared: true };
    repository.onCompared = { memory: 'held', awaited: ['b'] };
    expect(await guard.mayPresent()).toBe(false);
    expect([repository.compared, repository.carried, repository.raises]).toEqual([1, [], []]);
    expect(guard.doubt).toMatchObject({ why: 'awaiting' });
    expect(log.named('deployment.in-doubt')).toEqual([]);

    repository.view = { ...repository.view, awaited: [] };
    expect(await guard.mayPresent()).toBe(true);
    expect([repository.compared, repository.carried]).toEqual([1, [START]]);
    expect(log.named('deployment.carried')).toEqual([{ database: 'moved' }]);
  });

  it('reports instances that have not moved over after a minute', async () => {
    repository.view = { ...sure, lies: 'moved', memory: 'held', awaited: ['b'] };
    await guard.watch();
    clock.advance(MINUTE);
    await guard.watch();
    expect(log.named('deployment.in-doubt')).toEqual([expect.objectContaining({ why: 'awaiting' })]);
  });

  it('adopts nothing if the file cannot be written', async () => {
    repository.view = { ...sure, lies: 'restarted' };
    repository.fault = new MarkUnwritable('mark', 'ENOSPC');
    await expect(guard.mayPresent()).rejects.toThrow('the database moved just now');
    repository.fault = undefined;
    expect(await guard.mayPresent()).toBe(true);
  });

  it('reports single withheld grants, once in ten minutes', async () => {
    repository.view = { ...sure, withheld: 2 };
    expect(await guard.mayPresent()).toBe(true);
    await guard.watch();
    expect(guard.withheld).toBe(2);
    expect(log.named('deployment.grants-withheld')).toEqual([expect.objectContaining({ grants: 2 })]);
    clock.advance(10 * MINUTE);
    await guard.watch();
    expect(log.named('deployment.grants-withheld')).toHaveLength(2);
  });

  it('tries again to write the file even if nothing is to be refreshed', async () => {
    repository.fault = new MarkUnwritable('mark', 'ENOENT');
    await guard.mayPresent();
    await guard.watch();
    expect(guard.doubt?.why).toBe('unusable');
    repository.fault = undefined;
    await guard.watch();
    expect([guard.doubt, repository.raises.length, log.named('deployment.clear').length]).toEqual([
      undefined,
      1,
      1,
    ]);
  });

  it('refuses refreshes while the file cannot be written, and continues when it can', async () => {
    repository.fault = new MarkUnwritable('mark', 'ENOSPC');
    expect(await guard.mayPresent()).toBe(false);
    await guard.watch();
    expect(guard.doubt).toEqual({ why: 'unusable', words: 'mark cannot be written: ENOSPC' });
    expect(log.named('deployment.in-doubt')).toEqual([
      expect.objectContaining({
        effect: 'no refresh token is presented until it can be written',
        command: undefined,
      }),
    ]);
    repository.fault = undefined;
    expect(await guard.mayPresent()).toBe(true);
    expect(guard.doubt).toBeUndefined();
  });

  it('throws what the store throws, and keeps watching', async () => {
    repository.fault = new Error('the database is gone');
    await expect(guard.mayPresent()).rejects.toThrow('the database is gone');
    repository.look = () => Promise.reject(new Error('the database is gone'));
    await guard.watch();
    expect(log.named('deployment.not-looked-at')).toHaveLength(1);
  });

  it('updates the file after other processes', async () => {
    await guard.watch();
    expect(repository.followed).toBe(1);
  });
});
