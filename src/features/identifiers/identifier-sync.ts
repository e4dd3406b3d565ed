import { hasMoved, type Account } from '../accounts/account.ts';
import type { AccountRepository } from '../accounts/model.ts';
import { v1Events, type Incomplete, type KeepListed, type Learning, type LearnPlan } from './learning.ts';
import { counted } from '../../lib/text/counted.ts';
import { DAY, MINUTE } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import type { Crosswalk, Kind, KindsAdded, Pair } from '../../mapping/crosswalk/identifier.ts';
import type { V1Reader } from '../../upstream/model.ts';
import { keyPlaces } from '../accounts/account-keys.ts';
import { keptWhile } from './stored-keeping.ts';
import type { V1Absence } from './v1-absence.ts';
import { AccountSync, type AccountSyncParts, type V1Keys } from './account-sync.ts';

export interface IdentifierSyncParts extends Omit<AccountSyncParts, 'crosswalk'> {
  readonly crosswalk: Pick<
    Crosswalk,
    'learn' | 'markComplete' | 'writesBefore' | 'writesOver' | 'addedSince' | 'report'
  >;
  readonly kindsAdded: KindsAdded;
  /** Undefined: no V1 root is configured. */
  readonly v1: V1Reader | undefined;
  /** Undefined: V1 never counts as absent. */
  readonly absence?: V1Absence | undefined;
  readonly repository: AccountRepository;
  readonly seal: Seal;
  readonly log: Log;
}

/** What V1 currently shows of an account's numbers. */
export interface Look {
  readonly learning: Learning;
  /** How many requests to V1 it took. */
  readonly reads: number;
}

const FRESH = 5 * MINUTE;
/** How far the clocks of two instances may be apart. */
const CLOCKS_APART = MINUTE;
/** Hourly passes, before a list that V1 cannot serve is read once a day. */
const MOST_TRIES = 3;

/**
 * Learns the pairs number ⇄ UUID of an account before it moves, by the bridge's own calls: after the move the numbers
 * can no longer be read. A caller's traffic is never altered for this.
 */
export class IdentifierSync {
  readonly #parts: IdentifierSyncParts;
  readonly #flights = new Map<string, Promise<Learning>>();
  /** When the last successful sync ended, by account. */
  readonly #syncs = new Map<string, number>();
  /** When the V1-only values were last kept, by account. */
  readonly #kept = new Map<string, number>();
  /** Passes in which V1 could not serve a list, since the last complete one, by account. */
  readonly #unlisted = new Map<string, number>();

  constructor(parts: IdentifierSyncParts) {
    this.#parts = parts;
  }

  get plan(): LearnPlan {
    return this.#parts.plan;
  }

