/**
 * Plans invitations backwards from the end of V1, from the answers measured so far: how many a day, or how many
 * accounts will miss the date. A pure function; half of it is texts.
 */
import { DAY } from '../../../lib/time/clock.ts';
import { counted } from '../../../lib/text/counted.ts';
import type { Answer } from './model.ts';

/** The facts behind the plan. */
export interface PaceFacts {
  readonly answers: readonly Answer[];
  /** Accounts whose customers have to consent and were never invited. */
  readonly uninvited: number;
  /** The day V1 ends, such as `2026-12-31`. */
  readonly v1End: string | undefined;
}

/** The plan. */
export interface Pace {
  readonly uninvited: number;
  /** The share of answers among the customers who had time to answer; 0 to 1. Undefined: too few were invited. */
  readonly answerRate: number | undefined;
  /** The days within which nine of ten answers came. */
  readonly answerDays: number;
  /** Whether `answerDays` is assumed, because too few have answered. */
  readonly isAssumed: boolean;
  /** Accounts invited for the first time on an average day of the last week. */
  readonly perDay: number;
  /** The last day for an invitation, such as `2026-12-17`; undefined if V1's end is not known. */
  readonly lastDay: string | undefined;
  /** Invitations a day from now on; undefined if there is nobody to invite, no date, or no day left. */
  readonly neededPerDay: number | undefined;
  /** Accounts whose invitations would leave too late at the present pace. */
  readonly missing: number;
  readonly words: string;
}

/** Fewer answers are not representative. */
const FEW = 5;
/** Two weeks: the last of the usual reminders leaves then (`CAUSEWAY_REMINDER_DAYS`). */
const ASSUMED_DAYS = 14;
const WEEK = 7;

/** Works the plan out. */
export function paceOf({ answers, uninvited, v1End }: PaceFacts, now: number): Pace {
  const taken = answers
    .flatMap(({ invitedAt, answeredAt }) => (answeredAt === undefined ? [] : [answeredAt - invitedAt]))
    .sort((a, b) => a - b);
  const isAssumed = taken.length < FEW;
  const answerDays = isAssumed
    ? ASSUMED_DAYS
    : Math.max(1, Math.ceil((taken[Math.ceil(taken.length * 0.9) - 1] ?? 0) / DAY));
  const perDay =
    answers.filter(({ invitedAt }) => invitedAt > now - WEEK * DAY && invitedAt <= now).length / WEEK;
  const known = { uninvited, answerRate: rateOf(answers, answerDays, now), answerDays, isAssumed, perDay };
  if (v1End === undefined)
    return {
      ...known,
      lastDay: undefined,
      neededPerDay: undefined,
      missing: 0,
      words: wordsWithoutEnd(known),
    };
  const last = Date.parse(v1End) - answerDays * DAY;
  const days = Math.floor((last - (now - (now % DAY))) / DAY) + 1; // with today, and the last one
  const missing = uninvited - Math.min(uninvited, Math.floor(perDay * Math.max(0, days)));
  const neededPerDay = uninvited === 0 || days <= 0 ? undefined : Math.ceil(uninvited / days);
  const plan = { ...known, lastDay: new Date(last).toISOString().slice(0, 10), neededPerDay, missing };
  const first = days === 1 && uninvited > 0 ? lastDayWords(uninvited) : sentence(plan);
  return { ...plan, words: [first, answersWords(plan)].join(' ') };
}

/** Customers who were invited recently may still answer, so they do not count yet. */
function rateOf(answers: readonly Answer[], answerDays: number, now: number): number | undefined {
  const ripe = answers.filter(
    ({ invitedAt, answeredAt }) => answeredAt !== undefined || invitedAt < now - answerDays * DAY,
  );
  return ripe.length < FEW
    ? undefined
    : ripe.filter(({ answeredAt }) => answeredAt !== undefined).length / ripe.length;
}

type Known = Pick<Pace, 'uninvited' | 'answerRate' | 'answerDays' | 'isAssumed' | 'perDay'>;

/** The text if there is no date to meet. */
const wordsWithoutEnd = (known: Known): string =>
  `${counted(known.uninvited, 'account')} not invited yet; without CAUSEWAY_V1_END there is no date to plan for. ${answersWords(known)}`;

const lastDayWords = (uninvited: number): string =>
  `Today is the last day for invitations: ${counted(uninvited, 'customer')} ${uninvited === 1 ? 'is' : 'are'} not invited yet.`;

/** The advice in one sentence: the first thing an operator reads about the campaign. */
function sentence({ uninvited, lastDay = '', neededPerDay, missing, perDay }: Omit<Pace, 'words'>): string {
  if (uninvited === 0) return 'Everybody was invited.';
  if (neededPerDay === undefined)
    return `The last day for invitations was ${lastDay}: call the ${counted(uninvited, 'customer')} who were not invited.`;
  const present = `at the present rate of ${perDay < 1 && perDay > 0 ? perDay.toFixed(1) : String(Math.round(perDay))} a day`;
  if (missing === 0)
    return `${counted(uninvited, 'account')} to invite by ${lastDay}: ${present}, all of them are in time (${neededPerDay} would do).`;
  return `Send ${counted(neededPerDay, 'invitation')} a day until ${lastDay}: ${present}, ${counted(missing, 'account')} would miss the date.`;
}

/** The basis of the plan. */
function answersWords({ answerRate, answerDays, isAssumed }: Known): string {
  const within = isAssumed
    ? `Too few answers to measure yet: ${answerDays} days are assumed for each`
    : `Nine of ten answers came within ${counted(answerDays, 'day')}`;
  return answerRate === undefined
    ? `${within}.`
    : `${within}, and ${Math.round(answerRate * 100)} % of those invited answered: the others have to be called.`;
}
