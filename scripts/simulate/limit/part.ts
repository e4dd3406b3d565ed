import { BadOption } from '../part.ts';
import { World, type Conditions } from './world.ts';

export interface LimitOptions extends Conditions {
  readonly seed: number;
  readonly calls: number | undefined;
  /** The number of bridges; by default one and three in turn. */
  readonly instances?: number | undefined;
  readonly say?: ((line: string) => void) | undefined;
}

export interface LimitFindings {
  readonly calls: number;
  readonly kills: number;
  readonly lost: number;
  readonly superfluous: number;
  readonly wronglySettled: number;
  readonly overLimit: number;
  readonly seed: number;
  readonly violations: number;
  /** Calls that asked for a permit, and those refused, at once or later, because waiting would not help. */
  readonly asked: number;
  readonly refused: number;
  /** Requests handled while the database had been unreachable for longer than the fence. */
  readonly withoutDatabase: number;
  /** The share of its possible requests that the service handled. */
  readonly used: number;
}

const CALLS = 20_000;
/** Calls of one world, before the next one begins with its own seed. */
const EPISODE = 10_000;
const WEATHER = ['calm', 'stormy'];
const WITHOUT = ['held', 'reserve', 'settle'];

/** Checks that no rolling minute exceeds the limit, as the service counts. Throws `BadOption`. */
export async function simulateLimit(options: LimitOptions): Promise<LimitFindings> {
  const { without, weather, say = () => undefined } = options;
  if (without !== undefined && !WITHOUT.includes(without))
    throw new BadOption(`--without must be one of ${WITHOUT.join(', ')}`);
  if (weather !== undefined && !WEATHER.includes(weather))
    throw new BadOption(`--weather must be one of ${WEATHER.join(', ')}`);
  if (options.instances === 0) throw new BadOption('--instances must be at least 1');
  const calls = options.calls ?? CALLS;
  let [sent, kills, overLimit, asked, refused, withoutDatabase, possible] = [0, 0, 0, 0, 0, 0, 0];
  let failed: number | undefined;
  // A negative control has succeeded as soon as the limit is broken.
  for (let episode = 0; sent < calls && (without === undefined || overLimit === 0); episode += 1) {
    const seed = options.seed + episode;
    const count = options.instances ?? (seed % 2 === 0 ? 1 : 3);
    const world = new World(seed, count, options);
    possible += await world.play(Math.min(EPISODE, calls - sent));
    const { service } = world;
    sent += service.handled;
    kills += world.kills;
    overLimit += service.overLimit;
    asked += world.asked;
    refused += world.refused;
    withoutDatabase += world.withoutDatabase;
    say(
      `limit, seed ${seed}, ${count} instance${count > 1 ? 's' : ''}: ${service.handled} requests, ` +
        `${world.kills} kills, at most ${service.most} in a minute`,
    );
    if (service.overLimit === 0) continue;
    failed ??= seed;
    for (const line of service.history) say(`  ${line}`);
  }
  const none = { lost: 0, superfluous: 0, wronglySettled: 0, violations: 0 };
  const figures = { asked, refused, withoutDatabase, used: sent / possible };
  return { calls: sent, kills, overLimit, ...none, ...figures, seed: failed ?? options.seed };
}

/** As run by `npm run simulate -- --only limit`. */
export const limitPart = {
  summary: 'never more than 60 requests in a rolling minute as the service counts',
  run: simulateLimit,
};
