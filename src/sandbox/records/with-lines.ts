import type { Kind, StoredRecord } from './kinds.ts';
import type { OrderLine } from './kinds/money.ts';
import { cents, costTotals, sum, timeTotals, type Totals } from './money.ts';
import type { Records } from './records.ts';

/**
 * Invoices, quotes and orders with their lines and totals, loaded for many at once. Totals are never stored.
 */

/** Loads the lists that belong to the records, by name. */
export async function listsOf<const Lists extends Readonly<Record<string, Kind>>>(
  records: Records,
  owners: readonly { readonly uuid: string }[],
  lists: Lists,
): Promise<(uuid: string) => { readonly [L in keyof Lists]: readonly StoredRecord<Lists[L]>[] }> {
  const uuids = owners.map(({ uuid }) => uuid);
  const all: (readonly [string, ReadonlyMap<string, readonly StoredRecord[]>])[] = [];
  for (const [name, kind] of Object.entries(lists)) all.push([name, await records.ownedBy(kind, uuids)]);
  return (uuid) =>
    Object.fromEntries(all.map(([name, owned]) => [name, owned.get(uuid) ?? []])) as {
      readonly [L in keyof Lists]: readonly StoredRecord<Lists[L]>[];
    };
}

/** The totals of an invoice line for time. */
export const invoiceTaskTotals = ({ fields }: StoredRecord<'invoiceTask'>): Totals =>
  timeTotals({ ...fields, rate: fields.billableRate });

/** The totals of a quote line for time. */
export const quoteTaskTotals = ({ fields }: StoredRecord<'quoteTask'>): Totals =>
  timeTotals({ ...fields, minutes: fields.estimatedMinutes, rate: fields.billableRate });

/** The totals of an invoice or quote line for a cost. */
export const costLineTotals = ({ fields }: StoredRecord<'invoiceCost'> | StoredRecord<'quoteCost'>): Totals =>
  costTotals({ ...fields, price: fields.unitPrice });

/** The totals of a line of an order, a bill or a stock receipt. */
export const orderLineTotals = ({
  quantity,
  unitCost,
  taxRate,
}: Pick<OrderLine, 'quantity' | 'unitCost' | 'taxRate'>): Totals =>
  costTotals({ quantity, price: unitCost, taxRate });

export interface InvoiceLines {
  readonly tasks: readonly StoredRecord<'invoiceTask'>[];
  readonly costs: readonly StoredRecord<'invoiceCost'>[];
  /** In order of date. */
  readonly payments: readonly StoredRecord<'payment'>[];
  readonly totals: Totals;
  /** In cents. */
  readonly paid: bigint;
  readonly isPaid: boolean;
  /** The day on which the payments covered the amount, or ''. */
  readonly datePaid: string;
}

/** Invoices with their lines, payments and totals, and whether they are paid. */
export async function invoicesWithLines<Invoice extends StoredRecord<'invoice'>>(
  records: Records,
  invoices: readonly Invoice[],
): Promise<readonly (Invoice & InvoiceLines)[]> {
  const lists = { tasks: 'invoiceTask', costs: 'invoiceCost', payments: 'payment' } as const;
  const of = await listsOf(records, invoices, lists);
  return invoices.map((invoice) => {
    const own = of(invoice.uuid);
    const totals = sum([...own.tasks.map(invoiceTaskTotals), ...own.costs.map(costLineTotals)]);
    const payments = [...own.payments].sort((a, b) => a.fields.date.localeCompare(b.fields.date));
    return { ...invoice, ...own, payments, totals, ...coverage(payments, totals.amount + totals.tax) };
  });
}

function coverage(payments: readonly StoredRecord<'payment'>[], due: bigint) {
  let paid = 0n;
  let datePaid = '';
  for (const { fields } of payments) {
    paid += cents(fields.amount);
    if (datePaid === '' && due > 0n && paid >= due) datePaid = fields.date;
  }
  return { paid, datePaid, isPaid: paid > 0n && paid >= due };
}

export interface QuoteLines {
  readonly tasks: readonly StoredRecord<'quoteTask'>[];
  readonly costs: readonly StoredRecord<'quoteCost'>[];
  /** The totals without optional lines. */
  readonly totals: Totals;
  /** Cost to the organisation itself, billable or not. */
  readonly estimatedCost: Totals;
}

/** Quotes with their lines and totals; options do not count. */
export async function quotesWithLines<Quote extends StoredRecord<'quote'>>(
  records: Records,
  quotes: readonly Quote[],
): Promise<readonly (Quote & QuoteLines)[]> {
  const of = await listsOf(records, quotes, { tasks: 'quoteTask', costs: 'quoteCost' });
  return quotes.map((quote) => {
    const { tasks, costs } = of(quote.uuid);
    const counted = costs.filter(({ fields }) => !fields.optional);
    return {
      ...quote,
      tasks,
      costs,
      totals: sum([...tasks.map(quoteTaskTotals), ...counted.map(costLineTotals)]),
      estimatedCost: sum([
        ...tasks.map(({ fields: { estimatedMinutes, baseRate, taxRate } }) =>
          timeTotals({ minutes: estimatedMinutes, rate: baseRate, taxRate }),
        ),
        ...counted.map(({ fields }) => orderLineTotals(fields)),
      ]),
    };
  });
}

export type Progress = 'awaiting' | 'partial' | 'full';

export interface OrderLines {
  readonly costs: readonly StoredRecord<'purchaseOrderCost'>[];
  readonly bills: readonly StoredRecord<'bill'>[];
  readonly receipts: readonly StoredRecord<'stockReceipt'>[];
  readonly totals: Totals;
  readonly billing: Progress;
  readonly receiving: Progress;
}

/** Purchase orders with their lines and totals, and the amounts billed and received. */
export async function ordersWithLines<Order extends StoredRecord<'purchaseOrder'>>(
  records: Records,
  orders: readonly Order[],
): Promise<readonly (Order & OrderLines)[]> {
  const lists = { costs: 'purchaseOrderCost', bills: 'bill', receipts: 'stockReceipt' } as const;
  const of = await listsOf(records, orders, lists);
  return orders.map((order) => {
    const own = of(order.uuid);
    const totals = sum(own.costs.map(({ fields }) => orderLineTotals(fields)));
    const progress = (come: OrderLines['bills'] | OrderLines['receipts']) => progressOf(totals, come);
    return { ...order, ...own, totals, billing: progress(own.bills), receiving: progress(own.receipts) };
  });
}

function progressOf(ordered: Totals, come: OrderLines['bills'] | OrderLines['receipts']): Progress {
  if (come.length === 0) return 'awaiting';
  const total = sum(come.flatMap(({ fields }) => fields.lines.map(orderLineTotals)));
  return total.amount >= ordered.amount ? 'full' : 'partial';
}
