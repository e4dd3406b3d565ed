/**
 * Sends the status report by e-mail once a week, to each address at most once, whatever instances run and however often they
 * start.
 *
 * The week is recorded for an address before the message leaves for it. A process that dies in between leaves that address
 * without the report of the week: nothing is sent twice. Where the mail server certainly did not take the message, the record
 * is taken back and the next run tries again, for as long as the report is due (`dueDay`).
 *
 * It does not go through the outbox of the campaign, whose messages belong to an account and its invitation, keep sending
 * hours and are written in the customer's language. The claim of the job keeps instances apart in general; the
 * record does so even where two hold the job for a moment because a claim ran out.
 */
import { wordsOf, type Log } from '../../../lib/log/log.ts';
import type { RandomSource } from '../../../lib/secret/random.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import type { Parcel } from '../../campaign/mail/line.ts';
import type { PostVerdict } from '../../campaign/outbox.ts';
import type { StatusReport } from '../model.ts';
import { weeklyMessage, type WeeklyEnvelope } from './weekly-message.ts';
import { dueDay, type WeeklyTime } from './weekly-time.ts';

/** What the table of small values does for it. */
export interface SentWeeks {
  /** Undefined: nothing was stored under this name. */
  get(name: string): Promise<string | undefined>;
  /** Replaces whatever was stored. */
  set(name: string, value: string): Promise<void>;
  /** Stores a value that sorts after the stored one; false: it does not. */
  advance(name: string, value: string): Promise<boolean>;
}

/** A connection to the mail server. */
export interface ReportLine {
  /** Never rejects: what it cannot tell is `unknown`. */
  send(parcel: Parcel): Promise<PostVerdict>;
  /** Waits for the message in progress. */
  close(): Promise<void>;
}

/** What it is made from; each sending opens a connection and closes it. */
export interface WeeklyReportParts extends Pick<WeeklyEnvelope, 'from' | 'console'> {
  /** Plain addresses. */
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

/** What became of the report for one address. */
export interface ReportSent {
  readonly address: string;
  readonly verdict: PostVerdict;
}

/** What became of a message, for people. */
export const sentWords: Readonly<Record<PostVerdict['verdict'], string>> = {
  sent: 'the mail server took it',
  postponed: 'not sent, try again',
  refused: 'the mail server refused it',
  unknown: 'it may have been sent',
};

/** What the mail server said, or why nothing is known. */
export const saidOf = (verdict: PostVerdict): string =>
  verdict.verdict === 'sent' ? verdict.response : verdict.reason;

/** The last time the report left, for whoever asks whether it arrives. */
export interface LastSending {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The name of who asked for it; `bridge`: its weekly time had come. */
  readonly by: string;
  readonly sent: readonly ReportSent[];
}

/** Where the last sending is kept among the small values of the database: its newest alone. */
const LAST = 'weekly-report-last';
const BY_ITSELF = 'bridge';

/** The record of an address among the small values of the database. */
const nameFor = (address: string): string => `weekly-report:${address.toLowerCase()}`;

/** The weekly job, and sending out of turn. */
export class WeeklyReport {
  readonly #parts: WeeklyReportParts;

  constructor(parts: WeeklyReportParts) {
    this.#parts = parts;
  }

  /** Sends what is due. Never rejects: what was not recorded is due at the next run. */
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

  /** Sends it now, whether it is due or not; the weekly one comes all the same. Rejects if the report cannot be read. */
  sendTo(addresses: readonly string[], by: string): Promise<readonly ReportSent[]> {
    return this.#each(addresses, by, ({ leave }) => leave());
  }

  /** What became of the last one, whoever sent it; undefined: none has left. */
  async last(): Promise<LastSending | undefined> {
    const stored = await this.#parts.weeks.get(LAST);
    return stored === undefined ? undefined : (JSON.parse(stored) as LastSending);
  }

  /** Who has not had the report of the day yet. An address that is new in the settings gets it, too. */
  async #waiting(day: string): Promise<readonly string[]> {
    const { to, weeks } = this.#parts;
    const known = await Promise.all(to.map(async (address) => (await weeks.get(nameFor(address))) ?? ''));
    return to.filter((_, index) => (known[index] ?? '') < day);
  }

  /**
   * One report and one connection for all; the message is written before anything is recorded of it. `work` returns
   * undefined where another instance was faster. What became of it is kept for `last`.
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
        const messageId = `<report-${random.id()}@causeway.invalid>`;
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

  /** Recorded first: see the head of this file for a process that dies after that. */
  async #recorded({ address, leave }: Ready, day: string): Promise<PostVerdict | undefined> {
    const { weeks, log } = this.#parts;
    const name = nameFor(address);
    const before = (await weeks.get(name)) ?? '';
    // Another instance was faster.
    if (!(await weeks.advance(name, day))) return undefined;
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

/** A message that is written and can leave. */
interface Ready {
  readonly address: string;
  readonly leave: () => Promise<PostVerdict>;
}
