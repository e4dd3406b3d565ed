import { afterEach, describe, expect, it } from '@jest/globals';
import type { GrantRepository, Lease } from '../../src/tokens/grant.ts';
import { sealPair } from '../../src/tokens/grant-row.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import type { Store } from '../../src/app/store.ts';
import { openMemoryStore } from '../support/store.ts';
import { bench, except, refused, renewal, testRing, unanswered, type Bench } from './harness.ts';
import { testProfile } from '../support/profile.ts';
import { HandClock, until } from '../support/clock.ts';
import { MINUTE } from '../../src/lib/time/clock.ts';

const stores: Store[] = [];

async function realRepository(): Promise<GrantRepository> {
  const store = await openMemoryStore();
  stores.push(store);
  return store.grants;
}

afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
});

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'answered',
    (error: unknown) => (error as { code?: unknown }).code,
  );

async function set(durations = {}): Promise<Bench & { repository: GrantRepository }> {
  const repository = await realRepository();
  return { ...(await bench(repository, new HandClock(), testProfile({ durations }))), repository };
}

/** The lease of another process, which takes over once the first one has run out. */
async function takenOver(repository: GrantRepository, now: number): Promise<Lease> {
  let lease: Lease | undefined;
  await until('the lease to run out', async () => {
    const attempt = { grantId: 'g', holder: 'two', generation: 1, leaseMs: 1, longestLease: 60_000, now };
    const beginning = await repository.begin(attempt);
    if (beginning.outcome === 'begun') lease = beginning.lease;
    return lease !== undefined;
  });
  if (lease === undefined) throw new Error('no lease');
  return lease;
}

const tokenOf = async (got: Promise<{ token: Secret }>): Promise<string> => (await got).token.reveal();

describe('an access token', () => {
  it('comes from the row, then from memory, without a presentation', async () => {
    const { repository, vault, authority } = await set();
    let reads = 0;
    const counted = except(repository, {
      find: (id) => {
        reads += 1;
        return repository.find(id);
      },
    });
    const one = vault({ repository: counted });
    expect(await tokenOf(one.accessToken('g'))).toBe('at-1');
    expect(await tokenOf(one.accessToken('g'))).toBe('at-1');
    expect(reads).toBe(1);
    expect(authority.presented).toEqual([]);
  });

  it('is refreshed once for fifty calls at expiry, and all get the new one', async () => {
    const { vault, authority, clock, repository } = await set();
    const one = vault();
    await one.accessToken('g');
    clock.advance(31 * MINUTE);
    const tokens = await Promise.all(Array.from({ length: 50 }, () => tokenOf(one.accessToken('g'))));
    expect(new Set(tokens)).toEqual(new Set(['at-2']));
    expect(authority.presented).toEqual(['rt-1']);
    expect(await repository.find('g')).toMatchObject({ state: 'held', tokens: { generation: 2 } });
  });

  it('is refreshed once by two instances on one store', async () => {
    const { vault, authority, clock } = await set();
    const [one, two] = [vault({ holder: 'one' }), vault({ holder: 'two' })];
    clock.advance(31 * MINUTE);
    const calls = [one, two].flatMap((each) => Array.from({ length: 10 }, () => each.accessToken('g')));
    const tokens = await Promise.all(calls.map(tokenOf));
    expect(new Set(tokens)).toEqual(new Set(['at-2']));
    expect(authority.presented).toEqual(['rt-1']);
  });

  it('that must not be used is not handed out, and its successor asked for once a minute', async () => {
    const { vault, authority, clock, log, repository } = await set();
    authority.answering = (token, nth) => {
      const usual = renewal(Number(token.slice(3)) + 1, clock.now());
      if (nth > 1 || usual.verdict !== 'renewed') return usual;
      return { ...usual, answer: { ...usual.answer, accessExpiresAt: 0, odd: ['token_type'] } };
    };
    const one = vault();
    clock.advance(31 * MINUTE);
    expect(await codeOf(one.accessToken('g'))).toBe('upstreamUnavailable');
    expect(await codeOf(one.accessToken('g'))).toBe('upstreamUnavailable');
    expect(authority.presented).toEqual(['rt-1']);
    expect(await repository.find('g')).toMatchObject({ state: 'held', tokens: { generation: 2 } });
    expect(log.named('refresh.odd-answer')).toEqual([{ grant: 'g', generation: 2, fields: 'token_type' }]);
    clock.advance(MINUTE);
    expect(await tokenOf(one.accessToken('g'))).toBe('at-3');
  });

  it('that is still valid is returned at once during its refresh', async () => {
    const { vault, authority, clock, repository } = await set();
    const one = vault();
    clock.advance(26 * MINUTE);
    expect(await tokenOf(one.accessToken('g'))).toBe('at-1');
    await one.close();
    expect(authority.presented).toEqual(['rt-1']);
    expect(await repository.find('g')).toMatchObject({ state: 'held', tokens: { generation: 2 } });
    expect(await tokenOf(vault().accessToken('g'))).toBe('at-2');
  });

  it('that is still valid is used as long as its refresh has no reply', async () => {
    const { vault, authority, clock } = await set();
    authority.answering = () => unanswered;
    const one = vault();
    clock.advance(26 * MINUTE);
    for (let minute = 26; minute < 29; minute += 1) {
      // A call that comes while the last renewal is still being written down begins no other.
      await until('the renewal behind the call', async () => {
        expect(await tokenOf(one.accessToken('g'))).toBe('at-1');
        return authority.presented.length === minute - 25;
      });
      clock.advance(MINUTE);
    }
    expect(new Set(authority.presented)).toEqual(new Set(['rt-1']));
  });

  it('with a lifetime shorter than the refresh margin is not refreshed by every call', async () => {
    const { vault, authority, clock } = await set();
    authority.answering = (_, nth) => renewal(nth + 1, clock.now(), 2 * MINUTE);
    const one = vault();
    clock.advance(31 * MINUTE);
    for (let call = 0; call < 10; call += 1) expect(await tokenOf(one.accessToken('g'))).toBe('at-2');
    expect(authority.presented).toEqual(['rt-1']);
  });

  it('of an unknown grant needs consent', async () => {
    const { vault } = await set();
    expect(await codeOf(vault().accessToken('other'))).toBe('consentNeeded');
  });

  it('sealed with another key is our fault: nothing is sent, no row changes', async () => {
    const { vault, authority, clock, repository } = await set();
    clock.advance(31 * MINUTE);
    expect(await codeOf(vault({ seal: testRing() }).accessToken('g'))).toBe('internal');
    expect(authority.presented).toEqual([]);
    expect(await repository.find('g')).toMatchObject({ state: 'held' });
  });
});

