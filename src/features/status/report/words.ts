/**
 * Figures of the status report in words, alike for terminal, HTML and console: percentages that never round up to
 * 100, paces, and whether the migration ends before V1 does.
 */
import { wordsIn } from '../../../lib/text/code.ts';
import type { StatusReport, ReportedAccount } from '../model.ts';
import type { ReadinessState } from '../../usage/readiness/readiness.ts';
import { YOUNG } from './report.ts';
import { isZone, minutesIn } from '../../../lib/time/zone.ts';
import { counted, grouped } from '../../../lib/text/counted.ts';
import { grantStateWords } from '../code-words.ts';

/** With one decimal where that is informative; 100 % means all. */
export function percent(share: number): string {
  const tenths = share >= 1 ? 1000 : Math.min(999, Math.round(share * 1000));
  return `${tenths % 10 === 0 ? tenths / 10 : (tenths / 10).toFixed(1)} %`;
}

/** At least two significant digits below ten: `12`, `3.4`, `0.25`. */
export const rate = (perDay: number): string =>
  perDay === 0 ? '0' : perDay.toFixed(Math.abs(perDay) >= 10 ? 0 : Math.abs(perDay) >= 1 ? 1 : 2);

type Pace = StatusReport['progress']['last7Days'];

/** Whether the history is too short for its pace to give a date. */
export const isTooEarly = ({ days, perDay, leadsTo }: Pace): boolean =>
  leadsTo === null && perDay > 0 && days < YOUNG;

const paceWords = (measured: Pace): string => {
  const { days, perDay, leadsTo } = measured;
  const pace = `${rate(perDay)} a day over ${counted(days, 'day')}`;
  if (leadsTo !== null) return `${pace}, done on ${leadsTo}`;
  return isTooEarly(measured) ? `${pace}, too early for a date` : pace;
};

/** Both paces, or one if the history is too short for them to differ. */
export function pacesWords({ of, last7Days, last28Days }: StatusReport['progress']): string {
  if (of === 0) return 'none, there is no account to move yet';
  return last7Days.days === last28Days.days
    ? paceWords(last7Days)
    : `${paceWords(last7Days)}; ${paceWords(last28Days)}`;
}

/** `3 closed accounts do not count`; undefined: every account counts. */
export function leftOutWords({ stages }: StatusReport['totals']): string | undefined {
  const left = (['closed', 'exported'] as const).filter((stage) => stages[stage] > 0);
  if (left.length === 0) return undefined;
  const sum = left.reduce((all, stage) => all + stages[stage], 0);
  return `${grouped(sum)} ${left.join(' or ')} ${sum === 1 ? 'account does' : 'accounts do'} not count`;
}

/** Whether the migration may not be finished before V1 ends. */
export const isLate = (end: StatusReport['progress']['v1End']): boolean =>
  end?.verdict === 'at-risk' || end?.verdict === 'too-late';

/** Whether the migration will be finished before V1 ends at the current pace, and the pace needed. */
export function endWords(end: NonNullable<StatusReport['progress']['v1End']>): string {
  const when =
    end.daysLeft < 0
      ? `V1 ended on ${end.day}`
      : `V1 ends on ${end.day}, ${end.daysLeft === 0 ? 'today' : `in ${counted(end.daysLeft, 'day')}`}`;
  const needed = end.neededPerDay === null ? '' : ` (${rate(end.neededPerDay)} a day needed)`;
  switch (end.verdict) {
    case 'in-time':
      return `${when}: in time`;
    case 'at-risk':
      return `${when}: at risk, in time at one of the two paces only${needed}`;
    case 'too-late':
      return `${when}: too late at this pace${needed}`;
    case null:
      return `${when}: no pace yet${needed}`;
  }
}

/** Why it is stuck, or else what comes next. */
export function stateWords({ stuck, next }: ReportedAccount): string {
  if (stuck !== null) return stuck.detail === null ? stuck.words : `${stuck.words} (${stuck.detail})`;
  return next?.words ?? '';
}

/**
 * The age of the token pair and how long it lasts unless it is refreshed, or what happened to it; empty if
 * there is none.
 */
export function grantWords({ grant, lostReason }: ReportedAccount): string {
  if (grant === null) return '';
  return grant.state === 'held'
    ? `${grant.ageDays} d old, ${grant.daysToExpiry} d left`
    : grantStateWords(grant.state, lostReason);
}

