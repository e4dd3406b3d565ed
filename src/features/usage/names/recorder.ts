/**
 * Counts the names that the calls of an account use, off the path of the call.
 *
 * Receives the calls of each second (`recent-calls.ts`), reads the messages that were kept as a sample, and adds the
 * counts to the database every minute, many accounts in a transaction. A process that is killed loses the last
 * minute.
 */
import type { DeferredWrites } from '../../../db/deferred-writes.ts';
import { isAway } from '../../../lib/store-fault.ts';
import { MINUTE, neverSet, systemClock, type Clock } from '../../../lib/time/clock.ts';
import { nextTurn } from '../../../lib/time/turn.ts';
import type { CallCounter, RecentCall, RecentCalls } from '../recent-calls.ts';
import {
  addCall,
  addUse,
  GENERIC,
  GENERIC_WRITE,
  noUse,
  weekOf,
  type AccountUse,
  type CallNames,
} from './account-use.ts';
import { elementNames, MOST_READ, parameterName } from './element-names.ts';
import { Programs } from './program.ts';

/** Most calls that wait to be counted; further ones are not counted. */
const MOST_WAITING = 40_000;
/** Calls counted before other work runs. */
const AT_ONCE = 50;
const WRITE_EVERY = MINUTE;
/** Most accounts written in a minute. The others wait for the next one. */
const WRITTEN_AT_ONCE = 300;
/** Accounts in one transaction: calls that write wait for its end. */
const TOGETHER = 25;
/** In milliseconds: how long an account that was switched off is skipped before it is looked up again. */
const OFF_FOR = 5 * MINUTE;
const LONGEST_QUERY = 2_048;
const MOST_PARAMETERS = 40;

/** The counts of an account since a time, by week. */
export interface Counted {
  readonly accountId: string;
  readonly since: number;
  readonly weeks: ReadonlyMap<number, AccountUse>;
}

/** Stores the counts. */
export interface UseRepository {
  /**
   * Adds the counts of several accounts, all of it or nothing. Returns the accounts whose calls are not counted:
   * nothing of theirs was written.
   */
  add(counted: readonly Counted[]): Promise<ReadonlySet<string>>;
}

/** Counts that were not written yet. */
interface Unwritten extends Counted {
  readonly weeks: Map<number, AccountUse>;
}

/** The parts of a recorder. */
export interface UseRecorderParts {
  readonly repository: UseRepository;
  readonly deferred: Pick<DeferredWrites, 'add' | 'settled'>;
  /** Hands over the calls. */
  readonly recent: Pick<RecentCalls, 'handOver'>;
  readonly clock?: Clock;
}

/** Counts the names that the calls of this process use. */
export class UseRecorder implements CallCounter {
  readonly readsMessages = true;
  readonly #parts: UseRecorderParts;
  /** Measures only how long ago something was. */
  readonly #clock: Clock;
  readonly #programs = new Programs();
  /** Until when the calls of an account are not counted. */
  readonly #off = new Map<string, number>();
  readonly #unwritten = new Map<string, Unwritten>();
  #timer: NodeJS.Timeout | undefined;
  #flight: Promise<void> = Promise.resolve();
  #written = 0;
  #waiting = 0;

  constructor(parts: UseRecorderParts) {
    this.#parts = parts;
    this.#clock = neverSet(parts.clock ?? systemClock);
  }

  /** Lists are processed one after the other. */
  count(calls: readonly RecentCall[]): void {
    if (this.#waiting > MOST_WAITING) return;
    this.#waiting += calls.length;
    this.#flight = this.#flight.then(() => this.#count(calls)).then(this.#writeIfDue);
  }

  /**
   * Counts and writes everything, or only one account's counts; also resolves if the database is away, and keeps the
   * counts.
   */
  async flush(accountId?: string): Promise<void> {
    const { recent, deferred } = this.#parts;
    recent.handOver();
    await this.#flight;
    // Waits for the writing in progress, then writes the counts made meanwhile.
    await deferred.settled();
    if (accountId === undefined) this.#write(Infinity);
    else if (this.#unwritten.has(accountId)) this.#defer([accountId]);
    await deferred.settled();
  }

  async close(): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
  }

  #isOff(accountId: string): boolean {
    const until = this.#off.get(accountId);
    if (until === undefined) return false;
    if (until > this.#clock.now()) return true;
    this.#off.delete(accountId);
    return false;
  }

  readonly #writeIfDue = (): void => {
    const wait = this.#written + WRITE_EVERY - this.#clock.now();
    // Longer than it can be: the clock was set back.
    const isDue = wait <= 0 || wait > WRITE_EVERY;
    if (isDue) this.#write(WRITTEN_AT_ONCE);
    if (this.#unwritten.size > 0)
      this.#timer ??= setTimeout(this.#writeLater, isDue ? WRITE_EVERY : wait).unref();
  };

  readonly #writeLater = (): void => {
    this.#timer = undefined;
    this.#writeIfDue();
  };