  /** True for a sync that has just ended, which is not repeated: it may take longer than a browser waits. */
  knowsFresh(accountId: string): boolean {
    const learnt = this.#syncs.get(accountId);
    return learnt !== undefined && Math.abs(this.#parts.clock.now() - learnt) < FRESH;
  }

  /** For how long V1 has answered nobody, as far as is proven; undefined: it is not known to be absent. */
  async absentFor(): Promise<number | undefined> {
    return this.#parts.absence?.lasted();
  }

  /** Lets every process know that V1 has answered this one. Throws the store's errors. */
  async watch(): Promise<void> {
    await this.#parts.absence?.watch();
  }

  /** Whether an earlier sync has shown every number, and no program may have added records on V1 since. */
  async knowsAll(accountId: string): Promise<boolean> {
    const { crosswalk, plan } = this.#parts;
    const report = await crosswalk.report(accountId);
    const complete = new Set(report.filter((one) => one.complete).map(({ kind }) => kind));
    return plan.kinds.every(({ kind }) => complete.has(kind));
  }

  /** Whether programs may have added records on V1 since its lists of them were last read. */
  async hasMissed(accountId: string): Promise<boolean> {
    return (await this.#parts.crosswalk.addedSince(accountId)).size > 0;
  }

  /** What V1 contradicts, as far as is known, as a text for the operator; undefined: nothing. */
  async contradiction(accountId: string): Promise<string | undefined> {
    const { contradictionIn } = await import('./contradicted.ts'); // not needed at the start
    return contradictionIn(await this.#parts.repository.timeline(accountId));
  }

  /**
   * One sync at a time per account: simultaneous callers get the same answer. `corrects`: known pairs that V1 contradicts
   * are replaced, which the store refuses after the move. Throws the store's errors.
   */
  learn(account: Account, actor = 'bridge', corrects = false): Promise<Learning> {
    const key = corrects ? `${account.id} corrected` : account.id;
    const flight = this.#flights.get(key);
    if (flight !== undefined) return flight;
    const begun = this.#learn(account, actor, corrects).finally(() => {
      this.#flights.delete(key);
    });
    this.#flights.set(key, begun);
    return begun;
  }

  async #learn(account: Account, actor: string, corrects: boolean): Promise<Learning> {
    const { v1, plan, log, clock } = this.#parts;
    if (plan.kinds.length === 0) return nothingToLearn([]);
    if (account.origin === 'issued') return this.#nothingBefore(account);
    const keys = await this.#keysOf(account);
    if (v1 === undefined || keys === undefined) return { outcome: 'absent' };
    const keep = this.#keepsNow(account, actor) ? this.#keepOf(account) : undefined;
    const crosswalk = await this.#marking(account, corrects);
    const sync = new AccountSync(
      { ...this.#parts, crosswalk, keep },
      this.#parts.absence?.noting(v1) ?? v1,
      account.id,
      keys,
    );
    const learning = await sync.take();
    this.#noteKept(account.id, sync);
    if (sync.kept.size > 0)
      log.info('snapshot.kept', { account: account.id, ...Object.fromEntries(sync.kept) });
    if (learning.outcome === 'learned') this.#syncs.set(account.id, clock.now());
    await this.#note(account, learning, actor);
    return learning;
  }

  /** A pass that begins now shows what the writes that are over have added on V1, and nothing of those under way. */
  async #marking(account: Account, corrects: boolean): Promise<AccountSyncParts['crosswalk']> {
    const { crosswalk, kindsAdded } = this.#parts;
    const read = await crosswalk.writesBefore(account.id, { kindsAdded, hasMoved: hasMoved(account) });
    return {
      learn: (id, pairs) => crosswalk.learn(id, pairs, { corrects }),
      markComplete: (id, kinds) => crosswalk.markComplete(id, kinds, read),
      completeAsOf: async (id, kind, asOf) => {
        const shown = await crosswalk.writesOver(id, read, asOf - CLOCKS_APART);
        await crosswalk.markComplete(id, [kind], shown);
        return !(await crosswalk.addedSince(id)).has(kind);
      },
    };
  }

  /**
   * What `learn` would find now: reads V1 in the same way, but stores and logs nothing. `found` gets the pairs.
   * Throws the store's errors.
   */
  async look(account: Account, found: (pairs: readonly Pair[]) => void): Promise<Look> {
    const { v1, plan } = this.#parts;
    let reads = 0;
    if (plan.kinds.length === 0 || account.origin === 'issued')
      return { learning: nothingToLearn(plan.kinds.map(({ kind }) => kind)), reads };
    const keys = await this.#keysOf(account);
    if (v1 === undefined || keys === undefined) return { learning: { outcome: 'absent' }, reads };
    const counting: V1Reader = {
      get: (target, signal) => ((reads += 1), v1.get(target, signal)),
      fetch: (address, signal) => ((reads += 1), v1.fetch(address, signal)),
    };
    const crosswalk: AccountSyncParts['crosswalk'] = {
      learn: (_id, pairs) => {
        found(pairs);
        return Promise.resolve({ added: 0, known: pairs.length, conflicts: [] });
      },
      markComplete: () => Promise.resolve(),
      completeAsOf: () => Promise.resolve(true),
    };
    const parts = { ...this.#parts, crosswalk, keep: undefined };
    const learning = await new AccountSync(parts, counting, account.id, keys).take();
    return { learning, reads };
  }

  /** Undefined if its API key is not known. */
  async #keysOf({ id }: Account): Promise<V1Keys | undefined> {
    const { repository, seal } = this.#parts;
    const sealed = await repository.sealedKeys(id);
    if (sealed?.apiKey === undefined) return undefined;
    return {
      apiKey: seal.open(sealed.apiKey.sealed, sealed.apiKey.owner, keyPlaces.api.column),
      accountKey: seal.open(sealed.accountKey, id, keyPlaces.account.column),
    };
  }

