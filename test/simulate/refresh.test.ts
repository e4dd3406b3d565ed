import { describe, expect, it } from '@jest/globals';
import { play, type Outcome } from '../../scripts/simulate/refresh/episode.ts';
import {
  controls,
  freezes,
  models,
  weathers,
  type Control,
  type Episode,
} from '../../scripts/simulate/refresh/options.ts';

const covered = weathers.kills;
if (covered === undefined) throw new Error('there is no weather that the design covers');

const episode = (changes: Partial<Episode>): Episode => ({
  seed: 20_261_122,
  model: 'latest',
  store: 'memory',
  weather: covered,
  calls: 6_000,
  grants: 1_000,
  instances: 3,
  quiet: 0.5,
  without: undefined,
  ...changes,
});

const brokenIn = ({ losses, violations }: Outcome): readonly string[] => [
  ...losses.map(({ grant, why, history }) => [`${grant} was lost: ${why}`, ...history].join('\n')),
  ...violations.map(({ invariant, grant, words }) => `${invariant} of ${grant}: ${words}`),
];

describe('the refresh of tokens, on a virtual clock', () => {
  it.each(models)('loses nothing while instances die and replies fail (%s)', async (model) => {
    const outcome = await play(episode({ model }));
    expect(brokenIn(outcome)).toEqual([]);
    expect(outcome.calls).toBeGreaterThanOrEqual(6_000);
    expect(outcome.kills).toBeGreaterThan(20);
    expect(outcome.late).toBeGreaterThan(100);
  });

  it('loses nothing with the real SQL', async () => {
    expect(brokenIn(await play(episode({ store: 'sqlite', calls: 2_000 })))).toEqual([]);
  });

  it('loses no grant of one instance while the server ignores 40 % of its calls for an hour', async () => {
    const weather = {
      ...covered,
      faulty: 0,
      late: 0,
      silent: { share: 0.4, every: 120 * 60_000, lasts: 60 * 60_000 },
    };
    expect(brokenIn(await play(episode({ weather, instances: 1, calls: 5_000 })))).toEqual([]);
  });

  it('gives the same result for the same seed', async () => {
    const twice = [await play(episode({ calls: 1_000 })), await play(episode({ calls: 1_000 }))];
    expect(twice[0]).toEqual(twice[1]);
  });
});

describe('the refresh of tokens, on a virtual clock, loses grants', () => {
  const weatherOf = (without: Control) => (without === 'fence' ? freezes : covered);

  it.each(controls)('without its %s', async (without) => {
    const { losses } = await play(episode({ seed: 1, without, weather: weatherOf(without), calls: 5_000 }));
    expect(losses.length).toBeGreaterThan(0);
  });
});
