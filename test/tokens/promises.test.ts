import { describe, expect, it } from '@jest/globals';
import type { TokenPair } from '../../src/tokens/grant.ts';
import { sealPair } from '../../src/tokens/grant-row.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { Keeping } from '../../src/tokens/refresh/keeping.ts';
import type { Spill, Spilled } from '../../src/tokens/refresh/spill.ts';
import { MemoryGrants } from '../support/memory-grants.ts';
import { bench, except, refused, unanswered, type Bench } from './harness.ts';
import { testProfile } from '../support/profile.ts';
import { HandClock } from '../support/clock.ts';
import { MINUTE } from '../../src/lib/time/clock.ts';

async function set(): Promise<Bench & { readonly repository: MemoryGrants }> {
  const clock = new HandClock();
  const repository = new MemoryGrants(clock);
  return { ...(await bench(repository, clock)), repository };
}

const renew = (vault: ReturnType<Bench['vault']>, at: Bench): Promise<string> =>
  vault.keepAlive('g', at.clock.now() + 1);

describe('a grant', () => {
  it('that another instance found lost is not served from memory once this one knows', async () => {
    const at = await set();
    const one = at.vault();
    await one.accessToken('g');
    at.authority.answering = () => refused;
    expect(await renew(at.vault({ holder: 'two' }), at)).toBe('lost');
    expect(await one.drive('g')).toBe('lost');
    await expect(one.accessToken('g')).rejects.toMatchObject({ code: 'consentNeeded' });
  });

  it('is not declared lost by a process that has lost its lease', async () => {
    const at = await set();
    at.authority.answering = () => refused;
    const fenced = except(at.repository, { lost: async () => false });
    expect(await renew(at.vault({ repository: fenced }), at)).toBe('later');
    expect(at.lost).toEqual([]);
    expect(at.log.named('grant.lost')).toEqual([]);
  });

  it('is not presented by a process that could not record its fallback', async () => {
    const at = await set();
    at.authority.answering = (_, nth) => (nth === 1 ? unanswered : refused);
    await renew(at.vault(), at);
    at.clock.advance(MINUTE);
    const fallbacks = () => ({ fallback: 'predecessor' }) as const;
    let begun = 0;
    const fenced = except(at.repository, {
      fellBack: async () => false,
      begin: (attempt) => {
        begun += 1;
        return at.repository.begin(attempt);
      },
    });
    expect(await at.vault({ repository: fenced, fallbacks }).drive('g')).toBe('later');
    expect(at.authority.presented).toHaveLength(2);
    expect(begun).toBe(1);
  });

  it('is not served from a late pair by a process that could not record taking it', async () => {
    const at = await set();
    at.authority.answering = () => refused;
    const late = {
      generation: 2,
      accessToken: new Secret('at-late'),
      accessExpiresAt: at.clock.now() + 30 * MINUTE,
      refreshToken: new Secret('rt-late'),
    };
    const facts = { id: 's', grantId: 'g', parent: 'x', arrivedAt: 0, expiresAt: at.clock.now() + MINUTE };
    const latePair = { ...sealPair(at.ring, 's', late), ...facts };
    const fallbacks = () => ({ fallback: 'late-pair', latePair, predecessor: 'dropped' }) as const;
    const fenced = except(at.repository, { tookLatePair: async () => false });
    const vault = at.vault({ repository: fenced, fallbacks });
    expect(await renew(vault, at)).toBe('later');
    expect((await vault.accessToken('g')).token.reveal()).toBe('at-1');
  });

  it('is not presented by a process that stood still for a whole lease after its intent', async () => {
    const at = await set();
    const frozen = except(at.repository, {
      begin: async (attempt) => {
        const beginning = await at.repository.begin(attempt);
        await new Promise((resolve) => setTimeout(resolve, 20));
        return beginning;
      },
    });
    const profile = testProfile({ durations: { lease: 0.001 } });
    expect(await renew(at.vault({ repository: frozen, profile }), at)).toBe('later');
    expect(at.authority.presented).toEqual([]);
    // The intent stands: who comes after the lease goes on with it.
    at.clock.advance(MINUTE);
    expect(await at.vault({ holder: 'two' }).drive('g')).toBe('held');
    expect(at.authority.presented).toEqual(['rt-1']);
  });

  it('without an answer is not presented again before its pause is over', async () => {
    const at = await set();
    at.authority.answering = () => unanswered;
    const vault = at.vault();
    await renew(vault, at);
    const grant = await at.repository.find('g');
    expect(grant?.state === 'unresolved' && grant.nextAt > at.clock.now()).toBe(true);
    expect(await vault.drive('g')).toBe('later');
    expect(at.authority.presented).toHaveLength(1);
  });
});

describe('a spilled pair', () => {
  const pair = (generation: number): TokenPair => ({
    generation,
    accessToken: new Secret('at'),
    accessExpiresAt: 0,
    refreshToken: new Secret(`rt${generation}`),
  });

  it('is still known after an earlier one of its grant was stored', async () => {
    const at = await set();
    const spilled: Spilled[] = [];
    const spill: Spill = {
      put: async (pair) => void spilled.push(pair),
      all: async () => ({ pairs: spilled.slice(0, 1), unreadable: 0 }),
      remove: async () => undefined,
    };
    let isAway = true;
    const repository = except(at.repository, {
      renewed: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(true)),
    });
    const { clock, ring: seal } = at;
    const keeping = new Keeping({ repository, seal, clock, profile: testProfile(), log: silentLog, spill });
    const lease = { grantId: 'g', holder: 'one', fence: 1 };
    await keeping.keep(lease, pair(1), pair(2), undefined);
    await keeping.keep(lease, pair(2), pair(3), undefined);
    isAway = false;
    await keeping.recover();
    isAway = true;
    expect(await keeping.settle('g')).toBe(false);
  });

  it('no longer holds up its grant once it is stored, although its file cannot be removed', async () => {
    const at = await set();
    let isAway = true;
    let renewed = 0;
    const repository = except(at.repository, {
      renewed: async () => {
        if (isAway) throw new Error('away');
        renewed += 1;
        return true;
      },
    });
    const { clock, ring: seal } = at;
    const spilled: Spilled[] = [];
    const spill: Spill = {
      put: async (pair) => void spilled.push(pair),
      all: async () => ({ pairs: spilled, unreadable: 0 }),
      remove: () => Promise.reject(new Error('EROFS')),
    };
    const keeping = new Keeping({ repository, seal, clock, profile: testProfile(), log: silentLog, spill });
    const lease = { grantId: 'g', holder: 'one', fence: 1 };
    await keeping.keep(lease, pair(1), pair(2), undefined);
    isAway = false;
    expect(await keeping.settle('g')).toBe(true);
    expect(await keeping.recover()).toBe(1);
    expect(renewed).toBe(1);
  });

  it('stays where it is if this database does not know its grant', async () => {
    const at = await set();
    const lease = { grantId: 'elsewhere', holder: 'one', fence: 1 };
    const tokens = sealPair(at.ring, lease.grantId, pair(2));
    const removed: string[] = [];
    const spill: Spill = {
      put: async () => undefined,
      all: async () => ({
        pairs: [{ id: 'p', lease, parent: 'x', tokens, confirmAt: undefined, at: 0 }],
        unreadable: 0,
      }),
      remove: async (id) => {
        removed.push(id);
      },
    };
    expect(await at.vault({ spill }).recover()).toBe(1);
    expect(removed).toEqual([]);
  });
});
