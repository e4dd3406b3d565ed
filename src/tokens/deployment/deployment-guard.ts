/**
 * Decides whether this deployment may present refresh tokens at all (docs/decisions/tokens/0009-copies-and-failovers.md).
 *
 * Only one deployment may present a refresh token: an old backup, a copied file or a promoted standby could present one
 * that has already been used, and the service would then end the connection. So the deployment has an identity and an
 * epoch in two places, the database and a file outside it, and each process remembers what it has seen. Both are read
 * before each presentation; what has not changed since the last look is not judged again. The epoch is also raised
 * before presentations, at most once a minute. If the two disagree, or the database moved, the guard is in doubt and
 * nothing is presented until an operator acknowledges it; legacy calls that need no refresh continue.
 */
import { MINUTE, type Clock } from '../../lib/time/clock.ts';
import {
  ACKNOWLEDGE,
  doubtOf,
  mayLackAccounts,
  mayLackNumbers,
  MarkUnwritable,
  type Doubt,
  type DeploymentRepository,
  type DeploymentDoubt,
  type DeploymentView,
} from './deployment.ts';
import type { Log } from '../../lib/log/log.ts';
import { faultOf, StoreFault } from '../../lib/store-fault.ts';

const hasMoved = ({ lies }: DeploymentView): boolean => lies === 'moved' || lies === 'restarted';

/** Dependencies of the guard. */
export interface DeploymentGuardParts {
  readonly repository: DeploymentRepository;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * In milliseconds. One raise of the epoch covers the presentations of this period: what an older state of the
 * store could repeat of them is well within the time in which the service allows the same token again.
 */
const RAISE_EVERY = MINUTE;
/**
 * How long instances may take to notice that another process runs the database before it is logged, in
 * milliseconds.
 */
const COMING_OVER = MINUTE;
/** The log repeats it after this long, in milliseconds. */
const SAY_AGAIN = 10 * MINUTE;

/**
 * Whether refresh tokens may be presented. They may not if it is in doubt whether this is the one deployment
 * that works with the database, as with an old backup that was restored, or a copy on a second machine. The
 * doubt ends when an operator has acknowledged it, from any process.
 */
export class DeploymentGuard {
  /**
   * The database is new and replaced another, as of the last look. A field, because every V1 call reads it.
   */
  hasVanished = false;
  readonly #parts: DeploymentGuardParts;
  #raisedAt: number | undefined;
  #raising: Promise<void> | undefined;
  #doubt: DeploymentDoubt | undefined;
  /** Since when other instances have not switched to where the database is now. */
  #awaitingSince: number | undefined;
  #withheld = 0;
  #withheldSaidAt: number | undefined;
  /** Numbers that the database may lack have been left out. */
  #hasSkipped = false;
  /** The last raise failed, and why. */
  #unraised: DeploymentDoubt | undefined;
  #said: { readonly why: Doubt; readonly at: number } | undefined;

  constructor(parts: DeploymentGuardParts) {
    this.#parts = parts;
  }

  /** The result of the last look. */
  get doubt(): DeploymentDoubt | undefined {
    return this.#doubt;
  }

  /** Grants that present nothing until an operator has acknowledged it, as of the last look. */
  get withheld(): number {
    return this.#withheld;
  }

  /** See `mayLackAccounts`, as of the last look. */
  get mayLackAccounts(): boolean {
    return this.#doubt !== undefined && mayLackAccounts(this.#doubt.why);
  }

  /** What is wrong; undefined: nothing. Throws what the store throws. */
  async look(): Promise<DeploymentDoubt | undefined> {
    const found = await this.#judge();
    this.#settle(found ?? this.#unraised);
    return this.#doubt;
  }

