/** Renewals of idle grants: the bridge's real backlog, in front of an authorisation server that may be away. */
import { DAY, HOUR, SECOND } from '../../../src/lib/time/clock.ts';
import { Backlog, type Task } from '../../../src/tokens/refresh/backlog.ts';
import type { VirtualTime } from '../virtual-time.ts';

/** The lifetime of a token, as in mappings/profiles/spec.yaml. */
const LIFE = 60 * DAY;
const KEEP_ALIVE = 30 * DAY;
const LOOK = 5 * SECOND;
/** The rules of the sweeper. */
const RULES = { least: 8, most: 64, expected: 30 * SECOND };
/** A renewal without an answer. */
const TIMEOUT = 90 * SECOND;

/** The times of consents, and of outages, in milliseconds from the beginning. */
export interface Course {
  readonly consents: readonly number[];
  readonly away?: { readonly from: number; readonly until: number };
  /** When the simulation ends. */
  readonly until: number;
}

/** The result of a course. */
export interface Renewals {
  readonly renewed: number;
  /** Tokens older than sixty days when their turn came. */
  readonly lost: number;
  /** The largest number renewed within one hour of the clock. */
  readonly mostAnHour: number;
  readonly mostAtOnce: number;
  /** The age in days of the oldest renewed token. */
  readonly oldestDays: number;
  /** In minutes from the server's return to the end of the last renewal that was overdue by then. */
  readonly caughtUpMinutes: number;
}

/** Runs a course on the virtual clock. */
export async function renewals(
  time: VirtualTime,
  random: () => number,
  { consents, away, until }: Course,
): Promise<Renewals> {
  const start = time.now();
  const renewedAt = new Map(consents.map((at, index) => [String(index), start + at]));
  const backlog = new Backlog(RULES, () => time.now());
  const hours = new Map<number, number>();
  let [renewed, lost, running, mostAtOnce, oldest, caughtUp] = [0, 0, 0, 0, 0, 0];

  const isAway = (): boolean =>
    away !== undefined && time.now() - start >= away.from && time.now() - start < away.until;
  const wait = (millis: number): Promise<void> =>
    new Promise((resolve) => {
      time.after(millis, resolve, undefined);
    });
  const renew = async (grant: string): Promise<void> => {
    running += 1;
    mostAtOnce = Math.max(mostAtOnce, running);
    // A refused connection fails at once; sometimes there is no answer at all.
    const isRefused = isAway();
    await wait(isRefused && random() < 0.2 ? TIMEOUT : 300 + random() * 1_200);
    running -= 1;
    if (isRefused) return;
    const before = renewedAt.get(grant) ?? 0;
    const age = time.now() - before;
    if (age > LIFE) lost += 1;
    oldest = Math.max(oldest, age);
    renewedAt.set(grant, time.now());
    renewed += 1;
    const hour = Math.floor((time.now() - start) / HOUR);
    hours.set(hour, (hours.get(hour) ?? 0) + 1);
    if (away !== undefined && before + KEEP_ALIVE < start + away.until)
      caughtUp = time.now() - start - away.until;
  };
  const look = (): void => {
    const tasks: Task[] = [];
    let next = Infinity;
    for (const [grantId, at] of renewedAt) {
      const due = at + KEEP_ALIVE;
      if (due > time.now()) next = Math.min(next, due);
      else tasks.push({ grantId, deadline: at + LIFE, run: () => renew(grantId) });
    }
    backlog.offer(tasks);
    // Skips checks that would find nothing.
    const pause = tasks.length > 0 ? LOOK : Math.ceil((next - time.now()) / LOOK) * LOOK;
    time.after(pause, look, undefined);
  };
  look();
  await time.run(() => time.now() - start > until);
  return {
    ...{ renewed, lost, mostAtOnce },
    mostAnHour: Math.max(0, ...hours.values()),
    oldestDays: oldest / DAY,
    caughtUpMinutes: caughtUp / (60 * SECOND),
  };
}
