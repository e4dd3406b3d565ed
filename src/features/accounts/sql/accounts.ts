/**
 * The rows of accounts: keys, details, timeline and stage.
 *
 * Keys are stored sealed and found by keyed hash. Every change runs in a transaction that locks the account's row,
 * computes the new stage from the row as it then is, and appends a timeline entry. The consequences of a change for
 * other features happen in the same transaction (`AccountEffects`).
 */
import { sql, type Transaction } from 'kysely';
import type { Tables, Trx } from '../../../db/tables.ts';
import type { Account, AccountEvent, Stage, StageName } from '../account.ts';
import {
  AmbiguousName,
  MOST_PINNED,
  DuplicateAccount,
  OrganisationTaken,
  type AccountRepository,
  type ApplicationUse,
  type ApiKeyPin,
  type KeyedAccount,
  type NewAccount,
  type SealedKeys,
} from '../model.ts';
import type { AccountChange, AccountDetails } from '../details.ts';
import { lockedAccount } from './account-lock.ts';
import { accountOf, firstRow, lifeOf } from './account-row.ts';
import { changeDetails, changedColumns, detailsOf, detailsRow, searchDetails } from './details-row.ts';
import { applicationsIn, checkApplication, checkProduct } from './applications.ts';
import { wasErased } from './erased-keys.ts';
import type { Engine } from '../../../db/engine.ts';
import { violates } from '../../../db/fault.ts';
import type { AccountRow } from './tables.ts';
import { append, enter } from './timeline.ts';

/** Read with the account, because every call needs both. */
const PINNED = sql<string | null>`
  (select string_agg(pin.key_index, ' ') from account_api_keys as pin where pin.account_id = accounts.id)
`.as('pinned');

/** The consequences for other features, in the same transaction, when an account changes. */
export interface AccountEffects {
  /** The e-mail address changed: waiting e-mails go to the new one, and links that were mailed to the old one end. */
  readonly newAddress: (
    trx: Transaction<Tables>,
    accountId: string,
    address: string | undefined,
    event: AccountEvent,
  ) => Promise<void>;
  /** The stage changed: a consent no longer waits for the operator. `kept`: the grant that stays in use. */
  readonly stageLeft: (
    trx: Transaction<Tables>,
    before: AccountRow,
    kept: string | undefined,
    now: number,
  ) => Promise<void>;
}

/** The repository of accounts, for SQLite and PostgreSQL. */
export class StoredAccounts implements AccountRepository {
  readonly #engine: Engine;
  readonly #effects: AccountEffects;

  constructor(engine: Engine, effects: AccountEffects) {
    this.#engine = engine;
    this.#effects = effects;
  }

