import { z } from 'zod';
import {
  type InvoiceLines,
  invoicesWithLines,
  type OrderLines,
  ordersWithLines,
  type QuoteLines,
  quotesWithLines,
} from '../../records/with-lines.ts';
import {
  column,
  type ColumnsOf,
  customColumn,
  loaded,
  refColumn,
  timeColumns,
  uuidColumn,
} from '../record/columns.ts';
import { centsShown } from '../money/totals.ts';
import {
  amount,
  amountOrNull,
  dayOrNull,
  flag,
  idOrNull,
  numberOrNull,
  orNull,
  text,
  textOrNull,
} from '../record/values.ts';

/** Quotes, invoices and purchase orders as a job shows its own. Totals follow from the lines. */

const lowered = <const Text extends string>(value: Text): Lowercase<Text> =>
  value.toLowerCase() as Lowercase<Text>;

const ofQuote = <T>(schema: z.ZodType<T>, value: (of: QuoteLines) => T) =>
  loaded<'quote', T>(schema, async (call, quotes) => {
    const lines = new Map((await quotesWithLines(call.records, quotes)).map((of) => [of.uuid, value(of)]));
    return ({ uuid }) => lines.get(uuid) as T;
  });

export const quoteEmbedded: ColumnsOf<'quote'> = {
  uuid: uuidColumn,
  number: column(textOrNull, ({ code }) => orNull(code)),
  name: column(text, ({ name }) => name),
  type: column(z.enum(['quote', 'estimate']), ({ fields }) => lowered(fields.type)),
  status: column(z.enum(['draft', 'issued', 'accepted', 'declined', 'revised']), ({ fields }) =>
    lowered(fields.state),
  ),
  clientUUID: column(idOrNull, ({ owner }) => owner ?? null),
  contactUUID: column(idOrNull, ({ fields }) => orNull(fields.contact)),
  budget: column(amountOrNull, ({ fields }) => numberOrNull(fields.budget)),
  amountExTax: ofQuote(amount, ({ totals }) => centsShown(totals.amount)),
  amountIncTax: ofQuote(amount, ({ totals }) => centsShown(totals.amount + totals.tax)),
  // The first of its job.
  isMasterQuote: loaded(
    flag,
    async (_call, quotes) => (quote) =>
      quotes.find(({ other }) => other === quote.other)?.uuid === quote.uuid,
  ),
  validFrom: column(dayOrNull, ({ fields }) => orNull(fields.date)),
  validTo: column(dayOrNull, ({ fields }) => orNull(fields.validDate)),
  customFields: column(customColumn('Job').schema, () => []),
  ...timeColumns,
};

const ofInvoice = <T>(schema: z.ZodType<T>, value: (of: InvoiceLines) => T) =>
  loaded<'invoice', T>(schema, async (call, invoices) => {
    const lines = new Map(
      (await invoicesWithLines(call.records, invoices)).map((of) => [of.uuid, value(of)]),
    );
    return ({ uuid }) => lines.get(uuid) as T;
  });

export const invoiceEmbedded: ColumnsOf<'invoice'> = {
  uuid: uuidColumn,
  number: column(textOrNull, ({ code }) => orNull(code)),
  status: column(text, ({ fields }) => lowered(fields.status)),
  clientUUID: column(idOrNull, ({ owner }) => owner ?? null),
  contactUUID: column(idOrNull, ({ fields }) => orNull(fields.contact)),
  clientOrderNumber: refColumn(
    { kind: 'job', schema: textOrNull, of: (job) => orNull(job?.fields.clientOrderNumber) },
    ({ other }) => other,
  ),
  date: column(dayOrNull, ({ fields }) => orNull(fields.date)),
  dueDate: column(dayOrNull, ({ fields }) => orNull(fields.dueDate)),
  datePaid: ofInvoice(dayOrNull, ({ datePaid }) => orNull(datePaid)),
  amountExTax: ofInvoice(amount, ({ totals }) => centsShown(totals.amount)),
  amountIncTax: ofInvoice(amount, ({ totals }) => centsShown(totals.amount + totals.tax)),
  amountPaid: ofInvoice(amount, ({ paid }) => centsShown(paid)),
  ...timeColumns,
};

const ofOrder = <T>(schema: z.ZodType<T>, value: (of: OrderLines) => T) =>
  loaded<'purchaseOrder', T>(schema, async (call, orders) => {
    const lines = new Map((await ordersWithLines(call.records, orders)).map((of) => [of.uuid, value(of)]));
    return ({ uuid }) => lines.get(uuid) as T;
  });

const progress = z.enum(['awaiting', 'partial', 'full']);

export const orderEmbedded: ColumnsOf<'purchaseOrder'> = {
  uuid: uuidColumn,
  status: column(z.enum(['draft', 'issued', 'cancelled']), ({ fields }) => lowered(fields.state)),
  billingStatus: ofOrder(progress, ({ billing }) => billing),
  receivingStatus: ofOrder(progress, ({ receiving }) => receiving),
  date: column(dayOrNull, ({ fields }) => orNull(fields.date)),
  amountExTax: ofOrder(amount, ({ totals }) => centsShown(totals.amount)),
  amountIncTax: ofOrder(amount, ({ totals }) => centsShown(totals.amount + totals.tax)),
  ...timeColumns,
};