  async #count(calls: readonly RecentCall[]): Promise<void> {
    this.#waiting -= calls.length;
    for (const [place, { call, headers, address, sent, received }] of calls.entries()) {
      if (place % AT_ONCE === AT_ONCE - 1) await nextTurn();
      if (this.#isOff(call.accountId)) continue;
      const read = await namesIn(sent, received);
      addCall(this.#useOf(call), {
        ...call,
        method: call.method === GENERIC && call.verb !== 'GET' ? GENERIC_WRITE : call.method,
        program: this.#programs.of(headers),
        parameters: parametersIn(address),
        ...read,
      });
    }
  }

  #useOf({ accountId, at }: RecentCall['call']): AccountUse {
    let unwritten = this.#unwritten.get(accountId);
    if (unwritten === undefined)
      this.#unwritten.set(accountId, (unwritten = { accountId, since: at, weeks: new Map() }));
    const week = weekOf(at);
    let use = unwritten.weeks.get(week);
    if (use === undefined) unwritten.weeks.set(week, (use = noUse()));
    return use;
  }

  /** `most`: the most accounts to write; those that have waited longest come first. */
  #write(most: number): void {
    this.#written = this.#clock.now();
    const due = this.#unwritten.keys().take(Math.min(most, this.#unwritten.size)).toArray();
    for (let at = 0; at < due.length; at += TOGETHER) this.#defer(due.slice(at, at + TOGETHER));
  }

  /** Counts that could not be written are written with the next ones. */
  #defer(ids: readonly string[]): void {
    this.#parts.deferred.add({
      key: `usage ${ids[0]}${ids.length > 1 ? ' and others' : ''}`,
      count: ids.length,
      write: () => this.#writeAll(ids),
      failed: () => undefined,
    });
  }

  async #writeAll(ids: readonly string[]): Promise<void> {
    const due = ids.flatMap((id) => this.#unwritten.get(id) ?? []);
    if (due.length === 0) return;
    for (const { accountId } of due) this.#unwritten.delete(accountId);
    try {
      const off = await this.#parts.repository.add(due);
      for (const id of off) this.#off.set(id, this.#clock.now() + OFF_FOR);
    } catch (error) {
      for (const one of due) this.#putBack(one);
      if (isAway(error) || ids.length === 1) throw error;
      // An account that cannot be written must not hold up the others.
      for (const id of ids) this.#defer([id]);
    }
  }

  #putBack({ accountId, since, weeks }: Unwritten): void {
    const later = this.#unwritten.get(accountId);
    this.#unwritten.set(accountId, { accountId, since, weeks });
    for (const [week, use] of later?.weeks ?? []) {
      const earlier = weeks.get(week);
      if (earlier === undefined) weeks.set(week, use);
      else addUse(earlier, use);
    }
  }
}

/** The names in a message, if it belongs to the sample; yields to other work afterwards. */
async function namesIn(
  sent: RecentCall['sent'],
  received: RecentCall['received'],
): Promise<Pick<CallNames, 'sent' | 'received' | 'bytes'>> {
  const request = sent && sent.length > 0 ? await elementNames(sent, false) : undefined;
  const beginning = received && received.length > 0 ? beginningOf(received) : undefined;
  const reply = beginning && (await elementNames(beginning, true));
  if (request !== undefined || reply !== undefined) await nextTurn();
  return { sent: request, received: reply, bytes: Math.min(beginning?.length ?? 0, MOST_READ) };
}

/** The kept beginning of a reply, in one piece. */
export const beginningOf = (pieces: readonly (string | Uint8Array)[]): Uint8Array =>
  Buffer.concat(
    pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece.slice(0, MOST_READ)) : piece)),
  );

/** The names of the parameters, without the two keys. */
function parametersIn(address: string): readonly string[] {
  const mark = address.indexOf('?');
  if (mark < 0) return [];
  const names = new Set<string>();
  for (const pair of address.slice(mark + 1, mark + 1 + LONGEST_QUERY).split('&')) {
    const name = parameterName(pair.split('=', 1)[0] ?? '');
    if (pair !== '' && !KEYS.has(name) && names.size < MOST_PARAMETERS) names.add(name);
  }
  return [...names];
}

const KEYS: ReadonlySet<string> = new Set(['apikey', 'accountkey']);
