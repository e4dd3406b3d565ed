import { isUuid } from '../../../lib/text/uuid.ts';
import type { Kind, StoredRecord } from '../../records/kinds.ts';
import type { Records } from '../../records/records.ts';
import type { JsonCall } from '../operation/call.ts';
import { invalid, notFound } from '../operation/refusal.ts';

/** Kinds that can also be addressed by number. */
const numbered = new Set<Kind>(['job', 'purchaseOrder', 'quote']);

/** Kinds that disappear with their owner. */
const belonging: Partial<Record<Kind, Kind>> = {
  contact: 'client',
  supplierContact: 'supplier',
  jobTask: 'job',
  jobCost: 'job',
  time: 'job',
  quoteCost: 'quote',
};

/** Returns the record named by a path parameter. Throws `JsonRefusal` 404, also for an invalid identifier. */
export async function ofPath<K extends Kind>(
  records: Records,
  kind: K,
  identifier: string,
): Promise<StoredRecord<K>> {
  const found = await living(records, kind, identifier);
  if (found) return found;
  const byNumber = numbered.has(kind) ? await records.byCode(kind, identifier) : undefined;
  if (!byNumber) throw notFound(words[kind]);
  return byNumber;
}

/** Returns the record named by a UUID in the body. Throws `JsonRefusal` 422. */
export async function ofBody<K extends Kind>(
  call: JsonCall,
  kind: K,
  uuid: string,
  field: string,
): Promise<StoredRecord<K>> {
  const found = await living(call.records, kind, uuid);
  if (!found) throw invalid(field, `${field} names no ${words[kind] ?? kind}`);
  return found;
}

/**
 * Returns a reference as it is stored after the call: undefined keeps, null clears. Throws `JsonRefusal` 422.
 */
export async function referenceAfter(
  call: JsonCall,
  kind: Kind,
  given: string | null | undefined,
  field: string,
  before = '',
): Promise<string> {
  if (given === undefined) return before;
  if (given === null) return '';
  return (await ofBody(call, kind, given, field)).uuid;
}

async function living<K extends Kind>(
  records: Records,
  kind: K,
  uuid: string,
): Promise<StoredRecord<K> | undefined> {
  const found = isUuid(uuid) ? await records.byUuid(kind, uuid) : undefined;
  const ownerKind = belonging[kind];
  if (!found?.owner || ownerKind === undefined) return found;
  return (await records.byUuid(ownerKind, found.owner)) ? found : undefined;
}

const words: Partial<Record<Kind, string>> = {
  category: 'job category',
  jobStatus: 'job status',
  jobTask: 'job task',
  jobCost: 'job cost',
  staff: 'staff member',
  task: 'task',
  cost: 'cost item',
  template: 'job template',
  group: 'client group',
  clientType: 'client type',
  businessStructure: 'business structure',
  customField: 'custom field',
  purchaseOrder: 'purchase order',
  supplierContact: 'contact',
  time: 'timesheet',
  leadStatus: 'lead status',
  leadCategory: 'lead category',
  client: 'client',
  contact: 'contact',
  job: 'job',
  supplier: 'supplier',
  lead: 'lead',
  quote: 'quote',
  invoice: 'invoice',
};

/** Reads a record including the changes of this call. */
export async function fresh<K extends Kind>(call: JsonCall, kind: K, uuid: string): Promise<StoredRecord<K>> {
  const found = await call.records.byUuid(kind, uuid);
  if (!found) throw new Error(`a record of kind ${kind} is gone within its own transaction`);
  return found;
}
