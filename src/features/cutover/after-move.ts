/**
 * What follows the move of an account: V1's numbers are read once more, as long as V1 still answers, because programs may
 * have added records through V1 since the last reading. Only then do records whose numbers are unknown get new ones, if
 * the operator accepted that: a number is given for ever, and V1 may just not have answered when the account moved.
 *
 * All of this is in the account's timeline, whose entries are also the state: the operator's request is stored with the
 * move, and a reading is open until an entry says how it ended. So any process can continue after one that died, and the
 * periodic job repeats a reading that failed, less and less often, for a day, and one during which V1 was still carrying
 * out a program's write: no new record of such a kind has a number before. A request does not wait that long: an hour
 * after the move it is fulfilled even if V1 has not been read.
 */
import { hasMoved, type Account, type AccountEvent } from '../accounts/account.ts';
import type { HistoryRepository } from '../accounts/history.ts';
import type { AccountRepository } from '../accounts/model.ts';
import { append } from '../accounts/sql/timeline.ts';
import type { Trx } from '../../db/tables.ts';
import type { IdentifierSync } from '../identifiers/identifier-sync.ts';
import { kindWords, numberEvents as events, type Learning } from '../identifiers/learning.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import { counted } from '../../lib/text/counted.ts';
import { DAY, HOUR, MINUTE, type Clock } from '../../lib/time/clock.ts';
import type { Crosswalk } from '../../mapping/crosswalk/identifier.ts';
import { Rests } from './rests.ts';

export interface AfterMoveParts {
  readonly repository: Pick<AccountRepository, 'byId' | 'change' | 'note' | 'timeline'>;
  readonly history: Pick<HistoryRepository, 'unanswered'>;
  readonly crosswalk: Pick<Crosswalk, 'acceptUnlearned' | 'report' | 'addedSince'>;
  readonly identifierSync: Pick<IdentifierSync, 'learn' | 'plan'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long V1 is tried. */
const LONGEST_READING = DAY;
/** A move without an entry about its reading is looked at so long: the bridge may have been stopped for a while. */
const LONGEST_OPEN = 2 * DAY;
/** How long a request for new numbers waits for V1. */
const LONGEST_WAIT = HOUR;
const AGAIN = 'it is tried again for a day';
/** For the process that moved the account: it reads a large account for minutes. */
const HEAD_START = 5 * MINUTE;

/** What is known of the numbers of an account that has moved. */
export interface NumberState {
  /** All of them are: no record can be without one. */
  readonly isKnown: boolean;
  /** Records that V3 has shown and whose numbers are unknown. */
  readonly unlearned: number;
  /** V1 could not be read since the move, and is tried again. */
  readonly isTriedAgain: boolean;
}

/** What the entries since the last move say. */
interface Move {
  readonly at: number;
  readonly isRead: boolean;
  readonly isToldUnread: boolean;
  readonly isRequested: boolean;
}

function moveOf({ stageSince }: Account, timeline: readonly AccountEvent[]): Move {
  const from = timeline.findLastIndex(({ kind }) => kind === 'migrated');
  const since = timeline.slice(from + 1);
  const last = (...kinds: readonly string[]): number =>
    since.findLastIndex(({ kind }) => kinds.includes(kind));
  return {
    at: timeline[from]?.at ?? stageSince,
    isRead: last(events.read, events.missed) >= 0,
    isToldUnread: last(events.unread) >= 0,
    isRequested: last(events.requested) > last(events.given),
  };
}

/** Reads V1 once more for accounts that have moved, and gives new numbers where the operator accepted that. */
export class AfterMove {
  readonly #parts: AfterMoveParts;
  readonly #rests: Rests;

  constructor(parts: AfterMoveParts) {
    this.#parts = parts;
    this.#rests = new Rests(parts.clock);
  }

  /**
   * Stores that records whose numbers stay unknown get new ones. `trx`: that of the move. Throws the store's errors.
   */
  async request({ id }: Account, actor: string, trx?: Trx): Promise<void> {
    const { repository, clock } = this.#parts;
    const detail =
      'records whose V1 numbers are unknown get new ones once V1 has been read after the move, at the latest an hour after it';
    const event = { at: clock.now(), kind: events.requested, actor, detail };
    await (trx === undefined ? repository.note(id, event) : append(trx, id, event));
  }

  /**
   * Never rejects: the account has moved, and must be reported so. Returns what is left to do, as a text for the operator;
   * undefined: nothing is.
   */
  async finish(account: Account): Promise<string | undefined> {
    const { log } = this.#parts;
    try {
      const open = await this.#finish(account);
      if (open === undefined) this.#rests.end(account.id);
      else this.#rests.lengthen(account.id);
      return open;
    } catch (error) {
      log.error('cutover.resume-failed', { account: account.id, error: wordsOf(error) });
      this.#rests.lengthen(account.id);
      return 'V1 is read once more, and the numbers are stored, as soon as the database can be used';
    }
  }