describe('a refresh without a reply', () => {
  it('is tried again with the same token while the call waits', async () => {
    const { vault, authority, clock } = await set();
    authority.answering = (_, nth) => (nth < 4 ? unanswered : renewal(2, clock.now()));
    clock.advance(31 * MINUTE);
    expect(await tokenOf(vault().accessToken('g'))).toBe('at-2');
    expect(authority.presented).toEqual(['rt-1', 'rt-1', 'rt-1', 'rt-1']);
  });

  it('fails its call as unavailable when its time is up, never as lost', async () => {
    const { vault, authority, clock, repository, lost } = await set();
    authority.answering = () => unanswered;
    clock.advance(31 * MINUTE);
    expect(await codeOf(vault().accessToken('g'))).toBe('upstreamUnavailable');
    expect(await repository.find('g')).toMatchObject({ state: 'unresolved', tokens: { generation: 1 } });
    expect(authority.presented.length).toBeGreaterThan(2);
    expect(lost).toEqual([]);
  });

  it('of another process is waited for, however often calls check', async () => {
    const { vault, authority, clock, repository } = await set();
    clock.advance(31 * MINUTE);
    const lease = { grantId: 'g', holder: 'two', generation: 1, leaseMs: 60_000, longestLease: 60_000 };
    expect(await repository.begin({ ...lease, now: clock.now() })).toMatchObject({ outcome: 'begun' });
    let looks = 0;
    const sleep = (millis: number): Promise<void> => {
      clock.advance(millis);
      looks += 1;
      return Promise.resolve();
    };
    const waiting = vault({ sleep, patienceMs: 5_000 }).accessToken('g');
    expect(await codeOf(waiting)).toBe('upstreamUnavailable');
    expect(looks).toBeGreaterThan(30);
    expect(authority.presented).toEqual([]);
  });

  it('continues when its call stops waiting, and its reply is stored', async () => {
    const { vault, authority, clock, repository } = await set();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    authority.answering = async () => {
      await promise;
      return renewal(2, clock.now());
    };
    clock.advance(31 * MINUTE);
    const one = vault({ patienceMs: 20 });
    expect(await codeOf(one.accessToken('g'))).toBe('upstreamUnavailable');
    resolve(undefined);
    await one.close();
    expect(await repository.find('g')).toMatchObject({ state: 'held', tokens: { generation: 2 } });
  });

  it('keeps its lease while it runs', async () => {
    const { vault, authority, clock, repository } = await set({ lease: 0.03 });
    let renewals = 0;
    const counted = except(repository, {
      renew: async (lease, millis) => {
        const kept = await repository.renew(lease, millis);
        if (kept) renewals += 1;
        return kept;
      },
    });
    authority.answering = async () => {
      await until('three renewals of the lease', () => renewals >= 3);
      return renewal(2, clock.now());
    };
    clock.advance(31 * MINUTE);
    expect(await tokenOf(vault({ repository: counted }).accessToken('g'))).toBe('at-2');
  });

  it('counts as unanswered if the upstream client throws', async () => {
    const { vault, authority, clock } = await set();
    authority.answering = (_, nth) => {
      if (nth === 1) throw new Error('never to be seen: rt-1');
      return renewal(2, clock.now());
    };
    clock.advance(31 * MINUTE);
    const { log } = await set();
    expect(await tokenOf(vault({ log }).accessToken('g'))).toBe('at-2');
    expect(JSON.stringify(log.lines)).not.toContain('rt-1');
  });
});

