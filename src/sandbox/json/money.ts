import { amountOf, costTotals, sum, timeTotals, type Totals as Line } from '../records/money.ts';
import type { StoredRecord } from '../records/kinds.ts';
import type { JsonCall } from './call.ts';
import { cents, numberOf } from './values.ts';

export interface Totals {
  readonly exTax: number;
  readonly incTax: number;
}

const shown = (of: bigint): number => Number(amountOf(of));

/** As XML counts them: each line rounded to cents, its tax too. */
export function totalsOf(lines: readonly Line[]): Totals {
  const { amount, tax } = sum(lines);
  return { exTax: shown(amount), incTax: shown(amount + tax) };
}

export const amountOfLine = ({ amount }: Line): number => shown(amount);

interface Sold {
  readonly billable: boolean;
  readonly taxRate: string;
}

export const timeLine = (
  minutes: number,
  { billableRate, billable, taxRate }: Sold & { readonly billableRate: string },
): Line => timeTotals({ minutes, rate: billableRate, taxRate, billable });

export const costLine = ({
  quantity,
  unitPrice,
  billable,
  taxRate,
}: Sold & { readonly quantity: string; readonly unitPrice: string }): Line =>
  costTotals({ quantity, price: unitPrice, taxRate, billable });

export const orderLine = ({
  quantity,
  unitCost,
  taxRate,
}: {
  readonly quantity: string;
  readonly unitCost: string;
  readonly taxRate: string;
}): Line => costTotals({ quantity, price: unitCost, taxRate });

export interface InvoiceMoney extends Totals {
  readonly tasks: readonly StoredRecord<'invoiceTask'>[];
  readonly costs: readonly StoredRecord<'invoiceCost'>[];
  readonly payments: readonly StoredRecord<'payment'>[];
  readonly paid: number;
  /** The day on which the payments covered it, or ''. */
  readonly datePaid: string;
}

/** Totals are not stored: they follow from the lines. */
export async function moneyOfInvoices(
  call: JsonCall,
  invoices: readonly StoredRecord<'invoice'>[],
): Promise<(uuid: string) => InvoiceMoney> {
  const uuids = invoices.map(({ uuid }) => uuid);
  const allTasks = await call.records.ownedBy('invoiceTask', uuids);
  const allCosts = await call.records.ownedBy('invoiceCost', uuids);
  const allPayments = await call.records.ownedBy('payment', uuids);
  return (uuid) => {
    const tasks = allTasks.get(uuid) ?? [];
    const costs = allCosts.get(uuid) ?? [];
    const payments = [...(allPayments.get(uuid) ?? [])].sort((a, b) =>
      a.fields.date.localeCompare(b.fields.date),
    );
    const totals = totalsOf([
      ...tasks.map(({ fields }) => timeLine(fields.minutes, fields)),
      ...costs.map(({ fields }) => costLine(fields)),
    ]);
    return { ...totals, tasks, costs, payments, ...coverage(payments, totals.incTax) };
  };
}

function coverage(payments: readonly StoredRecord<'payment'>[], due: number) {
  let paid = 0;
  let datePaid = '';
  for (const { fields } of payments) {
    paid = cents(paid + numberOf(fields.amount));
    if (datePaid === '' && due > 0 && paid >= due) datePaid = fields.date;
  }
  return { paid, datePaid };
}

const UNTAXED = '0.00';

export interface QuoteMoney extends Totals {
  readonly tasks: readonly StoredRecord<'quoteTask'>[];
  readonly costs: readonly StoredRecord<'quoteCost'>[];
  /** What the work will cost the organisation itself. */
  readonly costExTax: number;
}

export async function moneyOfQuotes(
  call: JsonCall,
  quotes: readonly StoredRecord<'quote'>[],
): Promise<(uuid: string) => QuoteMoney> {
  const uuids = quotes.map(({ uuid }) => uuid);
  const allTasks = await call.records.ownedBy('quoteTask', uuids);
  const allCosts = await call.records.ownedBy('quoteCost', uuids);
  return (uuid) => {
    const tasks = allTasks.get(uuid) ?? [];
    const costs = allCosts.get(uuid) ?? [];
    const counted = costs.filter(({ fields }) => !fields.optional);
    const costExTax = totalsOf([
      ...tasks.map(({ fields }) =>
        timeTotals({ minutes: fields.estimatedMinutes, rate: fields.baseRate, taxRate: UNTAXED }),
      ),
      ...counted.map(({ fields }) => orderLine({ ...fields, taxRate: UNTAXED })),
    ]).exTax;
    const totals = totalsOf([
      ...tasks.map(({ fields }) => timeLine(fields.estimatedMinutes, fields)),
      ...counted.map(({ fields }) => costLine(fields)),
    ]);
    return { ...totals, tasks, costs, costExTax };
  };
}

export type Progress = 'awaiting' | 'partial' | 'full';

export interface OrderMoney extends Totals {
  readonly costs: readonly StoredRecord<'purchaseOrderCost'>[];
  readonly bills: readonly StoredRecord<'bill'>[];
  readonly receipts: readonly StoredRecord<'stockReceipt'>[];
  readonly billing: Progress;
  readonly receiving: Progress;
}

export async function moneyOfOrders(
  call: JsonCall,
  orders: readonly StoredRecord<'purchaseOrder'>[],
): Promise<(uuid: string) => OrderMoney> {
  const uuids = orders.map(({ uuid }) => uuid);
  const allCosts = await call.records.ownedBy('purchaseOrderCost', uuids);
  const allBills = await call.records.ownedBy('bill', uuids);
  const allReceipts = await call.records.ownedBy('stockReceipt', uuids);
  return (uuid) => {
    const costs = allCosts.get(uuid) ?? [];
    const bills = allBills.get(uuid) ?? [];
    const receipts = allReceipts.get(uuid) ?? [];
    const ordered = totalsOf(costs.map(({ fields }) => orderLine(fields)));
    return {
      ...ordered,
      costs,
      bills,
      receipts,
      billing: progress(ordered.exTax, bills),
      receiving: progress(ordered.exTax, receipts),
    };
  };
}

function progress(
  ordered: number,
  come: readonly { readonly fields: { readonly lines: readonly Parameters<typeof orderLine>[0][] } }[],
): Progress {
  if (come.length === 0) return 'awaiting';
  const total = totalsOf(come.flatMap(({ fields }) => fields.lines.map(orderLine))).exTax;
  return total >= ordered ? 'full' : 'partial';
}
