import type { RecordFields } from './kinds.ts';
import type { Records } from './records.ts';

/**
 * What the `current` lists contain. The specification does not say which statuses count; these readings are
 * ours, and only this file depends on them.
 */

/** Work that is not completed, billed or cancelled. */
const currentJobs: ReadonlySet<RecordFields['jobStatus']['type']> = new Set([
  'planned',
  'in progress',
  'on hold',
]);

/** Leads that are neither won nor lost. */
const currentLeads: ReadonlySet<RecordFields['leadStatus']['type']> = new Set(['open']);

/** Sent and not yet decided. */
export const currentQuotes: readonly RecordFields['quote']['state'][] = ['Issued'];

export const currentPurchaseOrders: readonly RecordFields['purchaseOrder']['state'][] = ['Issued'];

/** Approved and not yet paid in full. */
export const isCurrentInvoice = (status: RecordFields['invoice']['status'], isPaid: boolean): boolean =>
  status === 'Approved' && !isPaid;

/** The names of the statuses, which each organisation chooses. */
export async function currentJobStates(records: Records): Promise<readonly string[]> {
  const all = await records.all('jobStatus');
  return all.filter(({ fields }) => currentJobs.has(fields.type)).map(({ name }) => name);
}

/** The names of the statuses of open leads. */
export async function currentLeadStates(records: Records): Promise<readonly string[]> {
  const all = await records.all('leadStatus');
  return all.filter(({ fields }) => currentLeads.has(fields.type)).map(({ name }) => name);
}

/** The status of a new record: the first of the type, or the first of all. */
export async function firstState(
  records: Records,
  kind: 'jobStatus' | 'leadStatus',
  type: RecordFields['jobStatus' | 'leadStatus']['type'],
): Promise<string> {
  const all = await records.all(kind);
  return (all.find(({ fields }) => fields.type === type) ?? all[0])?.name ?? '';
}
