import type { StatusReport, ReportedAccount } from '../model.ts';
import { YOUNG } from './report.ts';
import { grantStateWords, invitationStateWords } from '../code-words.ts';

/** How figures are put into words, alike in every form of the report. */

/** Rounded down, so that 100 % means all; one place after the point where it says something. */
export function percent(share: number): string {
  const tenths = Math.floor(share * 1000) / 10;
  return `${Number.isInteger(tenths) || share >= 1 ? Math.floor(tenths) : tenths.toFixed(1)} %`;
}

/** `12,345`. */
export const grouped = (count: number): string => count.toLocaleString('en');

/** `1 call`, `2 calls`. */
export const counted = (count: number, thing: string): string =>
  `${grouped(count)} ${thing}${count === 1 ? '' : 's'}`;

/** Two figures at least, one behind the point below ten: `12`, `3.4`, `0.25`. */
export const rate = (perDay: number): string =>
  perDay === 0 ? '0' : perDay.toFixed(Math.abs(perDay) >= 10 ? 0 : Math.abs(perDay) >= 1 ? 1 : 2);

type Pace = StatusReport['progress']['last7Days'];

/** Whether the history is too young for its pace to say anything about a date. */
export const isTooEarly = ({ days, perDay, leadsTo }: Pace): boolean =>
  leadsTo === null && perDay > 0 && days < YOUNG;

const paceWords = (measured: Pace): string => {
  const { days, perDay, leadsTo } = measured;
  const pace = `${rate(perDay)} a day over ${counted(days, 'day')}`;
  if (leadsTo !== null) return `${pace}, done on ${leadsTo}`;
  return isTooEarly(measured) ? `${pace}, too early for a date` : pace;
};

/** Both paces; one of them where history is too young for a difference. */
export const pacesWords = ({ last7Days, last28Days }: StatusReport['progress']): string =>
  last7Days.days === last28Days.days
    ? paceWords(last7Days)
    : `${paceWords(last7Days)}; ${paceWords(last28Days)}`;

/** Whether the migration is done by the end of V1 at the present pace, and the pace it would take. */
export function endWords(end: NonNullable<StatusReport['progress']['v1End']>): string {
  const when =
    end.daysLeft < 0
      ? `V1 ended on ${end.day}`
      : `V1 ends on ${end.day}, ${end.daysLeft === 0 ? 'today' : `in ${counted(end.daysLeft, 'day')}`}`;
  const needed = end.neededPerDay === null ? '' : ` (${rate(end.neededPerDay)} a day needed)`;
  switch (end.inTime) {
    case true:
      return `${when}: in time`;
    case false:
      return `${when}: too late at this pace${needed}`;
    case null:
      return `${when}: no pace yet${needed}`;
  }
}

/** Why it stands still, else what comes next. */
export function stateWords({ stuck, next }: ReportedAccount): string {
  if (stuck !== null) return stuck.detail === null ? stuck.words : `${stuck.words} (${stuck.detail})`;
  return next?.words ?? '';
}

/** Empty where nobody was invited. */
export const invitationWords = ({ invitation }: ReportedAccount): string =>
  invitation.state === 'none' ? '' : invitationStateWords(invitation.state);

/** How old the pair of tokens is and how long it lasts unless it is renewed, or what became of it; empty where there is none. */
export function grantWords({ grant }: ReportedAccount): string {
  if (grant === null) return '';
  return grant.state === 'held'
    ? `${grant.ageDays} d old, ${grant.daysToExpiry} d left`
    : grantStateWords(grant.state);
}

/** `2026-11-20 16:20`, UTC. */
export const minute = (iso: string | null): string =>
  iso === null ? '' : iso.slice(0, 16).replace('T', ' ');
/** The day of a moment, `2026-11-20`; empty where there is none. */
export const dayIn = (iso: string | null | undefined): string => iso?.slice(0, 10) ?? '';

/** `3 d`, `2 h`, `5 min`: how long ago. */
export function ago(iso: string | null, now: string): string {
  if (iso === null) return 'never';
  const minutes = Math.max(0, Math.floor((Date.parse(now) - Date.parse(iso)) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}
