/**
 * The crosswalk in the database: which number of V1 and which UUID of V2 and V3 are one record, per account and kind.
 *
 * Once an account has moved, its pairs never change, so recently used ones stay in memory and a warm call does no I/O for
 * its identifiers. Before, an operator can correct them (`learn.ts`), in any process, so none stay in memory.
 * That a pair is missing is never taken from memory, except while the database is away. A UUID without a number is
 * either a new record or one that was never learned. If the kind is complete, or the call itself has just created the
 * record, it gets the next number from 1,500,000,000 up, committed before the reply leaves (for a record that a write
 * creates, before the write leaves: `putAside`). Otherwise it is marked unlearned and left out
 * (docs/decisions/calls/0003-unlearned-identifiers.md).
 *
 * Everything that adds pairs first locks the row of the kind (`crosswalk_kinds`), so two processes never assign the
 * same number. If a process dies before the commit, no number is left behind, and the next reply with that record
 * assigns one. Marks of unlearned records are written later and may be lost; the next reply with them marks them again.
 */
import { SECOND } from '../../lib/time/clock.ts';
import {
  idKey,
  type Contradiction,
  type Crosswalk,
  type Kind,
  type KindReport,
  type LearnReport,
  type LearnTerms,
  type NumberedId,
  type Pair,
  type PairOrigin,
  type ReadingTerms,
  type UuidId,
} from './identifier.ts';
import { pause } from '../../lib/time/pause.ts';
import { nextTurn } from '../../lib/time/turn.ts';
import { isAway } from '../../lib/store-fault.ts';
import { acceptUnlearned, markUnlearned, settle } from './allot.ts';
import { countsOf } from './counts.ts';
import { BEFORE_MOVE, learnSome } from './learn.ts';
import {
  addedSince,
  completeAmong,
  isComplete,
  markComplete,
  markPaired,
  writesBefore,
  writesOver,
} from './complete-kinds.ts';
import { byKind, numbersOf, pairsByNumber, unlearnedAmong, unmetAmong } from './rows.ts';
import type { DeferredWrites } from '../../db/deferred-writes.ts';
import type { Engine } from '../../db/engine.ts';
import type { Trx } from '../../db/tables.ts';
import { withDiskSpace } from '../../db/sqlite/disk-space.ts';
import { RememberedMarks } from './remembered-marks.ts';
import { RememberedPairs } from './remembered-pairs.ts';
import { CHUNK, chunks } from '../../db/row.ts';

const NONE: ReadonlySet<string> = new Set();
/** In milliseconds: shorter than a caller's patience, longer than a restart. */
const LONGEST_INSISTING = 20 * SECOND;
/** In milliseconds, between two attempts while the database answers. */
const BETWEEN_ATTEMPTS = 250;

/** Pairs in memory need no I/O, so a list of 100,000 would block all other calls without these pauses. */
const isTurn = (at: number): boolean => at > 0 && at % CHUNK === 0;

/** Pairs in the database, with recently used ones in memory: a warm call does no I/O for its identifiers. */
export class StoredCrosswalk implements Crosswalk {
  readonly #engine: Engine;
  readonly #deferred: DeferredWrites;
  /** A pair of an account that has moved never changes, so a hit is always valid. Missing pairs are never cached. */
  readonly remembered = new RememberedPairs();
  /** Accounts that have moved, so that their pairs stay as they are. */
  readonly #final = new Set<string>();
  readonly #marks: RememberedMarks;
  readonly #pause: () => Promise<void>;

  /** `outage`: how long cached data is served while the database is away, in milliseconds. */
  constructor(engine: Engine, deferred: DeferredWrites, outage: number) {
    this.#engine = engine;
    this.#deferred = deferred;
    this.#marks = new RememberedMarks(outage);
    this.#pause = engine.pauses();
  }