describe('a refused refresh', () => {
  it('loses the grant, is reported once, and is not tried again', async () => {
    const { vault, authority, clock, repository, lost, log } = await set();
    authority.answering = () => refused;
    const one = vault();
    clock.advance(31 * MINUTE);
    const calls = await Promise.all(Array.from({ length: 5 }, () => codeOf(one.accessToken('g'))));
    expect(new Set(calls)).toEqual(new Set(['consentNeeded']));
    expect(await codeOf(one.accessToken('g'))).toBe('consentNeeded');
    expect(await repository.find('g')).toMatchObject({ state: 'lost', reason: 'refused' });
    expect(authority.presented).toEqual(['rt-1']);
    expect(lost).toEqual(['g: refused']);
    expect(log.named('grant.lost')).toHaveLength(1);
  });

  it('loses nothing if another process has refreshed it meanwhile', async () => {
    const { vault, authority, clock, repository, ring, lost } = await set({ lease: 0.001 });
    const taken = except(repository, { renew: () => Promise.resolve(false) });
    authority.answering = async () => {
      const lease = await takenOver(repository, clock.now());
      const accessExpiresAt = clock.now() + 30 * MINUTE;
      const pair = { accessToken: new Secret('at-2'), accessExpiresAt, refreshToken: new Secret('rt-2') };
      await repository.renewed(lease, sealPair(ring, 'g', { generation: 2, ...pair }), clock.now());
      return refused;
    };
    clock.advance(31 * MINUTE);
    expect(await tokenOf(vault({ repository: taken }).accessToken('g'))).toBe('at-2');
    expect(lost).toEqual([]);
  });
});