/** Short enough for a column of a terminal; `?`: too few calls were seen to tell. */
const readyWords = wordsIn<ReadinessState>({
  ready: 'yes',
  'not-ready': 'no',
  'not-enough-seen': '?',
});

/** `V3 yes, V2 no`; empty if no calls were counted. */
export const verdictWords = ({ readiness }: ReportedAccount): string =>
  readiness === null ? '' : `V3 ${readyWords(readiness.v3.state)}, V2 ${readyWords(readiness.v2.state)}`;

/** How many of the methods it uses rest on an assumption, and how many are verified; null: none does and none is. */
export function assumedWords({ readiness }: ReportedAccount): string | null {
  const parts = (['assumed', 'verified'] as const).flatMap((kind) => {
    const counts = (['v3', 'v2'] as const).flatMap((api) => {
      const methods = readiness?.[api][kind] ?? 0;
      return methods > 0 ? [`${counted(methods, 'method')} on ${api.toUpperCase()}`] : [];
    });
    return counts.length === 0 ? [] : [`${kind}: ${counts.join(', ')}`];
  });
  return parts.length === 0 ? null : parts.join('; ');
}

/** What its programs would miss on V3, or else on V2; null if nothing is missing. */
export function missedWords({ readiness }: ReportedAccount): string | null {
  if (readiness === null) return null;
  const { missed, words } = readiness.v3.missed > 0 ? readiness.v3 : readiness.v2;
  return words !== null && missed > 1 ? `${words}; and ${grouped(missed - 1)} more` : words;
}

/** Null unless a call would have waited. */
export const limitWords = ({ forecast }: ReportedAccount): string | null =>
  forecast === null || forecast.minutes === 0 ? null : `rate limit: ${forecast.words}`;

/** `410/412`, and whether a difference is open; empty if nothing was compared. */
export function proofWords({ parity }: ReportedAccount): string {
  if (parity === null) return '';
  if (parity.verdict === 'not-provable') return 'not provable';
  const open =
    parity.open > 0 ? `, ${parity.open} ${parity.verdict === 'undecided' ? 'undecided' : 'open'}` : '';
  return `${parity.alike}/${parity.compared}${open}`;
}

/** `2026-11-19 400/412; 2026-11-20 410/412`: the last comparisons, oldest first. */
export const trendWords = (
  trend: readonly { readonly at: string; readonly compared: number; readonly alike: number }[],
): string => trend.map(({ at, compared, alike }) => `${dayIn(at)} ${alike}/${compared}`).join('; ');

/** Better or worse than the previous comparison; null: there is none, or the share is the same. */
export function proofTrend({ parity }: ReportedAccount): string | null {
  const [before, now] = (parity?.trend ?? []).slice(-2);
  if (before === undefined || now === undefined) return null;
  const share = (one: typeof now): number => (one.compared === 0 ? 0 : one.alike / one.compared);
  if (share(now) === share(before)) return null;
  return `${share(now) > share(before) ? 'up' : 'down'} from ${before.alike}/${before.compared}`;
}

/** Formats as `2026-11-20 16:20` UTC. */
export const minute = (iso: string | null): string =>
  iso === null ? '' : iso.slice(0, 16).replace('T', ' ');
/** Formats as `2026-11-20 16:20 Pacific/Auckland`, in the zone of the report. */
export const madeAt = (statusReport: StatusReport): string =>
  `${minuteOf(statusReport.generatedAt, statusReport)} ${zoneOf(statusReport)}`;
/** The date of a time in the zone of the report; empty if there is none. */
export const dayOf = (iso: string | null | undefined, statusReport: StatusReport): string =>
  typeof iso === 'string' ? minuteOf(iso, statusReport).slice(0, 10) : '';

/** Bridges of earlier releases name no zone, and this machine may not know the one that is named. */
const zoneOf = ({ zone = 'UTC' }: StatusReport): string => (isZone(zone) ? zone : 'UTC');

const minuteOf = (iso: string, statusReport: StatusReport): string =>
  minutesIn(zoneOf(statusReport))(Date.parse(iso));

/** The date of a time in UTC, `2026-11-20`; empty if there is none. */
export const dayIn = (iso: string | null | undefined): string => iso?.slice(0, 10) ?? '';

/** How long ago: `3 d`, `2 h`, `5 min`. */
export function ago(iso: string | null, now: string): string {
  if (iso === null) return 'never';
  const minutes = Math.max(0, Math.floor((Date.parse(now) - Date.parse(iso)) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}
