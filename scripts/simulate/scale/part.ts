/**
 * Ten thousand accounts, as planned in docs/operate/scale.md: renewals of unused grants, after a campaign, after an
 * hour in which all consented, and after two hours without authorisation server, by the bridge's real backlog; the real
 * rate limiter with some accounts that want more than it allows; and bridges restarted in turn, with the measured cost
 * of a call.
 */
import { DAY, HOUR } from '../../../src/lib/time/clock.ts';
import { randomSource } from '../../chaos/random.ts';
import { BadOption, nothing, type Findings, type Part } from '../part.ts';
import { VirtualTime } from '../virtual-time.ts';
import { crowded } from './limit.ts';
import { renewals, type Course } from './renewals.ts';
import { restarted } from './restart.ts';

/** The options of the command line. */
export interface ScaleOptions {
  readonly seed: number;
  readonly accounts?: number | undefined;
  readonly say?: ((line: string) => void) | undefined;
}

const ACCOUNTS = 10_000;
/** Working days of a campaign. */
const CAMPAIGN = 40;
const WORKING = 9 * HOUR;
/** One account in this many wants twice the limit. */
const EAGER = 1_000;
const MINUTES = 10;
/** How long renewals are impossible while all are due. */
const AWAY = 2 * HOUR;
/** The 200 calls of an account's working day come in eight hours, with three times the mean in the busiest hour. */
const PEAK = (200 * 3) / (8 * 3_600);
/** In milliseconds: a call that waits longer for a processor is not served well. */
const WAIT = 250;

/** Returns the number of broken promises. Throws `BadOption`. */
export async function simulateScale({
  seed,
  accounts = ACCOUNTS,
  say = () => undefined,
}: ScaleOptions): Promise<Findings> {
  if (accounts < 1) throw new BadOption('--accounts must be at least 1');
  const random = randomSource(seed);
  let [calls, lost, violations] = [0, 0, 0];
  for (const [name, course] of courses(accounts, random)) {
    const came = await onClock(random, (time) => renewals(time, random, course));
    calls += came.renewed;
    lost += came.lost;
    const caughtUp = course.away && `; caught up ${came.caughtUpMinutes.toFixed(1)} minutes after its return`;
    say(
      `scale, ${accounts} idle grants, ${name}: ${came.renewed} renewals, at most ${came.mostAnHour} an hour and ` +
        `${came.mostAtOnce} at once, the oldest token ${came.oldestDays.toFixed(2)} days old, ${came.lost} lost${caughtUp ?? ''}`,
    );
    // A grant that is never renewed would not count as lost.
    if (came.renewed < accounts) violations += 1;
  }
  const eager = Math.max(1, Math.round(accounts / EAGER));
  const crowd = await onClock(random, (time) => crowded(time, random, { accounts, eager, minutes: MINUTES }));
  say(
    `scale, the limit, ${accounts} accounts, ${eager} of them with 120 calls a minute: ${crowd.handled} requests, ` +
      `${crowd.overLimit} over the limit, ${crowd.heldUp} calls of others held up; the eager got ${crowd.served.toFixed(1)} a minute, ` +
      `waited for ${crowd.longestSeconds.toFixed(1)} s at most, ${crowd.refused} refused`,
  );
  violations += crowd.heldUp;
  const perSecond = accounts * PEAK;
  const enough = [2, 3, 4, 5, 6].find((instances) => {
    const came = restarted(random, instances, perSecond);
    say(
      `scale, ${instances} bridges, ${perSecond.toFixed(0)} calls a second, each out in turn: the others ${(came.busy * 100).toFixed(0)} % busy, ` +
        `a call waits for ${came.p99.toFixed(0)} ms (p99) and ${came.longest.toFixed(0)} ms (at most) for a processor`,
    );
    return came.longest < WAIT;
  });
  if (enough === undefined) violations += 1;
  return {
    ...nothing,
    ...{ calls: calls + crowd.handled, lost, overLimit: crowd.overLimit, violations, seed },
  };
}

/** Names and courses. No account calls, so only the periodic job renews. */
function courses(accounts: number, random: () => number): readonly (readonly [string, Course])[] {
  const campaign = Array.from(
    { length: accounts },
    (_, index) => Math.floor((index * CAMPAIGN) / accounts) * DAY + random() * WORKING,
  );
  const atOnce = Array.from({ length: accounts }, () => random() * HOUR);
  const away = { from: 30 * DAY, until: 30 * DAY + AWAY };
  return [
    [`a campaign of ${CAMPAIGN} days`, { consents: campaign, until: 75 * DAY }],
    ['all consents within an hour', { consents: atOnce, until: 32 * DAY }],
    [
      'the same, and no authorisation server for two hours of day 30',
      { consents: atOnce, away, until: 33 * DAY },
    ],
  ];
}

async function onClock<T>(random: () => number, play: (time: VirtualTime) => Promise<T>): Promise<T> {
  const time = new VirtualTime(1_800_000_000_000);
  const putBack = time.install(random);
  try {
    return await play(time);
  } finally {
    putBack();
  }
}

/** As run by `npm run simulate -- --only scale`. */
export const scalePart: Part = {
  summary: 'ten thousand accounts: renewals, the limit, a rolling restart',
  run: simulateScale,
};
