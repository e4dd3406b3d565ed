import { choice, day, flag, minutes, money, quantity, reference, text, title } from '../form.ts';
import { everywhere, legacyRow, rowsOf } from '../table.ts';

/** Percent; for lines that state no tax. */
export const usualTaxRate = '15.00';

/** Percent. V2 shows it as a list of taxes. */
export const taxRate = {
  at: 'taxRate',
  form: money,
  seed: { name: 'taxRate', usual: usualTaxRate },
} as const;

/** An invoice. Code: its number. Its totals are not stored, but calculated from the lines. */
export const invoiceRows = rowsOf(
  legacyRow('type', text, { seed: { name: 'type', usual: 'Progress Invoice' } }),
  everywhere('description', text),
  everywhere('date', day),
  everywhere('dueDate', day),
  // An approved invoice covered by payments is shown as paid.
  {
    at: 'status',
    form: choice(['Draft', 'Approved', 'Cancelled'], 'Approved'),
    v2: { name: 'status', as: 'lowerCase' },
    seed: 'status',
  },
  { at: 'owner', form: reference('client'), needed: true, v2: 'clientUUID', xml: 'Client', seed: 'client' },
  everywhere('contact', reference('contact'), { v2: { name: 'contactUUID' } }),
  { at: 'other', form: reference('job'), seed: 'job' },
);

/** Owner: the invoice. Other: the job, or none. */
export const invoiceTaskRows = rowsOf(
  everywhere('name', title),
  everywhere('description', text),
  everywhere('minutes', minutes, { v2: { name: 'time' } }),
  everywhere('billableRate', money),
  everywhere('billable', flag(true)),
  taxRate,
  { at: 'task', form: reference('jobTask'), v2: 'jobTaskUUID' },
);

/** Owner: the invoice or the quote. Other: the job, or none. */
export const costLineRows = rowsOf(
  { at: 'name', form: title, v2: 'name', xml: 'Description', seed: 'description' },
  everywhere('note', text, { v2: { name: 'costNote' } }),
  everywhere('code', text, { v2: { name: 'costCode' } }),
  everywhere('billable', flag(true)),
  everywhere('quantity', quantity),
  everywhere('unitCost', money),
  everywhere('unitPrice', money),
  taxRate,
);

/** Owner: the invoice. */
export const paymentRows = rowsOf(everywhere('date', day), everywhere('amount', money), {
  at: 'name',
  form: text,
  v2: 'reference',
  xml: 'Reference',
  seed: 'reference',
});
