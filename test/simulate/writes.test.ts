import { describe, expect, it } from '@jest/globals';
import { controls, weathers, type Episode } from '../../scripts/simulate/writes/options.ts';
import { play, type Outcome } from '../../scripts/simulate/writes/world.ts';

const episode = (changes: Partial<Episode>): Episode => ({
  seed: 20_261_122,
  store: 'sqlite',
  weather: weathers.rough,
  writes: 2_000,
  accounts: 24,
  without: undefined,
  ...changes,
});

const brokenIn = ({ faults }: Outcome): readonly string[] =>
  faults.map(({ charge, words, history }) => [`${charge}: ${words}`, ...history].join('\n'));

const hasPostgres = (process.env.CAUSEWAY_TEST_POSTGRES_URL ?? '') !== '';

describe('writes, on a virtual clock', () => {
  it('happen once, and nobody is told otherwise, while processes die and a tenth of the answers is no use', async () => {
    const outcome = await play(episode({}));
    expect(brokenIn(outcome)).toEqual([]);
    expect(outcome.writes).toBeGreaterThanOrEqual(2_000);
    expect(outcome.kills).toBeGreaterThan(5);
    expect(outcome.late).toBeGreaterThan(20);
    expect(outcome.joined).toBeGreaterThan(20);
    expect(outcome.decidable).toBeGreaterThan(100);
    expect(outcome.settled).toBeGreaterThanOrEqual(0.999 * outcome.decidable);
  }, 900_000);

  it('happen once where three times as much goes astray', async () => {
    expect(brokenIn(await play(episode({ weather: weathers.stormy, writes: 500 })))).toEqual([]);
  }, 900_000);

  (hasPostgres ? it : it.skip)(
    'happen once where several processes share a database server',
    async () => {
      expect(brokenIn(await play(episode({ store: 'postgres', writes: 200 })))).toEqual([]);
    },
    900_000,
  );

  it.each(controls)(
    'break a promise without %s',
    async (without) => {
      const { faults } = await play(episode({ without, writes: 400 }));
      expect(faults.length).toBeGreaterThan(0);
    },
    900_000,
  );
});
