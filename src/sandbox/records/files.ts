import { randomBytes, randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Kind } from './kinds.ts';
import { anyOf } from './selection.ts';
import type { RecordTables } from './tables.ts';

export interface StoredFile {
  readonly name: string;
  readonly content: Uint8Array;
}

const unguessable = (): string => randomBytes(32).toString('base64url');

/** The files behind links: documents, and the exported tables of identifiers. */
export class Files {
  readonly #db: Kysely<RecordTables>;

  constructor(db: Kysely<RecordTables>) {
    this.#db = db;
  }

  /** Returns the UUID of the file. */
  async add(organisationId: string, file: StoredFile): Promise<string> {
    const uuid = randomUUID();
    await this.#db
      .insertInto('record_files')
      .values({ organisation_id: organisationId, uuid, token: unguessable(), ...file })
      .execute();
    return uuid;
  }

  async byUuid(organisationId: string, uuid: string): Promise<StoredFile | undefined> {
    return this.#db
      .selectFrom('record_files')
      .select(['name', 'content'])
      .where('organisation_id', '=', organisationId)
      .where('uuid', '=', uuid.toLowerCase())
      .executeTakeFirst();
  }

  /** Finds a file by the token alone, which is unguessable. */
  async byToken(token: string): Promise<StoredFile | undefined> {
    return this.#db
      .selectFrom('record_files')
      .select(['name', 'content'])
      .where('token', '=', token)
      .executeTakeFirst();
  }

  /** Maps the UUID of each file to the token of its public link. */
  async tokens(organisationId: string, uuids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (uuids.length === 0) return new Map();
    const rows = await this.#db
      .selectFrom('record_files')
      .select(['uuid', 'token'])
      .where('organisation_id', '=', organisationId)
      .where('uuid', 'in', anyOf(uuids))
      .execute();
    return new Map(rows.map(({ uuid, token }) => [uuid, token]));
  }

  /** Maps the UUID of each file to its size in bytes. */
  async sizes(organisationId: string, uuids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (uuids.length === 0) return new Map();
    const rows = await this.#db
      .selectFrom('record_files')
      .select((select) => ['uuid', select.fn<number>('length', ['content']).as('size')])
      .where('organisation_id', '=', organisationId)
      .where('uuid', 'in', anyOf(uuids))
      .execute();
    return new Map(rows.map(({ uuid, size }) => [uuid, size]));
  }

  /** Links to the tables of identifiers, one per kind, in order; a table is generated when it is fetched. */
  async addMaps(
    organisationId: string,
    kinds: readonly Kind[],
    now: number,
    expiresAt: number,
  ): Promise<readonly string[]> {
    const rows = kinds.map((kind) => ({
      token: unguessable(),
      organisation_id: organisationId,
      kind,
      expires_at: expiresAt,
    }));
    await this.#db.deleteFrom('id_map_files').where('expires_at', '<=', now).execute();
    await this.#db.insertInto('id_map_files').values(rows).execute();
    return rows.map(({ token }) => token);
  }

  async mapByToken(
    token: string,
    now: number,
  ): Promise<{ readonly organisationId: string; readonly kind: Kind } | undefined> {
    const row = await this.#db
      .selectFrom('id_map_files')
      .select(['organisation_id', 'kind'])
      .where('token', '=', token)
      .where('expires_at', '>', now)
      .executeTakeFirst();
    return row && { organisationId: row.organisation_id, kind: row.kind as Kind };
  }
}
