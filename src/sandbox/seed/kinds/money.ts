import { costLineRows, invoiceRows, invoiceTaskRows, paymentRows } from '../../tables/money/invoice.ts';
import { purchaseOrderCostRows, purchaseOrderRows } from '../../tables/money/purchase-order.ts';
import { quoteCostRows, quoteRows, quoteTaskRows } from '../../tables/money/quote.ts';
import { isoDate } from '../../tables/values.ts';
import type { SeedTable } from '../table.ts';
import { codedIds } from '../values.ts';

const coded = codedIds(/^\S+$/);

/** A line belongs to the job of its invoice. */
const ofItsJob: NonNullable<SeedTable['further']> = (_line, _writer, invoice) => ({ other: invoice?.other });

/** The date defaults to today, and the second date to the first. */
const days =
  (second: string): NonNullable<SeedTable['further']> =>
  (given, { now }) => {
    const date = given.date ?? isoDate(now);
    return { fields: { date, [second]: given[second] ?? date } };
  };

export const invoices = {
  kind: 'invoice',
  ids: coded,
  rows: invoiceRows,
  further: days('dueDate'),
  owns: {
    tasks: { kind: 'invoiceTask', rows: invoiceTaskRows, further: ofItsJob },
    costs: { kind: 'invoiceCost', rows: costLineRows, further: ofItsJob },
    payments: { kind: 'payment', rows: paymentRows },
  },
} as const satisfies SeedTable;

export const quotes = {
  kind: 'quote',
  ids: coded,
  rows: quoteRows,
  further: days('validDate'),
  owns: {
    tasks: { kind: 'quoteTask', rows: quoteTaskRows },
    costs: { kind: 'quoteCost', rows: quoteCostRows },
  },
} as const satisfies SeedTable;

export const purchaseOrders = {
  kind: 'purchaseOrder',
  ids: coded,
  rows: purchaseOrderRows,
  further: ({ date }, { now }) => ({ fields: { date: date ?? isoDate(now) } }),
  owns: { costs: { kind: 'purchaseOrderCost', rows: purchaseOrderCostRows } },
} as const satisfies SeedTable;
