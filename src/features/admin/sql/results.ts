import type { Engine } from '../../../db/engine.ts';
import type { ResultRepository, ResultRow } from '../results.ts';

/** The results of forms, for SQLite and PostgreSQL. */
export class StoredResults implements ResultRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async keep({ id, tokenId, at, sealed }: ResultRow): Promise<void> {
    await this.#engine.db
      .insertInto('console_results')
      .values({ id, token_id: tokenId, kept_at: at, content_sealed: sealed })
      .execute();
  }

  async find(id: string, tokenId: string): Promise<ResultRow | undefined> {
    const row = await this.#engine.db
      .selectFrom('console_results')
      .selectAll()
      .where('id', '=', id)
      .where('token_id', '=', tokenId)
      .executeTakeFirst();
    return row && { id, tokenId, at: row.kept_at, sealed: row.content_sealed };
  }

  async remove(id: string): Promise<void> {
    await this.#engine.db.deleteFrom('console_results').where('id', '=', id).execute();
  }

  async expire(before: number): Promise<void> {
    await this.#engine.db.deleteFrom('console_results').where('kept_at', '<', before).execute();
  }
}
