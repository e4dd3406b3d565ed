import { choice, day, money, quantity, reference, text, title } from '../form.ts';
import { taxRate } from './invoice.ts';
import { everywhere, modernRow, rowsOf } from '../table.ts';

/** A purchase order. Code: its number. */
export const purchaseOrderRows = rowsOf(
  everywhere('description', text),
  everywhere('date', day, { v2: { needed: true } }),
  everywhere('deliveryAddress', text),
  everywhere('state', choice(['Draft', 'Issued', 'Cancelled'], 'Draft'), {
    v2: { name: 'status', as: 'lowerCase' },
    xml: { readOnly: true },
    seed: { name: 'state', usual: 'Issued' },
  }),
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

/** Owner: the purchase order. Names its job if the lines of the order are for several. */
export const purchaseOrderCostRows = rowsOf(
  { at: 'name', form: title, v2: 'description', xml: 'Description', seed: 'description' },
  everywhere('code', text),
  everywhere('note', text, { v2: { name: 'notes' } }),
  everywhere('quantity', quantity, { v2: { needed: true } }),
  everywhere('unitCost', money, { v2: { needed: true } }),
  taxRate,
  { at: 'job', form: reference('job'), needed: true, v2: 'jobUUID' },
  { at: 'cost', form: reference('cost'), v2: 'costUUID' },
  { at: 'other', form: reference('jobCost'), v2: { name: 'jobCostUUID', written: false } },
  modernRow('type', choice(['Service', 'Stock'], 'Service')),
);

/** A supplier's bill for an order. Owner: the purchase order. Its lines are not in the table. */
export const billRows = rowsOf(
  { at: 'name', form: text, v2: 'supplierBillNumber' },
  { at: 'date', form: day, v2: { name: 'billDate', needed: true } },
  modernRow('dueDate', day),
  modernRow('receiptDate', day),
);

/** A supplier's delivery. Owner: the purchase order. Code: its number. Its lines are not in the table. */
export const stockReceiptRows = rowsOf(
  { at: 'note', form: text, v2: 'stockReceiptNote' },
  { at: 'date', form: day, v2: { name: 'receiptDate', needed: true } },
);