  async uuids(accountId: string, wanted: readonly NumberedId[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    const missing = new Map<string, NumberedId>();
    for (const [at, id] of wanted.entries()) {
      if (isTurn(at)) await nextTurn();
      const key = idKey(id.kind, id.number);
      const uuid = this.remembered.uuidOf(accountId, id.kind, id.number);
      if (uuid === undefined) missing.set(key, id);
      else found.set(key, uuid);
    }
    if (missing.size === 0) return found;
    const isFinal = await this.#isFinal(accountId);
    for (const some of chunks([...missing.values()])) {
      for (const pair of await this.#engine.read((reads) => pairsByNumber(reads, accountId, some))) {
        if (isFinal) this.remembered.remember(accountId, pair);
        found.set(idKey(pair.kind, pair.number), pair.uuid);
      }
    }
    return found;
  }

  /** UUIDs are compared in any case; the answer is keyed as each was requested. */
  async numbers(
    accountId: string,
    wanted: readonly UuidId[],
    created: ReadonlySet<string> = NONE,
    allotted?: NumberedId,
  ): Promise<ReadonlyMap<string, number>> {
    const answer = new Map<string, number>();
    const missing = new Map<string, UuidId>();
    const open: (readonly [asked: string, key: string])[] = [];
    for (const [at, { kind, uuid }] of wanted.entries()) {
      if (isTurn(at)) await nextTurn();
      const asked = idKey(kind, uuid);
      const number = this.remembered.numberOf(accountId, kind, uuid);
      if (number !== undefined) {
        answer.set(asked, number);
        continue;
      }
      const lowered = lower(uuid);
      const key = lowered === uuid ? asked : idKey(kind, lowered);
      missing.set(key, { kind, uuid: lowered });
      open.push([asked, key]);
    }
    if (missing.size === 0) return answer;
    const made = new Set([...created].map(lower));
    const ids = [...missing.values()];
    const found = await this.#insisting(made.size > 0, () =>
      this.#find(accountId, ids, made, allotted),
    ).catch((error: unknown) => this.#fromMemory(accountId, ids, made, error));
    for (const [asked, key] of open) {
      const number = found.get(key);
      if (number !== undefined) answer.set(asked, number);
    }
    return answer;
  }

  async unmet(
    accountId: string,
    kind: Kind,
    uuids: readonly string[],
    all: boolean,
  ): Promise<ReadonlySet<string>> {
    const unmet = new Set<string>();
    for (const some of chunks(uuids.map((uuid) => ({ kind, uuid }))))
      for (const { uuid } of await this.#engine.read((reads) => unmetAmong(reads, accountId, some, all)))
        unmet.add(uuid);
    return unmet;
  }

  async learn(accountId: string, pairs: readonly Pair[], terms: LearnTerms = {}): Promise<LearnReport> {
    const conflicts: Pair[] = [];
    const contradictions: Contradiction[] = [];
    let added = 0;
    let known = 0;
    for (const some of chunks(pairs)) {
      const lowered = some.map(lowerCase);
      const report = await learnSome(this.#engine, accountId, lowered, terms);
      this.#marks.forget(accountId, lowered);
      added += report.added;
      known += report.known;
      conflicts.push(...report.conflicts);
      contradictions.push(...(report.contradictions ?? []));
      await markPaired(this.#engine.db, accountId, lowered);
      // A file is imported one chunk after the other.
      if (some.length === CHUNK) await this.#pause();
    }
    return { added, known, conflicts, ...(contradictions.length === 0 ? {} : { contradictions }) };
  }

  async markComplete(accountId: string, kinds: readonly Kind[], read: readonly string[] = []): Promise<void> {
    await this.#engine.db
      .transaction()
      .execute((trx) => markComplete(this.#engine, trx, accountId, kinds, read));
  }

  writesBefore(accountId: string, terms: ReadingTerms): Promise<readonly string[]> {
    return writesBefore(this.#engine, accountId, terms);
  }

  writesOver(accountId: string, ids: readonly string[], before: number): Promise<readonly string[]> {
    return writesOver(this.#engine.db, accountId, { ids, before });
  }

  addedSince(accountId: string): Promise<ReadonlySet<Kind>> {
    return addedSince(this.#engine.db, accountId);
  }

  async acceptUnlearned(accountId: string, kinds: readonly Kind[], trx?: Trx): Promise<void> {
    this.#marks.clear();
    const accept = (within: Trx): Promise<void> => acceptUnlearned(this.#engine, within, accountId, kinds);
    await (trx === undefined ? this.#engine.db.transaction().execute(accept) : accept(trx));
  }

  /** Includes marks that are not written yet. */
  async report(accountId: string): Promise<readonly KindReport[]> {
    await this.#deferred.settled();
    const { db } = this.#engine;
    const kinds = await db
      .selectFrom('crosswalk_kinds')
      .select(['kind', isComplete.as('complete')])
      .where('account_id', '=', accountId)
      .execute();
    const counts = await countsOf(db, accountId);
    const count = (kind: Kind, origin: string): number =>
      counts.reduce((sum, row) => sum + (row.kind === kind && row.origin === origin ? row.count : 0), 0);
    return kinds
      .map(({ kind, complete }) => ({
        kind,
        learned: count(kind, 'learned') + count(kind, 'imported'),
        allotted: count(kind, 'allotted'),
        unlearned: count(kind, 'unlearned'),
        complete: complete === 1,
      }))
      .sort((a, b) => (a.kind < b.kind ? -1 : 1));
  }

  /**
   * Ordered by kind and number. Reads a page at a time: a cursor would hold a connection while its reader is
   * slow.
   */
  async *export(accountId: string, only?: Kind, except?: PairOrigin): AsyncIterable<Pair> {
    const kinds = only === undefined ? (await this.report(accountId)).map((report) => report.kind) : [only];
    for (const kind of kinds) {
      for (let after = -1; ;) {
        const page = await this.#page(accountId, kind, after, except);
        yield* page;
        const last = page.at(-1);
        if (!last || page.length < CHUNK) break;
        after = last.number;
      }
    }
  }

  async #page(
    accountId: string,
    kind: Kind,
    after: number,
    except: PairOrigin | undefined,
  ): Promise<readonly Pair[]> {
    return this.#engine.db
      .selectFrom('crosswalk')
      .select(['kind', 'number', 'uuid'])
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .$if(except !== undefined, (query) => query.where('origin', '<>', except ?? 'imported'))
      .where('number', '>', after)
      .orderBy('number')
      .limit(CHUNK)
      .execute();
  }

  /**
   * Retries while the database restarts, or is jammed (`Jam`): the service has already created a record, and without its
   * number the caller could not be told of it. Sends no probes: a jam refuses at once, and whatever else fails has sent one.
   */
  async #insisting<T>(isMade: boolean, work: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + LONGEST_INSISTING;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const { reach } = this.#engine;
        if (!isMade || !isAway(error) || performance.now() >= deadline) throw error;
        if (reach.outage === undefined) await pause(BETWEEN_ATTEMPTS);
        if (!(await reach.back(deadline - performance.now()))) throw error;
      }
    }
  }

  /**
   * While the database is away: answers with what has just been found, and leaves out identifiers that had no
   * number a while ago. An identifier in neither cache may have a number and must not be left out, so `error`
   * is thrown.
   */
  #fromMemory(
    accountId: string,
    wanted: readonly UuidId[],
    created: ReadonlySet<string>,
    error: unknown,
  ): ReadonlyMap<string, number> {
    if (!isAway(error)) throw error;
    const found = new Map<string, number>();
    for (const id of wanted) {
      const number = this.remembered.numberOf(accountId, id.kind, id.uuid);
      if (number !== undefined) found.set(idKey(id.kind, id.uuid), number);
      else if (created.has(id.uuid) || !this.#marks.has(accountId, id)) throw error;
    }
    return found;
  }

  /** Keyed by `idKey` of the lower-case UUID. */
  async #find(
    accountId: string,
    wanted: readonly UuidId[],
    created: ReadonlySet<string>,
    allotted: NumberedId | undefined,
  ): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    const isFinal = await this.#isFinal(accountId);
    const remember = (pair: Pair): void => {
      if (isFinal) this.remembered.remember(accountId, pair);
      found.set(idKey(pair.kind, pair.uuid), pair.number);
    };
    for (const some of chunks(wanted)) {
      const missing: UuidId[] = [];
      for (const [kind, ids] of byKind(some)) {
        const uuids = ids.map(uuidOf);
        const numbers = await this.#engine.read(() => numbersOf(this.#engine, accountId, kind, uuids));
        for (const [index, id] of ids.entries()) {
          const number = numbers[index];
          if (number === undefined) missing.push(id);
          else remember({ ...id, number });
        }
      }
      if (missing.length === 0) continue;
      for (const pair of await this.#settled(accountId, missing, created, allotted)) remember(pair);
    }
    return found;
  }

  /**
   * Whether the pairs of the account can no longer be corrected: it has moved, for ever. Read before the pairs: those read
   * afterwards are final, too.
   */
  async #isFinal(accountId: string): Promise<boolean> {
    if (this.#final.has(accountId)) return true;
    const row = await this.#engine.read((reads) =>
      reads.selectFrom('accounts').select('stage').where('id', '=', accountId).executeTakeFirst(),
    );
    if (BEFORE_MOVE.some((stage) => stage === row?.stage)) return false;
    this.#final.add(accountId);
    return true;
  }

  async #settled(
    accountId: string,
    missing: readonly UuidId[],
    created: ReadonlySet<string>,
    allotted: NumberedId | undefined,
  ): Promise<readonly Pair[]> {
    // Existing marks need no write, whatever the kind: only learning or the operator ends them.
    const marks = await this.#engine.read((reads) => unlearnedAmong(reads, accountId, missing));
    const marked = marks.filter((id) => !created.has(id.uuid));
    const open = without(missing, marked);
    const fresh = await this.#fresh(accountId, open, created);
    const unlearned = without(open, fresh);
    this.#marks.remember(accountId, [...marked, ...unlearned]);
    this.#markLater(accountId, unlearned);
    if (fresh.length === 0) return [];
    const settled = (): Promise<readonly Pair[]> => settle(this.#engine, accountId, fresh, created, allotted);
    // Records that already exist upstream need their numbers even if the disk is full.
    return created.size === 0 ? settled() : withDiskSpace(this.#engine, settled);
  }

  /**
   * The identifiers that get a number: those of records created by this call, or of kinds whose older records
   * are all known.
   */
  async #fresh(
    accountId: string,
    open: readonly UuidId[],
    created: ReadonlySet<string>,
  ): Promise<readonly UuidId[]> {
    const others = open.filter(({ uuid }) => !created.has(uuid));
    if (others.length === 0) return open;
    const kinds = new Set(others.map(({ kind }) => kind));
    const complete = await this.#engine.read((reads) => completeAmong(reads, accountId, [...kinds]));
    return open.filter(({ kind, uuid }) => created.has(uuid) || complete.has(kind));
  }

  /** The reply does without their numbers in any case, so it does not wait for the marks. */
  #markLater(accountId: string, ids: readonly UuidId[]): void {
    for (const some of chunks(ids)) {
      const ends = [some[0], some.at(-1)].map((id) => id && idKey(id.kind, id.uuid));
      this.#deferred.add({
        key: ['unlearned', accountId, ...ends, some.length].join(' '),
        count: some.length,
        write: () => markUnlearned(this.#engine, accountId, some),
        failed: () => undefined, // the next reply that has them tries again
      });
    }
  }
}

const uuidOf = ({ uuid }: UuidId): string => uuid;

const lower = (uuid: string): string => uuid.toLowerCase();

const lowerCase = <Id extends UuidId>(id: Id): Id => ({ ...id, uuid: lower(id.uuid) });

function without(ids: readonly UuidId[], those: readonly UuidId[]): readonly UuidId[] {
  const keys = new Set(those.map((id) => idKey(id.kind, id.uuid)));
  return ids.filter((id) => !keys.has(idKey(id.kind, id.uuid)));
}
