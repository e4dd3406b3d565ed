/** Forms of answers as rows of the database. */
import type { Trx } from '../../../db/tables.ts';
import { departuresOf, forgetPassing, type Departure } from './learning/departures.ts';
import { packedLearned, type Learned } from './learning/learned.ts';
import type { Observed, OperationOfAccount } from './learning/recorder.ts';
import type { DriftFormRow } from './tables.ts';

/** The key of its row. */
export const keyOf = ({
  accountId,
  upstream,
  method,
  operation,
}: OperationOfAccount): Pick<DriftFormRow, 'account_id' | 'upstream' | 'method' | 'operation'> => ({
  ...{ account_id: accountId, upstream, method, operation },
});

/** The operation of a row. */
export const operationIn = (
  row: Pick<DriftFormRow, 'account_id' | 'upstream' | 'method' | 'operation'>,
): OperationOfAccount => ({
  ...{ accountId: row.account_id, upstream: row.upstream, method: row.method, operation: row.operation },
});

const orderOf = (of: OperationOfAccount): string => Object.values(keyOf(of)).join('\n');

/** The order in which rows are locked. */
export const inOrder = (a: OperationOfAccount, b: OperationOfAccount): number =>
  orderOf(a) < orderOf(b) ? -1 : 1;

/** The departures of a row. */
export const departuresIn = (json: string | null): readonly Departure[] =>
  json === null ? [] : (JSON.parse(json) as readonly Departure[]);

/** Accounts whose calls are not counted (`causeway usage`), or that no longer exist. */
export async function accountsOff(trx: Trx, observed: readonly Observed[]): Promise<ReadonlySet<string>> {
  const ids = [...new Set(observed.map(({ accountId }) => accountId))];
  const known = await trx
    .selectFrom('accounts')
    .leftJoin('usage_accounts', 'usage_accounts.account_id', 'accounts.id')
    .select(['accounts.id', 'usage_accounts.off'])
    .where('accounts.id', 'in', ids)
    .execute();
  const on = new Set(known.filter(({ off }) => off !== 1).map(({ id }) => id));
  return new Set(ids.filter((id) => !on.has(id)));
}

/** Stores the form of a locked row. */
export async function write(trx: Trx, of: OperationOfAccount, learned: Learned): Promise<void> {
  forgetPassing(learned);
  const departures = departuresOf(learned);
  const key = keyOf(of);
  await trx
    .updateTable('drift_forms')
    .set({
      content: await packedLearned(learned),
      departures: departures.length === 0 ? null : JSON.stringify(departures),
      answers: learned.answers,
      last_at: learned.last,
    })
    .where('account_id', '=', key.account_id)
    .where('upstream', '=', key.upstream)
    .where('method', '=', key.method)
    .where('operation', '=', key.operation)
    .execute();
}
