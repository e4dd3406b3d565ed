/** Differences since the move of an account, for operators: reading them, and dismissing them after an examination. */
import { hasMoved, type Account } from '../../accounts/account.ts';
import type { Watch } from '../../cutover/watch/model.ts';
import type { StoredWatches } from '../../cutover/watch/stored-watches.ts';
import { SETTLED } from '../../cutover/watch/watches.ts';
import { DAY, MINUTE } from '../../../lib/time/clock.ts';
import { counted } from '../../../lib/text/counted.ts';
import type { AuditParts } from '../audit.ts';
import { AdminRefusal } from '../refusal.ts';

/** The parts of the service. */
export interface AdminWatchParts extends AuditParts {
  readonly watches: Pick<StoredWatches, 'known' | 'dismiss' | 'movedAt'>;
  /** `CAUSEWAY_WATCH_DAYS` */
  readonly watchDays: number;
}

const LONGEST_REASON = 500;

/** The admin service for accounts that have moved. */
export class AdminWatch {
  readonly #parts: AdminWatchParts;

  constructor(parts: AdminWatchParts) {
    this.#parts = parts;
  }

  /** Undefined if it is not watched. */
  async show({ id }: Account): Promise<Watch | undefined> {
    return (await this.#parts.watches.known(id)).get(id);
  }

  /** Why an account has no watch. */
  async whyNone(account: Account): Promise<string> {
    const { watches, watchDays, clock } = this.#parts;
    if (!hasMoved(account)) return 'it has not moved';
    if (watchDays === 0) return 'CAUSEWAY_WATCH_DAYS is 0';
    const movedAt = (await watches.movedAt(account.id)) ?? account.stageSince;
    if (account.life.stage === 'migrated' && clock.now() < movedAt + watchDays * DAY)
      return `its watch begins ${counted(SETTLED / MINUTE, 'minute')} after its move`;
    return account.life.stage === 'lost'
      ? 'its connection has ended'
      : `a watch ends ${counted(watchDays, 'day')} after the move`;
  }

  /**
   * The present differences no longer flag the account; others still do. Throws `AdminRefusal` without a reason, or if
   * the account is not flagged.
   */
  async dismiss(account: Account, given: string, who: string): Promise<void> {
    const { watches, audit, clock } = this.#parts;
    const reason = given.trim();
    if (reason === '' || reason.length > LONGEST_REASON)
      throw new AdminRefusal('unusable', `say why nothing is wrong, in at most ${LONGEST_REASON} characters`);
    const at = clock.now();
    if (!(await watches.dismiss(account.id, { by: who, reason, at })))
      throw new AdminRefusal('conflict', `${account.name} is not flagged`);
    await audit.write({ at, who, action: 'watch.dismiss', accountIds: [account.id], detail: reason });
  }
}