  /** What this process or another one has left undone, one account after the other. Throws the store's errors. */
  async resume(signal?: AbortSignal): Promise<void> {
    const { repository, history, clock } = this.#parts;
    const moved = await history.unanswered(
      'migrated',
      [events.read, events.missed],
      clock.now() - LONGEST_OPEN,
    );
    const requested = new Set(await history.unanswered(events.requested, [events.given]));
    for (const id of new Set([...moved, ...requested])) {
      if (signal?.aborted === true) return;
      const account = await repository.byId(id);
      if (account === undefined || !hasMoved(account)) continue;
      // The timeline of others need not be read: no entry ever says that their numbers were.
      if (!requested.has(id) && !this.#hasNumbers(account)) continue;
      if (await this.#isDue(account)) await this.finish(account);
    }
  }

  /**
   * The operator's request for an account that has moved: V1 may still show some numbers, and every record without one
   * gets a new one after that. Returns whether that changes anything. Throws the store's errors.
   */
  async accept(account: Account, actor: string): Promise<boolean> {
    await this.#read(account, await this.#moveOf(account), actor);
    const { isKnown } = await this.numbers(account);
    if (!isKnown) await this.#give(account, actor);
    return !isKnown;
  }

  /** Throws the store's errors. */
  async numbers(account: Account): Promise<NumberState> {
    const { crosswalk, identifierSync } = this.#parts;
    const { isRead, isToldUnread } = await this.#moveOf(account);
    const report = await crosswalk.report(account.id);
    const kinds = identifierSync.plan.kinds.map(({ kind }) => report.find((row) => row.kind === kind));
    return {
      isKnown: kinds.every((kind) => kind?.complete === true && kind.unlearned === 0),
      unlearned: kinds.reduce((sum, kind) => sum + (kind?.unlearned ?? 0), 0),
      isTriedAgain: isToldUnread && !isRead,
    };
  }

  async #moveOf(account: Account): Promise<Move> {
    return moveOf(account, await this.#parts.repository.timeline(account.id));
  }

  async #finish(account: Account): Promise<string | undefined> {
    const { clock } = this.#parts;
    const move = await this.#moveOf(account);
    const isRead = move.isRead || (await this.#read(account, move));
    if (move.isRequested) {
      if (!isRead && clock.now() - move.at < LONGEST_WAIT)
        return 'V1 could not be read once more and is tried again; records whose V1 numbers are unknown get new ones after that, at the latest an hour after the move';
      await this.#give(account, 'bridge');
    }
    return isRead
      ? undefined
      : 'V1 could not be read once more and is tried again for a day; the timeline shows the outcome';
  }

  /** Returns false if it is to be tried again. */
  async #read(account: Account, move: Move, actor = 'bridge'): Promise<boolean> {
    const { identifierSync, clock, log } = this.#parts;
    const learning = await identifierSync.learn(account, actor);
    log.info('cutover.learned-again', { account: account.id, outcome: learning.outcome });
    const age = clock.now() - move.at;
    if (move.isRead || age >= LONGEST_OPEN || !this.#hasNumbers(account)) return true;
    const unread = age >= LONGEST_READING ? undefined : await this.#whyUnread(account, learning);
    if (unread === undefined) await this.#note(account, ...endOf(learning));
    else if (!move.isToldUnread) await this.#note(account, events.unread, unread);
    return unread === undefined;
  }

  /** Why V1 is read again, as a text for the operator; undefined: it is not. */
  async #whyUnread({ id }: Account, learning: Learning): Promise<string | undefined> {
    if (learning.outcome === 'failed') return AGAIN;
    if (learning.outcome !== 'learned') return undefined;
    const added = await this.#parts.crosswalk.addedSince(id);
    if (added.size === 0) return undefined;
    const unread = learning.incomplete.filter(({ kind }) => added.has(kind));
    if (unread.length === 0) return `V1 was still carrying out a write of a program; ${AGAIN}`;
    return `V1 did not show ${kindWords(unread, learning)}; ${AGAIN}`;
  }

  /** One transaction: the entry says what is stored. */
  async #give({ id }: Account, actor: string): Promise<void> {
    const { repository, crosswalk, identifierSync, clock } = this.#parts;
    const kinds = identifierSync.plan.kinds.map(({ kind }) => kind);
    const detail = 'records whose V1 numbers are unknown get new ones from now on';
    await repository.change(
      id,
      (life) => life,
      { at: clock.now(), kind: events.given, actor, detail },
      (trx) => crosswalk.acceptUnlearned(id, kinds, trx),
    );
  }

  /** An account of this process is due after its pause, and one of another process once that had time to finish. */
  async #isDue(account: Account): Promise<boolean> {
    const { clock } = this.#parts;
    if (this.#rests.has(account.id)) return !this.#rests.isResting(account.id);
    const move = await this.#moveOf(account);
    if (!move.isRequested && !this.#hasNumbers(account)) return false;
    const age = clock.now() - move.at;
    return move.isRead || move.isToldUnread || age >= HEAD_START || age < 0;
  }

  /** Whether it was on V1, and V3 has other identifiers. */
  #hasNumbers({ origin }: Account): boolean {
    return origin !== 'issued' && this.#parts.identifierSync.plan.kinds.length > 0;
  }

  async #note({ id }: Account, kind: string, detail: string): Promise<void> {
    const { repository, clock } = this.#parts;
    await repository.note(id, { at: clock.now(), kind, actor: 'bridge', detail });
  }
}

/** The entry that ends the reading. */
function endOf(learning: Learning): readonly [kind: string, detail: string] {
  switch (learning.outcome) {
    case 'learned':
      return [events.read, `${counted(learning.added, 'number')} learned`];
    case 'refused':
      return [events.read, 'none: V1 refuses the keys of the account'];
    case 'absent':
      return [events.read, 'none: there is no V1, or no API key of the account is known'];
    case 'failed':
      return [events.missed, 'none: V1 could not be read within a day, and is not tried again by itself'];
  }
}
