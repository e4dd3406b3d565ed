/** Quotes, invoices and purchase orders as they appear in a job. Totals are calculated from the lines. */
import { z } from 'zod';
import type { Kind, StoredRecord } from '../../records/kinds.ts';
import type { Records } from '../../records/records.ts';
import {
  type InvoiceLines,
  invoicesWithLines,
  type OrderLines,
  ordersWithLines,
  type QuoteLines,
  quotesWithLines,
} from '../../records/with-lines.ts';
import { invoiceRows } from '../../tables/money/invoice.ts';
import { purchaseOrderRows } from '../../tables/money/purchase-order.ts';
import { quoteRows } from '../../tables/money/quote.ts';
import { some } from '../../tables/table.ts';
import {
  codeColumn,
  column,
  type ColumnsOf,
  customColumn,
  loaded,
  refColumn,
  timeColumns,
  uuidColumn,
} from '../record/columns.ts';
import { centsShown } from '../money/totals.ts';
import { renamedColumns, rowColumns } from '../record/record.ts';
import { amount, dayOrNull, flag, orNull, text, textOrNull } from '../record/values.ts';

/** Columns that need a record's totals and lines; `load` finds those of a whole page at once. */
const comesTo =
  <K extends Kind, Lines>(
    load: (records: Records, of: readonly StoredRecord<K>[]) => Promise<readonly (StoredRecord<K> & Lines)[]>,
  ) =>
  <T>(schema: z.ZodType<T>, value: (of: Lines) => T) =>
    loaded<K, T>(schema, async (call, all) => {
      const values = new Map((await load(call.records, all)).map((of) => [of.uuid, value(of)]));
      return ({ uuid }) => values.get(uuid) as T;
    });

const ofQuote = comesTo<'quote', QuoteLines>(quotesWithLines);
const ofInvoice = comesTo<'invoice', InvoiceLines>(invoicesWithLines);
const ofOrder = comesTo<'purchaseOrder', OrderLines>(ordersWithLines);

export const quoteEmbedded: ColumnsOf<'quote'> = {
  uuid: uuidColumn,
  number: codeColumn,
  ...renamedColumns(quoteRows, {
    name: 'name',
    type: 'type',
    status: 'state',
    clientUUID: 'owner',
    contactUUID: 'contact',
    budget: 'budget',
  }),
  amountExTax: ofQuote(amount, ({ totals }) => centsShown(totals.amount)),
  amountIncTax: ofQuote(amount, ({ totals }) => centsShown(totals.amount + totals.tax)),
  // The first quote of a job is its master quote.
  isMasterQuote: loaded(
    flag,
    async (_call, quotes) => (quote) =>
      quotes.find(({ other }) => other === quote.other)?.uuid === quote.uuid,
  ),
  ...rowColumns(some(quoteRows, 'date', 'validDate')),
  customFields: column(customColumn('Job').schema, () => []),
  ...timeColumns,
};

export const invoiceEmbedded: ColumnsOf<'invoice'> = {
  uuid: uuidColumn,
  number: codeColumn,
  status: column(text, ({ fields }) => fields.status.toLowerCase()),
  ...rowColumns(some(invoiceRows, 'owner', 'contact')),
  clientOrderNumber: refColumn(
    { kind: 'job', schema: textOrNull, of: (job) => orNull(job?.fields.clientOrderNumber) },
    ({ other }) => other,
  ),
  ...rowColumns(some(invoiceRows, 'date', 'dueDate')),
  datePaid: ofInvoice(dayOrNull, ({ datePaid }) => orNull(datePaid)),
  amountExTax: ofInvoice(amount, ({ totals }) => centsShown(totals.amount)),
  amountIncTax: ofInvoice(amount, ({ totals }) => centsShown(totals.amount + totals.tax)),
  amountPaid: ofInvoice(amount, ({ paid }) => centsShown(paid)),
  ...timeColumns,
};

const progress = z.enum(['awaiting', 'partial', 'full']);

export const orderEmbedded: ColumnsOf<'purchaseOrder'> = {
  uuid: uuidColumn,
  ...rowColumns(some(purchaseOrderRows, 'state')),
  billingStatus: ofOrder(progress, ({ billing }) => billing),
  receivingStatus: ofOrder(progress, ({ receiving }) => receiving),
  ...rowColumns(some(purchaseOrderRows, 'date')),
  amountExTax: ofOrder(amount, ({ totals }) => centsShown(totals.amount)),
  amountIncTax: ofOrder(amount, ({ totals }) => centsShown(totals.amount + totals.tax)),
  ...timeColumns,
};
