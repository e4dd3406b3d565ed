/**
 * The status report: every figure that the console, the command line, the API and the page show about the
 * migration, from rows that were read in bulk.
 *
 * A pure function of rows and time. Each account gets its stage, its next step and, if it does not continue
 * by itself, the reason why it is stuck (`judge.ts`); totals, funnel and pace are counts over those. Times
 * are RFC 3339 in UTC, shares run from 0 to 1.
 */
import { stuckReasons, type StuckReason } from '../codes.ts';
import { type StatusReport, type ReportedAccount } from '../model.ts';
import { callFigures, type AccountLine, type StatusRows, type GrantLine } from '../report-rows.ts';
import { isOfConnected } from '../../cutover/parity/judging.ts';
import type { KnownParity } from '../../cutover/parity/model.ts';
import { noInvitations } from '../census.ts';
import { shownStage } from '../../accounts/account.ts';
import { DAY } from '../../../lib/time/clock.ts';
import { dayOf, dayText, noAccounts } from '../../accounts/history.ts';
import { tagsIn } from '../../accounts/details.ts';
import { inviteReadiness, inviteReadyOf, mailState } from './invite-ready.ts';
import { foreseen } from './foreseen.ts';
import { funnelOf, isHere, isStuck } from './funnel.ts';
import { heldByWaves } from './in-wave.ts';
import { nextOf, stuckOf, type Case } from './judge.ts';
import { invitationState } from './reached.ts';
import { waveShown } from '../../campaign/waves/shown.ts';
import { iso } from '../../../lib/time/iso.ts';

/** Settings of the report that the rows do not contain. */
export interface StatusReportOptions {
  readonly now: number;
  /** How long an unused refresh token lives, in milliseconds. */
  readonly refreshLife: number;
  /** IANA name of the time zone of the times shown. Default: UTC. */
  readonly zone?: string;
  /** The day V1 ends, such as `2026-12-31`; undefined if unknown. */
  readonly v1End: string | undefined;
  /** Whether invitations are sent by e-mail; otherwise links are only shown. */
  readonly mails: boolean;
  /** The language of e-mails to accounts without one of their own. */
  readonly language: string;
  /** Whether V1 is configured, and whether V3 needs UUIDs for its numbers. */
  readonly v1: { readonly answers: boolean; readonly numbers: boolean };
}

/** Makes the report from rows that were read in bulk: the only source of every figure shown anywhere. */
export function statusReport(rows: StatusRows, options: StatusReportOptions): StatusReport {
  const accounts = accountsOf(rows, options);
  return {
    version: 1,
    generatedAt: iso(options.now),
    zone: options.zone ?? 'UTC',
    totals: totalsOf(accounts),
    funnel: funnelOf(accounts, byAccount(rows.invitations)),
    progress: progressOf(rows, accounts, options),
    waves: rows.waves.map((wave) => waveShown(wave)),
    history: historyOf(rows, accounts),
    accounts,
  };
}

/**
 * The stored days count exported accounts among the lost; from the day of their export, those still exported are
 * counted separately here.
 */
function historyOf({ days }: StatusRows, accounts: readonly ReportedAccount[]): StatusReport['history'] {
  const since = accounts
    .filter(({ stage }) => stage === 'exported')
    .map((account) => account.since.slice(0, 10));
  return days.map(({ day, counts }) => {
    const exported = Math.min(counts.lost, since.filter((first) => first <= day).length);
    return { day, ...counts, lost: counts.lost - exported, exported };
  });
}

const isoOrNull = (at: number | undefined): string | null => (at === undefined ? null : iso(at));

