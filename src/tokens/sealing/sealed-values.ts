/**
 * The list of every sealed column of the database, and the statements that count and reseal their values.
 *
 * `causeway keys` uses it when encryption keys are rotated. Values are read in pages by id and replaced only
 * if they are still what was read, because a value changed meanwhile is sealed with the current key already.
 * A test compares the list with the tables.
 */
import { sql, type RawBuilder } from 'kysely';
import {
  sealedAs,
  type IndexedBefore,
  type IndexTerms,
  type Resealed,
  type SealedRepository,
  type SealedPlace,
  type SealedValue,
} from './sealed.ts';
import type { Engine } from '../../db/engine.ts';

/** A sealed column. The id of the row is the owner of its values. */
interface Column extends SealedPlace {
  readonly table: string;
  readonly value: string;
  readonly index?: string;
}

const column = (table: string, value: string, sealed: string, name: string): Column => ({
  table,
  value,
  column: sealed,
  name,
  purpose: undefined,
  passing: false,
});

/**
 * Every sealed column. Two indexes keep the key that was first when they were written, because the token they were made
 * from is gone: `grant_imports.token_index`, which recognises a token brought along twice, and
 * `grant_spares.parent_index`, whose rows end with the grace of the parent. Both are looked up by every key of the ring.
 */
const columns: readonly Column[] = [
  {
    ...column('accounts', 'account_key_sealed', sealedAs.accountKey, 'account keys'),
    index: 'account_key_index',
    purpose: 'account-key',
  },
  {
    ...column('accounts', 'api_key_sealed', sealedAs.apiKey, 'API keys'),
    index: 'api_key_index',
    purpose: 'api-key',
  },
  {
    ...column('account_api_keys', 'key_sealed', sealedAs.apiKey, 'API keys that V1 has taken'),
    index: 'key_index',
    purpose: 'api-key',
  },
  column('grants', 'access_token', sealedAs.accessToken, 'access tokens'),
  column('grants', 'refresh_token', sealedAs.refreshToken, 'refresh tokens'),
  {
    ...column('grants', 'predecessor_token', sealedAs.refreshToken, 'refresh tokens before the present ones'),
    passing: true,
  },
  {
    ...column('grant_spares', 'access_token', sealedAs.accessToken, 'access tokens of late pairs'),
    passing: true,
  },
  {
    ...column('grant_spares', 'refresh_token', sealedAs.refreshToken, 'refresh tokens of late pairs'),
    passing: true,
  },
  {
    ...column('grant_exports', 'access_token', sealedAs.accessToken, 'access tokens of exported grants'),
    passing: true,
  },
  {
    ...column('grant_exports', 'refresh_token', sealedAs.refreshToken, 'refresh tokens of exported grants'),
    passing: true,
  },
  {
    ...column('consent_attempts', 'verifier_sealed', sealedAs.verifier, 'consents under way'),
    passing: true,
  },
  { ...column('outbox', 'link_sealed', sealedAs.link, 'links in waiting messages'), passing: true },
  { ...column('writes', 'facts_sealed', sealedAs.writeFacts, 'values of writes'), passing: true },
  { ...column('writes', 'answer_sealed', sealedAs.writeAnswer, 'answers to writes'), passing: true },
  { ...column('writes', 'steps_sealed', sealedAs.writeSteps, 'steps of writes'), passing: true },
  column('snapshot', 'fields_sealed', sealedAs.snapshotFields, 'values that only V1 knew'),
  { ...column('replicas', 'head_sealed', sealedAs.replicaHead, 'kept lists'), passing: true },
  {
    ...column('replica_pieces', 'records_sealed', sealedAs.replicaRecords, 'records of kept lists'),
    passing: true,
  },
  { ...column('samples', 'content_sealed', sealedAs.sampleContent, 'samples of replies'), passing: true },
  {
    ...column('parity_latest', 'examples_sealed', sealedAs.parityExamples, 'values of differences'),
    passing: true,
  },
  {
    ...column('console_results', 'content_sealed', sealedAs.consoleResult, 'results of forms in the console'),
    passing: true,
  },
];

/** The columns whose values are needed for as long as their rows exist. */
export const lastingColumns: readonly Pick<Column, 'table' | 'value' | 'column'>[] = columns.filter(
  ({ passing }) => !passing,
);

/** The key's id precedes the first colon. `like` would match any character for the `_` of an id. */
const sealedBy = (value: RawBuilder<string>, keyId: string): RawBuilder<boolean> =>
  sql<boolean>`substr(${value}, 1, ${sql.lit(keyId.length + 1)}) = ${`${keyId}:`}`;

/** The sealed values of the database, column by column. */
export class StoredSealed implements SealedRepository {
  readonly places: readonly SealedPlace[] = columns;
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async counts(place: SealedPlace, keyIds: readonly string[]): Promise<readonly number[]> {
    const { table, value } = columnOf(place);
    const text = sql<string>`${sql.ref(value)}`;
    const each = keyIds.map(
      (id, at) =>
        sql`coalesce(sum(case when ${sealedBy(text, id)} then 1 else 0 end), 0) as ${sql.ref(`k${at}`)}`,
    );
    const { rows } = await sql<Readonly<Record<string, number | string>>>`
      select count(*) as together ${each.length === 0 ? sql`` : sql`, ${sql.join(each)}`}
      from ${sql.table(table)} where ${text} is not null`.execute(this.#engine.db);
    const numbers = keyIds.map((_, at) => Number(rows[0]?.[`k${at}`] ?? 0));
    const together = Number(rows[0]?.together ?? 0);
    return [...numbers, together - numbers.reduce((sum, one) => sum + one, 0)];
  }

  async others(
    place: SealedPlace,
    keyIds: readonly string[],
    { after, limit }: { readonly after: string; readonly limit: number },
  ): Promise<readonly SealedValue[]> {
    const { table, value } = columnOf(place);
    const text = sql<string>`${sql.ref(value)}`;
    const known = keyIds.map((id) => sql`and not ${sealedBy(text, id)}`);
    const { rows } = await sql<SealedValue>`
      select id as owner, ${text} as sealed from ${sql.table(table)}
      where ${text} is not null and id > ${after} ${sql.join(known, sql` `)}
      order by id limit ${sql.lit(limit)}`.execute(this.#engine.db);
    return rows;
  }

  async replace(place: SealedPlace, values: readonly Resealed[]): Promise<number> {
    const { table, value, index } = columnOf(place);
    return this.#engine.db.transaction().execute(async (trx) => {
      let replaced = 0n;
      for (const { value: read, sealed, index: fresh } of values) {
        const also = index === undefined ? sql`` : sql`, ${sql.ref(index)} = ${fresh}`;
        const { numAffectedRows } = await sql`
          update ${sql.table(table)} set ${sql.ref(value)} = ${sealed} ${also}
          where id = ${read.owner} and ${sql.ref(value)} = ${read.sealed}`.execute(trx);
        replaced += numAffectedRows ?? 0n;
      }
      return Number(replaced);
    });
  }

  async indexedBefore(moment: number, terms: IndexTerms): Promise<IndexedBefore> {
    const { indexedBefore } = await import('./indexed-before.ts'); // only for `keys status`
    return indexedBefore(this.#engine.db, moment, terms);
  }
}

function columnOf(place: SealedPlace): Column {
  const found = columns.find((one) => one === place);
  if (found === undefined) throw new Error(`${place.name} is no place of this store`);
  return found;
}
