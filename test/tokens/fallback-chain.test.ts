import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { GrantRepository } from '../../src/tokens/grant.ts';
import type { Authority } from '../../src/upstream/model.ts';
import { SpillFolder } from '../../src/tokens/refresh/spill.ts';
import { except } from './harness.ts';
import { graces, LATE, type Grace } from './judge.ts';
import { alive, closeAll, scene, story, type Scene, type SceneOptions } from './scene.ts';
import { MINUTE } from '../../src/lib/time/clock.ts';
import { eventually, until } from '../support/clock.ts';
import { onlyClient } from '../support/applications.ts';
import { DEFAULT_APPLICATION } from '../../src/upstream/application.ts';
import type { VaultParts } from '../../src/tokens/vault.ts';

afterEach(closeAll);

/** The grant died although the service revoked nothing on its own initiative. */
const isLost = async (at: Scene): Promise<boolean> => {
  const grant = await at.store.grants.find(at.id);
  return grant?.state === 'lost' || (await at.judge.tree(at.id)).revoked !== null;
};

const late = { do: 'late', ms: LATE };

/** A sweeper that proves nothing. */
const withoutConfirm = (repository: GrantRepository): GrantRepository =>
  except(repository, { confirmDue: async () => [] });

describe('a presentation that is carried out late, and invalidates the stored successor,', () => {
  it('is detected by an early refresh, and the predecessor is presented once more', async () => {
    const at = await scene('latest');
    await at.judge.fault(late);
    await at.judge.advance(31 * MINUTE);
    await at.vault.accessToken(at.id);
    const begun = at.judge.clock.now();
    const held = await at.store.grants.find(at.id);
    expect(held).toMatchObject({ state: 'held', tokens: { generation: 2 } });
    expect(held).toHaveProperty('predecessor.presentations', 2);
    const due = held?.state === 'held' ? (held.confirmAt ?? 0) : 0;
    // Counted from the first presentation, which is half a minute at most before the answer.
    expect(begun + 8 * MINUTE - due).toBeLessThan(MINUTE / 2);
    await at.live(7);
    expect(await at.judge.presentations()).toHaveLength(2);
    await at.live(1);
    // Refused, fallen back, and the predecessor answered, all in one round.
    expect(at.log.named('refresh.refused')).toMatchObject([{ next: 'predecessor' }]);
    expect(await at.store.grants.find(at.id)).toMatchObject({ state: 'held', tokens: { generation: 3 } });
    await at.live(30);
    await alive(at);
  });

  it.each(graces)('does no harm to the grant, even twice in a row: %s', async (grace) => {
    const at = await scene(grace);
    await at.judge.fault({ ...late, times: 2 });
    await story(at);
    await alive(at);
  });

  it('loses the grant if nothing is confirmed', async () => {
    const at = await scene('latest', { repository: withoutConfirm });
    await at.judge.fault(late);
    await story(at);
    expect(await isLost(at)).toBe(true);
  });

  it('loses the grant if a refusal is final', async () => {
    const at = await scene('latest', { parts: () => ({ fallbacks: () => ({ fallback: 'none' }) }) });
    await at.judge.fault(late);
    await story(at);
    expect(await isLost(at)).toBe(true);
  });
});

describe('an early confirmation without a reply', () => {
  it.each(graces)('is repeated, and its predecessor is not presented: %s', async (grace) => {
    const at = await scene(grace);
    await at.judge.fault({ do: 'reset-before' });
    await at.judge.advance(31 * MINUTE);
    await at.vault.accessToken(at.id);
    await at.judge.fault({ do: 'reset-after' });
    await at.live(40);
    await alive(at);
  });

  it('revokes the family if a missing reply is taken for a refusal', async () => {
    const at = await scene('latest', {
      verdict: (given, nth) =>
        nth > 2 && given.verdict === 'unanswered' ? { verdict: 'refused', description: '' } : given,
    });
    await at.judge.fault({ do: 'reset-before' });
    await at.judge.advance(31 * MINUTE);
    await at.vault.accessToken(at.id);
    await at.judge.fault({ do: 'reset-after' });
    await at.live(40);
    expect((await at.judge.tree(at.id)).revoked).toMatchObject({ by: 'reuse' });
    expect(await at.judge.reuses()).not.toEqual([]);
  });
});

