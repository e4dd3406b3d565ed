import { describe, expect, it } from '@jest/globals';
import type { GrantRepository } from '../../src/tokens/grant.ts';
import { bench, except, renewal } from './harness.ts';
import { MemoryGrants } from '../support/memory-grants.ts';
import { HandClock } from '../support/clock.ts';
import { MINUTE } from '../../src/lib/time/clock.ts';

type Event =
  | { readonly event: 'intent' | 'presented' }
  | { readonly event: 'durable' | 'used'; readonly generation: number };

/** What is wrong with the order of events: intent before network, commit before use. */
function faults(events: readonly Event[]): readonly string[] {
  const found: string[] = [];
  let intents = 0;
  let durable = 1;
  for (const event of events) {
    if (event.event === 'intent') intents += 1;
    if (event.event === 'presented' && (intents -= 1) < 0) found.push('presented without an intent');
    if (event.event === 'durable') durable = event.generation;
    if (event.event === 'used' && event.generation > durable)
      found.push(`generation ${event.generation} used before it was durable`);
  }
  return found;
}

/** Notes when the book's promises are kept, not when they were made. */
function noting(repository: GrantRepository, events: Event[]): Pick<GrantRepository, 'begin' | 'renewed'> {
  return {
    begin: async (attempt) => {
      const beginning = await repository.begin(attempt);
      if (beginning.outcome === 'begun') events.push({ event: 'intent' });
      return beginning;
    },
    renewed: async (lease, tokens, now) => {
      await new Promise((resolve) => setImmediate(resolve));
      const stored = await repository.renewed(lease, tokens, now);
      if (stored) events.push({ event: 'durable', generation: tokens.generation });
      return stored;
    },
  };
}

async function eventsWith(
  mutant: (
    overrides: Pick<GrantRepository, 'begin' | 'renewed'>,
    repository: GrantRepository,
  ) => Partial<GrantRepository>,
): Promise<readonly Event[]> {
  const clock = new HandClock();
  const repository = new MemoryGrants(clock);
  const { vault, authority } = await bench(repository, clock);
  const events: Event[] = [];
  const overrides = mutant(noting(repository, events), repository);
  const seen = except(repository, overrides);
  authority.answering = (_, nth) => {
    events.push({ event: 'presented' });
    return renewal(nth + 1, clock.now());
  };
  const one = vault({ repository: seen });
  const use = async (got: Promise<{ generation: number }>): Promise<void> => {
    // With a broken book a call may as well fail; what counts is the order of what happened.
    const generation = await got.then((token) => token.generation).catch(() => undefined);
    if (generation !== undefined) events.push({ event: 'used', generation });
  };
  clock.advance(31 * MINUTE);
  await Promise.all([use(one.accessToken('g')), use(one.accessToken('g'))]);
  await use(one.renewAfter('g', 2));
  await new Promise((resolve) => setTimeout(resolve, 5));
  return events;
}

describe('the order of a refresh', () => {
  it('is intent, presentation, store, use', async () => {
    const events = await eventsWith((overrides) => overrides);
    expect(events.map(({ event }) => event)).toEqual([
      'intent',
      'presented',
      'durable',
      'used',
      'used',
      'intent',
      'presented',
      'durable',
      'used',
    ]);
    expect(faults(events)).toEqual([]);
  });

  it('is found broken with a repository that stores after use', async () => {
    const events = await eventsWith((overrides) => ({
      ...overrides,
      renewed: async (...write) => {
        void overrides.renewed(...write);
        return true;
      },
    }));
    expect(faults(events)).toContain('generation 2 used before it was durable');
  });

  it('is found broken with a repository that writes the intent after the presentation', async () => {
    const events = await eventsWith((overrides, repository) => ({
      ...overrides,
      begin: async (attempt) => {
        const grant = await repository.find(attempt.grantId);
        if (grant?.state !== 'held') return overrides.begin(attempt);
        const begun = { ...grant, state: 'unresolved' as const, since: 0, presentations: 1, nextAt: 0 };
        setTimeout(() => void overrides.begin(attempt), 1);
        return { outcome: 'begun', grant: begun, lease: { grantId: 'g', holder: 'one', fence: 1 } };
      },
    }));
    expect(faults(events)).toContain('presented without an intent');
  });
});
