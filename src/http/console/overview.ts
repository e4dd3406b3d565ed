import type { nextActions, NextAction } from '../../features/status/codes.ts';
import type { ReportedAccount, StatusReport } from '../../features/status/model.ts';
import { ACKNOWLEDGE } from '../../tokens/deployment/deployment.ts';
import { burnDownChart, burnDownWords, funnelChart, stageBar } from '../../features/status/report/charts.ts';
import {
  filterText,
  REFUSED,
  UNANSWERED,
  UNSENT,
  type Narrowing,
} from '../../features/status/report/filter-text.ts';
import { viewOf } from '../../features/status/report/view.ts';
import type { AdminService, AdminHealth } from '../../features/admin/admin.ts';
import { counted } from '../../lib/text/counted.ts';
import { RECENT_MINUTES } from '../../features/usage/recent-health.ts';
import type { Visit } from './session/session-guard.ts';
import type { ConsolePages } from './pages.ts';

export interface OverviewParts {
  readonly admin: Pick<AdminService, 'statusReport' | 'health' | 'latestEvent'>;
  readonly pages: ConsolePages;
}

/** The integrator's questions on one page: how far, until when, what is stuck, what is next, is anything broken. */
export async function overview({ admin, pages }: OverviewParts, { response, session }: Visit): Promise<void> {
  // Read first: an event during the report is then sent twice rather than missed.
  const seq = await admin.latestEvent();
  const [statusReport, health] = [await admin.statusReport(), await admin.health()];
  pages.send(response, 200, 'overview', {
    title: 'Overview',
    session,
    seq,
    statusReport,
    health,
    ailments: ailmentsOf(health),
    next: nextOf(statusReport.accounts),
    ...unansweredIn(statusReport),
    refused: foundIn(statusReport, REFUSED),
    recentMinutes: RECENT_MINUTES,
    charts: {
      bar: stageBar(statusReport),
      funnel: funnelChart(statusReport),
      burnDown: burnDownChart(statusReport),
      words: burnDownWords(statusReport),
    },
  });
}

/** Accounts without an answer, and accounts that no invitation has reached, with the same figures everywhere. */
export const unansweredIn = (statusReport: StatusReport) => ({
  unanswered: foundIn(statusReport, UNANSWERED),
  unsent: foundIn(statusReport, UNSENT),
});

/** The number of accounts that match a filter, and the filter of the list that shows them. */
const foundIn = (statusReport: StatusReport, filter: Narrowing) => ({
  filter: filterText(filter),
  accounts: viewOf(statusReport, filter).accounts.length,
});

interface NextLine {
  readonly action: NextAction;
  readonly by: (typeof nextActions)[NextAction]['by'];
  readonly words: string;
  readonly accounts: number;
  /** The earliest time; undefined: as soon as a person does it. */
  readonly at: string | undefined;
}

const order = { operator: 0, bridge: 1, customer: 2 } as const;

/** The next steps across accounts, starting with those of the operator. */
export function nextOf(accounts: readonly ReportedAccount[]): readonly NextLine[] {
  const lines = new Map<NextAction, NextLine>();
  for (const { next } of accounts) {
    if (next === null) continue;
    const { action, by, words } = next;
    const known = lines.get(action);
    const at = [known?.at, next.at ?? undefined].filter((one) => one !== undefined).sort()[0];
    lines.set(action, { action, by, words, at, accounts: (known?.accounts ?? 0) + 1 });
  }
  return [...lines.values()].sort((a, b) => order[a.by] - order[b.by] || b.accounts - a.accounts);
}

/** If more than this share of the latest calls failed, the fault is not with single accounts. */
const ILL = 0.1;
const FEW = 5;

/** Something broken now. */
interface Ailment {
  readonly words: string;
  readonly since?: number | undefined;
  readonly remedy?: string | undefined;
}

const ailment = (words: string): Ailment => ({ words });

/** Everything broken now; empty if nothing is. */
function ailmentsOf(health: AdminHealth): readonly Ailment[] {
  const { rateLimit, sending, census, doubt, degraded, at } = health;
  const found: Ailment[] = [...degraded];
  if (doubt !== undefined)
    found.push({
      words: `No token is renewed: ${doubt.words}`,
      remedy: doubt.why === 'unusable' ? 'let the bridge read and write the file' : `see ${ACKNOWLEDGE}`,
    });
  found.push(...failingSources(health));
  if (census.grants.unresolved > 0)
    found.push(
      ailment(`${counted(census.grants.unresolved, 'renewal')} waiting for the authorisation server`),
    );
  if (sending.pausedUntil !== undefined && sending.pausedUntil > at)
    found.push(ailment('Mail is paused: the mail server failed several times in a row'));
  if (rateLimit !== undefined && rateLimit.waiting > 0)
    found.push(ailment(`${counted(rateLimit.waiting, 'call')} waiting for the rate limit`));
  if (census.drift > 0)
    found.push({
      words: `The service’s answers have changed: ${counted(census.drift, 'change')} for several accounts`,
      remedy: 'see Routes for the changes and the mapping rows they affect',
    });
  if (census.deliveries['given-up'] > 0)
    found.push(ailment(`${counted(census.deliveries['given-up'], 'outgoing event')} could not be delivered`));
  return found;
}

const failingSources = ({ sources }: AdminHealth): readonly Ailment[] =>
  sources
    .filter(({ source }) => source !== 'bridge' && source !== 'cache')
    .filter(({ calls, failed }) => failed >= FEW && failed / calls > ILL)
    .map(({ source, calls, failed }) =>
      ailment(
        `${source.toUpperCase()} is failing: ${failed} of ${calls} calls in the last ${RECENT_MINUTES} minutes`,
      ),
    );
