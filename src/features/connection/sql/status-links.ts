import type { Engine } from '../../../db/engine.ts';
import type { StatusLinkRepository } from '../model.ts';

/** The rows of the links to customers' pages; the campaign writes them with the message that carries the link. */
export class StoredStatusLinks implements StatusLinkRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async accountOf(indexes: readonly string[], now: number): Promise<string | undefined> {
    if (indexes.length === 0) return undefined;
    const row = await this.#engine.db
      .selectFrom('status_links')
      .select('account_id')
      .where('link_index', 'in', indexes)
      .where('withdrawn_at', 'is', null)
      .where('expires_at', '>', now)
      .limit(1)
      .executeTakeFirst();
    return row?.account_id;
  }
}
