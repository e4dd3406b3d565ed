/** Stores the records of all kinds in one table, each with its fields as JSON. */
import { sql, type Kysely } from 'kysely';
import type { Kind, StoredRecord } from './kinds.ts';
import { type Named, type NewRecord, type RecordChanges, rowOf, stored, uuidOf } from './row.ts';
import { anyOf, folded, selected, type Selection } from './selection.ts';
import type { RecordsTable, RecordTables } from './tables.ts';

/** V1 numbers have seven digits and fit 32 bits. */
const FIRST_NUMBER = 1_000_000;

/**
 * The records of one organisation. If created with a transaction, all its calls belong to that transaction. A
 * deleted record is found only if requested.
 */
export class Records {
  readonly organisationId: string;
  readonly #db: Kysely<RecordTables>;

  constructor(db: Kysely<RecordTables>, organisationId: string) {
    this.#db = db;
    this.organisationId = organisationId;
  }

  async byNumber<K extends Kind>(kind: K, number: number): Promise<StoredRecord<K> | undefined> {
    return this.#one(kind, 'number', number);
  }

  async byUuid<K extends Kind>(kind: K, uuid: string): Promise<StoredRecord<K> | undefined> {
    return this.#one(kind, 'uuid', uuid.toLowerCase());
  }

  async byCode<K extends Kind>(kind: K, code: string): Promise<StoredRecord<K> | undefined> {
    return this.#one(kind, 'code', code);
  }

  /** Includes deleted records, because a reference keeps its name. */
  async byUuids<K extends Kind>(
    kind: K,
    uuids: Iterable<string>,
  ): Promise<ReadonlyMap<string, StoredRecord<K>>> {
    const wanted = [...new Set(uuids)].filter((uuid) => uuid !== '');
    if (wanted.length === 0) return new Map();
    const rows = await this.#of(kind).where('uuid', 'in', anyOf(wanted)).selectAll().execute();
    return new Map(rows.map((row) => [row.uuid, stored(kind, row)]));
  }

  /** The records that others refer to, by UUID, including deleted ones. */
  async referred<K extends Kind, T>(
    kind: K,
    from: readonly T[],
    uuidOfReferred: (one: T) => string | undefined,
  ): Promise<ReadonlyMap<string, StoredRecord<K>>> {
    return this.byUuids(
      kind,
      from.map((one) => uuidOfReferred(one) ?? ''),
    );
  }

  /** The first record of exactly that name. */
  async byName<K extends Kind>(kind: K, name: string): Promise<StoredRecord<K> | undefined> {
    const row = await this.#of(kind)
      .where('name', '=', name)
      .where('deleted', '=', 0)
      .selectAll()
      .orderBy('number')
      .limit(1)
      .executeTakeFirst();
    return row && stored(kind, row);
  }

  /** The first record of that name in any case; only for kinds with few records. */
  async byNameInAnyCase<K extends Kind>(kind: K, name: string): Promise<StoredRecord<K> | undefined> {
    const all = await this.all(kind);
    return all.find((record) => folded(record.name) === folded(name));
  }

  /** Only for kinds with few records: settings, definitions, staff. */
  async all<K extends Kind>(kind: K): Promise<readonly StoredRecord<K>[]> {
    const rows = await this.#of(kind).where('deleted', '=', 0).selectAll().orderBy('number').execute();
    return rows.map((row) => stored(kind, row));
  }

  /** Grouped by owner, in order of number. */
  async ownedBy<K extends Kind>(
    kind: K,
    owners: readonly Named[],
  ): Promise<ReadonlyMap<string, readonly StoredRecord<K>[]>> {
    return this.#grouped(kind, 'owner', owners);
  }

  /** Grouped by the second record of the join, in order of number. */
  async joinedTo<K extends Kind>(
    kind: K,
    others: readonly Named[],
  ): Promise<ReadonlyMap<string, readonly StoredRecord<K>[]>> {
    return this.#grouped(kind, 'other', others);
  }

  /** The records of one owner, in order of number. */
  async owned<K extends Kind>(kind: K, owner: Named): Promise<readonly StoredRecord<K>[]> {
    return (await this.ownedBy(kind, [owner])).get(uuidOf(owner)) ?? [];
  }

  /** The joins whose second record is this one, in order of number. */
  async joined<K extends Kind>(kind: K, other: Named): Promise<readonly StoredRecord<K>[]> {
    return (await this.joinedTo(kind, [other])).get(uuidOf(other)) ?? [];
  }

