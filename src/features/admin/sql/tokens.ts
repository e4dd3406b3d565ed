/**
 * Tokens of console and API in the database, and the people who sign in by OpenID Connect, who have rows in the same
 * table. A token is found by a keyed hash; its text, shown once, is not stored.
 */
import { MINUTE } from '../../../lib/time/clock.ts';
import { DuplicateToken, type ConsoleToken, type TokenRepository } from '../tokens/token.ts';
import type { Engine } from '../../../db/engine.ts';
import { violates } from '../../../db/fault.ts';
import type { ConsoleTokenRow } from './tables.ts';

/** Console tokens by keyed hash: reading the database does not reveal a usable one. */
export class StoredTokens implements TokenRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async create(token: Parameters<TokenRepository['create']>[0]): Promise<ConsoleToken> {
    const row = rowOf(token);
    try {
      await this.#engine.db.insertInto('console_tokens').values(row).execute();
    } catch (error) {
      if (violates(error, 'console_tokens_name')) throw new DuplicateToken(token.name);
      throw error;
    }
    return tokenOf(row);
  }

  async createFirst(token: Parameters<TokenRepository['create']>[0]): Promise<boolean> {
    // A person's row grants no access without the provider.
    const any = await this.#engine.db
      .selectFrom('console_tokens')
      .select('id')
      .where('subject', 'is', null)
      .limit(1)
      .executeTakeFirst();
    if (any !== undefined) return false;
    try {
      await this.create(token);
      return true;
    } catch (error) {
      if (error instanceof DuplicateToken) return false; // another process was faster
      throw error;
    }
  }

  async byIndex(indexes: readonly string[]): Promise<ConsoleToken | undefined> {
    if (indexes.length === 0) return undefined;
    const row = await this.#engine.db
      .selectFrom('console_tokens')
      .selectAll()
      .where('token_index', 'in', indexes)
      .where('revoked_at', 'is', null)
      .where('subject', 'is', null)
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    await this.#reindex(row, indexes);
    return tokenOf(row);
  }

  /** Stores a token that an older key found under the first key, so that the older one can be removed. */
  async #reindex({ id, token_index }: ConsoleTokenRow, [first]: readonly string[]): Promise<void> {
    if (first === undefined || token_index === first) return;
    await this.#engine.db
      .updateTable('console_tokens')
      .set({ token_index: first })
      .where('id', '=', id)
      .execute();
  }

  async byIds(ids: readonly string[]): Promise<readonly ConsoleToken[]> {
    if (ids.length === 0) return [];
    const rows = await this.#engine.db
      .selectFrom('console_tokens')
      .selectAll()
      .where('id', 'in', ids)
      .execute();
    return rows.map(tokenOf);
  }

  async used({ id, lastUsedAt }: ConsoleToken, now: number): Promise<void> {
    if (lastUsedAt !== undefined && now - lastUsedAt < MINUTE) return;
    await this.#engine.db
      .updateTable('console_tokens')
      .set({ last_used_at: now })
      .where('id', '=', id)
      .execute();
  }

  async list(): Promise<readonly ConsoleToken[]> {
    const rows = await this.#engine.db
      .selectFrom('console_tokens')
      .selectAll()
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map(tokenOf);
  }

  async revoke(idOrName: string, now: number): Promise<ConsoleToken | undefined> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const found = await trx
        .selectFrom('console_tokens')
        .selectAll()
        .where((query) => query.or([query('id', '=', idOrName), query('name', '=', idOrName)]))
        .limit(1)
        .executeTakeFirst();
      if (found === undefined) return undefined;
      const revoked = { ...found, revoked_at: found.revoked_at ?? now };
      await trx
        .updateTable('console_tokens')
        .set({ revoked_at: revoked.revoked_at })
        .where('id', '=', found.id)
        .execute();
      await trx.deleteFrom('console_sessions').where('token_id', '=', found.id).execute();
      return tokenOf(revoked);
    });
  }

  async enter(person: Parameters<TokenRepository['enter']>[0]): Promise<ConsoleToken> {
    try {
      return await this.#enter(person, person.name);
    } catch (error) {
      if (!violates(error, 'console_tokens_name')) throw error;
      // For two people with the same name, part of the id distinguishes them in the audit log.
      return this.#enter(person, `${person.name} ${person.id.slice(-6)}`);
    }
  }

  async #enter({ id, scope, subject, index, now }: Parameters<TokenRepository['enter']>[0], name: string) {
    const row = {
      ...rowOf({ id, name, scope, index, now }),
      last_used_at: now,
      subject,
    };
    await this.#engine.db
      .insertInto('console_tokens')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet({ name, scope, subject, token_index: index, last_used_at: now })
          .where('console_tokens.revoked_at', 'is', null),
      )
      .execute();
    return tokenOf(
      await this.#engine.db
        .selectFrom('console_tokens')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    );
  }

  async admit(idOrName: string): Promise<ConsoleToken | undefined> {
    const row = await this.#engine.db
      .updateTable('console_tokens')
      .set({ revoked_at: null })
      .where((query) => query.or([query('id', '=', idOrName), query('name', '=', idOrName)]))
      .where('subject', 'is not', null)
      .returningAll()
      .executeTakeFirst();
    return row && tokenOf(row);
  }
}

const rowOf = (token: Parameters<TokenRepository['create']>[0]): ConsoleTokenRow => ({
  id: token.id,
  name: token.name,
  scope: token.scope,
  token_index: token.index,
  created_at: token.now,
  last_used_at: null,
  revoked_at: null,
  expires_at: token.expiresAt ?? null,
  subject: null,
});

/** The token of a row, without its lookup hash. */
export const tokenOf = (row: Omit<ConsoleTokenRow, 'token_index'>): ConsoleToken => ({
  id: row.id,
  name: row.name,
  scope: row.scope,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
  revokedAt: row.revoked_at ?? undefined,
  expiresAt: row.expires_at ?? undefined,
  subject: row.subject ?? undefined,
});
