/**
 * Sends the status report by e-mail once a week, to each address at most once, however many instances run and however
 * often they start.
 *
 * The week is recorded for an address before the message leaves for it. If the process dies in between, that address
 * goes without the week's report, but nothing is sent twice. Where the mail server certainly did not accept the
 * message, the record is removed and the next run tries again, for as long as the report is due (`dueDay`).
 *
 * The report bypasses the outbox of the campaign, whose messages belong to an account and its invitation, keep
 * sending hours and are written in the customer's language. The claim of the job normally keeps instances apart; the
 * record does so even where two hold the job for a moment because a claim ran out.
 */
import { wordsOf, type Log } from '../../../lib/log/log.ts';
import type { RandomSource } from '../../../lib/secret/random.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import type { Parcel } from '../../campaign/mail/line.ts';
import { messageHost, type PostVerdict } from '../../campaign/outbox.ts';
import type { StatusReport } from '../model.ts';
import { weeklyMessage, type WeeklyEnvelope } from './weekly-message.ts';
import { dueDay, furthestDay, type WeeklyTime } from './weekly-time.ts';

/** The operations on the table of small values that the report needs. */
export interface SentWeeks {
  /** Undefined if nothing is stored under this name. */
  get(name: string): Promise<string | undefined>;
  /** Replaces any stored value. */
  set(name: string, value: string): Promise<void>;
  /** Stores a value that sorts after the stored one, unless that sorts after `furthest`; false if it does not. */
  advance(name: string, value: string, furthest?: string): Promise<boolean>;
}

/** A connection to the mail server. */
export interface ReportLine {
  /** Never rejects: an uncertain outcome is `unknown`. */
  send(parcel: Parcel): Promise<PostVerdict>;
  /** Waits for the message in progress. */
  close(): Promise<void>;
}

/** The parts of the report; each sending opens a connection and closes it. */
export interface WeeklyReportParts extends Pick<WeeklyEnvelope, 'from' | 'console'> {
  /** Plain addresses, without names. */
  readonly to: readonly string[];
  readonly at: WeeklyTime;
  /** IANA name of the zone of `at`. */
  readonly zone: string;
  readonly status: { statusReport(): Promise<StatusReport> };
  /** Sentences about changes of the service's answers that nobody has acknowledged. */
  readonly drift: () => Promise<readonly string[]>;
  readonly weeks: SentWeeks;
  /** Connects at the first message. */
  readonly open: () => ReportLine;
  readonly random: Pick<RandomSource, 'id'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The outcome of the report for one address. */
export interface ReportSent {
  readonly address: string;
  readonly verdict: PostVerdict;
}

/** The outcome of a message, in words. */
export const sentWords: Readonly<Record<PostVerdict['verdict'], string>> = {
  sent: 'the mail server accepted it',
  postponed: 'not sent, try again',
  refused: 'the mail server refused it',
  unknown: 'it may have been sent',
};

/** The mail server's answer, or why the outcome is unknown. */
export const saidOf = (verdict: PostVerdict): string =>
  verdict.verdict === 'sent' ? verdict.response : verdict.reason;

/** The last sending of the report, for anybody who asks whether it arrives. */
export interface LastSending {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The name of the person who asked for it; `bridge`: its weekly time had come. */
  readonly by: string;
  readonly sent: readonly ReportSent[];
}

/** The name under which the small values of the database hold the last sending; earlier ones are not kept. */
const LAST = 'weekly-report-last';
const BY_ITSELF = 'bridge';

/** The name of an address's record among the small values of the database. */
const nameFor = (address: string): string => `weekly-report:${address.toLowerCase()}`;

/** The weekly job, and sending on request. */
export class WeeklyReport {
  readonly #parts: WeeklyReportParts;

  constructor(parts: WeeklyReportParts) {
    this.#parts = parts;
  }

  /** Sends the report where it is due. Never rejects: an unrecorded sending is due at the next run. */
  async run(): Promise<void> {
    const { at, zone, clock, log } = this.#parts;
    const day = dueDay(at, zone, clock.now());
    if (day === undefined) return;
    try {
      const waiting = await this.#waiting(day);
      if (waiting.length > 0) await this.#each(waiting, BY_ITSELF, (send) => this.#recorded(send, day));
    } catch (error) {
      log.warn('report.failed', { error: wordsOf(error) });
    }
  }

  /** Sends it now, whether it is due or not; the weekly one still follows. Rejects if the report cannot be read. */
  sendTo(addresses: readonly string[], by: string): Promise<readonly ReportSent[]> {
    return this.#each(addresses, by, ({ leave }) => leave());
  }

  /** The outcome of the last sending, whoever asked for it; undefined if there was none. */
  async last(): Promise<LastSending | undefined> {
    const stored = await this.#parts.weeks.get(LAST);
    return stored === undefined ? undefined : (JSON.parse(stored) as LastSending);
  }

  /** The addresses without the report of the day. An address that is new in the settings gets it, too. */
  async #waiting(day: string): Promise<readonly string[]> {
    const { to, weeks } = this.#parts;
    const furthest = this.#furthest();
    const known = await Promise.all(to.map(async (address) => (await weeks.get(nameFor(address))) ?? ''));
    return to.filter((_, index) => {
      const last = known[index] ?? '';
      return last < day || last > furthest;
    });
  }

  #furthest(): string {
    const { zone, clock } = this.#parts;
    return furthestDay(zone, clock.now());
  }

  /**
   * Makes one report and opens one connection for all; the message is written before anything is recorded about it.
   * `work` returns undefined where another instance was faster. The outcome is kept for `last`.
   */
  async #each(
    addresses: readonly string[],
    by: string,
    work: (ready: Ready) => Promise<PostVerdict | undefined>,
  ): Promise<readonly ReportSent[]> {
    const { status, drift, from, console, open, random, weeks, clock } = this.#parts;
    const [report, changes] = [await status.statusReport(), await drift()];
    const line = open();
    const sent: ReportSent[] = [];
    try {
      for (const address of addresses) {
        const messageId = `<report-${random.id()}@${messageHost(console)}>`;
        const content = await weeklyMessage(report, { from, to: address, console, messageId, changes });
        const leave = () => line.send({ from: from.address, to: address, content });
        const verdict = await work({ address, leave });
        if (verdict !== undefined) sent.push({ address, verdict });
      }
    } finally {
      await line.close();
      const last: LastSending = { at: clock.now(), by, sent };
      if (sent.length > 0) await weeks.set(LAST, JSON.stringify(last));
    }
    return sent;
  }

  /** Recorded first: the head of this file describes a process that dies afterwards. */
  async #recorded({ address, leave }: Ready, day: string): Promise<PostVerdict | undefined> {
    const { weeks, log } = this.#parts;
    const name = nameFor(address);
    const before = (await weeks.get(name)) ?? '';
    // Another instance was faster.
    if (!(await weeks.advance(name, day, this.#furthest()))) return undefined;
    const verdict = await leave();
    if (verdict.verdict === 'sent') {
      log.info('report.sent', { day });
      return verdict;
    }
    if (verdict.verdict === 'postponed') await weeks.set(name, before);
    log.warn('report.not-sent', { day, verdict: verdict.verdict, reason: verdict.reason });
    return verdict;
  }
}

/** A message that is written and ready to leave. */
interface Ready {
  readonly address: string;
  readonly leave: () => Promise<PostVerdict>;
}
