/**
 * Grants in the database: every write of the refresh protocol is one conditional statement or one transaction here.
 *
 * `begin` takes lease, fence and intent together, before a refresh token is presented: from then on the row says
 * `unresolved`, since when, and how often the token has been presented. The outcome is stored under the same fence
 * (`renewed`, `fellBack`, `tookLatePair`, `unanswered`, `lost`); these return false if another process has taken the
 * grant meanwhile, whose result then counts. Leases use the database's clock, never a process's.
 *
 * A process that dies after `begin` leaves an unresolved grant with a lease that expires; any process may then present
 * the same token again, which the service allows for 30 minutes without a response (V2 specification, "Tokens", rule
 * 5). One that dies before leaves nothing. A grant whose fence is lower than this process has seen is `withheld`: an
 * older copy of the database must not present a token twice (docs/decisions/tokens/0009-copies-and-failovers.md).
 */
import { sql, type RawBuilder, type Transaction, type UpdateQueryBuilder, type UpdateResult } from 'kysely';
import type {
  Beginning,
  DueGrant,
  Grant,
  GrantRepository,
  Lease,
  LossReason,
  SealedPair,
  LatePair,
} from './grant.ts';
import { isOver } from '../db/over.ts';
import type { Engine } from '../db/engine.ts';
import { Lineage } from './deployment/lineage.ts';
import { StoreFault } from '../lib/store-fault.ts';
import {
  NO_INTENT,
  NO_LEASE,
  NO_PAIR,
  NO_CONFIRMATION_DUE,
  grantOf,
  newGrantRow,
  pairColumns,
} from './grant-row.ts';
import {
  dropExpired,
  dropLatePair,
  dropLatePairsOf,
  insertLatePair,
  latePairIn,
  latePairsOf,
} from './late-pairs.ts';
import type { Tables } from '../db/tables.ts';
import type { GrantRow } from './tables.ts';

type BeginAttempt = Parameters<GrantRepository['begin']>[0];
type Owned = Parameters<GrantRepository['hasAnotherOf']>[0];
type Update = UpdateQueryBuilder<Tables, 'grants', 'grants', UpdateResult>;

/** A lost grant: nobody may write to it any more. */
const NOTHING_HELD = {
  ...NO_PAIR,
  ...NO_INTENT,
  ...NO_LEASE,
  ...NO_CONFIRMATION_DUE,
  state: 'lost',
} as const;

/** How often `begin` reads again if the lease changed hands between its write and its read. */
const LOOKS = 5;

/** Stores what the loss of a grant means elsewhere, in the same transaction. */
export type OnLost = (
  trx: Transaction<Tables>,
  rowLocks: boolean,
  grantId: string,
  reason: LossReason,
  now: number,
) => Promise<void>;

/** The table `grants`, and the late pairs beside it. */
export class StoredGrants implements GrantRepository {
  readonly #engine: Engine;
  readonly #lineage: Lineage;
  readonly #onLost: OnLost;

  /** `onLost`: what a loss means for the accounts of the grant, in the same transaction. */
  constructor(engine: Engine, onLost: OnLost, lineage = new Lineage()) {
    this.#engine = engine;
    this.#onLost = onLost;
    this.#lineage = lineage;
  }

  async create(grant: Parameters<GrantRepository['create']>[0]): Promise<Grant> {
    const row = newGrantRow(grant);
    this.#lineage.fences.delete(grant.id);
    await this.#engine.db.insertInto('grants').values(row).execute();
    return grantOf(row);
  }

  async forget(id: string): Promise<void> {
    await this.#engine.db.transaction().execute(async (trx) => {
      const { numDeletedRows: deleted } = await trx
        .deleteFrom('grants')
        .where('id', '=', id)
        .where(sql<boolean>`not exists (select 1 from accounts where grant_id = grants.id)`)
        .executeTakeFirst();
      const { numUpdatedRows: emptied } = await trx
        .updateTable('grants')
        .set({ ...NOTHING_HELD, lost_reason: 'disconnected', lost_at: this.#engine.now })
        .where('id', '=', id)
        .where('state', '!=', 'lost')
        .where(
          sql<boolean>`not exists (select 1 from accounts where grant_id = grants.id and stage <> 'lost')`,
        )
        .executeTakeFirst();
      if (deleted + emptied > 0n) await dropLatePairsOf(trx, id);
    });
  }

