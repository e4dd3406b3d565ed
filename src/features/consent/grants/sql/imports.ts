/**
 * The rows of imported tokens.
 *
 * `begin` writes the grant, its import and the timeline entry in one transaction under the lock of the account's row,
 * so two imports for the same account, or of the same token for two, cannot both succeed. `discard` stores the tokens
 * for revocation with the decision: a process that dies leaves no tokens unhandled.
 */
import type { Engine } from '../../../../db/engine.ts';
import { violates } from '../../../../db/fault.ts';
import type { Trx } from '../../../../db/tables.ts';
import { newGrantRow, consenterColumns } from '../../../../tokens/grant-row.ts';
import type { Consenter } from '../../../../upstream/organisation.ts';
import { lockAccount, lockedAccount } from '../../../accounts/sql/account-lock.ts';
import type { AccountRow } from '../../../accounts/sql/tables.ts';
import { append } from '../../../accounts/sql/timeline.ts';
import type { JudgedOrganisation } from '../../model.ts';
import { storeRevocation } from '../../sql/awaiting.ts';
import {
  grantEvents,
  importReasons,
  isImportReason,
  isOpen,
  openImportStates,
  type GrantImport,
  type ImportBeginning,
  type ImportHindrance,
  type ImportRepository,
} from '../model.ts';
import type { GrantImportRow } from './tables.ts';

/** The repository of imported tokens. */
export class StoredImports implements ImportRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async hindrance(beginning: ImportBeginning): Promise<ImportHindrance | undefined> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const account = await trx
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', beginning.accountId)
        .executeTakeFirst();
      return account && hindranceFor(trx, account, beginning);
    });
  }

  async begin(beginning: Parameters<ImportRepository['begin']>[0]): Promise<ImportHindrance | undefined> {
    const { accountId, grant, given, who, tokenIndexes } = beginning;
    const [tokenIndex = ''] = tokenIndexes;
    try {
      return await this.#engine.db.transaction().execute(async (trx) => {
        const account = await lockedAccount(this.#engine, trx, accountId);
        const found = await hindranceFor(trx, account, beginning);
        if (found !== undefined) return found;
        await trx.insertInto('grants').values(newGrantRow(grant)).execute();
        // A refused token may be tried again: the script may have been right after all.
        await trx
          .deleteFrom('grant_imports')
          .where('state', '=', 'refused')
          .where('token_index', 'in', tokenIndexes)
          .execute();
        await trx
          .insertInto('grant_imports')
          .values({
            id: grant.id,
            account_id: accountId,
            token_index: tokenIndex,
            state: 'importing',
            reason: null,
            given: given ?? null,
            organisations: '[]',
            who,
            started_at: grant.now,
            since: grant.now,
          })
          .execute();
        const detail = 'the import of a refresh token began';
        await append(trx, accountId, { at: grant.now, kind: grantEvents.importing, actor: who, detail });
        return undefined;
      });
    } catch (error) {
      // The same token is being imported for another account at this moment.
      if (violates(error, 'grant_imports_token_index')) return 'sameToken';
      throw error;
    }
  }

  async list(): Promise<readonly GrantImport[]> {
    return (await this.#rows().orderBy('one.started_at').orderBy('one.id').execute()).map(importOf);
  }

  async find(id: string): Promise<GrantImport | undefined> {
    const row = await this.#rows().where('one.id', '=', id).executeTakeFirst();
    return row && importOf(row);
  }

  async ofAccount(accountId: string): Promise<GrantImport | undefined> {
    const rows = await this.#rows()
      .where('one.account_id', '=', accountId)
      .orderBy('one.started_at', 'desc')
      .orderBy('one.id')
      .execute();
    const row = rows.find(({ state }) => isOpen(state)) ?? rows[0];
    return row && importOf(row);
  }

  async learned(id: string, consenter: Consenter, scope: string | undefined): Promise<void> {
    await this.#engine.db
      .updateTable('grants')
      .set({ ...consenterColumns(consenter), ...(scope !== undefined && { scope }) })
      .where('id', '=', id)
      .execute();
  }

  async settle(id: string, settled: Parameters<ImportRepository['settle']>[1]): Promise<boolean> {
    const { state, reason, organisations, now } = settled;
    return this.#locked(id, async (trx) => {
      const row = await trx
        .updateTable('grant_imports')
        .set({
          state,
          reason: reason ?? null,
          ...(organisations && { organisations: JSON.stringify(organisations) }),
          since: now,
        })
        .where('id', '=', id)
        .where('state', 'in', openImportStates)
        .returning('account_id')
        .executeTakeFirst();
      if (row === undefined) return false;
      if (reason === undefined || state === 'granted') return true;
      const [kind, detail] = [grantEvents[state], importReasons[reason]];
      await append(trx, row.account_id, { at: now, kind, actor: 'bridge', detail });
      return true;
    });
  }

  async discard(id: string, who: string, now: number): Promise<boolean> {
    return this.#locked(id, async (trx) => {
      const row = await trx
        .deleteFrom('grant_imports')
        .where('id', '=', id)
        .where('state', '!=', 'granted')
        .returning(['account_id', 'state'])
        .executeTakeFirst();
      if (row === undefined) return false;
      if (isOpen(row.state)) await storeRevocation(trx, id, row.account_id, now);
      const detail = 'the imported token was discarded, and is revoked';
      await append(trx, row.account_id, { at: now, kind: grantEvents.discarded, actor: who, detail });
      return true;
    });
  }

  /**
   * Runs under the lock of the account's row, which also guards the positions of its timeline. Returns false if the
   * import does not exist.
   */
  async #locked(id: string, work: (trx: Trx) => Promise<boolean>): Promise<boolean> {
    return this.#engine.db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('grant_imports')
        .select('account_id')
        .where('id', '=', id)
        .executeTakeFirst();
      if (row === undefined) return false;
      await lockAccount(this.#engine, trx, row.account_id);
      return work(trx);
    });
  }

  #rows() {
    return this.#engine.db
      .selectFrom('grant_imports as one')
      .innerJoin('accounts', 'accounts.id', 'one.account_id')
      .selectAll('one')
      .select('accounts.name as account');
  }
}