describe('a store that fails', () => {
  const broken = (): Promise<never> => Promise.reject(new Error('disk full'));

  it('when the intent is written prevents the request', async () => {
    const { vault, authority, clock, repository } = await set();
    clock.advance(31 * MINUTE);
    const one = vault({ repository: except(repository, { begin: broken }) });
    expect(await codeOf(one.accessToken('g'))).toBe('upstreamUnavailable');
    expect(authority.presented).toEqual([]);
  });

  it('after it stored the intent lets the next call take over the unreported lease', async () => {
    const { vault, authority, clock, repository } = await set();
    let breaks = true;
    const unheard = except(repository, {
      begin: async (attempt) => {
        const beginning = await repository.begin(attempt);
        if (breaks) await broken();
        return beginning;
      },
    });
    clock.advance(31 * MINUTE);
    const one = vault({ repository: unheard });
    expect(await codeOf(one.accessToken('g'))).toBe('upstreamUnavailable');
    expect(await codeOf(vault({ holder: 'two', patienceMs: 20 }).accessToken('g'))).toBe(
      'upstreamUnavailable',
    );
    breaks = false;
    expect(await tokenOf(one.accessToken('g'))).toBe('at-2');
    expect(authority.presented).toEqual(['rt-1']);
  });

  it('when the pair is stored has the old token presented again, and the pair not used', async () => {
    const { vault, authority, clock, repository } = await set();
    let failures = 5;
    const flaky = except(repository, {
      renewed: (...write) => ((failures -= 1) >= 0 ? broken() : repository.renewed(...write)),
    });
    authority.answering = (_, nth) => renewal(100 + nth, clock.now());
    clock.advance(31 * MINUTE);
    expect(await tokenOf(vault({ repository: flaky }).accessToken('g'))).toBe('at-102');
    expect(authority.presented).toEqual(['rt-1', 'rt-1']);
    expect(await repository.find('g')).toMatchObject({ tokens: { generation: 2 } });
  });

  it('because the lease went to another process has the pair not used', async () => {
    const { vault, authority, clock, repository } = await set({ lease: 0.001 });
    const taken = except(repository, { renew: () => Promise.resolve(false) });
    authority.answering = async (_, nth) => {
      if (nth > 1) return renewal(3, clock.now());
      await takenOver(repository, clock.now());
      return renewal(2, clock.now());
    };
    clock.advance(31 * MINUTE);
    const one = vault({ repository: taken, sleep: () => new Promise((resolve) => setTimeout(resolve, 5)) });
    expect(await tokenOf(one.accessToken('g'))).toBe('at-3');
  });

  it('when the row is read leaves tokens in memory in use', async () => {
    const { vault, repository } = await set();
    let down = false;
    const one = vault({
      repository: except(repository, { find: (id) => (down ? broken() : repository.find(id)) }),
    });
    await one.accessToken('g');
    down = true;
    expect(await tokenOf(one.accessToken('g'))).toBe('at-1');
    expect(await codeOf(vault({ repository: except(repository, { find: broken }) }).accessToken('g'))).toBe(
      'upstreamUnavailable',
    );
  });
});

describe('after a 401 of the service', () => {
  it('the token is refreshed once for all calls that received it', async () => {
    const { vault, authority } = await set();
    const one = vault();
    await one.accessToken('g');
    const younger = await Promise.all(Array.from({ length: 20 }, () => tokenOf(one.renewAfter('g', 1))));
    expect(new Set(younger)).toEqual(new Set(['at-2']));
    expect(authority.presented).toEqual(['rt-1']);
  });

  it('a newer row is used as it is', async () => {
    const { vault, authority } = await set();
    const [one, two] = [vault(), vault({ holder: 'two' })];
    await Promise.all([one.accessToken('g'), two.accessToken('g')]);
    await one.renewAfter('g', 1);
    expect(await tokenOf(two.renewAfter('g', 1))).toBe('at-2');
    expect(await tokenOf(two.accessToken('g'))).toBe('at-2');
    expect(authority.presented).toEqual(['rt-1']);
  });

  it('a newer row that is itself old is refreshed', async () => {
    const { vault, authority, clock } = await set();
    await vault({ holder: 'two' }).renewAfter('g', 1);
    clock.advance(31 * MINUTE);
    expect(await tokenOf(vault().renewAfter('g', 1))).toBe('at-3');
    expect(authority.presented).toEqual(['rt-1', 'rt-2']);
  });

  it('refreshes are limited to a few a minute, whatever token is refused', async () => {
    const { vault, authority, clock } = await set();
    const one = vault();
    let { generation } = await one.accessToken('g');
    for (let call = 0; call < 20; call += 1) ({ generation } = await one.renewAfter('g', generation));
    expect(authority.presented).toHaveLength(5);
    expect(generation).toBe(6);
    clock.advance(MINUTE);
    expect(await tokenOf(one.renewAfter('g', generation))).toBe('at-7');
  });

  it('the refused token is not returned again', async () => {
    const { vault, authority } = await set();
    authority.answering = () => unanswered;
    const one = vault();
    await one.accessToken('g');
    expect(await codeOf(one.renewAfter('g', 1))).toBe('upstreamUnavailable');
  });
});