/** Holds the answer to its first presentation back until it is told, and its lease runs out meanwhile. */
function frozen(at: Scene): {
  readonly authority: Authority;
  /** Resolves when the presentation is on its way. */
  readonly presented: Promise<true>;
  readonly release: () => void;
} {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const presented = Promise.withResolvers<true>();
  const inner = at.judge.authority(at.profile);
  const authority: Authority = {
    authorizeUrl: (request) => inner.authorizeUrl(request),
    exchange: (code, redirectUri, verifier) => inner.exchange(code, redirectUri, verifier),
    connections: (token, event) => inner.connections(token, event),
    async refresh(token) {
      presented.resolve(true);
      await promise;
      return inner.refresh(token);
    },
  };
  return {
    authority,
    presented: presented.promise,
    release: () => {
      resolve(undefined);
    },
  };
}

/** Two instances: one froze with its presentation on the way; its answer comes when the other has stored its own. */
async function outOfTurn(options: SceneOptions = {}, grace: Grace = 'latest'): Promise<Scene> {
  const at = await scene(grace, options);
  const { authority, presented, release } = frozen(at);
  const cold = at.vaultOf({
    holder: 'two',
    applications: onlyClient({ authority }),
    // His alone: the other keeps what he takes over, however slow the machine is.
    profile: { ...at.profile, durations: { ...at.profile.durations, lease: 0.02 } },
    repository: except(at.repository, { renew: async () => false }),
  });
  await at.judge.advance(31 * MINUTE);
  let driven: Promise<unknown> = Promise.resolve();
  // Once more if the store took longer than the lease, because nothing is presented then.
  await eventually('its presentation', () => {
    driven = cold.keepAlive(at.id, at.judge.clock.now());
    return Promise.race([presented, driven.then(() => undefined)]);
  });
  await until('the other to take over', async () => {
    await at.vault.drive(at.id);
    return (await at.store.grants.find(at.id))?.state === 'held';
  });
  release();
  await driven;
  return at;
}

describe('a reply that comes while another process has the grant', () => {
  it('is kept, and used if the stored pair is refused', async () => {
    const at = await outOfTurn();
    expect(await at.store.grants.latePairs(at.id)).toHaveLength(1);
    await at.live(8);
    expect(at.log.named('refresh.refused')).toMatchObject([{ next: 'late-pair' }]);
    expect(await at.store.grants.latePairs(at.id)).toEqual([]);
    await at.live(2);
    await alive(at);
  });

  it('saves the grant if all processes were down until the grace period was over', async () => {
    const at = await outOfTurn();
    await at.judge.advance(40 * MINUTE);
    await at.live(2);
    await alive(at);
  });

  it('is lost if it is thrown away', async () => {
    const at = await outOfTurn({
      repository: (repository) => except(repository, { keepLatePair: async () => undefined }),
    });
    await at.judge.advance(40 * MINUTE);
    await at.live(2);
    expect(await isLost(at)).toBe(true);
  });

  it('is dropped when its time is over', async () => {
    const at = await outOfTurn({}, 'same');
    await at.vault.renewAfter(at.id, 2);
    await at.live(32);
    expect(await at.store.grants.latePairs(at.id)).toEqual([]);
    expect(at.log.named('late-pairs.dropped')).toEqual([{ latePairs: 1 }]);
    await alive(at);
  });
});

