import { usualTaxRate } from '../../records/usual-tax-rate.ts';
import { choice, day, flag, minutes, money, quantity, reference, text, title } from '../form.ts';
import { rowsOf } from '../table.ts';

/** Percent. V2 shows it as a list of taxes. */
export const taxRate = {
  at: 'taxRate',
  form: money,
  seed: { name: 'taxRate', usual: usualTaxRate },
} as const;

/** An invoice. Code: its number. Its totals are not stored: they follow from the lines. */
export const invoiceRows = rowsOf(
  { at: 'type', form: text, xml: 'Type', seed: { name: 'type', usual: 'Progress Invoice' } },
  { at: 'description', form: text, v2: 'description', xml: 'Description', seed: 'description' },
  { at: 'date', form: day, v2: 'date', xml: 'Date', seed: 'date' },
  { at: 'dueDate', form: day, v2: 'dueDate', xml: 'DueDate', seed: 'dueDate' },
  // An approved invoice whose payments cover it is shown as paid.
  {
    at: 'status',
    form: choice(['Draft', 'Approved', 'Cancelled'], 'Approved'),
    v2: { name: 'status', as: 'lowerCase' },
    seed: 'status',
  },
  { at: 'owner', form: reference('client'), needed: true, v2: 'clientUUID', xml: 'Client', seed: 'client' },
  { at: 'contact', form: reference('contact'), v2: 'contactUUID', xml: 'Contact', seed: 'contact' },
  { at: 'other', form: reference('job'), seed: 'job' },
);

/** Owner: the invoice. Other: the job, or none. */
export const invoiceTaskRows = rowsOf(
  { at: 'name', form: title, v2: 'name', xml: 'Name', seed: 'name' },
  { at: 'description', form: text, v2: 'description', xml: 'Description', seed: 'description' },
  { at: 'minutes', form: minutes, v2: 'time', xml: 'Minutes', seed: 'minutes' },
  { at: 'billableRate', form: money, v2: 'billableRate', xml: 'BillableRate', seed: 'billableRate' },
  { at: 'billable', form: flag(true), v2: 'billable', xml: 'Billable', seed: 'billable' },
  taxRate,
  { at: 'task', form: reference('jobTask'), v2: 'jobTaskUUID' },
);

/** Owner: the invoice, or the quote. Other: the job, or none. */
export const costLineRows = rowsOf(
  { at: 'name', form: title, v2: 'name', xml: 'Description', seed: 'description' },
  { at: 'note', form: text, v2: 'costNote', xml: 'Note', seed: 'note' },
  { at: 'code', form: text, v2: 'costCode', xml: 'Code', seed: 'code' },
  { at: 'billable', form: flag(true), v2: 'billable', xml: 'Billable', seed: 'billable' },
  { at: 'quantity', form: quantity, v2: 'quantity', xml: 'Quantity', seed: 'quantity' },
  { at: 'unitCost', form: money, v2: 'unitCost', xml: 'UnitCost', seed: 'unitCost' },
  { at: 'unitPrice', form: money, v2: 'unitPrice', xml: 'UnitPrice', seed: 'unitPrice' },
  taxRate,
);

/** Owner: the invoice. */
export const paymentRows = rowsOf(
  { at: 'date', form: day, v2: 'date', xml: 'Date', seed: 'date' },
  { at: 'amount', form: money, v2: 'amount', xml: 'Amount', seed: 'amount' },
  { at: 'name', form: text, v2: 'reference', xml: 'Reference', seed: 'reference' },
);
