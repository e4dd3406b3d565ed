import { chosen, nothing, type Findings, type Part, type SimulationOptions } from '../part.ts';
import { controls, stores, weathers, type Episode } from './options.ts';
import { play, type Outcome } from './world.ts';

const WRITES = 2_000;
/** The share of decidable outcomes in a whole run that must be settled in time. */
const IN_TIME = 0.999;
/** The largest number of writes in one episode: small, so that a failed one is quickly repeated. */
const LONGEST = 2_000;
const ACCOUNTS = 24;
/** One of this many episodes runs over PostgreSQL, if there is a server. */
const POSTGRES_EVERY = 10;
/** Histories printed for one episode. */
const TOLD = 3;

/** The episodes for a number of writes. Throws `BadOption`. */
export function episodesOf({
  seed,
  calls = WRITES,
  store,
  without,
  weather,
}: SimulationOptions): readonly Episode[] {
  const count = Math.max(1, Math.ceil(calls / LONGEST));
  const hasPostgres = (process.env.CAUSEWAY_TEST_POSTGRES_URL ?? '') !== '';
  return Array.from({ length: count }, (_, nth) => ({
    seed: seed + nth,
    store:
      chosen('store', store, stores) ??
      (hasPostgres && without === undefined && nth % POSTGRES_EVERY === POSTGRES_EVERY - 1
        ? 'postgres'
        : 'sqlite'),
    weather: weathers[chosen('weather', weather, ['rough', 'stormy']) ?? 'rough'],
    writes: Math.ceil(calls / count),
    accounts: ACCOUNTS,
    without: chosen('without', without, controls),
  }));
}

/** Writes happen once: see docs/operate/reliability.md. */
export const writesPart: Part = {
  summary: 'every write happens once, and its outcome is known or said to be unknown',
  async run(options) {
    let findings: Findings = { ...nothing, seed: options.seed };
    const sum = { unknown: 0, decidable: 0, settled: 0, inTime: 0 };
    for (const episode of episodesOf(options)) {
      const outcome = await play(episode);
      report(outcome, options.say);
      findings = added(findings, outcome);
      for (const name of ['unknown', 'decidable', 'settled', 'inTime'] as const) sum[name] += outcome[name];
    }
    const { unknown, decidable, settled, inTime } = sum;
    options.say(`${unknown} unknown, of ${decidable} decidable ones ${settled} settled, ${inTime} in time`);
    // In a storm few reads succeed.
    const isSettled = options.weather === 'stormy' || inTime >= IN_TIME * decidable;
    return { ...findings, violations: findings.violations + (isSettled ? 0 : 1) };
  },
};

function added(sum: Findings, outcome: Outcome): Findings {
  const { writes, kills, faults, episode } = outcome;
  const of = (...charges: readonly string[]): number =>
    faults.filter(({ charge }) => charges.includes(charge)).length;
  const isFirst = sum.lost + sum.superfluous + sum.wronglySettled + sum.violations === 0 && faults.length > 0;
  return {
    ...sum,
    calls: sum.calls + writes,
    kills: sum.kills + kills,
    lost: sum.lost + of('absent'),
    superfluous: sum.superfluous + of('superfluous'),
    wronglySettled: sum.wronglySettled + of('wrong'),
    violations: sum.violations + of('broken'),
    seed: isFirst ? episode.seed : sum.seed,
  };
}

function report(outcome: Outcome, say: (line: string) => void): void {
  const { episode, writes, requests, faulty, late, kills, faults } = outcome;
  const { joined, unknown, decidable, settled, inTime } = outcome;
  const { seed, store, without, weather } = episode;
  const left = without === undefined ? '' : `, without ${without}`;
  say(
    `seed ${seed}, ${store}, ${weather.name}${left}: ${writes} writes, ${requests} requests, ${faulty} faulty, ${late} late, ${kills} kills, ` +
      `${joined} joined, ${unknown} unknown, of ${decidable} decidable ones ${settled} settled, ${inTime} in time, ${faults.length} promises broken`,
  );
  for (const { charge, words, history } of faults.slice(0, TOLD)) {
    say(`  ${charge}: ${words}; play it again with --only writes --seed ${seed} ${again(episode)}`);
    for (const line of history) say(`    ${line}`);
  }
}

const again = ({ store, writes, without, weather }: Episode): string =>
  `--store ${store} --weather ${weather.name} --calls ${writes}${without === undefined ? '' : ` --without ${without}`}`;
