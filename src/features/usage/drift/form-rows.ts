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

/**
 * The observations that count: none of an account that no longer exists or whose calls are not counted (`causeway
 * usage`), and none from before its names were erased (`causeway forget --usage`).
 */
export async function counted(trx: Trx, observed: readonly Observed[]): Promise<readonly Observed[]> {
  const rows = await trx
    .selectFrom('accounts')
    .leftJoin('usage_accounts', 'usage_accounts.account_id', 'accounts.id')
    .select(['accounts.id', 'usage_accounts.off', 'usage_accounts.forgotten_at'])
    .where('accounts.id', 'in', [...new Set(observed.map(({ accountId }) => accountId))])
    .execute();
  const since = new Map(
    rows.filter(({ off }) => off !== 1).map(({ id, forgotten_at: at }) => [id, at ?? -Infinity]),
  );
  return observed
    .map((one) => {
      const erasedAt = since.get(one.accountId) ?? Infinity;
      return { ...one, observations: one.observations.filter(({ at }) => at > erasedAt) };
    })
    .filter(({ observations }) => observations.length > 0);
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