  async #grouped<K extends Kind>(
    kind: K,
    by: 'owner' | 'other',
    named: readonly Named[],
  ): Promise<ReadonlyMap<string, readonly StoredRecord<K>[]>> {
    const uuids = [...new Set(named.map(uuidOf))];
    if (uuids.length === 0) return new Map();
    const all = this.#of(kind).where(by, 'in', anyOf(uuids)).where('deleted', '=', 0);
    const found = (await all.selectAll().execute()).map((row) => stored(kind, row));
    // Sorted here, because SQLite would otherwise scan all records of the kind in order of number.
    return Map.groupBy(
      found.sort((a, b) => a.number - b.number),
      (record) => record[by] ?? '',
    );
  }

  /**
   * The highest text number with this prefix and only digits after it, including deleted records; 0 if there
   * is none.
   */
  async highestCode(kind: Kind, prefix: string): Promise<number> {
    const digits = sql<string>`substr(code, ${prefix.length + 1})`;
    const row = await this.#of(kind)
      .where('code', '>=', prefix)
      .where('code', '<', `${prefix}:`)
      .where(sql<boolean>`${digits} NOT GLOB '*[^0-9]*'`)
      .select(sql<number | null>`max(CAST(${digits} AS INTEGER))`.as('highest'))
      .executeTakeFirst();
    return row?.highest ?? 0;
  }

  async isCodeTaken(kind: Kind, code: string): Promise<boolean> {
    const row = await this.#of(kind).where('code', '=', code).select('number').executeTakeFirst();
    return row !== undefined;
  }

  async count(kind: Kind, selection: Selection): Promise<number> {
    const { count } = await selected(this.#of(kind), selection)
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  /**
   * In order of number, in batches selected by key, so that a long list is never in memory as a whole. `skip`
   * and `take` select a page.
   */
  async *select<K extends Kind>(
    kind: K,
    selection: Selection,
    page: { readonly skip: number; readonly take: number } = { skip: 0, take: Infinity },
    batch = 500,
  ): AsyncGenerator<readonly StoredRecord<K>[]> {
    let after = await this.#numberBefore(kind, selection, page.skip);
    let left = page.take;
    while (after !== undefined && left > 0) {
      const limit = Math.min(batch, left);
      const rows = await selected(this.#of(kind), selection)
        .where('number', '>', after)
        .selectAll()
        .orderBy('number')
        .limit(limit)
        .execute();
      if (rows.length > 0) yield rows.map((row) => stored(kind, row));
      left -= rows.length;
      after = rows.length < limit ? undefined : rows.at(-1)?.number;
    }
  }

  /** Number and UUID (or text number) of every record of a kind, in batches, including deleted ones. */
  async *identifiers(kind: Kind): AsyncGenerator<readonly Pick<RecordsTable, 'number' | 'uuid' | 'code'>[]> {
    let after = 0;
    for (;;) {
      const rows = await this.#of(kind)
        .where('number', '>', after)
        .select(['number', 'uuid', 'code'])
        .orderBy('number')
        .limit(5_000)
        .execute();
      const last = rows.at(-1);
      if (!last) return;
      yield rows;
      after = last.number;
    }
  }

  /** Keeps given numbers; the others follow the highest number ever assigned. */
  async allot(
    kind: Kind,
    records: readonly { readonly number?: number | undefined }[],
  ): Promise<readonly number[]> {
    if (records.length === 0) return [];
    const given = records.reduce((highest, { number }) => Math.max(highest, number ?? 0), 0);
    const missing = records.filter(({ number }) => number === undefined).length;
    const first = Math.max(FIRST_NUMBER, given + 1);
    const { next } = await this.#db
      .insertInto('record_numbers')
      .values({ organisation_id: this.organisationId, kind, next: first + missing })
      .onConflict((conflict) =>
        conflict
          .columns(['organisation_id', 'kind'])
          .doUpdateSet({ next: sql`max(record_numbers.next, ${first}) + ${missing}` }),
      )
      .returning('next')
      .executeTakeFirstOrThrow();
    let number = next - missing;
    return records.map((record) => record.number ?? number++);
  }

  async insert<K extends Kind>(kind: K, record: NewRecord<K>, now: number): Promise<StoredRecord<K>> {
    const [row] = await this.insertAll(kind, [record], now);
    if (!row) throw new Error('nothing was inserted');
    return row;
  }

  async insertAll<K extends Kind>(
    kind: K,
    records: readonly NewRecord<K>[],
    now: number,
  ): Promise<readonly StoredRecord<K>[]> {
    const numbers = await this.allot(kind, records);
    const rows = records.map((record, at) => rowOf(this.organisationId, kind, record, numbers[at] ?? 0, now));
    for (let at = 0; at < rows.length; at += INSERTED_AT_ONCE) {
      await this.#db
        .insertInto('records')
        .values(rows.slice(at, at + INSERTED_AT_ONCE))
        .execute();
    }
    return rows.map((row) => stored(kind, row));
  }

  async update<K extends Kind>(
    record: StoredRecord<K>,
    changes: RecordChanges<K>,
    now: number,
  ): Promise<void> {
    await this.#db
      .updateTable('records')
      .where('organisation_id', '=', this.organisationId)
      .where('kind', '=', record.kind)
      .where('uuid', '=', record.uuid)
      .set({
        modified_at: now,
        ...(changes.name !== undefined && { name: changes.name }),
        ...(changes.owner !== undefined && { owner: changes.owner }),
        ...(changes.other !== undefined && { other: changes.other }),
        ...(changes.fields && { fields: JSON.stringify(changes.fields) }),
        ...(changes.isArchived !== undefined && { archived: changes.isArchived ? 1 : 0 }),
        ...(changes.isDeleted !== undefined && { deleted: changes.isDeleted ? 1 : 0 }),
        ...(changes.customValues && { custom_values: JSON.stringify(changes.customValues) }),
        ...(changes.search !== undefined && { search: changes.search }),
      })
      .execute();
  }

  #of(kind: Kind) {
    return this.#db
      .selectFrom('records')
      .where('organisation_id', '=', this.organisationId)
      .where('kind', '=', kind);
  }

  /** The number of the last record before the page; undefined if nothing follows it. */
  async #numberBefore(kind: Kind, selection: Selection, skip: number): Promise<number | undefined> {
    if (skip === 0) return 0;
    const row = await selected(this.#of(kind), selection)
      .select('number')
      .orderBy('number')
      .limit(1)
      .offset(skip - 1)
      .executeTakeFirst();
    return row?.number;
  }

  async #one<K extends Kind>(
    kind: K,
    column: 'number' | 'uuid' | 'code',
    value: number | string,
  ): Promise<StoredRecord<K> | undefined> {
    const row = await this.#of(kind)
      .where(column, '=', value)
      .where('deleted', '=', 0)
      .selectAll()
      .executeTakeFirst();
    return row && stored(kind, row);
  }
}

const INSERTED_AT_ONCE = 500;