  async find(id: string): Promise<Grant | undefined> {
    const row = await this.#engine.read((reads) =>
      reads.selectFrom('grants').selectAll().where('id', '=', id).executeTakeFirst(),
    );
    if (row !== undefined) this.#sawFence(row);
    return row && grantOf(row);
  }

  async list(): Promise<readonly Grant[]> {
    const rows = await this.#engine.db
      .selectFrom('grants')
      .selectAll()
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map(grantOf);
  }

  async hasAnotherOf({ id, application, consenter: { userId } }: Owned): Promise<boolean> {
    const row = await this.#engine.db
      .selectFrom('grants')
      .select('id')
      .where('id', '!=', id)
      .where('state', '!=', 'lost')
      .where('application_id', '=', application)
      .$if(userId !== '', (query) => query.where('user_id', 'in', ['', userId]))
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * One conditional write takes lease, fence and intent together; there is no earlier read that could be
   * outdated. Only if it changes nothing is the row read, to find out why.
   */
  async begin(attempt: BeginAttempt): Promise<Beginning> {
    for (let look = 1; look <= LOOKS; look += 1) {
      const row = await this.#take(attempt);
      if (row) {
        this.#sawFence(row);
        return begun(row, attempt);
      }
      const hindrance = await this.#hindrance(attempt);
      if (hindrance) return hindrance;
    }
    return { outcome: 'busy', until: attempt.now };
  }

  async renew(lease: Lease, leaseMs: number): Promise<boolean> {
    return this.#fenced(lease, (update) => update.set({ lease_until: this.#in(leaseMs) }));
  }

  /** The columns on the right are those before the write: the presented token becomes the predecessor. */
  async renewed(lease: Lease, tokens: SealedPair, now: number, confirmAt?: number): Promise<boolean> {
    const confirmation =
      confirmAt === undefined
        ? NO_CONFIRMATION_DUE
        : {
            predecessor_token: sql<string>`refresh_token`,
            predecessor_since: sql<number>`since`,
            predecessor_presentations: sql<number>`presentations`,
            confirm_at: confirmAt,
          };
    return this.#fenced(lease, (update) =>
      update.set({
        ...pairColumns(tokens),
        ...NO_INTENT,
        ...NO_LEASE,
        ...confirmation,
        state: 'held',
        renewed_at: now,
      }),
    );
  }

  async fellBack(lease: Lease, now: number): Promise<boolean> {
    return this.#fenced(lease, (update) =>
      update
        .set({
          ...NO_LEASE,
          ...NO_CONFIRMATION_DUE,
          refresh_token: sql<string>`predecessor_token`,
          since: sql<number>`predecessor_since`,
          presentations: sql<number>`predecessor_presentations`,
          state: 'unresolved',
          next_at: now,
        })
        .where('predecessor_token', 'is not', null),
    );
  }

  async tookLatePair(
    ...[lease, latePairId, tokens, take]: Parameters<GrantRepository['tookLatePair']>
  ): Promise<boolean> {
    const confirmation = take.predecessor === 'kept' ? {} : NO_CONFIRMATION_DUE;
    return this.#engine.db.transaction().execute(async (trx) => {
      const write = (update: Update): Update =>
        update
          .set({
            ...pairColumns(tokens),
            ...NO_INTENT,
            ...NO_LEASE,
            ...confirmation,
            confirm_at: take.now,
            state: 'held',
            renewed_at: take.now,
          })
          .where((query) => query.exists(latePairIn(trx, latePairId)));
      if (!(await this.#fenced(lease, write, trx))) return false;
      await dropLatePair(trx, latePairId);
      return true;
    });
  }

  async keepLatePair(latePair: LatePair, most: number): Promise<void> {
    await this.#engine.db.transaction().execute((trx) => insertLatePair(trx, latePair, most));
  }

  latePairs(grantId: string): Promise<readonly LatePair[]> {
    return latePairsOf(this.#engine.db, grantId);
  }

  dropLatePairs(now: number): Promise<number> {
    return dropExpired(this.#engine.db, now);
  }

  async unanswered(lease: Lease, nextAt: number): Promise<boolean> {
    return this.#fenced(lease, (update) => update.set({ ...NO_LEASE, next_at: nextAt }));
  }

  async lost(lease: Lease, reason: LossReason, now: number): Promise<boolean> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const write = (update: Update): Update =>
        update.set({ ...NOTHING_HELD, lost_reason: reason, lost_at: now });
      if (!(await this.#fenced(lease, write, trx))) return false;
      await dropLatePairsOf(trx, lease.grantId);
      await this.#onLost(trx, this.#engine.rowLocks, lease.grantId, reason, now);
      return true;
    });
  }

  async unresolvedDue(
    now: number,
    longest: Parameters<GrantRepository['unresolvedDue']>[1],
  ): Promise<readonly DueGrant[]> {
    return this.#engine.db
      .selectFrom('grants')
      .select(['id', sql<number>`since`.as('since')])
      .where('state', '=', 'unresolved')
      .where(isOver('next_at', now, longest.longestPause))
      .where(this.#leaseFree(longest.longestLease))
      .orderBy('since')
      .execute();
  }

  async confirmDue(now: number, longestWait: number): Promise<readonly DueGrant[]> {
    return this.#engine.db
      .selectFrom('grants')
      .select(['id', sql<number>`coalesce(predecessor_since, confirm_at)`.as('since')])
      .where('state', '=', 'held')
      .where(isOver('confirm_at', now, longestWait))
      .orderBy('confirm_at')
      .execute();
  }

  async idleSince(renewedBefore: number, latest: number): Promise<readonly string[]> {
    const rows = await this.#engine.db
      .selectFrom('grants')
      .select('id')
      .where('state', '=', 'held')
      .where((eb) => eb.or([eb('renewed_at', '<', renewedBefore), eb('renewed_at', '>', latest)]))
      .orderBy('renewed_at')
      .execute();
    return rows.map((row) => row.id);
  }

  #sawFence({ id, fence }: GrantRow): void {
    const { fences } = this.#lineage;
    fences.set(id, Math.max(fence, fences.get(id) ?? 0));
  }

  async #take(attempt: BeginAttempt): Promise<GrantRow | undefined> {
    return this.#engine.db
      .updateTable('grants')
      .set({
        state: 'unresolved',
        // The first presentation of this token; the 30 minutes count from it however often it is tried again.
        since: sql<number>`case when state = 'unresolved' then since else ${sql.val(attempt.now)} end`,
        presentations: sql<number>`presentations + 1`,
        next_at: attempt.now,
        confirm_at: null,
        fence: sql<number>`fence + 1`,
        lease_holder: attempt.holder,
        lease_until: this.#in(attempt.leaseMs),
      })
      .where('id', '=', attempt.grantId)
      .where('generation', '=', attempt.generation)
      .where('state', '!=', 'lost')
      .where('withheld_fence', 'is', null)
      .where('fence', '>=', this.#lineage.fences.get(attempt.grantId) ?? 0)
      .where(this.#leaseFree(attempt.longestLease, attempt.takesOver === true ? attempt.holder : ''))
      .$if(this.#lineage.started !== undefined, (query) =>
        query.where(this.#engine.isAt(this.#lineage.started ?? '')),
      )
      .returningAll()
      .executeTakeFirst();
  }

  /** Why nothing was taken; undefined if the reason no longer exists. */
  async #hindrance(attempt: BeginAttempt): Promise<Exclude<Beginning, { outcome: 'begun' }> | undefined> {
    const row = await this.#engine.db
      .selectFrom('grants')
      .selectAll()
      .select(this.#engine.now.as('database_now'))
      .where('id', '=', attempt.grantId)
      .executeTakeFirst();
    if (!row) return { outcome: 'unknown' };
    const grant = grantOf(row);
    if (grant.state === 'lost') return { outcome: 'lost', reason: grant.reason };
    if (await this.#isWithheld(row)) return { outcome: 'withheld' };
    const moved = row.generation !== attempt.generation;
    if (moved && grant.state === 'held') return { outcome: 'moved', grant };
    const { lease_until: until, database_now: now } = row;
    if (until !== null && until > now && until <= now + attempt.longestLease)
      return { outcome: 'busy', until };
    // A younger pair is itself unresolved: this attempt can only read again.
    return moved ? { outcome: 'busy', until: now } : undefined;
  }

  /** This process has seen the grant with a higher fence: what the row has now is older. */
  async #isWithheld({ id, fence, withheld_fence }: GrantRow): Promise<boolean> {
    const seen = this.#lineage.fences.get(id) ?? 0;
    if (fence < seen) await withhold(this.#engine.db, id, seen);
    return fence < seen || withheld_fence !== null;
  }

  /** A write by the lease's holder; false if the lease passed to somebody else or was released. */
  async #fenced(
    lease: Lease,
    write: (update: Update) => Update,
    db: Pick<Transaction<Tables>, 'updateTable'> = this.#engine.db,
  ): Promise<boolean> {
    const result = await write(db.updateTable('grants'))
      .where('id', '=', lease.grantId)
      .where('fence', '=', lease.fence)
      .where('lease_holder', '=', lease.holder)
      .executeTakeFirst();
    return result.numUpdatedRows === 1n;
  }

  #in(milliseconds: number): RawBuilder<number> {
    return sql<number>`${this.#engine.now} + ${sql.val(milliseconds)}`;
  }

  /** `holder`: an instance whose lease counts as free. */
  #leaseFree(longest: number, holder = ''): RawBuilder<boolean> {
    const ended = sql<boolean>`lease_until <= ${this.#engine.now} or lease_until > ${this.#in(longest)}`;
    return sql<boolean>`(lease_until is null or ${ended} or lease_holder = ${sql.val(holder)})`;
  }
}

/** Withholds a grant from every instance if its row has a lower fence than was seen. */
export async function withhold(
  db: Pick<Transaction<Tables>, 'updateTable'>,
  grantId: string,
  seen: number,
): Promise<void> {
  await db
    .updateTable('grants')
    .set({ withheld_fence: seen })
    .where('id', '=', grantId)
    .where('fence', '<', seen)
    .where((eb) => eb.or([eb('withheld_fence', 'is', null), eb('withheld_fence', '<', seen)]))
    .execute();
}

function begun(row: GrantRow, attempt: BeginAttempt): Beginning {
  const grant = grantOf(row);
  if (grant.state !== 'unresolved')
    throw new StoreFault('refused', 'the intent was written and is not there');
  return {
    outcome: 'begun',
    lease: { grantId: attempt.grantId, holder: attempt.holder, fence: row.fence },
    grant,
  };
}
