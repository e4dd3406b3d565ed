/**
 * Times on the clock of a zone: the wall-clock time at a moment, and the moment of a wall-clock time.
 *
 * A local time is a text such as `2026-11-30T09:00`. Where a clock is put forward, a local time that is skipped is the
 * moment at which it would have come; where it is put back, a local time that comes twice is the first.
 */
import { DAY, MINUTE, SECOND } from './clock.ts';
import { minutesIn } from './zone.ts';

/** The time on a wall clock. */
export interface WallClock {
  /** `2026-11-30`. */
  readonly day: string;
  /** 0: Sunday, 6: Saturday. */
  readonly weekday: number;
  /** Minutes since midnight on that clock. */
  readonly minute: number;
}

const localForm = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/;

/** `2026-11-30T09:00` on the clock of the zone, which must be one that this Node knows (`isZone`). */
export const localIn = (zone: string, at: number): string => minutesIn(zone)(at).replace(' ', 'T');

/** The wall-clock time in the zone. */
export function wallClockIn(zone: string, at: number): WallClock {
  const [day = '', time = ''] = localIn(zone, at).split('T');
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return { day, weekday: new Date(`${day}T00:00Z`).getUTCDay(), minute: hours * 60 + minutes };
}

/** Whether the text is a local time of an existing day. */
export const isLocal = (text: string): boolean => localForm.test(text) && isDay(text.slice(0, 10));

/** Whether the text is an existing day, such as `2026-11-30`. */
export function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** The offset of the zone's clock from UTC at a moment, in milliseconds. */
const aheadIn = (zone: string, at: number): number =>
  Date.parse(`${localIn(zone, at)}Z`) - Math.floor(at / MINUTE) * MINUTE;

/** The moment at which the clock of the zone shows `local`, a text for which `isLocal` holds. */
export function instantIn(zone: string, local: string): number {
  const asUtc = Date.parse(`${local}Z`);
  // A day before and after: no change of the clock in between is missed.
  const [before, after] = [aheadIn(zone, asUtc - DAY), aheadIn(zone, asUtc + DAY)];
  const first = asUtc - before;
  if (aheadIn(zone, first) === before) return first;
  const second = asUtc - after;
  return aheadIn(zone, second) === after ? second : first;
}

/** Whether the clock of the zone, put forward, never shows `local`. */
export const isSkipped = (zone: string, local: string): boolean =>
  localIn(zone, instantIn(zone, local)) !== local;

/** The day `days` later (or earlier), both as `2026-11-30`. At noon, no change of clocks matters. */
export const dayPlus = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T12:00Z`) + days * DAY).toISOString().slice(0, 10);

/** The last second of the day on the clock of the zone. */
export const endOfDay = (zone: string, at: number): number =>
  instantIn(zone, `${dayPlus(localIn(zone, at).slice(0, 10), 1)}T00:00`) - SECOND;

/** The names in settings, indexed by number. */
export const weekdayNames: readonly string[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
