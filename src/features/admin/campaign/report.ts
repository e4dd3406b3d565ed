/**
 * The weekly status report by e-mail, for operators: its recipients and time, the outcome of the last one, and sending
 * one now.
 */
import { parseAddress } from '../../accounts/details.ts';
import type { LastSending, ReportSent, WeeklyReport } from '../../status/weekly/weekly-report.ts';
import type { WeeklyTime } from '../../status/weekly/weekly-time.ts';
import { auditDeed, type AuditParts } from '../audit.ts';
import { AdminRefusal } from '../refusal.ts';

/** The parts of the service. */
export interface AdminReportParts extends AuditParts {
  /** Undefined: no mail server is configured. */
  readonly report: Pick<WeeklyReport, 'sendTo' | 'last'> | undefined;
  /** The weekly recipients and the time, on the clock of `zone`. */
  readonly weekly: { readonly to: readonly string[]; readonly at: WeeklyTime };
  readonly zone: string;
}

/** The recipients of the report, its time, and the last sending. */
export interface ReportPlan {
  /** Whether a mail server is configured. */
  readonly mails: boolean;
  readonly to: readonly string[];
  readonly at: WeeklyTime;
  readonly zone: string;
  /** Undefined if none has left. */
  readonly last: LastSending | undefined;
}

/** Each address is a message of its own: more would make the caller wait too long. */
const MOST_ADDRESSES = 20;

/** The admin service for the weekly report. */
export class AdminReport {
  readonly #parts: AdminReportParts;

  /** Shared by console, API and command line. */
  constructor(parts: AdminReportParts) {
    this.#parts = parts;
  }

  /** Changes nothing. */
  async show(): Promise<ReportPlan> {
    const { report, weekly, zone } = this.#parts;
    return { ...weekly, mails: report !== undefined, zone, last: await report?.last() };
  }

  /**
   * Sends it now; the weekly one still follows. `to` undefined: sends to the weekly recipients. Audited before it
   * leaves, because it names every account; nothing is sent if one of the addresses is invalid. Throws `AdminRefusal`
   * unavailable or unusable.
   */
  async send(to: readonly string[] | undefined, who: string): Promise<readonly ReportSent[]> {
    const { report, weekly } = this.#parts;
    if (report === undefined)
      throw new AdminRefusal(
        'unavailable',
        'no mail server is configured: set CAUSEWAY_SMTP_URL and CAUSEWAY_MAIL_FROM',
      );
    const wanted = [...new Set((to ?? weekly.to).map(plainAddress))];
    if (wanted.length === 0)
      throw new AdminRefusal(
        'unusable',
        'nobody gets the report: give an address, or set CAUSEWAY_REPORT_TO',
      );
    if (wanted.length > MOST_ADDRESSES)
      throw new AdminRefusal('unusable', `give at most ${MOST_ADDRESSES} addresses`);
    await auditDeed(this.#parts, { who, action: 'report.send', detail: `to ${wanted.join(', ')}` });
    return report.sendTo(wanted, who);
  }
}

/** The address in the form used for sending. Throws `AdminRefusal` unusable. */
function plainAddress(text: string): string {
  const address = parseAddress(text);
  if (address === undefined)
    throw new AdminRefusal('unusable', `${JSON.stringify(text)} is not a plain e-mail address`);
  return address;
}
