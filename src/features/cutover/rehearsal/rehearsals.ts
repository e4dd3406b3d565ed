/**
 * Rehearses accounts, one at a time in the whole installation, because each rehearsal takes a process of its own with
 * two databases in memory, and reports the state of the last one, whichever process runs it.
 */
import { wordsOf, type Log } from '../../../lib/log/log.ts';
import type { Progress } from '../../../lib/progress.ts';
import { Refusal } from '../../../lib/log/terminal.ts';
import { MINUTE, SECOND, type Clock } from '../../../lib/time/clock.ts';
import type { Account } from '../../accounts/account.ts';
import type { AccountRepository } from '../../accounts/model.ts';
import type { Rehearsal } from './model.ts';
import type { Attempt, StoredRehearsal, StoredRehearsals } from './stored-rehearsals.ts';

/** Plays the move of an account. Rejects with `Refusal` if it cannot be played. */
export type PlayRehearsal = (
  account: Account,
  masks: boolean,
  progress: Progress,
  signal: AbortSignal,
) => Promise<Rehearsal>;

/** The parts of rehearsals. */
export interface RehearsalsParts {
  readonly repository: Pick<AccountRepository, 'byId'>;
  readonly stored: StoredRehearsals;
  readonly play: PlayRehearsal;
  /** Whether accounts can be read through V1. */
  readonly hasV1: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * `none`: it was never rehearsed. `running`: in progress. `interrupted`: the process that played it is gone.
 * `failed`: it ended without a report. `done`: there is a report.
 */
export const rehearsalStates = ['none', 'running', 'interrupted', 'failed', 'done'] as const;
export type RehearsalState = (typeof rehearsalStates)[number];

/** The last rehearsal of an account. */
export interface KnownRehearsal {
  readonly state: RehearsalState;
  /** Undefined if it was never rehearsed. */
  readonly attempt: Omit<StoredRehearsal, 'outcome' | 'report' | 'toldAt'> | undefined;
  /** The report of the last completed one. */
  readonly report: Rehearsal | undefined;
}

/** The intervals at which the progress of a running one is written: the shortest and the longest. */
const TOLD_EVERY = SECOND;
const BEAT = 10 * SECOND;
/** A rehearsal that was not updated for this long is over. */
const SILENCE = MINUTE;

/** The report holds values of a customer's records: it is shown once and not stored. */
const NOT_KEPT = 'played with unmasked names and texts: its report is not kept';

/** Whether its move can be rehearsed: it still uses V1, and no consent waits for a decision. */
export const isToMove = ({ origin, life }: Account): boolean =>
  origin !== 'issued' && (life.stage === 'legacy' || life.stage === 'consented');

/** Starts rehearsals and keeps their reports. */
export class Rehearsals {
  readonly #parts: RehearsalsParts;
  readonly #ending = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(parts: RehearsalsParts) {
    this.#parts = parts;
  }

  async report({ id }: Account): Promise<KnownRehearsal> {
    const { stored, clock } = this.#parts;
    const found = await stored.find(id);
    if (found === undefined) return { state: 'none', attempt: undefined, report: undefined };
    const { outcome, report, toldAt, ...attempt } = found;
    const isSilent = outcome === 'running' && Math.abs(clock.now() - toldAt) > SILENCE;
    return { state: isSilent ? 'interrupted' : outcome, attempt, report };
  }

  /** Returns once it has begun. Throws `Refusal` if it cannot begin, or another is in progress. */
  async start(account: Account, who: string): Promise<void> {
    const attempt = await this.#begin(account, who);
    const run = this.#run(attempt, account, true, () => undefined);
    // The outcome is in the report.
    this.#running = run.catch(() => undefined);
  }

  /**
   * Rehearses and waits for the end. Without `masks` the report holds the customer's values and is not kept. Rejects
   * with `Refusal`.
   */
  async rehearse(account: Account, who: string, masks: boolean, progress: Progress): Promise<Rehearsal> {
    const attempt = await this.#begin(account, who);
    return this.#run(attempt, account, masks, progress);
  }

  /** Ends the rehearsal that this process plays; its report says that it was interrupted. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async #begin(account: Account, who: string): Promise<Attempt> {
    const { stored, clock, repository, hasV1 } = this.#parts;
    const { name: ours, origin, life } = account;
    if (origin === 'issued')
      throw new Refusal(`${ours} was never on V1: it has no V1 answers to compare with`);
    if (life.stage === 'awaiting-operator')
      throw new Refusal(`${ours} is awaiting confirmation: confirm or refuse its consent first`);
    if (!isToMove(account))
      throw new Refusal(
        `${ours} has moved or is closed: only an account that has not moved can be rehearsed`,
      );
    if (!hasV1) throw new Refusal('CAUSEWAY_V1_BASE_URL is not set: the account cannot be read');
    const attempt = { accountId: account.id, begunAt: clock.now() };
    const other = await stored.begin(attempt, who, SILENCE);
    if (other === undefined) return attempt;
    const name = (await repository.byId(other))?.name ?? 'another account';
    throw new Refusal(`${name} is being rehearsed: only one account can be rehearsed at a time`);
  }

  async #run(attempt: Attempt, account: Account, masks: boolean, progress: Progress): Promise<Rehearsal> {
    const { stored, play, clock, log } = this.#parts;
    const telling = new Telling(stored, attempt, clock);
    try {
      const rehearsal = await play(
        account,
        masks,
        (words, done, of) => {
          progress(words, done, of);
          telling.now(words, done, of);
        },
        this.#ending.signal,
      );
      await telling.end();
      if (masks) await stored.finish(attempt, clock.now(), rehearsal.words, rehearsal);
      else await stored.finish(attempt, clock.now(), NOT_KEPT);
      log.info('rehearsal.done', { account: account.id, verdict: rehearsal.verdict });
      return rehearsal;
    } catch (error) {
      await telling.end();
      const words = this.#ending.signal.aborted ? 'the bridge was stopped in the meantime' : wordsOf(error);
      await stored.fail(attempt, clock.now(), words).catch(() => undefined);
      log.warn('rehearsal.failed', { account: account.id, error: words });
      throw error;
    }
  }
}

/** Writes the progress of a rehearsal: at most once a second, and also when there is no news. */
class Telling {
  readonly #stored: StoredRehearsals;
  readonly #attempt: Attempt;
  readonly #clock: Clock;
  readonly #beat: NodeJS.Timeout;
  #last: readonly [words: string, done: number, of: number] = ['', 0, 0];
  #toldAt = -Infinity;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(stored: StoredRehearsals, attempt: Attempt, clock: Clock) {
    this.#stored = stored;
    this.#attempt = attempt;
    this.#clock = clock;
    this.#beat = setInterval(() => {
      this.#write();
    }, BEAT).unref();
  }

  now(...news: readonly [words: string, done: number, of: number]): void {
    this.#last = news;
    if (performance.now() - this.#toldAt >= TOLD_EVERY) this.#write();
  }

  /** Nothing is written after this. */
  async end(): Promise<void> {
    clearInterval(this.#beat);
    await this.#writing;
  }

  /** News that cannot be written is replaced by the next. */
  #write(): void {
    this.#toldAt = performance.now();
    const [attempt, news] = [this.#attempt, this.#last];
    this.#writing = this.#writing
      .then(() => this.#stored.tell(attempt, this.#clock.now(), ...news))
      .catch(() => undefined);
  }
}
