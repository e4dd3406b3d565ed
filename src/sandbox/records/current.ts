import type { InvoiceFields, PurchaseOrderState, QuoteState } from './kinds/money.ts';
import type { JobStatusType, LeadStatusType } from './kinds/settings.ts';
import type { Records } from './records.ts';

/**
 * What the `current` lists hold. No document says which statuses count; these readings are ours, and this is the only
 * place that knows them.
 */

/** Work that is neither done, billed nor given up. */
const currentJobs: ReadonlySet<JobStatusType> = new Set(['planned', 'in progress', 'on hold']);

/** Leads that are neither won nor lost. */
const currentLeads: ReadonlySet<LeadStatusType> = new Set(['open']);

/** Sent and not yet decided. */
export const currentQuotes: readonly QuoteState[] = ['Issued'];

export const currentPurchaseOrders: readonly PurchaseOrderState[] = ['Issued'];

/** Approved and not yet paid in full. */
export const isCurrentInvoice = (status: InvoiceFields['status'], isPaid: boolean): boolean =>
  status === 'Approved' && !isPaid;

/** The organisation's own names. */
export async function currentJobStates(records: Records): Promise<readonly string[]> {
  const all = await records.all('jobStatus');
  return all.filter(({ fields }) => currentJobs.has(fields.type)).map(({ name }) => name);
}

export async function currentLeadStates(records: Records): Promise<readonly string[]> {
  const all = await records.all('leadStatus');
  return all.filter(({ fields }) => currentLeads.has(fields.type)).map(({ name }) => name);
}
