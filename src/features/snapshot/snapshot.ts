/**
 * Data of an account's records that only V1 has and V2 has no place for: kept while V1 still answers, and returned by
 * the V2 route afterwards (docs/campaign/migration.md, "What only V1 knows").
 *
 * The mapping says which elements (`snapshot:` of a row). Each record has a row of its own, sealed, with the time at
 * which V1 returned it. Every sync before the move reads V1 again; after it, only the account's own writes change the
 * kept values.
 */
import { neverSet, SECOND, type Clock } from '../../lib/time/clock.ts';
import { Secret } from '../../lib/secret/secret.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { isAway } from '../../lib/store-fault.ts';
import type { KeptElements } from '../../mapping/compile/kept.ts';
import type { KeptAs } from '../../mapping/compile/records.ts';
import type { Kind, UuidId } from '../../mapping/crosswalk/identifier.ts';
import { sealedAs } from '../../tokens/sealing/sealed.ts';
import type { Found, StoredSnapshot } from './stored-snapshot.ts';
import { ASKED, type SnapshotRow } from './tables.ts';

/** `structure`: only values that say nothing about a person. */
export const snapshotModes = ['structure', 'all', 'off'] as const;
export type SnapshotMode = (typeof snapshotModes)[number];

/** Texts by element, as V1 wrote them; empty ones are not stored. */
export type KeptFields = Readonly<Record<string, string>>;

/** The kept values of a record. */
export interface Kept {
  readonly fields: KeptFields;
  /** When V1 returned it, or `WRITTEN_SINCE`. */
  readonly readAt: number;
}

/** The kept values of one account. */
export interface AccountSnapshot {
  readonly accountId: string;
  /** The kinds with kept values. */
  readonly kinds: ReadonlySet<Kind>;
}

export interface SnapshotParts {
  readonly repository: StoredSnapshot;
  readonly seal: Pick<Seal, 'seal' | 'open'>;
  readonly clock: Clock;
  readonly mode: SnapshotMode;
  /** The kept elements, from the mapping. */
  readonly kinds: () => ReadonlyMap<Kind, KeptElements>;
}

const classes: Readonly<Record<SnapshotMode, readonly KeptAs[]>> = {
  structure: ['structure'],
  all: ['structure', 'personal'],
  off: [],
};

/** Replaces the time at which V1 returned it: all of it was written after the move. */
export const WRITTEN_SINCE = 0;

const askedId = (accountId: string, part: Kind): string => `${accountId} ${ASKED}:${part}`;

/** In milliseconds: after this, another process may have erased values that this one believes to be kept. */
const FRESH = 60 * SECOND;

interface Remembered {
  readonly until: number;
  readonly snapshot: AccountSnapshot | undefined;
}

const idOf = (accountId: string, { kind, uuid }: UuidId): string =>
  `${accountId} ${kind}:${uuid.toLowerCase()}`;

