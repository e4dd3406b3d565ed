import { expect } from '@jest/globals';
import type { GrantRepository } from '../../src/tokens/grant.ts';
import type { Profile } from '../../src/upstream/profile.ts';
import type { Authority, RefreshVerdict } from '../../src/upstream/model.ts';
import type { Store } from '../../src/app/store.ts';
import { openMemoryStore } from '../support/store.ts';
import { Sweeper } from '../../src/tokens/refresh/sweeper.ts';
import { GrantVault, type VaultParts } from '../../src/tokens/vault.ts';
import { ListLog, testRing } from './harness.ts';
import { testProfile } from '../support/profile.ts';
import { Judge, type Grace } from './judge.ts';
import { MINUTE } from '../../src/lib/time/clock.ts';
import { until } from '../support/clock.ts';
import { onlyClient } from '../support/applications.ts';

const open: { close(): Promise<unknown> }[] = [];

/** For `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const one of open.splice(0).reverse()) await one.close();
}

/** What a test may exchange for a faulty one. */
export interface SceneOptions {
  readonly repository?: (repository: GrantRepository) => GrantRepository;
  readonly verdict?: (verdict: RefreshVerdict, nth: number) => RefreshVerdict;
  readonly parts?: (parts: VaultParts, judge: Judge) => Partial<VaultParts>;
  readonly durations?: Partial<Profile['durations']>;
}

export interface Scene {
  readonly judge: Judge;
  readonly repository: GrantRepository;
  readonly store: Store;
  readonly log: ListLog;
  readonly ring: ReturnType<typeof testRing>;
  readonly profile: Profile;
  readonly vault: GrantVault;
  readonly id: string;
  readonly lost: string[];
  /** Another instance on the same store; its sweeper is not `live`'s. */
  vaultOf(parts?: Partial<VaultParts>): GrantVault;
  /** So many minutes, one sweep in each. */
  live(minutes: number): Promise<void>;
}

export async function scene(successor: Grace, options: SceneOptions = {}): Promise<Scene> {
  const judge = await Judge.open({ successor });
  open.push(judge);
  const store = await openMemoryStore();
  open.push(store);
  const [profile, ring, log] = [
    testProfile({ durations: options.durations ?? {} }),
    testRing(),
    new ListLog(),
  ];
  const repository = options.repository?.(store.grants) ?? store.grants;
  const id = await judge.consent(store.grants, ring, profile);
  const lost: string[] = [];
  const vaultOf = (changes: Partial<VaultParts> = {}): GrantVault => {
    const parts: VaultParts = {
      repository,
      seal: ring,
      applications: onlyClient({ authority: distorted(judge.authority(profile), options.verdict) }),
      clock: judge.clock,
      profile,
      log,
      holder: 'one',
      random: () => 0.5,
      sleep: (millis) => judge.advance(millis),
      onLost: (grantId) => lost.push(grantId),
    };
    const vault = new GrantVault({ ...parts, ...options.parts?.(parts, judge), ...changes });
    open.push(vault);
    return vault;
  };
  const vault = vaultOf();
  const sweeper = new Sweeper({ repository, vault, clock: judge.clock, profile, log });
  const live = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      await judge.advance(MINUTE);
      await sweeper.sweep();
    }
  };
  return { judge, repository, store, log, ring, profile, vault, id, lost, live, vaultOf };
}

const distorted = (
  authority: Authority,
  verdict: (verdict: RefreshVerdict, nth: number) => RefreshVerdict = (given) => given,
): Authority => {
  let nth = 0;
  return {
    authorizeUrl: (request) => authority.authorizeUrl(request),
    exchange: (code, redirectUri, verifier) => authority.exchange(code, redirectUri, verifier),
    connections: (token, event) => authority.connections(token, event),
    refresh: async (token) => verdict(await authority.refresh(token), (nth += 1)),
  };
};

/** An expired call whose refresh meets the faults; the account is quiet for a while, then there is a second one. */
export async function story(at: Scene): Promise<void> {
  await at.judge.advance(31 * MINUTE);
  await at.vault.accessToken(at.id).catch(() => undefined);
  await at.live(40);
  await at.vault.accessToken(at.id).catch(() => undefined);
  await at.live(10);
}

/** The grant lives: a new pair can be had now, and nothing that was sent was theft. */
export async function alive(at: Scene): Promise<void> {
  expect(at.lost).toEqual([]);
  // A renewal that nobody waits for may still be under way.
  await until('a renewal under way', async () => (await at.store.grants.find(at.id))?.state !== 'unresolved');
  const grant = await at.store.grants.find(at.id);
  expect(grant?.state).toBe('held');
  const { generation } = await at.vault.renewAfter(
    at.id,
    grant?.state === 'held' ? grant.tokens.generation : 0,
  );
  expect(generation).toBeGreaterThan(2);
  expect(await at.judge.reuses()).toEqual([]);
  expect((await at.judge.tree(at.id)).revoked).toBeNull();
}
