import type { StatusReport, ReportedAccount } from './model.ts';
import type { StatusRowReader } from './report-rows.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { nextTurn } from '../../lib/time/turn.ts';
import { statusReport, type StatusReportOptions } from './report/report.ts';

export interface StatusParts {
  readonly rows: StatusRowReader;
  readonly clock: Clock;
  readonly options: Omit<StatusReportOptions, 'now'>;
}

/** Where the migration stands now: for the command line, the console and the API alike. */
export class Status {
  readonly #parts: StatusParts;
  #flight: Promise<StatusReport> | undefined;

  constructor(parts: StatusParts) {
    this.#parts = parts;
  }

  /** Who asks while somebody else's question is under way gets the same answer: it reads all accounts. */
  statusReport(): Promise<StatusReport> {
    this.#flight ??= this.#read().finally(() => {
      this.#flight = undefined;
    });
    return this.#flight;
  }

  /** One line of the report, by the same function; undefined where there is no such account. */
  async account(accountId: string): Promise<ReportedAccount | undefined> {
    const { rows, clock, options } = this.#parts;
    const now = clock.now();
    return statusReport(await rows.readOne(accountId, now), { ...options, now }).accounts[0];
  }

  async #read(): Promise<StatusReport> {
    const { rows, clock, options } = this.#parts;
    const now = clock.now();
    const found = await rows.read(now);
    // Of ten thousand accounts each of the three is worth a turn of everybody else: reading, judging, and what is made of it.
    await nextTurn();
    const report = statusReport(found, { ...options, now });
    await nextTurn();
    return report;
  }
}
