/**
 * Does for grants what no call does: finishes unanswered refreshes, confirms pairs, refreshes idle grants,
 * stores spilled pairs.
 *
 * Without it a quiet account would exceed the 30 minutes of grace unnoticed (V2 specification, "Tokens", rule 5), or
 * the 60 days of a refresh token. Every few seconds it checks what is due and passes it to a backlog, which starts with
 * the grant whose time runs out first and does not wait for any: presentations that hang until their time-out must not
 * hold up the others. A grant whose grace has run out is still presented, because only the service's refusal tells a
 * dead token from one that never arrived; that refusal loses the grant, never the clock alone.
 */
import { DAY, SECOND, type Clock } from '../../lib/time/clock.ts';
import { systemTimer, type Timer } from '../../lib/time/timer.ts';
import type { DueGrant, GrantRepository, RefreshAlarm } from '../grant.ts';
import type { Log } from '../../lib/log/log.ts';
import { faultOf } from '../../lib/store-fault.ts';
import type { Profile } from '../../upstream/profile.ts';
import { Backlog, type Task } from './backlog.ts';
import { lastPresentation, leaseTime, longestGrace, longestPause } from './timing.ts';
import type { GrantVault } from '../vault.ts';

/** What the sweeper reads and acts through. */
export interface SweeperParts {
  readonly repository: GrantRepository;
  readonly vault: Pick<GrantVault, 'drive' | 'confirm' | 'keepAlive' | 'recover'>;
  readonly clock: Clock;
  /** Waits between two looks; undefined: the machine's. */
  readonly timer?: Timer | undefined;
  readonly profile: Profile;
  readonly log: Log;
  readonly onAlarm?: ((alarm: RefreshAlarm) => void) | undefined;
  /** Most grants processed at once. */
  readonly concurrency?: number | undefined;
}

/** Grants processed at once: while there is time, and when their deadlines leave none. */
const CONCURRENCY = { least: 8, most: 64 };
/** As a share of the refresh token's life: a grant this old could not be refreshed for weeks. */
const OLD = 0.75;

/** The periodic job for grants; one in each process that serves calls. */
export class Sweeper {
  readonly #parts: SweeperParts;
  /** Alarms raised, by grant and first presentation. */
  readonly #alarms = new Map<string, { readonly since: number; readonly level: 'half' | 'deadline' }>();
  /** Old grants already reported, by their last refresh. */
  readonly #old = new Map<string, number>();
  readonly #backlog: Backlog;
  #isBehind = false;
  #spilled = 0;
  #cancel: () => void = () => undefined;
  #current: Promise<void> | undefined;
  #looking: Promise<void> | undefined;
  #stopped = true;

  constructor(parts: SweeperParts) {
    this.#parts = parts;
    const { clock, profile, concurrency: most = CONCURRENCY.most } = parts;
    const rules = {
      least: Math.min(CONCURRENCY.least, most),
      most,
      expected: (profile.durations.refreshTimeout * SECOND) / 3,
    };
    this.#backlog = new Backlog(rules, () => clock.now());
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#schedule();
  }