describe('a pair that the store cannot save', () => {
  const folders: string[] = [];
  afterEach(async () => {
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
  });

  const folder = async (): Promise<string> => {
    const made = await mkdtemp(join(tmpdir(), 'causeway-spill-'));
    folders.push(made);
    return join(made, 'spill');
  };

  /** A disk that is full from the answer on: reading goes on, no write does. */
  class Disk {
    full = false;
    #filled = false;

    /** Once. */
    fill(): void {
      this.full ||= !this.#filled;
      this.#filled = true;
    }

    repository(repository: GrantRepository): GrantRepository {
      const writes = ['begin', 'renewed', 'unanswered', 'keepLatePair', 'fellBack', 'lost', 'renew'] as const;
      const guarded = writes.map((name) => [
        name,
        (...given: never[]) =>
          this.full
            ? Promise.reject(new Error('disk full'))
            : (Reflect.get(repository, name) as (...all: never[]) => unknown).apply(repository, given),
      ]);
      return except(repository, Object.fromEntries(guarded) as Partial<GrantRepository>);
    }
  }

  async function full(
    spill: SpillFolder | undefined,
    grace: Grace = 'same',
  ): Promise<Scene & { readonly disk: Disk }> {
    const disk = new Disk();
    const at = await scene(grace, {
      repository: (repository) => disk.repository(repository),
      parts: (parts) => ({
        spill,
        applications: onlyClient({ authority: filling(authorityIn(parts), disk) }),
      }),
      durations: { lease: 0.05 },
    });
    await at.judge.advance(31 * MINUTE);
    await expect(at.vault.drive(at.id)).resolves.toBe('held');
    await at.vault.keepAlive(at.id, at.judge.clock.now());
    return { ...at, disk };
  }

  function authorityIn({ applications }: VaultParts): Authority {
    const client = applications.get(DEFAULT_APPLICATION);
    if (client === undefined) throw new Error('the scene has no application');
    return client.authority;
  }

  const filling = (authority: Authority, disk: Disk): Authority => ({
    authorizeUrl: (request) => authority.authorizeUrl(request),
    exchange: (code, redirectUri, verifier) => authority.exchange(code, redirectUri, verifier),
    connections: (token, event) => authority.connections(token, event),
    async refresh(token) {
      const verdict = await authority.refresh(token);
      disk.fill();
      return verdict;
    },
  });

  it('is spilled, sealed and readable by its owner only, and not used', async () => {
    const place = await folder();
    const at = await full(new SpillFolder(place));
    const names = await readdir(place);
    expect(names).toEqual([expect.stringMatching(/^[\w-]+\.pair\.json$/)]);
    expect((await stat(join(place, names[0] ?? ''))).mode & 0o777).toBe(0o600);
    expect((await stat(place)).mode & 0o777).toBe(0o700);
    expect(at.log.named('refresh.spilled')).toMatchObject([{ grant: at.id, generation: 2 }]);
    expect(await at.store.grants.find(at.id)).toMatchObject({ tokens: { generation: 1 } });
    await expect(
      at.vaultOf({ patienceMs: 1, sleep: async () => undefined }).accessToken(at.id),
    ).rejects.toThrow();
  });

  it('is stored when the store is back, however long that takes, and no token is presented meanwhile', async () => {
    const place = await folder();
    const at = await full(new SpillFolder(place));
    await at.live(40);
    expect(await at.judge.presentations()).toHaveLength(1);
    at.disk.full = false;
    await at.live(1);
    expect(await readdir(place)).toEqual([]);
    expect(at.log.named('refresh.recovered')).toMatchObject([{ as: 'present' }]);
    expect(await at.store.grants.find(at.id)).toMatchObject({ state: 'held', tokens: { generation: 2 } });
    await alive({ ...at, vault: at.vaultOf({ spill: new SpillFolder(place) }) });
  });

  it('is stored by the next process after the one that spilled it', async () => {
    const place = await folder();
    const at = await full(new SpillFolder(place));
    at.disk.full = false;
    expect(await at.vaultOf({ holder: 'later', spill: new SpillFolder(place) }).recover()).toBe(0);
    expect(await at.store.grants.find(at.id)).toMatchObject({ state: 'held', tokens: { generation: 2 } });
  });

  it('becomes a late pair if another process has presented the token meanwhile', async () => {
    const place = await folder();
    const at = await full(new SpillFolder(place), 'sibling');
    at.disk.full = false;
    // The lease ends by the database's clock; here somebody takes it by force, as a new fence.
    const lease = { grantId: at.id, holder: 'one', fence: 1 };
    await at.store.grants.unanswered(lease, at.judge.clock.now());
    await at
      .vaultOf({ holder: 'two', applications: onlyClient({ authority: at.judge.authority(at.profile) }) })
      .drive(at.id);
    expect(await at.vault.recover()).toBe(0);
    expect(await readdir(place)).toEqual([]);
    expect(await at.store.grants.latePairs(at.id)).toHaveLength(1);
    await at.live(10);
    await alive({
      ...at,
      vault: at.vaultOf({ applications: onlyClient({ authority: at.judge.authority(at.profile) }) }),
    });
  });

  it('is lost if there is no spill folder', async () => {
    const at = await full(undefined);
    await at.live(40);
    at.disk.full = false;
    await until('the lease to end', async () => {
      await at.live(1);
      return (await at.store.grants.find(at.id))?.state !== 'unresolved';
    });
    expect(await isLost(at)).toBe(true);
  });

  it('can be beside foreign files', async () => {
    const place = await folder();
    const at = await full(new SpillFolder(place));
    await writeFile(join(place, 'half.pair.json'), '{"id":');
    await writeFile(join(place, 'other.pair.json'), '{"id":"../x"}');
    await writeFile(join(place, 'notes.txt'), 'hello');
    at.disk.full = false;
    expect(await at.vault.recover()).toBe(2);
    expect((await readdir(place)).sort()).toEqual(['half.pair.json', 'notes.txt', 'other.pair.json']);
    expect(at.log.named('spill.unreadable')).toEqual([{ files: 2 }]);
  });

  it('can be beside files that cannot be opened, without waiting for a pipe', async () => {
    const place = await folder();
    const at = await full(new SpillFolder(place));
    const [name = ''] = await readdir(place);
    await mkdir(join(place, 'folder.pair.json'));
    await symlink(join(place, name), join(place, 'link.pair.json'));
    await copyFile(join(place, name), join(place, 'copy.pair.json'));
    execFileSync('mkfifo', [join(place, 'pipe.pair.json')]);
    await writeFile(join(place, 'large.pair.json'), ' '.repeat(100_000));
    at.disk.full = false;
    expect(await at.vault.recover()).toBe(5);
    expect(await readdir(place)).toHaveLength(5);
    expect(await at.store.grants.find(at.id)).toMatchObject({ state: 'held', tokens: { generation: 2 } });
  });

  it.each(['accessToken', 'refreshToken'])('replaces nothing once its %s was exchanged', async (column) => {
    const place = await folder();
    const at = await full(new SpillFolder(place));
    const path = join(place, (await readdir(place))[0] ?? '');
    const written = await readFile(path, 'utf8');
    const spilled = JSON.parse(written) as { readonly tokens: Readonly<Record<string, string>> };
    const other = spilled.tokens[column === 'accessToken' ? 'refreshToken' : 'accessToken'];
    const tokens = { ...spilled.tokens, [column]: other };
    await writeFile(path, JSON.stringify({ ...spilled, tokens }));
    at.disk.full = false;
    const later = at.vaultOf({ holder: 'later', spill: new SpillFolder(place) });
    expect(await later.recover()).toBe(1);
    expect(await at.store.grants.find(at.id)).toMatchObject({ tokens: { generation: 1 } });
    await writeFile(path, written);
    expect(await later.recover()).toBe(0);
    expect(await at.store.grants.find(at.id)).toMatchObject({ state: 'held', tokens: { generation: 2 } });
  });
});
