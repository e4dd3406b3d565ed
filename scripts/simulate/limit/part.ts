import { BadOption } from '../part.ts';
import { World, type Conditions } from './world.ts';

export interface LimitOptions extends Conditions {
  readonly seed: number;
  readonly calls: number | undefined;
  /** How many bridges; in turn one and three where nothing is said. */
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
  /** Calls that wanted to send, and how many were told at once or later that waiting would not do. */
  readonly asked: number;
  readonly refused: number;
  /** Handled while nobody had reached the database for longer than the fence. */
  readonly withoutDatabase: number;
  /** Requests that the service handled, of those it would have. */
  readonly used: number;
}

const CALLS = 20_000;
/** Of one world, before the next begins with a seed of its own. */
const EPISODE = 10_000;
const WEATHER = ['calm', 'stormy'];
const WITHOUT = ['held', 'reserve', 'settle'];

/** Never more than the limit in any rolling minute, as the service counts. Throws `BadOption`. */
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
  // A negative control has shown what it is for as soon as the limit is broken.
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

/** As `npm run simulate -- --only limit` plays it. */
export const limitPart = {
  summary: 'never more than 60 requests in a rolling minute as the service counts',
  run: simulateLimit,
};
