import type { StatusReport, ReportedAccount } from '../model.ts';
import { NO_DETAILS, type AccountDetails } from '../../accounts/details.ts';
import { csvText } from '../../../lib/text/csv-cell.ts';
import { plainText } from '../../../lib/text/plain-text.ts';
import { trendWords } from './words.ts';

/** A value of a cell; null and undefined leave it empty. */
export type CsvCell = string | number | null | undefined;

const columns = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  product: ({ product }) => product,
  application: ({ application }) => application,
  language: ({ language }) => language,
  tags: ({ tags }) => tags.join(' '),
  stage: ({ stage }) => stage,
  since: ({ since }) => since,
  days_in_stage: ({ daysInStage }) => daysInStage,
  organisation: ({ organisation }) => organisation,
  lost_reason: ({ lostReason }) => lostReason,
  invitation: ({ invitation }) => invitation.state,
  invited_at: ({ invitation }) => invitation.issuedAt,
  invitation_expires_at: ({ invitation }) => invitation.expiresAt,
  mail: ({ mail }) => mail,
  invite_ready: ({ inviteReady }) => inviteReady && (inviteReady.ready ? 'yes' : inviteReady.lacks.join(' ')),
  reminders: ({ reminders }) => reminders,
  stuck: ({ stuck }) => stuck?.reason,
  stuck_detail: ({ stuck }) => stuck?.detail ?? stuck?.words,
  next_action: ({ next }) => next?.action,
  next_by: ({ next }) => next?.by,
  next_at: ({ next }) => next?.at,
  last_call_at: ({ lastCallAt }) => lastCallAt,
  calls_24h: ({ calls24h }) => calls24h,
  errors_24h: ({ errors24h }) => errors24h,
  v1_calls_24h: ({ v1Calls24h }) => v1Calls24h,
  grant_state: ({ grant }) => grant?.state,
  grant_age_days: ({ grant }) => grant?.ageDays,
  grant_expires_at: ({ grant }) => grant?.expiresAt,
  grant_days_to_expiry: ({ grant }) => grant?.daysToExpiry,
  unlearned: ({ unlearned }) => unlearned,
  ready_v3: ({ readiness }) => readiness?.v3.state,
  missed_v3: ({ readiness }) => readiness?.v3.words,
  assumed_v3: ({ readiness }) => readiness?.v3.assumed,
  verified_v3: ({ readiness }) => (readiness === null ? null : (readiness.v3.verified ?? 0)),
  ready_v2: ({ readiness }) => readiness?.v2.state,
  missed_v2: ({ readiness }) => readiness?.v2.words,
  assumed_v2: ({ readiness }) => readiness?.v2.assumed,
  verified_v2: ({ readiness }) => (readiness === null ? null : (readiness.v2.verified ?? 0)),
  limit_minutes: ({ forecast }) => forecast?.minutes,
  limit_refused: ({ forecast }) => forecast?.refused,
  limit: ({ forecast }) => forecast?.words,
  flagged_at: ({ watch }) => watch?.flaggedAt,
  flagged: ({ watch }) => watch?.words,
  wave: ({ wave }) => wave?.name,
  wave_state: ({ wave }) => wave?.state,
  refused_24h: ({ refused24h }) => refused24h,
  parity: ({ parity }) => parity?.verdict,
  parity_at: ({ parity }) => parity?.at,
  parity_compared: ({ parity }) => parity?.compared,
  parity_alike: ({ parity }) => parity?.alike,
  parity_open: ({ parity }) => parity?.open,
  parity_words: ({ parity }) => parity?.words,
  parity_trend: ({ parity }) => (parity === null ? null : trendWords(parity.trend)),
} as const satisfies Readonly<Record<string, (account: ReportedAccount) => CsvCell>>;

/** The contact's details, which the report itself does not hold. */
const contactColumns = {
  contact: ({ contactName }) => contactName,
  email: ({ email }) => email,
  phone: ({ phone }) => phone,
} as const satisfies Readonly<Record<string, (details: AccountDetails) => CsvCell>>;

/**
 * One line per account, RFC 4180, starting with the byte order mark by which spreadsheets recognise UTF-8. `contacts`:
 * details by account; without them the file has no columns for them.
 */
export function statusReportCsv(
  statusReport: StatusReport,
  contacts?: ReadonlyMap<string, AccountDetails>,
): string {
  const names = contacts === undefined ? [] : Object.keys(contactColumns);
  const cells = (id: string): readonly CsvCell[] =>
    contacts === undefined
      ? []
      : Object.values(contactColumns).map((of) => of(contacts.get(id) ?? NO_DETAILS));
  return csvTable([
    [...Object.keys(columns), ...names],
    ...statusReport.accounts.map((account) => [
      ...Object.values(columns).map((of) => of(account)),
      ...cells(account.id),
    ]),
  ]);
}

/** Rows as a complete file; the first one names the columns. */
export const csvTable = (rows: readonly (readonly CsvCell[])[]): string => `\ufeff${csvLines(rows)}`;

/** Further rows of such a file. */
export const csvLines = (rows: readonly (readonly CsvCell[])[]): string =>
  rows.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');

function cell(value: CsvCell): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  // The raw value is checked, too: some spreadsheets skip a leading tab or line break.
  return csvText(formulaAhead.test(value) ? `'${plainText(value)}` : plainText(value));
}

const formulaAhead = /^[\t\r]/;
