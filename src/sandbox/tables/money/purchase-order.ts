import { choice, day, money, quantity, reference, text, title } from '../form.ts';
import { taxRate } from './invoice.ts';
import { rowsOf } from '../table.ts';

/** A purchase order. Code: its number. */
export const purchaseOrderRows = rowsOf(
  { at: 'description', form: text, v2: 'description', xml: 'Description', seed: 'description' },
  { at: 'date', form: day, v2: { name: 'date', needed: true }, xml: 'Date', seed: 'date' },
  {
    at: 'deliveryAddress',
    form: text,
    v2: 'deliveryAddress',
    xml: 'DeliveryAddress',
    seed: 'deliveryAddress',
  },
  {
    at: 'state',
    form: choice(['Draft', 'Issued', 'Cancelled'], 'Draft'),
    v2: { name: 'status', as: 'lowerCase' },
    xml: { element: 'State', readOnly: true },
    seed: { name: 'state', usual: 'Issued' },
  },
  { at: 'other', form: reference('job'), xml: { element: 'Job', as: 'coded', readOnly: true }, seed: 'job' },
  {
    at: 'owner',
    form: reference('supplier'),
    needed: true,
    v2: 'supplierUUID',
    xml: { element: 'Supplier', readOnly: true },
    seed: 'supplier',
  },
);

/** Owner: the purchase order. Its job stands where the lines of the order are for several. */
export const purchaseOrderCostRows = rowsOf(
  { at: 'name', form: title, v2: 'description', xml: 'Description', seed: 'description' },
  { at: 'code', form: text, v2: 'code', xml: 'Code', seed: 'code' },
  { at: 'note', form: text, v2: 'notes', xml: 'Note', seed: 'note' },
  {
    at: 'quantity',
    form: quantity,
    v2: { name: 'quantity', needed: true },
    xml: 'Quantity',
    seed: 'quantity',
  },
  { at: 'unitCost', form: money, v2: { name: 'unitCost', needed: true }, xml: 'UnitCost', seed: 'unitCost' },
  taxRate,
  { at: 'job', form: reference('job'), needed: true, v2: 'jobUUID' },
  { at: 'cost', form: reference('cost'), v2: 'costUUID' },
  { at: 'other', form: reference('jobCost'), v2: { name: 'jobCostUUID', written: false } },
  { at: 'type', form: choice(['Service', 'Stock'], 'Service'), v2: 'type' },
);

/** What a supplier bills for an order. Owner: the purchase order. Its lines are told by hand. */
export const billRows = rowsOf(
  { at: 'name', form: text, v2: 'supplierBillNumber' },
  { at: 'date', form: day, v2: { name: 'billDate', needed: true } },
  { at: 'dueDate', form: day, v2: 'dueDate' },
  { at: 'receiptDate', form: day, v2: 'receiptDate' },
);

/** What a supplier delivered. Owner: the purchase order. Code: its number. Its lines are told by hand. */
export const stockReceiptRows = rowsOf(
  { at: 'note', form: text, v2: 'stockReceiptNote' },
  { at: 'date', form: day, v2: { name: 'receiptDate', needed: true } },
);
