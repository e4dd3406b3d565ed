import { describe, expect, it } from '@jest/globals';
import type { GrantRepository } from '../../src/tokens/grant.ts';
import type { GrantVault } from '../../src/tokens/vault.ts';
import { fc } from '../support/random.ts';
import { bench, except, renewal, unanswered } from './harness.ts';
import { MemoryGrants } from '../support/memory-grants.ts';
import { HandClock } from '../support/clock.ts';
import { MINUTE } from '../../src/lib/time/clock.ts';

/** Every door of the book answers when the schedule says so. */
function scheduled(repository: GrantRepository, s: fc.Scheduler): GrantRepository {
  return new Proxy(repository, {
    get: (target, name: keyof GrantRepository) => {
      const method = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>;
      return async (...given: unknown[]) => {
        await s.schedule(Promise.resolve(), `${name} begins`);
        const answer = await method.apply(target, given);
        await s.schedule(Promise.resolve(), `${name} ends`);
        return answer;
      };
    },
  });
}

interface Judged {
  readonly presented: readonly string[];
  readonly tokens: readonly string[];
  readonly reused: readonly string[];
}

/** Two instances of two calls each meet one expired token; every `failing`-th presentation gets no answer. */
async function race(
  s: fc.Scheduler,
  failing: number,
  repository: (of: GrantRepository) => GrantRepository,
): Promise<Judged> {
  const clock = new HandClock();
  const memory = new MemoryGrants(clock);
  const { ring, authority, vault } = await bench(memory, clock);
  const spent = new Set<string>();
  const reused: string[] = [];
  authority.answering = async (token, nth) => {
    // The successor of a spent token was handed out and stored: presenting the token again kills the family.
    if (spent.has(token)) reused.push(token);
    await s.schedule(Promise.resolve(), 'the server answers');
    if (nth % failing === 0) return unanswered;
    spent.add(token);
    return renewal(Number(token.slice(3)) + 1, clock.now());
  };
  const sleep = async (millis: number): Promise<void> => {
    await s.schedule(Promise.resolve(), 'a nap');
    clock.advance(millis);
  };
  clock.advance(31 * MINUTE);
  const shared = scheduled(repository(memory), s);
  const vaults: GrantVault[] = ['one', 'two'].map((holder) =>
    vault({ repository: shared, seal: ring, holder, sleep }),
  );
  const calls = vaults.flatMap((each) => [each.accessToken('g'), each.accessToken('g')]);
  const tokens = await s.waitFor(Promise.all(calls.map(async (call) => (await call).token.reveal())));
  return { presented: authority.presented, tokens, reused };
}

describe('two instances with an expired token', () => {
  it('present it once, whatever the order of events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (s) => {
        const { presented, tokens } = await race(s, Infinity, (repository) => repository);
        expect(presented).toEqual(['rt-1']);
        expect(tokens).toEqual(['at-2', 'at-2', 'at-2', 'at-2']);
      }),
      { numRuns: 300 },
    );
  });

  it('present only what has not been answered, if replies are lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 3 }), async (s, failing) => {
        const { tokens, reused } = await race(s, failing, (repository) => repository);
        expect(reused).toEqual([]);
        expect(tokens).toEqual(['at-2', 'at-2', 'at-2', 'at-2']);
      }),
      { numRuns: 300 },
    );
  });

  it('are caught presenting it twice if the repository has no leases', async () => {
    const lawless = (repository: GrantRepository): GrantRepository =>
      except(repository, { begin: (attempt) => repository.begin({ ...attempt, leaseMs: -1 }) });
    const found = await fc.check(
      fc.asyncProperty(fc.scheduler(), async (s) => {
        const { presented } = await race(s, Infinity, lawless);
        expect(presented).toEqual(['rt-1']);
      }),
      { numRuns: 300 },
    );
    expect(found.failed).toBe(true);
  });
});
