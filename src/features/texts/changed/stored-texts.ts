/**
 * Stores changes of texts. A writer first locks the row of their counter, so changes become visible in the order of
 * their numbers, and a reader that has seen a number has seen every change before it. If two operators save the same
 * text at once, the number of the change that each had seen decides.
 */
import type { Transaction } from 'kysely';
import { counterOf, raise } from '../../../db/counters.ts';
import type { Engine } from '../../../db/engine.ts';
import type { Tables } from '../../../db/tables.ts';
import type { Text } from '../catalogue.ts';
import type { NewChange, TextChange, TextRepository } from './changes.ts';
import type { TextChangeRow } from './tables.ts';

/** Another writer was faster; ends the transaction. */
class Overtaken extends Error {
  readonly change: TextChange;

  constructor(change: TextChange) {
    super('the text has been changed in the meantime');
    this.name = 'Overtaken';
    this.change = change;
  }
}

/** Changes of texts, one row each. */
export class StoredTexts implements TextRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Reads a counter, so that asking every two seconds costs one row. */
  async latest(): Promise<number> {
    return (await counterOf(this.#engine.reads, 'texts')) ?? 0;
  }

  /** One row for each text that was ever changed. */
  async current(): Promise<readonly TextChange[]> {
    const { reads } = this.#engine;
    const last = reads
      .selectFrom('text_changes')
      .select(({ fn }) => fn.max<number>('seq').as('seq'))
      .groupBy(['language', 'path']);
    const rows = await reads
      .selectFrom('text_changes')
      .selectAll()
      .where('seq', 'in', last)
      .orderBy('seq')
      .execute();
    return rows.map(changeOf);
  }

  /** Newest first. */
  async history(language: string, path: string): Promise<readonly TextChange[]> {
    const rows = await this.#engine.reads
      .selectFrom('text_changes')
      .selectAll()
      .where('language', '=', language)
      .where('path', '=', path)
      .orderBy('seq', 'desc')
      .execute();
    return rows.map(changeOf);
  }

  /** In one transaction. */
  async write(
    changes: readonly NewChange[],
    by: Pick<TextChange, 'at' | 'who'>,
  ): Promise<TextChange | undefined> {
    try {
      await this.#engine.db.transaction().execute(async (trx) => {
        for (const change of changes) await add(trx, change, by);
      });
      return undefined;
    } catch (error) {
      if (error instanceof Overtaken) return error.change;
      throw error;
    }
  }
}

/** Locks the counter's row first, so that no other writer can add a change until this transaction ends. */
async function add(
  trx: Transaction<Tables>,
  { language, path, text, expected }: NewChange,
  by: Pick<TextChange, 'at' | 'who'>,
): Promise<void> {
  const seq = await raise(trx, 'texts');
  const last = await trx
    .selectFrom('text_changes')
    .selectAll()
    .where('language', '=', language)
    .where('path', '=', path)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (expected !== undefined && last !== undefined && last.seq !== expected)
    throw new Overtaken(changeOf(last));
  const row = { seq, language, path, text: text === undefined ? null : JSON.stringify(text), ...by };
  await trx.insertInto('text_changes').values(row).execute();
}

/** The text is JSON, because it may be a list. */
const changeOf = ({ text, ...row }: TextChangeRow): TextChange => ({
  ...row,
  text: text === null ? undefined : (JSON.parse(text) as Text),
});