/** Stores the values kept from V1, for all accounts. */
export class Snapshot {
  readonly #parts: SnapshotParts;
  #elements: ReadonlyMap<Kind, KeptElements> | undefined;
  readonly #remembered = new Map<string, Remembered>();
  /** For how long something is remembered. */
  readonly #steady: Clock;

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
    this.#steady = neverSet(parts.clock);
  }

  get keptAs(): readonly KeptAs[] {
    return classes[this.#parts.mode];
  }

  /** Elements that are kept, by kind; none if the feature is off. */
  get elements(): ReadonlyMap<Kind, KeptElements> {
    return (this.#elements ??= wanted(this.#parts.kinds(), this.#parts.mode));
  }

  /** `fields` replaces earlier values. Returns for how many records something is kept now. */
  async keep(
    accountId: string,
    records: readonly (UuidId & { readonly fields: KeptFields })[],
    readAt: number,
  ): Promise<number> {
    // A list may have a record twice, such as a contact of two clients; PostgreSQL changes no row twice in a statement.
    const latest = new Map<string, (typeof records)[number]>();
    for (const record of records) latest.set(idOf(accountId, record), record);
    const rows: SnapshotRow[] = [];
    const bare: string[] = [];
    for (const [id, record] of latest) {
      const fields = filled(record.fields, this.elements.get(record.kind));
      if (Object.keys(fields).length === 0) bare.push(id);
      else rows.push(this.#row(accountId, record, fields, readAt));
    }
    await this.#parts.repository.put(rows);
    await this.#parts.repository.remove(bare);
    this.#remembered.delete(accountId);
    return rows.length;
  }

  #row(accountId: string, record: UuidId, fields: KeptFields, readAt: number): SnapshotRow {
    const id = idOf(accountId, record);
    const fields_sealed = this.#sealed(id, fields);
    return { id, account_id: accountId, kind: record.kind, fields_sealed, read_at: readAt };
  }

  /** Undefined if nothing is kept for the account. A promise only if the database has to be asked. */
  of(accountId: string): AccountSnapshot | undefined | Promise<AccountSnapshot | undefined> {
    const known = this.#remembered.get(accountId);
    return known !== undefined && known.until > this.#steady.now()
      ? known.snapshot
      : this.#look(accountId, known);
  }

  async #look(accountId: string, known: Remembered | undefined): Promise<AccountSnapshot | undefined> {
    const { repository } = this.#parts;
    let kept: readonly string[];
    try {
      kept = await repository.kinds(accountId);
    } catch (error) {
      // Which kinds are kept hardly changes; whoever reads the kept values asks the database itself.
      if (known === undefined || !isAway(error)) throw error;
      return known.snapshot;
    }
    const kinds = new Set(kept.filter((kind) => this.elements.has(kind)));
    const snapshot = kinds.size === 0 ? undefined : { accountId, kinds };
    this.#remembered.set(accountId, { until: this.#steady.now() + FRESH, snapshot });
    return snapshot;
  }

  /** The kept values of each of the records, in the same order; undefined where there are none. */
  async read(
    { accountId }: AccountSnapshot,
    records: readonly UuidId[],
  ): Promise<readonly (Kept | undefined)[]> {
    const ids: string[] = [];
    for (const record of records) ids.push(idOf(accountId, record));
    const rows = new Map<string, Found>();
    for (const row of await this.#parts.repository.find(ids)) rows.set(row.id, row);
    const kept: (Kept | undefined)[] = [];
    for (const [at, { kind }] of records.entries()) {
      const row = rows.get(ids[at] ?? '');
      kept.push(row && this.#keptIn(row, kind));
    }
    return kept;
  }

  #keptIn({ id, fields_sealed, read_at: readAt }: Found, kind: Kind): Kept {
    const elements = this.elements.get(kind);
    const said = among(this.#opened(id, fields_sealed), elements);
    return { fields: readAt === WRITTEN_SINCE ? said : { ...emptyIn(elements), ...said }, readAt };
  }

  /** A write after the move supersedes V1's value. If the row changed meanwhile, it is read again. */
  async change(accountId: string, record: UuidId, said: KeptFields): Promise<void> {
    const id = idOf(accountId, record);
    const elements = this.elements.get(record.kind);
    const given = among(said, elements);
    if (Object.keys(given).length === 0) return;
    const { repository } = this.#parts;
    for (;;) {
      const [row] = await repository.find([id]);
      const before = row === undefined ? {} : this.#opened(id, row.fields_sealed);
      const after = filled({ ...before, ...given }, elements);
      if (row !== undefined && (await repository.replace(row, this.#sealed(id, after)))) return;
      if (row !== undefined) continue;
      if (Object.keys(after).length === 0) return;
      if (await repository.add(this.#row(accountId, record, after, WRITTEN_SINCE))) break;
    }
    this.#remembered.delete(accountId);
  }

  /** The last record that was asked for its parts; empty: none, or all of them were. */
  async askedUpTo(accountId: string, part: Kind): Promise<string> {
    const id = askedId(accountId, part);
    const [row] = await this.#parts.repository.find([id]);
    return row === undefined ? '' : (this.#opened(id, row.fields_sealed).upTo ?? '');
  }

  /** Lets the next pass continue from there, in whichever process. */
  async asked(accountId: string, part: Kind, upTo: string): Promise<void> {
    const id = askedId(accountId, part);
    const [fields_sealed, read_at] = [this.#sealed(id, { upTo }), this.#parts.clock.now()];
    await this.#parts.repository.put([{ id, account_id: accountId, kind: ASKED, fields_sealed, read_at }]);
  }

  /** Returns for how many records something was kept. */
  async erase(accountId: string): Promise<number> {
    this.#remembered.delete(accountId);
    return this.#parts.repository.erase(accountId);
  }

  #sealed(id: string, fields: KeptFields): string {
    return this.#parts.seal.seal(new Secret(JSON.stringify(fields)), id, sealedAs.snapshotFields);
  }

  #opened(id: string, sealed: string): KeptFields {
    return JSON.parse(this.#parts.seal.open(sealed, id, sealedAs.snapshotFields).reveal()) as KeptFields;
  }
}

function wanted(kinds: ReadonlyMap<Kind, KeptElements>, mode: SnapshotMode): ReadonlyMap<Kind, KeptElements> {
  const some = [...kinds].map(([kind, elements]) => {
    const wanted = [...elements].filter(([, { as }]) => classes[mode].includes(as));
    return [kind, new Map(wanted)] as const;
  });
  return new Map(some.filter(([, elements]) => elements.size > 0));
}

const among = (fields: KeptFields, elements: KeptElements | undefined): KeptFields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => elements?.has(name) === true));

/** If V1 returned the record, the elements without a value are known as well. */
const emptyIn = (elements: KeptElements | undefined): KeptFields =>
  Object.fromEntries(
    [...(elements ?? [])].flatMap(([name, { isWrittenEmpty }]) => (isWrittenEmpty ? [[name, '']] : [])),
  );

/** Drops texts without information: empty ones, and those that the record has anyway. */
const filled = (fields: KeptFields, elements: KeptElements | undefined): KeptFields =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, text]) => text !== '' && text !== elements?.get(name)?.absent),
  );