  async add(account: NewAccount): Promise<Account> {
    const row = firstRow(account);
    const event = { at: account.now, kind: account.origin, actor: account.actor, detail: account.name };
    try {
      await this.#engine.db.transaction().execute(async (trx) => {
        await trx.insertInto('accounts').values(row).execute();
        await trx.deleteFrom('erased_keys').where('key_index', '=', row.account_key_index).execute();
        if (account.details !== undefined)
          await trx.insertInto('account_details').values(detailsRow(row.id, account.details)).execute();
        await append(trx, row.id, event, { from: undefined, to: row.stage });
      });
    } catch (error) {
      if (violates(error, 'accounts_account_key_index')) throw new DuplicateAccount('account key');
      if (violates(error, 'accounts_id')) throw new DuplicateAccount('id');
      throw error;
    }
    return accountOf(row);
  }

  async byKeyIndex(indexes: readonly string[]): Promise<KeyedAccount | undefined> {
    if (indexes.length === 0) return undefined;
    const row = await this.#engine.read((reads) =>
      reads
        .selectFrom('accounts')
        .selectAll()
        .select(PINNED)
        .where('account_key_index', 'in', indexes)
        .limit(1)
        .executeTakeFirst(),
    );
    return (
      row && {
        account: accountOf(row),
        apiKeyIndex: row.api_key_index ?? undefined,
        pinned: row.pinned?.split(' ') ?? [],
      }
    );
  }

  wasErased(indexes: readonly string[]): Promise<boolean> {
    return wasErased(this.#engine, indexes);
  }

  async byId(id: string): Promise<Account | undefined> {
    const row = await this.#engine.read((reads) =>
      reads.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst(),
    );
    return row && accountOf(row);
  }

  async find(idOrName: string): Promise<Account | undefined> {
    const byId = await this.byId(idOrName);
    if (byId) return byId;
    const [named, another] = await this.#all('name', idOrName);
    if (another) throw new AmbiguousName(idOrName);
    return named;
  }

  async byGrant(grantId: string): Promise<readonly Account[]> {
    return this.#all('grant_id', grantId);
  }

  async byOrganisation(organisationId: string, application: string): Promise<Account | undefined> {
    const row = await this.#engine.read((reads) =>
      reads
        .selectFrom('accounts')
        .selectAll()
        .where('application_id', '=', application)
        .where('organisation_id', '=', organisationId)
        .where('stage', '!=', 'awaiting-operator')
        .executeTakeFirst(),
    );
    return row && accountOf(row);
  }

  applications(): Promise<readonly ApplicationUse[]> {
    return applicationsIn(this.#engine.db);
  }

  async list(stages?: readonly StageName[]): Promise<readonly Account[]> {
    if (stages?.length === 0) return [];
    const rows = await this.#engine.db
      .selectFrom('accounts')
      .selectAll()
      .$if(stages !== undefined, (query) => query.where('stage', 'in', stages ?? []))
      .orderBy('created_at')
      // Accounts from one import may share a millisecond: sorted so that an export and its import agree on the order.
      .orderBy('name')
      .orderBy('id')
      .execute();
    return rows.map(accountOf);
  }

  async sealedKeys(id: string): Promise<SealedKeys | undefined> {
    const row = await this.#engine.db
      .selectFrom('accounts')
      .select(['account_key_sealed', 'api_key_sealed'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { account_key_sealed: accountKey, api_key_sealed: given } = row;
    return given === null
      ? { accountKey, apiKey: await this.#lastPinned(id), apiKeyDemanded: false }
      : { accountKey, apiKey: { owner: id, sealed: given }, apiKeyDemanded: true };
  }

  async pinApiKey(accountId: string, { id, indexes, sealed, at }: ApiKeyPin): Promise<void> {
    const [index] = indexes;
    if (index === undefined) return;
    await this.#engine.db.transaction().execute(async (trx) => {
      await lockedAccount(this.#engine, trx, accountId);
      const known = await trx
        .updateTable('account_api_keys')
        .set({ seen_at: at })
        .where('account_id', '=', accountId)
        .where('key_index', 'in', indexes)
        .executeTakeFirst();
      if (known.numUpdatedRows > 0n) return;
      await trx
        .insertInto('account_api_keys')
        .values({ id, account_id: accountId, key_index: index, key_sealed: sealed, seen_at: at })
        .execute();
      await trx
        .deleteFrom('account_api_keys')
        .where('account_id', '=', accountId)
        .where('id', 'not in', (query) =>
          query
            .selectFrom('account_api_keys as kept')
            .select('kept.id')
            .where('kept.account_id', '=', accountId)
            .orderBy('kept.seen_at', 'desc')
            .orderBy('kept.id')
            .limit(MOST_PINNED),
        )
        .execute();
    });
  }

  async change(...[id, transition, event, also]: Parameters<AccountRepository['change']>): Promise<Account> {
    let wanted: Stage | undefined;
    try {
      const row = await this.#engine.db.transaction().execute(async (trx) => {
        const present = await lockedAccount(this.#engine, trx, id);
        wanted = transition(lifeOf(present));
        const after = await enter(trx, present, wanted, event);
        await this.#effects.stageLeft(trx, present, after.grant_id ?? undefined, event.at);
        await also?.(trx);
        return after;
      });
      return accountOf(row);
    } catch (error) {
      if (violates(error, 'accounts_application_id_organisation_id') && wanted && 'binding' in wanted)
        throw new OrganisationTaken(wanted.binding.organisation.name);
      throw error;
    }
  }

  async details(id: string, trx?: Trx): Promise<AccountDetails> {
    return detailsOf(
      await (trx ?? this.#engine.db)
        .selectFrom('account_details')
        .selectAll()
        .where('account_id', '=', id)
        .executeTakeFirst(),
    );
  }

  async allDetails(): Promise<ReadonlyMap<string, AccountDetails>> {
    const rows = await this.#engine.db.selectFrom('account_details').selectAll().execute();
    return new Map(rows.map((row) => [row.account_id, detailsOf(row)]));
  }

  search(words: string): Promise<ReadonlySet<string>> {
    return searchDetails(this.#engine.reads, words);
  }

  async set(id: string, change: AccountChange, event: AccountEvent): Promise<Account> {
    const row = await this.#engine.db.transaction().execute(async (trx) => {
      const present = await lockedAccount(this.#engine, trx, id);
      const columns = changedColumns(change);
      checkProduct(present, change.product);
      await checkApplication(trx, present, change.application);
      if (Object.keys(columns).length > 0)
        await trx.updateTable('accounts').set(columns).where('id', '=', id).execute();
      await changeDetails(trx, id, change);
      await append(trx, id, event);
      if ('email' in change) await this.#effects.newAddress(trx, id, change.email, event);
      return { ...present, ...columns };
    });
    return accountOf(row);
  }

  async note(id: string, event: AccountEvent): Promise<void> {
    await this.#engine.db.transaction().execute(async (trx) => {
      await lockedAccount(this.#engine, trx, id);
      await append(trx, id, event);
    });
  }

  async timeline(id: string, trx?: Trx): Promise<readonly AccountEvent[]> {
    return (trx ?? this.#engine.db)
      .selectFrom('account_events')
      .select(['at', 'kind', 'actor', 'detail'])
      .where('account_id', '=', id)
      .orderBy('position')
      .execute();
  }

  async #lastPinned(accountId: string): Promise<SealedKeys['apiKey']> {
    const row = await this.#engine.db
      .selectFrom('account_api_keys')
      .select(['id', 'key_sealed'])
      .where('account_id', '=', accountId)
      .orderBy('seen_at', 'desc')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    return row && { owner: row.id, sealed: row.key_sealed };
  }

  async #all(column: 'grant_id' | 'name', value: string): Promise<readonly Account[]> {
    const rows = await this.#engine.db
      .selectFrom('accounts')
      .selectAll()
      .where(column, '=', value)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map(accountOf);
  }
}
