import type { Clock } from '../domain/clock.ts';
import { DAY, SECOND } from '../domain/clock.ts';
import type { GrantBook, RefreshAlarm } from '../domain/grant.ts';
import type { Log } from '../domain/log.ts';
import type { Profile } from '../domain/profile.ts';
import { longestGrace, longestPause } from './backoff.ts';
import { nameOf } from './lease-keeper.ts';
import type { GrantVault } from './vault.ts';

export interface SweeperParts {
  readonly book: GrantBook;
  readonly vault: Pick<GrantVault, 'drive' | 'confirm' | 'keepAlive' | 'recover'>;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly log: Log;
  readonly onAlarm?: ((alarm: RefreshAlarm) => void) | undefined;
  /** Grants driven at once. */
  readonly concurrency?: number | undefined;
}

const CONCURRENCY = 4;
/** Of the refresh token's life: a grant that was not renewed for so long has resisted the keeping alive for weeks. */
const OLD = 0.75;

/**
 * Finishes refreshes that got no answer, so that no grant depends on its customer's next call: a quiet account would
 * pass the 30 minutes of grace (000_ef2b8fc3580d6af3.txt, Tokens, rule 5) unnoticed. Proves, while there is time to help
 * it, a pair whose predecessor had to be presented more than once. Stores what could not be stored when it came. Renews
 * idle grants before the refresh token's 60 days are over.
 *
 * A grant whose grace has run out is still presented: only the service's refusal tells a token that is dead from one
 * that never arrived. It is lost when that refusal comes, never by the clock alone.
 */
export class Sweeper {
  readonly #parts: SweeperParts;
  /** Alarms raised, by grant and first presentation. */
  readonly #alarms = new Map<string, { readonly since: number; readonly level: 'half' | 'deadline' }>();
  /** Old grants told of, by the moment they were renewed last. */
  readonly #old = new Map<string, number>();
  #spilled = 0;
  #timer: NodeJS.Timeout | undefined;
  #current: Promise<void> | undefined;
  #stopped = true;

  constructor(parts: SweeperParts) {
    this.#parts = parts;
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#schedule();
  }

  /** Waits for the sweep that is under way; no other begins. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#current;
  }

  /** One round. Two at once are one. Never throws: what fails is logged and comes up again in the next round. */
  sweep(): Promise<void> {
    this.#current ??= this.#round().finally(() => {
      this.#current = undefined;
    });
    return this.#current;
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      void this.sweep().then(() => {
        if (!this.#stopped) this.#schedule();
      });
    }, this.#parts.profile.durations.sweepEvery * SECOND);
    this.#timer.unref();
  }

  /** Pairs that lay outside the store after the last round. */
  get spilled(): number {
    return this.#spilled;
  }

  /** What was spilled goes first: nothing else may present its token meanwhile. A proof waits for no silent server. */
  async #round(): Promise<void> {
    await this.#quietly('spilled', async () => {
      this.#spilled = await this.#parts.vault.recover();
    });
    await Promise.all([
      this.#quietly('unresolved', () => this.#unresolved()),
      this.#quietly('unproved', () => this.#unproved()),
    ]);
    await this.#quietly('idle', () => this.#idle());
    await this.#quietly('spares', () => this.#spares());
  }

  async #unresolved(): Promise<void> {
    const { book, vault, clock, profile } = this.#parts;
    const due = await book.unresolvedDue(clock.now(), longestPause(profile));
    await this.#each(due, async (grantId) => {
      await vault.drive(grantId);
      await this.#alarm(grantId);
    });
  }

  async #unproved(): Promise<void> {
    const { book, vault, clock, profile } = this.#parts;
    const [now, longest] = [clock.now(), longestGrace(profile)];
    const due = await book.confirmDue(now, longest);
    await this.#each(due, async (grantId) => {
      await vault.confirm(grantId, now);
    });
  }

  async #idle(): Promise<void> {
    const { book, vault, clock, profile } = this.#parts;
    const renewedBefore = clock.now() - profile.durations.keepAlive * SECOND;
    const idle = await book.idleSince(renewedBefore);
    await this.#each(idle, async (grantId) => {
      await vault.keepAlive(grantId, renewedBefore);
      await this.#ageAlarm(grantId);
    });
  }

  async #spares(): Promise<void> {
    const { book, clock, log } = this.#parts;
    const dropped = await book.dropSpares(clock.now());
    if (dropped > 0) log.info('spares.dropped', { spares: dropped });
  }

  /** Once for each grant that keeping it alive does not help. */
  async #ageAlarm(grantId: string): Promise<void> {
    const { book, clock, profile, log, onAlarm } = this.#parts;
    const grant = await book.find(grantId);
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

  /** Once when half of the grace is gone, once when all of it is. */
  async #alarm(grantId: string): Promise<void> {
    const { book, clock, profile, log, onAlarm } = this.#parts;
    const grant = await book.find(grantId);
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

  async #each(grantIds: readonly string[], work: (grantId: string) => Promise<void>): Promise<void> {
    const waiting = grantIds.values();
    const lane = async (): Promise<void> => {
      for (const grantId of waiting) await this.#quietly('grant', () => work(grantId), grantId);
    };
    await Promise.all(Array.from({ length: this.#parts.concurrency ?? CONCURRENCY }, lane));
  }

  async #quietly(what: string, work: () => Promise<void>, grantId?: string): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.log.warn('sweep.failed', { what, grant: grantId, error: nameOf(error) });
    }
  }
}