  /** Waits for what is in progress; nothing else begins. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#looking;
    this.#backlog.offer([]);
    await this.#backlog.idle();
  }

  /**
   * Looks, and processes everything that is due. Simultaneous calls share one run. Never throws: what fails
   * is logged and comes up again.
   */
  sweep(): Promise<void> {
    this.#current ??= this.#lookOnce()
      .then(() => this.#backlog.idle())
      .finally(() => {
        this.#current = undefined;
      });
    return this.#current;
  }

  #schedule(): void {
    const { timer = systemTimer, profile } = this.#parts;
    this.#cancel = timer(profile.durations.sweepEvery * SECOND, () => {
      void this.#lookOnce().then(() => {
        if (!this.#stopped) this.#schedule();
      });
    });
  }

  /** Pairs that were outside the store at the last look. */
  get spilled(): number {
    return this.#spilled;
  }

  /** Grants waiting to be processed, and those in progress. */
  get backlog(): number {
    return this.#backlog.waiting + this.#backlog.running;
  }

  /** Whether more refreshes are due than can end before their deadlines. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  #lookOnce(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Spilled pairs go first: nothing else may present their tokens meanwhile. */
  async #look(): Promise<void> {
    await this.#quietly('spilled', async () => {
      this.#spilled = await this.#parts.vault.recover();
    });
    const tasks: Task[] = [];
    const missing = new Set(['unresolved', 'unconfirmed', 'idle']);
    const add = (what: string, due: () => Promise<readonly Task[]>): Promise<void> =>
      this.#quietly(what, async () => {
        tasks.push(...(await due()));
        missing.delete(what);
      });
    await add('unresolved', () => this.#unresolved());
    await add('unconfirmed', () => this.#unconfirmed());
    await add('idle', () => this.#idle());
    this.#drive(tasks, missing.size === 0);
    await this.#quietly('late-pairs', () => this.#latePairs());
  }

  async #unresolved(): Promise<readonly Task[]> {
    const { repository, vault, clock, profile } = this.#parts;
    const longest = { ...leaseTime({ presentations: 1 }, profile), longestPause: longestPause(profile) };
    const due = await repository.unresolvedDue(clock.now(), longest);
    return due.map((grant) =>
      this.#task(grant.id, this.#deadlineOf(grant), async () => {
        await vault.drive(grant.id);
        await this.#alarm(grant.id);
      }),
    );
  }

  async #unconfirmed(): Promise<readonly Task[]> {
    const { repository, vault, clock, profile } = this.#parts;
    const now = clock.now();
    const due = await repository.confirmDue(now, longestGrace(profile));
    return due.map((grant) =>
      this.#task(grant.id, this.#deadlineOf(grant), async () => {
        await vault.confirm(grant.id, now);
      }),
    );
  }

  async #idle(): Promise<readonly Task[]> {
    const { repository, vault, clock, profile } = this.#parts;
    const { refresh, keepAlive } = profile.durations;
    const now = clock.now();
    const renewedBefore = now - keepAlive * SECOND;
    // The clocks of other instances may be a little ahead.
    const latest = now + DAY;
    const idle = await repository.idleSince(renewedBefore, latest);
    return idle.map((grantId) =>
      this.#task(grantId, now + (refresh - keepAlive) * SECOND, async () => {
        await vault.keepAlive(grantId, renewedBefore, latest);
        await this.#ageAlarm(grantId);
      }),
    );
  }

  #task(grantId: string, deadline: number, work: () => Promise<void>): Task {
    return { grantId, deadline, run: () => this.#quietly('grant', work, grantId) };
  }

  #deadlineOf({ since }: DueGrant): number {
    return lastPresentation(since, this.#parts.profile);
  }

  /**
   * Starts the tasks, and reports once if more is due than can be done in time. A look that missed something does not
   * end that alarm.
   */
  #drive(tasks: readonly Task[], isWhole: boolean): void {
    const { log, onAlarm } = this.#parts;
    const isBehind = this.#backlog.offer(tasks) === 'too late' || (this.#isBehind && !isWhole);
    if (isBehind && !this.#isBehind) {
      log.error('refresh.backlog', { grants: tasks.length, running: this.#backlog.running });
      onAlarm?.('backlog');
    }
    if (!isBehind && this.#isBehind) log.info('refresh.backlog-in-time', { grants: tasks.length });
    this.#isBehind = isBehind;
  }

  /** Deletes expired late pairs; while grants wait, only long expired ones, because one may still help such a grant. */
  async #latePairs(): Promise<void> {
    const { repository, clock, log, profile } = this.#parts;
    const now = clock.now();
    const dropped = await repository.dropLatePairs(this.backlog === 0 ? now : now - longestGrace(profile));
    if (dropped > 0) log.info('late-pairs.dropped', { latePairs: dropped });
  }

  /** Reports a grant once whose token is old although it is due to be kept alive. */
  async #ageAlarm(grantId: string): Promise<void> {
    const { repository, clock, profile, log, onAlarm } = this.#parts;
    const grant = await repository.find(grantId);
    const age = clock.now() - (grant?.renewedAt ?? Infinity);
    if (grant === undefined || grant.state === 'lost' || age < profile.durations.refresh * OLD * SECOND) {
      this.#old.delete(grantId);
      return;
    }
    if (this.#old.get(grantId) === grant.renewedAt) return;
    this.#old.set(grantId, grant.renewedAt);
    log.error('grant.old', { grant: grantId, ageDays: Math.floor(age / DAY) });
    onAlarm?.('old');
  }

  /** Reports an unresolved grant when half of its grace has passed, and when all of it has. */
  async #alarm(grantId: string): Promise<void> {
    const { repository, clock, profile, log, onAlarm } = this.#parts;
    const grant = await repository.find(grantId);
    if (grant?.state !== 'unresolved') {
      this.#alarms.delete(grantId);
      return;
    }
    const grace = profile.durations.grace * SECOND;
    const open = clock.now() - grant.since;
    const level = open >= grace ? 'deadline' : open >= grace / 2 ? 'half' : undefined;
    const raised = this.#alarms.get(grantId);
    if (level === undefined || (raised?.since === grant.since && raised.level === level)) return;
    this.#alarms.set(grantId, { since: grant.since, level });
    log.error('refresh.unresolved', {
      grant: grantId,
      level,
      openSeconds: Math.round(open / SECOND),
      presentations: grant.presentations,
    });
    onAlarm?.(level === 'half' ? 'half-time' : 'deadline');
  }

  async #quietly(what: string, work: () => Promise<void>, grantId?: string): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.log.warn('sweep.failed', { what, grant: grantId, error: faultOf(error) });
    }
  }
}
