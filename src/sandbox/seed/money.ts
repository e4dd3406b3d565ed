import { costLineRows, invoiceRows, invoiceTaskRows, paymentRows } from '../tables/money/invoice.ts';
import { purchaseOrderCostRows, purchaseOrderRows } from '../tables/money/purchase-order.ts';
import { quoteCostRows, quoteRows, quoteTaskRows } from '../tables/money/quote.ts';
import { isoDate } from '../tables/values.ts';
import type { IdBook } from './id-book.ts';
import type { SeedOrganisation } from './schema.ts';
import { seedKind, type SeedTable } from './table.ts';

/** A line is for the job of its invoice. */
const ofItsJob: NonNullable<SeedTable['further']> = (_line, _book, invoice) => ({ other: invoice?.other });

/** A quote or an invoice is of today, and its second day is the first, where the seed says nothing. */
const days =
  (second: string): NonNullable<SeedTable['further']> =>
  (given, { now }) => {
    const date = given.date ?? isoDate(now);
    return { fields: { date, [second]: given[second] ?? date } };
  };

const invoices: SeedTable = {
  kind: 'invoice',
  rows: invoiceRows,
  further: days('dueDate'),
  owns: {
    tasks: { kind: 'invoiceTask', rows: invoiceTaskRows, further: ofItsJob },
    costs: { kind: 'invoiceCost', rows: costLineRows, further: ofItsJob },
    payments: { kind: 'payment', rows: paymentRows },
  },
};

const quotes: SeedTable = {
  kind: 'quote',
  rows: quoteRows,
  further: days('validDate'),
  owns: {
    tasks: { kind: 'quoteTask', rows: quoteTaskRows },
    costs: { kind: 'quoteCost', rows: quoteCostRows },
  },
};

const purchaseOrders: SeedTable = {
  kind: 'purchaseOrder',
  rows: purchaseOrderRows,
  further: ({ date }, { now }) => ({ fields: { date: date ?? isoDate(now) } }),
  owns: { costs: { kind: 'purchaseOrderCost', rows: purchaseOrderCostRows } },
};

export async function seedMoney(repository: IdBook, seed: SeedOrganisation): Promise<void> {
  await seedKind(repository, invoices, seed.invoices);
  await seedKind(repository, quotes, seed.quotes);
  await seedKind(repository, purchaseOrders, seed.purchaseOrders);
}
