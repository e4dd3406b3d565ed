/**
 * When the weekly report is due: a weekday and a time of day in a time zone. Pure functions of a time.
 *
 * A report is known by its day in that zone, `2026-11-30`: days sort as texts, so that "not sent yet" is a
 * comparison. If the weekday is changed in the settings, a report that has left is not sent again; the next one comes
 * on the new day.
 */
import { DAY } from '../../../lib/time/clock.ts';
import { dayPlus, instantIn, wallClockIn, weekdayNames } from '../../../lib/time/local.ts';

/** A weekly time, on the clock of a time zone. */
export interface WeeklyTime {
  /** 0: Sunday, 6: Saturday. */
  readonly weekday: number;
  /** `08:00`. */
  readonly time: string;
}

/** Reads `mon 08:00`; undefined for anything else. */
export function parseWeeklyTime(text: string): WeeklyTime | undefined {
  const [, day = '', time] = /^([a-z]{3}) +((?:[01]\d|2[0-3]):[0-5]\d)$/.exec(text.toLowerCase()) ?? [];
  const weekday = weekdayNames.indexOf(day);
  return time === undefined || weekday < 0 ? undefined : { weekday, time };
}

const dayWords = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** For people: `Monday 08:00`. */
export const weeklyTimeWords = ({ weekday, time }: WeeklyTime): string =>
  `${dayWords[weekday] ?? ''} ${time}`;

/**
 * How long a bridge that was down at the time catches up, in milliseconds; after that, the next week's report tells
 * more.
 */
const LATEST = DAY;

/**
 * The day, such as `2026-11-30`, of the report that is due: its time in the zone has come, at most a day ago.
 * Undefined if none is due.
 */
export function dueDay({ weekday, time }: WeeklyTime, zone: string, now: number): string | undefined {
  const today = wallClockIn(zone, now);
  // Earlier than the time on its own weekday, 0 days back is in the future; more than two are too late in any case.
  const back = (today.weekday - weekday + 7) % 7;
  if (back > 2) return undefined;
  const day = dayPlus(today.day, -back);
  const late = now - instantIn(zone, `${day}T${time}`);
  return late >= 0 && late <= LATEST ? day : undefined;
}

/**
 * The furthest day on which a report can have left by now. A later one was noted by a clock that has been set back since;
 * a day more, because the clock of another instance may be a little ahead.
 */
export const furthestDay = (zone: string, now: number): string => dayPlus(wallClockIn(zone, now).day, 1);