function accountsOf(rows: StatusRows, options: StatusReportOptions): ReportedAccount[] {
  const invitations = byAccount(rows.invitations);
  const runs = byAccount(rows.runs);
  const messages = byAccount(rows.messages);
  const calls = byAccount(rows.calls);
  const hindrances = byAccount(rows.hindrances);
  const heldBy = heldByWaves(rows);
  const grants = new Map(rows.grants.map((grant) => [grant.id, grant]));
  return rows.accounts.map((account) =>
    accountOf(
      {
        account,
        invitation: invitations.get(account.id),
        grant: account.grantId === undefined ? undefined : grants.get(account.grantId),
        run: runs.get(account.id),
        heldBy: heldBy.get(account.id),
        message: messages.get(account.id),
        calls: calls.get(account.id),
        hindrance: hindrances.get(account.id),
        v1Refused: rows.v1Refused.get(account.id),
        approvedElsewhere: rows.approvedElsewhere.get(account.id),
        unlearned: rows.unlearned.get(account.id) ?? 0,
        isIdentified: rows.identified.has(account.id),
        verdict: rows.verdicts.get(account.id),
        forecast: rows.forecasts.get(account.id),
        parity: parityOf(account, rows.parities.get(account.id)),
        watch: rows.watches.get(account.id),
        now: options.now,
        mails: options.mails,
        v1: options.v1,
      },
      options,
    ),
  );
}

/** None if it was compared with another organisation. One that is only proposed is compared with nothing. */
const parityOf = (
  { stage, stageSince, organisationId }: AccountLine,
  known: KnownParity | undefined,
): KnownParity | undefined =>
  known === undefined ||
  stage === 'awaiting-operator' ||
  organisationId === undefined ||
  isOfConnected(known.summary, { organisationId, stage, stageSince })
    ? known
    : undefined;

const byAccount = <Line extends { readonly accountId: string }>(
  lines: readonly Line[],
): ReadonlyMap<string, Line> => new Map(lines.map((line) => [line.accountId, line]));

function accountOf(one: Case, { now, refreshLife, language }: StatusReportOptions): ReportedAccount {
  const { account, invitation, run, calls, grant } = one;
  const stuck = stuckOf(one);
  return {
    id: account.id,
    name: account.name,
    product: account.product,
    application: account.application,
    ...groupingOf(account, language),
    stage: shownStage(account.stage, account.lostReason),
    since: iso(account.stageSince),
    daysInStage: wholeDays(now - account.stageSince),
    lostReason: account.lostReason ?? null,
    organisation: account.organisation ?? null,
    invitation: {
      state: invitationState(one),
      issuedAt: isoOrNull(invitation?.issuedAt),
      expiresAt: isoOrNull(invitation?.expiresAt),
    },
    mail: mailState(one),
    inviteReady: inviteReadyOf(one),
    wave: null,
    reminders: run?.reminders ?? 0,
    stuck,
    next: nextOf(one, stuck),
    lastCallAt: isoOrNull(account.lastCallAt),
    ...callFigures(calls, account.stage),
    grant: grant === undefined ? null : grantOf(grant, now, refreshLife),
    unlearned: one.unlearned,
    ...foreseen(one),
  };
}

/** The keys that an account is grouped by: the language of its e-mails, and its tags. */
const groupingOf = (
  { language, tags }: Case['account'],
  usual: string,
): Pick<ReportedAccount, 'language' | 'tags'> => ({
  language: language ?? usual,
  tags: [...tagsIn(tags)],
});

/** Never negative: a clock may have been set back. */
const wholeDays = (millis: number): number => Math.max(0, Math.floor(millis / DAY));

function grantOf(grant: GrantLine, now: number, refreshLife: number): ReportedAccount['grant'] {
  const expiresAt = grant.renewedAt + refreshLife;
  return {
    state: grant.state,
    renewedAt: iso(grant.renewedAt),
    ageDays: wholeDays(now - grant.renewedAt),
    expiresAt: iso(expiresAt),
    daysToExpiry: Math.floor((expiresAt - now) / DAY),
  };
}

/** Ignores a code of a later version, which has no count here. */
function count<Code extends string>(numbers: Record<Code, number>, code: Code): void {
  if (Object.hasOwn(numbers, code)) numbers[code] += 1;
}

/** Nobody misses what such an account lacks. */
const hasLeft = ({ stage, lostReason }: ReportedAccount): boolean =>
  stage === 'closed' || lostReason === 'exported' || lostReason === 'disconnected';

