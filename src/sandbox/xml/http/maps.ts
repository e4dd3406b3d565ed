import { HOUR } from '../../../lib/time/clock.ts';
import type { Kind } from '../../records/kinds.ts';
import type { Answer, Operation, XmlCall } from '../call.ts';
import { type Fields, recordWriter, text } from '../record/fields.ts';
import { isoDateTime } from '../../tables/values.ts';

/** Every kind whose numbers a program may have stored, by the name of its table. */
export const mapTypes: readonly (readonly [type: string, kind: Kind])[] = [
  ['Client', 'client'],
  ['Contact', 'contact'],
  ['Group', 'group'],
  ['Relationship', 'relationship'],
  ['Document', 'document'],
  ['CustomField', 'customField'],
  ['Staff', 'staff'],
  ['Supplier', 'supplier'],
  ['SupplierContact', 'supplierContact'],
  ['Lead', 'lead'],
  ['Job', 'job'],
  ['JobTask', 'jobTask'],
  ['JobCost', 'jobCost'],
  ['Time', 'time'],
  ['Task', 'task'],
  ['Cost', 'cost'],
  ['Category', 'category'],
  ['Template', 'template'],
  ['LeadCategory', 'leadCategory'],
  ['Note', 'note'],
  ['Comment', 'comment'],
  ['Invoice', 'invoice'],
  ['InvoiceTask', 'invoiceTask'],
  ['Quote', 'quote'],
  ['PurchaseOrder', 'purchaseOrder'],
];

interface MapView {
  readonly type: string;
  readonly date: number;
  readonly file: string;
  readonly expiry: number;
}

const mapFields: Fields<MapView> = [
  text('Type', ({ type }) => type),
  text('Date', ({ date }) => isoDateTime(date)),
  text('File', ({ file }) => file),
  text('Expiry', ({ expiry }) => isoDateTime(expiry)),
];

const LIFETIME = 24 * HOUR;

async function maps(call: XmlCall): Promise<Answer> {
  const { now, publicUrl } = call;
  const expiry = now + LIFETIME;
  const kinds = mapTypes.map(([, kind]) => kind);
  const tokens = await call.files.addMaps(call.records.organisationId, kinds, now, expiry);
  const views = mapTypes.map(([type], at): MapView => {
    return { type, date: now, file: `${publicUrl}/v1/files/${tokens[at] ?? ''}`, expiry };
  });
  return { answer: 'list', container: 'Maps', records: views.map(recordWriter('Map', mapFields)) };
}

/** Helps with the transition, so it exists only on V1, where the numbers are. */
export const mapOperations: readonly Operation[] = [
  { id: 'uuid.maps', verbs: ['GET'], path: 'uuid.api/maps', surfaces: ['v1'], serve: maps },
];
