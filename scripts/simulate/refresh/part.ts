import { chosen, nothing, type Findings, type Part, type SimulationOptions } from '../part.ts';
import { play, type Outcome } from './episode.ts';
import {
  controls,
  covered,
  freezes,
  lateBeyond,
  models,
  stores,
  weathers,
  type Control,
  type Episode,
} from './options.ts';

const CALLS = 20_000;
/** The largest number of calls in one episode: small, so that a failed one is quickly repeated. */
const LONGEST = 20_000;
const GRANTS = 1_000;
const INSTANCES = 3;
/** One of this many episodes runs over SQL. */
const SQL_EVERY = 10;
/** Histories printed for one episode. */
const TOLD = 3;

/** The episodes for a number of calls: models and weathers in turn, a tenth of the episodes over SQL. */
export function episodesOf(options: SimulationOptions): readonly Episode[] {
  const without = chosen('without', options.without, controls);
  const model = chosen('model', options.model, models);
  const store = chosen('store', options.store, stores);
  const named = { ...weathers, freezes, beyond: lateBeyond };
  const weather = chosen('weather', options.weather ?? demanding(without), Object.keys(named));
  const calls = options.calls ?? CALLS;
  const count = Math.max(1, Math.ceil(calls / LONGEST));
  const kinds = Object.values(weathers);
  return Array.from({ length: count }, (_, nth) => ({
    seed: options.seed + nth,
    model: model ?? models[nth % models.length] ?? models[0],
    store: store ?? (without === undefined && nth % SQL_EVERY === SQL_EVERY - 1 ? 'sqlite' : 'memory'),
    weather:
      (weather === undefined ? undefined : named[weather as keyof typeof named]) ??
      kinds[Math.floor(nth / models.length) % kinds.length] ??
      covered,
    calls: Math.min(LONGEST, Math.ceil(calls / count)),
    grants: GRANTS,
    instances: INSTANCES,
    quiet: 0.5,
    without,
  }));
}

/** The weather that shows the missing part: fences are for instances that come back late. */
const demanding = (without: Control | undefined): string | undefined =>
  without === undefined ? undefined : without === 'fence' ? 'freezes' : 'kills';

/** The refresh of tokens: see docs/operate/reliability.md. */
export const refreshPart: Part = {
  summary: 'refresh tokens: nothing is lost, I1 to I4 hold',
  async run(options) {
    let findings: Findings = { ...nothing, seed: options.seed };
    for (const episode of episodesOf(options)) {
      const outcome = await play(episode);
      report(outcome, options.say);
      findings = added(findings, outcome);
    }
    return findings;
  },
};

function added(sum: Findings, { calls, kills, losses, violations, episode }: Outcome): Findings {
  const isFirst = sum.lost + sum.violations === 0 && losses.length + violations.length > 0;
  return {
    ...sum,
    calls: sum.calls + calls,
    kills: sum.kills + kills,
    lost: sum.lost + losses.length,
    violations: sum.violations + violations.length,
    seed: isFirst ? episode.seed : sum.seed,
  };
}

function report(outcome: Outcome, say: (line: string) => void): void {
  const { episode, calls, struck, late, kills, freezes, restarts, hours, losses, violations } = outcome;
  const { seed, model, store, without, weather } = episode;
  const left = without === undefined ? '' : `, without ${without}`;
  say(
    `seed ${seed}, ${model}, ${store}, ${weather.name}${left}: ${calls} token calls in ${hours.toFixed(1)} h, ` +
      `${struck} struck, ${late} late, ${kills} kills, ${freezes} freezes, ${restarts} database restarts, ` +
      `${losses.length} lost, ${violations.length} promises broken`,
  );
  for (const { invariant, grant, words } of violations.slice(0, TOLD))
    say(`  ${invariant} ${grant} ${words}`);
  for (const { grant, why, history } of losses.slice(0, TOLD)) {
    say(`  lost: ${grant}, ${why}; play it again with --only refresh --seed ${seed} ` + again(episode));
    for (const line of history.slice(-40)) say(`    ${line}`);
  }
}

const again = ({ model, store, weather, calls, without }: Episode): string =>
  `--model ${model} --store ${store} --weather ${weather.name} --calls ${calls}` +
  (without === undefined ? '' : ` --without ${without}`);
