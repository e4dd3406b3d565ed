import { widen, type Trx } from './shape.ts';

/** An account's readiness in short, for the status report, which reads that of all accounts. */
export async function verdicts(trx: Trx): Promise<void> {
  await widen(trx, 'usage_accounts', { verdict: 'text?' });
}