function totalsOf(accounts: readonly ReportedAccount[]): StatusReport['totals'] {
  const stages = { ...noAccounts, exported: 0 };
  const invitations = { none: 0, unsent: 0, ...noInvitations };
  const sums = { stuck: 0, calls24h: 0, errors24h: 0, v1Calls24h: 0, unlearned: 0 };
  for (const account of accounts) {
    count(stages, account.stage);
    count(invitations, account.invitation.state);
    if (isStuck(account)) sums.stuck += 1;
    sums.calls24h += account.calls24h;
    sums.errors24h += account.errors24h;
    sums.v1Calls24h += account.v1Calls24h;
    if (!hasLeft(account)) sums.unlearned += account.unlearned;
  }
  const inviteReady = inviteReadiness(accounts);
  return { accounts: accounts.length, stages, invitations, ...sums, stuckBy: stuckBy(accounts), inviteReady };
}

function stuckBy(accounts: readonly ReportedAccount[]): StatusReport['totals']['stuckBy'] {
  const counts = new Map<StuckReason, number>();
  for (const { stuck } of accounts.filter(isStuck))
    counts.set(stuck.reason, (counts.get(stuck.reason) ?? 0) + 1);
  return Array.from(counts, ([reason, found]) => ({
    reason,
    words: stuckReasons[reason],
    accounts: found,
  })).sort((a, b) => b.accounts - a.accounts || (a.reason < b.reason ? -1 : 1));
}

type Progress = StatusReport['progress'];

function progressOf(
  rows: StatusRows,
  accounts: readonly ReportedAccount[],
  { now, v1End }: StatusReportOptions,
): Progress {
  const open = accounts.filter(isHere).length;
  const done = accounts.filter(({ stage }) => stage === 'migrated').length;
  const left = open - done;
  const [last7Days, last28Days] = [paceOf(rows, 7, left, now), paceOf(rows, 28, left, now)];
  return {
    of: open,
    done,
    left,
    share: open === 0 ? 0 : done / open,
    last7Days,
    last28Days,
    v1End: v1End === undefined ? null : endOf(v1End, left, [last7Days, last28Days], now),
  };
}

/** In days. A date further away than this says no more than "never" does. */
const FARTHEST = 36_500;

/** Days of history below which a pace gives no date: two accounts in one afternoon are not a trend. */
export const YOUNG = 3;
const isYoung = (days: number, left: number): boolean => left > 0 && days < YOUNG;

/** Over the days of the history, at least one, so that the first hour of a campaign promises nothing. */
function paceOf(
  { moves, days: known }: StatusRows,
  wanted: number,
  left: number,
  now: number,
): Progress['last7Days'] {
  const days = Math.max(1, Math.min(wanted, known.length));
  const moved = moves.filter(({ at }) => at > now - days * DAY).reduce((sum, { change }) => sum + change, 0);
  const perDay = moved / days;
  return { days, moved, perDay, leadsTo: isYoung(days, left) ? null : leadsTo(left, perDay, now) };
}

function leadsTo(left: number, perDay: number, now: number): string | null {
  if (left === 0) return dayText(dayOf(now));
  if (perDay <= 0) return null;
  const days = Math.ceil(left / perDay);
  return days > FARTHEST ? null : dayText(dayOf(now) + days);
}

type End = NonNullable<Progress['v1End']>;
type Pace = Progress['last7Days'];

function endOf(day: string, left: number, paces: readonly Pace[], now: number): End {
  const daysLeft = dayOf(Date.parse(day)) - dayOf(now);
  const verdict = verdictOf(day, left, paces);
  return {
    day,
    daysLeft,
    inTime: verdict === null || verdict === 'at-risk' ? null : verdict === 'in-time',
    verdict,
    neededPerDay: daysLeft < 0 ? null : left / Math.max(1, daysLeft),
  };
}

/** A date that only one of the two paces keeps is a risk, not a promise. */
function verdictOf(day: string, left: number, paces: readonly Pace[]): End['verdict'] {
  if (left === 0) return 'in-time';
  if (paces.some(({ days }) => isYoung(days, left)) || paces.every(({ perDay }) => perDay <= 0)) return null;
  const kept = paces.filter(({ leadsTo }) => leadsTo !== null && leadsTo <= day).length;
  return kept === paces.length ? 'in-time' : kept === 0 ? 'too-late' : 'at-risk';
}
