import { afterEach, describe, expect, it } from '@jest/globals';
import { Sweeper } from '../../src/vault/sweeper.ts';
import type { VaultParts } from '../../src/vault/vault.ts';
import { GrantVault } from '../../src/vault/vault.ts';
import type { GrantBook } from '../../src/domain/grant.ts';
import type { Authority, RefreshVerdict } from '../../src/domain/upstream.ts';
import type { Store } from '../../src/store/open.ts';
import { openStore } from '../../src/store/open.ts';
import { ListLog, MINUTE, testProfile, testRing } from './harness.ts';
import { graces, Judge, LATE, type Grace } from './judge.ts';

const open: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** What a test may exchange for a faulty one. */
interface Wishes {
  readonly book?: (book: GrantBook) => GrantBook;
  readonly verdict?: (verdict: RefreshVerdict, nth: number) => RefreshVerdict;
  readonly ladder?: VaultParts['ladder'];
}

interface Scene {
  readonly judge: Judge;
  readonly book: GrantBook;
  readonly store: Store;
  readonly log: ListLog;
  readonly ring: ReturnType<typeof testRing>;
  readonly vault: GrantVault;
  readonly id: string;
  readonly lost: string[];
  /** So many minutes, one sweep in each. */
  live(minutes: number): Promise<void>;
}

async function scene(successor: Grace, wishes: Wishes = {}): Promise<Scene> {
  const judge = await Judge.open({ successor });
  open.push(judge);
  const store = await openStore('sqlite::memory:');
  open.push(store);
  const [profile, ring, log] = [testProfile(), testRing(), new ListLog()];
  const book = wishes.book?.(store.grants) ?? store.grants;
  const id = await judge.consent(store.grants, ring, profile);
  const lost: string[] = [];
  const vault = new GrantVault({
    book,
    seal: ring,
    authority: distorted(judge.authority(profile), wishes.verdict),
    clock: judge.clock,
    profile,
    log,
    holder: 'one',
    random: () => 0.5,
    sleep: (millis) => judge.advance(millis),
    onLost: (grantId) => lost.push(grantId),
    ladder: wishes.ladder,
  });
  open.push(vault);
  const sweeper = new Sweeper({ book, vault, clock: judge.clock, profile, log });
  const live = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      await judge.advance(MINUTE);
      await sweeper.sweep();
    }
  };
  return { judge, book, store, log, ring, vault, id, lost, live };
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
async function story(at: Scene): Promise<void> {
  await at.judge.advance(31 * MINUTE);
  await at.vault.accessToken(at.id).catch(() => undefined);
  await at.live(40);
  await at.vault.accessToken(at.id).catch(() => undefined);
  await at.live(10);
}

/** The grant lives: a new pair can be had now, and nothing that was sent was theft. */
async function alive(at: Scene): Promise<void> {
  expect(at.lost).toEqual([]);
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

const faults = {
  'lost before it was carried out': { do: 'reset-before' },
  'carried out, its answer lost': { do: 'reset-after' },
  'carried out late': { do: 'late', ms: LATE },
  'answered 500 before': { do: 'status', status: 500 },
  'answered 502 after': { do: 'status', status: 502, when: 'after' },
  'answered in HTML with 200': { do: 'status', status: 200, body: 'html', when: 'after' },
  'answered in JSON that is no pair': { do: 'status', status: 200, body: 'json', when: 'after' },
  'told to slow down': { do: 'status', status: 429, retryAfter: 30 },
  'refused the client': { do: 'status', status: 401 },
  'cut half way': { do: 'cut' },
} as const;

type FaultName = keyof typeof faults;
const names = Object.keys(faults) as FaultName[];

/** Every grace with every first fault and every second one, each pair once. */
const pairs = graces.flatMap((grace, g) =>
  names.map((first, n) => [grace, first, names[(n + 3 * g + 1) % names.length] ?? first] as const),
);

describe('a refresh in each grace', () => {
  it.each(pairs)('%s: %s, then %s: the grant lives', async (grace, first, second) => {
    const at = await scene(grace);
    await at.judge.fault(faults[first]);
    await at.judge.fault(faults[second]);
    await story(at);
    await alive(at);
  });

  it.each(graces)('%s: without a refresh token in the answer: the grant lives', async (grace) => {
    const at = await scene(grace, {
      verdict: (given, nth) =>
        nth === 1 && given.verdict === 'renewed'
          ? { verdict: 'unanswered', cause: 'no refresh_token' }
          : given,
    });
    await story(at);
    await alive(at);
  });
});