/** The caller has read the account's row, and locked it if it is going to write. */
async function hindranceFor(
  trx: Trx,
  account: AccountRow,
  { tokenIndexes, replace }: ImportBeginning,
): Promise<ImportHindrance | undefined> {
  if (account.stage === 'closed') return 'closed';
  const imports = await trx
    .selectFrom('grant_imports')
    .select(['account_id', 'state', 'token_index'])
    .where((query) =>
      query.or([query('account_id', '=', account.id), query('token_index', 'in', tokenIndexes)]),
    )
    .execute();
  if (imports.some(({ state, token_index: used }) => state !== 'refused' && tokenIndexes.includes(used)))
    return 'sameToken';
  if (imports.some(({ account_id: id, state }) => id === account.id && isOpen(state))) return 'underWay';
  if (account.stage === 'awaiting-operator') return 'awaiting';
  return !replace && (await isLiving(trx, account)) ? 'living' : undefined;
}

async function isLiving(trx: Trx, { grant_id: grantId }: AccountRow): Promise<boolean> {
  if (grantId === null) return false;
  const grant = await trx.selectFrom('grants').select('state').where('id', '=', grantId).executeTakeFirst();
  return grant !== undefined && grant.state !== 'lost';
}

const importOf = (row: GrantImportRow & { readonly account: string }): GrantImport => ({
  id: row.id,
  accountId: row.account_id,
  account: row.account,
  state: row.state,
  reason: row.reason !== null && isImportReason(row.reason) ? row.reason : undefined,
  given: row.given ?? undefined,
  organisations: JSON.parse(row.organisations) as readonly JudgedOrganisation[],
  who: row.who,
  startedAt: row.started_at,
  since: row.since,
});
