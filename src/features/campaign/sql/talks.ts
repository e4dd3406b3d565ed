import type { Engine } from '../../../db/engine.ts';
import { TALK } from '../../accounts/history.ts';
import type { Talk, TalkRepository } from '../talks.ts';

/** Reads the notes in the timelines. */
export class StoredTalks implements TalkRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** In the order of the feed, so that the last of each account wins. */
  async latest(): Promise<ReadonlyMap<string, Talk>> {
    const rows = await this.#engine.reads
      .selectFrom('account_events')
      .select(['account_id', 'at', 'actor', 'detail'])
      .where('kind', '=', TALK)
      .orderBy('seq')
      .execute();
    return new Map(
      rows.map(({ account_id: accountId, at, actor: by, detail: note }) => [
        accountId,
        { accountId, at, by, note },
      ]),
    );
  }
}