  /** After the move the account's own writes are newer than anything V1 still returns. */
  #keepOf({ id }: Account): KeepListed | undefined {
    const { repository, keep } = this.#parts;
    return (
      keep &&
      keptWhile(keep, async () => {
        const account = await repository.byId(id);
        return account !== undefined && !hasMoved(account);
      })
    );
  }

  /**
   * Once a day, at every step of the account, and until one reading has been complete: keeping reads lists that
   * learning may not need.
   */
  #keepsNow(account: Account, actor: string): boolean {
    if (hasMoved(account)) return false;
    const { id, life } = account;
    const last = this.#kept.get(id);
    if (life.stage === 'consented' || actor !== 'bridge' || last === undefined) return true;
    return Math.abs(this.#parts.clock.now() - last) >= DAY;
  }

  /** A list that V1 fails again and again is not read every hour. */
  #noteKept(id: string, { isKept, isKeptButLists }: AccountSync): void {
    if (isKept) this.#unlisted.delete(id);
    else if (isKeptButLists) this.#unlisted.set(id, (this.#unlisted.get(id) ?? 0) + 1);
    if (isKept || (isKeptButLists && (this.#unlisted.get(id) ?? 0) >= MOST_TRIES))
      this.#kept.set(id, this.#parts.clock.now());
  }

  /** The customer never had V1 keys, so no legacy program holds a number, and every record is a new one. */
  async #nothingBefore({ id }: Account): Promise<Learning> {
    const { crosswalk, plan, clock } = this.#parts;
    const complete = plan.kinds.map(({ kind }) => kind);
    await crosswalk.markComplete(id, complete);
    this.#syncs.set(id, clock.now());
    return nothingToLearn(complete);
  }

  /**
   * Logged when it changes, not on every sync. An account that has consented no longer needs V1, which may refuse the
   * keys for that very reason.
   */
  async #noteV1({ id, life }: Account, outcome: Learning['outcome']): Promise<void> {
    if (life.stage !== 'legacy' || (outcome !== 'refused' && outcome !== 'learned')) return;
    const { repository, clock } = this.#parts;
    const kinds: ReadonlySet<string> = new Set(Object.values(v1Events));
    const last = (await repository.timeline(id)).findLast(({ kind }) => kinds.has(kind))?.kind;
    const refused = outcome === 'refused';
    if (refused === (last === v1Events.refused)) return;
    await repository.note(id, {
      at: clock.now(),
      kind: refused ? v1Events.refused : v1Events.accepted,
      actor: 'bridge',
      detail: refused ? 'V1 refuses the keys of the account' : 'V1 accepts the keys of the account again',
    });
  }

  /** Once, however often V1 says it. After the move the pairs stay as they are. */
  async #noteContradictions(account: Account, learning: Learning, actor: string): Promise<void> {
    if (learning.outcome !== 'learned' || hasMoved(account)) return;
    const { repository, clock } = this.#parts;
    const { contradictions = [], complete } = learning;
    const { contradictionEntries } = await import('./contradicted.ts'); // not needed at the start
    const timeline = await repository.timeline(account.id);
    for (const entry of contradictionEntries(timeline, contradictions, complete))
      await repository.note(account.id, { at: clock.now(), actor, ...entry });
  }

  async #note(account: Account, learning: Learning, actor: string): Promise<void> {
    const { repository, clock, log } = this.#parts;
    log.info('crosswalk.learn', { account: account.id, ...figures(learning) });
    await this.#noteV1(account, learning.outcome);
    await this.#noteContradictions(account, learning, actor);
    if (learning.outcome !== 'learned' || (learning.added === 0 && actor === 'bridge')) return;
    const detail = `${counted(learning.added, 'pair')} learned, ${learning.known} known, ${learning.conflicts} in conflict; ${words(learning.incomplete)}`;
    await repository.note(account.id, { at: clock.now(), kind: 'crosswalk.learned', actor, detail });
  }
}

const nothingToLearn = (complete: readonly Kind[]): Learning => ({
  ...{ outcome: 'learned', added: 0, known: 0, conflicts: 0 },
  ...{ complete, incomplete: [] },
});

const words = (incomplete: readonly Incomplete[]): string =>
  incomplete.length === 0
    ? 'every kind complete'
    : `not complete: ${incomplete.map(({ kind, reason }) => `${kind} (${reason})`).join(', ')}`;

function figures(learning: Learning): Readonly<Record<string, string | number>> {
  if (learning.outcome !== 'learned') return { outcome: learning.outcome };
  const { outcome, added, known, conflicts, incomplete } = learning;
  return { outcome, added, known, conflicts, incomplete: incomplete.length };
}