  /**
   * Before a refresh token is presented. Throws what the store throws; then it may not be presented, either.
   */
  async mayPresent(): Promise<boolean> {
    const found = await this.#judge();
    if (found === undefined && !this.#isRaised()) await this.#raiseOnce();
    this.#settle(found ?? this.#unraised);
    return this.#doubt === undefined;
  }

  /**
   * Called regularly: reports what is wrong, and keeps the mark outside up to date with other processes. A mark that
   * could not be written is tried again here, because without a grant nothing else would. Never throws.
   */
  async watch(): Promise<void> {
    try {
      await (this.#unraised === undefined ? this.look() : this.mayPresent());
      if (this.#doubt === undefined) await this.#parts.repository.follow();
      await this.#parts.repository.present();
    } catch (error) {
      this.#parts.log.warn('deployment.not-looked-at', { error: faultOf(error) });
    }
  }

  /** Called often: notices soon that a doubt was acknowledged. Never throws. */
  async lookAgain(): Promise<void> {
    if (this.#doubt !== undefined) await this.look().catch(() => undefined);
  }

  /** The bridge stops: nobody has to wait for it. Never throws. */
  async leave(): Promise<void> {
    await this.#parts.repository.leave().catch(() => undefined);
  }

  async #judge(): Promise<DeploymentDoubt | undefined> {
    const { repository, clock } = this.#parts;
    if (await repository.isUnchanged()) return undefined;
    const view = await this.#view();
    this.#withheld = view.withheld;
    const doubt = doubtOf(view);
    if (doubt === undefined && hasMoved(view)) return this.#carry(view);
    // Another instance, whose own mark outside is older than this one's or missing, must not continue either.
    if ((doubt?.why === 'older' || doubt?.why === 'vanished') && view.written === undefined)
      await repository.doubt(doubt.why, clock.now());
    if (doubt !== undefined && mayLackNumbers(doubt.why)) await this.#skipNumbers();
    return doubt;
  }

  /** Once for each doubt; tried again with the next look. The doubt is more important, so it does not depend on this. */
  async #skipNumbers(): Promise<void> {
    if (this.#hasSkipped) return;
    const { repository, clock, log } = this.#parts;
    try {
      await repository.skipNumbers(clock.now());
      this.#hasSkipped = true;
    } catch (error) {
      log.warn('deployment.numbers-not-skipped', { error: faultOf(error) });
    }
  }

  /**
   * A database that moved under this process is compared with what it has seen before anything is reported.
   */
  async #view(): Promise<DeploymentView> {
    const { repository } = this.#parts;
    const view = await repository.look();
    if (!view.uncompared) return view;
    await repository.compare();
    return repository.look();
  }

  /** Carries the deployment over to where the database is now: nothing is missing there, and all instances have followed. */
  async #carry({ lies }: DeploymentView): Promise<DeploymentDoubt | undefined> {
    const { repository, clock, log } = this.#parts;
    try {
      if (await repository.carry(clock.now())) log.info('deployment.carried', { database: lies });
    } catch (error) {
      if (!(error instanceof MarkUnwritable)) throw error;
      this.#unraised = { why: 'unusable', words: error.words };
    }
    const view = await repository.look();
    if (hasMoved(view) && doubtOf(view) === undefined)
      throw new StoreFault('unavailable', 'the database moved just now, and was not the same twice');
    return doubtOf(view);
  }

  /** Whether the epoch was raised within the last minute; a clock may have been set back since. */
  #isRaised(): boolean {
    return this.#raisedAt !== undefined && Math.abs(this.#parts.clock.now() - this.#raisedAt) < RAISE_EVERY;
  }

  #raiseOnce(): Promise<void> {
    this.#raising ??= this.#raise().finally(() => {
      this.#raising = undefined;
    });
    return this.#raising;
  }

  async #raise(): Promise<void> {
    const now = this.#parts.clock.now();
    try {
      await this.#parts.repository.raise(now);
      this.#raisedAt = now;
      this.#unraised = undefined;
    } catch (error) {
      if (!(error instanceof MarkUnwritable)) throw error;
      this.#unraised = { why: 'unusable', words: error.words };
    }
  }

  /** Reports single grants; whether the deployment is in doubt is a separate question. */
  #reportWithheld(now: number): void {
    const { log } = this.#parts;
    const grants = this.#withheld;
    if (grants === 0) this.#withheldSaidAt = undefined;
    if (grants === 0 || now - (this.#withheldSaidAt ?? -Infinity) < SAY_AGAIN) return;
    this.#withheldSaidAt = now;
    log.error('deployment.grants-withheld', {
      grants,
      words: 'the database lacks what an instance had seen of them: their tokens were presented already',
      effect: 'their refresh tokens are not presented',
      command: ACKNOWLEDGE,
    });
  }

  #settle(doubt: DeploymentDoubt | undefined): void {
    const { log, clock } = this.#parts;
    const now = clock.now();
    this.#doubt = doubt;
    this.hasVanished = doubt?.why === 'vanished';
    this.#reportWithheld(now);
    if (doubt === undefined) {
      this.#hasSkipped = false;
      this.#awaitingSince = undefined;
      if (this.#said !== undefined) log.info('deployment.clear');
      this.#said = undefined;
      return;
    }
    const { why } = doubt;
    this.#awaitingSince = why === 'awaiting' ? (this.#awaitingSince ?? now) : undefined;
    if (now - (this.#awaitingSince ?? -Infinity) < COMING_OVER) return;
    if (this.#said?.why === why && now - this.#said.at < SAY_AGAIN) return;
    this.#said = { why, at: now };
    this.#report(doubt);
  }

  #report(doubt: DeploymentDoubt): void {
    const { why, words } = doubt;
    // No command ends this doubt: the file is tried again every few seconds.
    const isUnwritable = doubt === this.#unraised;
    this.#parts.log.error('deployment.in-doubt', {
      why,
      words,
      effect: `${why === 'vanished' ? 'calls with unknown keys are refused, and ' : ''}no refresh token is presented${isUnwritable ? ' until it can be written' : ''}`,
      command: isUnwritable ? undefined : ACKNOWLEDGE,
    });
  }
}
