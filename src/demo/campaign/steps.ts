/**
 * The schedule of the campaign of a demo with many accounts, from the import to the present: a pure function
 * of the customers and the time. `perform.ts` carries it out.
 *
 * The list was imported six weeks ago. A pilot went out first, then an operator invited some customers every
 * working day. A second wave is out, a third is planned, and some accounts have not been invited yet. Steps
 * after the present are left out.
 */
import { SeededRandom } from '../../sandbox/seed/generate/seeded-random.ts';
import { DAY, HOUR, MINUTE } from '../../lib/time/clock.ts';
import { instantIn } from '../../lib/time/local.ts';
import type { Deed } from './behaviours.ts';
import type { Customer } from './customers.ts';

/** Something that happens at a time, in milliseconds since the epoch. */
export type Step =
  | { readonly at: number; readonly deed: Deed | 'invited'; readonly customer: Customer }
  /** The outbox is checked, as the bridge does every few seconds. */
  | { readonly at: number; readonly deed: 'send' }
  | { readonly at: number; readonly deed: 'import' | 'learn' | 'start-pilot' | 'judge-waves' | 'plan-waves' };

/** Days before the present, and the days of the waves. */
const CALENDAR = { imported: 43, pilot: 41, judged: 36, daily: 35, planned: 4, second: 3 } as const;
/** Reminders may be sent some hours late; invitations are sent at once. */
const BETWEEN_SENDINGS = 4 * HOUR;
const BETWEEN_JUDGEMENTS = 12 * HOUR;

/** Time of an hour of a day, both in UTC. */
const at = (today: number, daysAgo: number, hour: number): number => today - daysAgo * DAY + hour * HOUR;

/** The day on which the second wave goes out, as `2026-11-30`. */
export const secondWaveDay = (now: number): string => dayText(startOfDay(now) - CALENDAR.second * DAY);

/** The Monday after the present day, when the third wave goes out. */
export function nextMonday(now: number): string {
  const today = startOfDay(now);
  const weekday = new Date(today).getUTCDay();
  return dayText(today + (((8 - weekday) % 7) + (weekday === 1 ? 7 : 0)) * DAY);
}

const startOfDay = (now: number): number => now - (now % DAY);
const dayText = (time: number): string => new Date(time).toISOString().slice(0, 'YYYY-MM-DD'.length);

/** Returns all steps up to `now`, in order. */
export function stepsOf(customers: readonly Customer[], now: number): readonly Step[] {
  const today = startOfDay(now);
  const imported = at(today, CALENDAR.imported, 8);
  const daily = customers.filter(({ part }) => part === 'daily');
  const invited = customers.map((customer) => ({ customer, time: invitedAt(customer, daily, today) }));
  const whenInvited = [...new Set(invited.flatMap(({ time }) => time ?? []))];
  const steps: readonly Step[] = [
    { at: imported, deed: 'import' },
    { at: imported + 2 * MINUTE, deed: 'learn' },
    { at: at(today, CALENDAR.pilot, 9), deed: 'start-pilot' },
    { at: at(today, CALENDAR.judged, 10), deed: 'judge-waves' },
    { at: at(today, CALENDAR.planned, 15), deed: 'plan-waves' },
    // Starts when it is nine o'clock on the day of the second wave in the earliest zone, UTC+14.
    ...repeated('judge-waves', at(today, CALENDAR.second + 1, 19), now, BETWEEN_JUDGEMENTS),
    ...repeated('send', at(today, CALENDAR.pilot, 9) + MINUTE, now, BETWEEN_SENDINGS),
    ...whenInvited.map((time) => ({ at: time + MINUTE, deed: 'send' as const })),
    ...invited.flatMap(({ customer, time }) => ofCustomer(customer, time)),
  ];
  return steps.filter((step) => step.at <= now).toSorted((one, other) => one.at - other.at);
}

const repeated = (deed: 'judge-waves' | 'send', from: number, to: number, between: number): readonly Step[] =>
  Array.from({ length: Math.max(0, Math.floor((to - from) / between) + 1) }, (_, count) => ({
    at: from + count * between,
    deed,
  }));

/**
 * Returns undefined if the customer has not been invited yet. `daily`: customers whom an operator invites day
 * by day.
 */
function invitedAt(customer: Customer, daily: readonly Customer[], today: number): number | undefined {
  switch (customer.part) {
    case 'pilot':
      return at(today, CALENDAR.pilot, 9);
    case 'daily':
      return dayInvited(customer, daily, today);
    case 'second':
      return instantIn(customer.zone, `${dayText(today - CALENDAR.second * DAY)}T09:00`);
    case 'third':
    case 'open':
      return undefined;
  }
}

/** Spreads the customers evenly over the working days, in the order of the list. */
function dayInvited(customer: Customer, daily: readonly Customer[], today: number): number {
  const days = Array.from({ length: CALENDAR.daily - 1 }, (_, count) => CALENDAR.daily - count).filter(
    (daysAgo) => ![0, 6].includes(new Date(at(today, daysAgo, 0)).getUTCDay()),
  );
  const place = daily.indexOf(customer);
  const daysAgo = days[Math.floor((place * days.length) / daily.length)] ?? CALENDAR.daily;
  return at(today, daysAgo, 9) - MINUTE;
}

/** The invitation, and the customer's reaction to it. */
function ofCustomer(customer: Customer, invited: number | undefined): readonly Step[] {
  if (invited === undefined) return [];
  const random = new SeededRandom(1_000_000 + customer.number);
  const steps: Step[] = customer.part === 'daily' ? [{ at: invited, deed: 'invited', customer }] : [];
  let time = invited;
  for (const [deed, least, most] of customer.behaviour.deeds) {
    time += least + random.next() * (most - least);
    steps.push({ at: Math.round(time), deed, customer });
  }
  return steps;
}
