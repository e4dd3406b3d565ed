/**
 * When e-mail may reach a customer: on which weekdays, between which hours, and not on holidays, all on the clock of
 * the customer's own zone. Pure functions of a time, without a clock.
 */
import { dayPlus, instantIn, wallClockIn, weekdayNames } from '../../../lib/time/local.ts';
import type { MessageKind } from '../outbox.ts';
import { isHoliday, NO_HOLIDAYS, type Holidays } from './holidays.ts';

/** The hours in `CAUSEWAY_MAIL_HOURS`. */
export interface WeeklyHours {
  /** 0: Sunday, 6: Saturday. */
  readonly days: ReadonlySet<number>;
  /** Minutes since midnight; includes `from`, excludes `to`. */
  readonly from: number;
  readonly to: number;
}

/** The hours, and the days without any. */
export interface SendingHours extends WeeklyHours {
  readonly holidays: Holidays;
  /** For accounts without a zone of their own. */
  readonly zone: string;
}

const WHOLE_DAY = 24 * 60;
/** Every day, at any hour. */
export const ANY_TIME: WeeklyHours = { days: new Set([0, 1, 2, 3, 4, 5, 6]), from: 0, to: WHOLE_DAY };
/** The hours with which no message has to wait. */
export const ALWAYS: SendingHours = { ...ANY_TIME, holidays: NO_HOLIDAYS, zone: 'UTC' };

/** Reads `any`, `09:00-17:30`, `mon-fri 09:00-17:00` or `mon,wed-fri 08:00-18:00`; undefined for anything else. */
export function parseHours(text: string): WeeklyHours | undefined {
  if (text === 'any') return ANY_TIME;
  const [, named, from, to] = /^(?:(\S+) +)?(\d{2}:\d{2})-(\d{2}:\d{2})$/.exec(text.toLowerCase()) ?? [];
  const days = named === undefined ? ANY_TIME.days : daysOf(named);
  const [opens, closes] = [minuteOf(from), minuteOf(to)];
  if (days === undefined || opens === undefined || closes === undefined || opens >= closes) return undefined;
  return { days, from: opens, to: closes };
}

/** The minutes of `09:30`; also of `24:00`, which ends a day. Undefined if it is not a time of day. */
function minuteOf(time: string | undefined): number | undefined {
  const [hours = NaN, minutes = NaN] = (time ?? '').split(':').map(Number);
  const minute = hours * 60 + minutes;
  return minutes < 60 && minute <= WHOLE_DAY ? minute : undefined;
}

/** The days of `mon-fri` and of lists of such ranges; a range may pass Sunday. */
function daysOf(text: string): ReadonlySet<number> | undefined {
  const days = new Set<number>();
  for (const part of text.split(',')) {
    const [first = '', last = first] = part.split('-');
    const [begin, end] = [first, last].map((name) => weekdayNames.indexOf(name));
    if (begin === undefined || end === undefined || begin < 0 || end < 0) return undefined;
    for (let day = begin; ; day = (day + 1) % 7) {
      days.add(day);
      if (day === end) break;
    }
  }
  return days;
}

/** Most days searched: longer than any row of holidays. */
const MOST_DAYS = 400;

/**
 * The first time from `at` on at which the hours allow e-mail; `at` itself if they do. If holidays never end, it is
 * `at`: e-mail outside the hours is better than none.
 */
export function nextOpening(hours: SendingHours, zone: string | undefined, at: number): number {
  const place = zone ?? hours.zone;
  const now = wallClockIn(place, at);
  if (isSendingDay(hours, place, now.day) && now.minute >= hours.from && now.minute < hours.to) return at;
  let day = now.minute < hours.from ? now.day : dayPlus(now.day, 1);
  for (let tried = 0; tried < MOST_DAYS; tried += 1, day = dayPlus(day, 1))
    if (isSendingDay(hours, place, day)) return instantIn(place, `${day}T${clockOf(hours.from)}`);
  return at;
}

/** Whether a day of the zone's calendar has sending hours. */
const isSendingDay = ({ days, holidays }: SendingHours, zone: string, day: string): boolean =>
  days.has(new Date(`${day}T00:00Z`).getUTCDay()) && !isHoliday(holidays, zone, day);

const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** Whether a message keeps the sending hours. One that a customer is waiting for, or must know of, leaves at once. */
export const keepsHours: Readonly<Record<MessageKind, boolean>> = {
  invitation: true,
  reminder: true,
  'lost-reminder': true,
  // The customer's programs do not work.
  lost: false,
  // The customer has just asked for it.
  fresh: false,
  // The last thing the customer read is that there is nothing to do.
  unconfirmed: false,
  // The approver may have been the wrong person.
  notice: false,
  receipt: false,
  // The customer's programs stop.
  disconnected: false,
};

/** When a message may leave: in the next sending hours, if it keeps them. */
export const dueAt = (
  hours: SendingHours,
  kind: MessageKind,
  zone: string | undefined,
  at: number,
): number => (keepsHours[kind] ? nextOpening(hours, zone, at) : at);

/** The hours in readable form: `mon, tue 09:00-17:00`. */
export const hoursWords = ({ days, from, to }: WeeklyHours): string => {
  const named =
    days.size === 7
      ? 'every day'
      : [1, 2, 3, 4, 5, 6, 0]
          .filter((day) => days.has(day))
          .map((day) => weekdayNames[day])
          .join(', ');
  return from === 0 && to === WHOLE_DAY
    ? `${named}, at any hour`
    : `${named}, ${clockOf(from)} to ${clockOf(to)}`;
};
