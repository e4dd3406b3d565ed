/**
 * A purchase order in its three forms: a row of a list, alone, and after its creation; its bills and stock
 * receipts, as part of the order and on their own.
 */
import { z } from 'zod';
import type { OrderLine } from '../../records/kinds/money.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import { sum } from '../../records/money.ts';
import { type OrderLines, orderLineTotals, ordersWithLines } from '../../records/with-lines.ts';
import {
  billRows,
  purchaseOrderCostRows,
  purchaseOrderRows,
  stockReceiptRows,
} from '../../tables/money/purchase-order.ts';
import { some, without } from '../../tables/table.ts';
import { attachmentsOf } from '../record/attachments.ts';
import type { JsonCall } from '../operation/call.ts';
import {
  always,
  codeColumn,
  type Column,
  column,
  type Columns,
  type ColumnsOf,
  each,
  loadedTable,
  refColumn,
  tableOf,
  timeColumns,
  uuidColumn,
} from '../record/columns.ts';
import { rowColumns } from '../record/record.ts';
import {
  amount,
  dayOrNull,
  flag,
  id,
  idOrNull,
  numberOf,
  orNull,
  text,
  textOrNull,
} from '../record/values.ts';
import { taxes, totalColumns } from './totals.ts';

type Order = StoredRecord<'purchaseOrder'> &
  OrderLines & {
    /** The jobs of the order's lines. */
    readonly jobs: readonly StoredRecord<'job'>[];
  };
type Came = StoredRecord<'bill'> | StoredRecord<'stockReceipt'>;

const progress = z.enum(['awaiting', 'partial', 'full']);

const costs = each<Order, StoredRecord<'purchaseOrderCost'>>(
  {
    uuid: uuidColumn,
    ...rowColumns(purchaseOrderCostRows),
    type: column(text, ({ fields }) => fields.type),
    tax: taxes(({ fields }) => [fields.taxRate]),
    ...timeColumns,
  },
  (order) =>
    order.costs.map((cost) => ({
      ...cost,
      fields: { ...cost.fields, job: cost.fields.job || (order.other ?? '') },
    })),
);

/** Bills and receipts add up their lines and the taxes on them. */
const cameTotals = totalColumns<Came>(({ fields }) => sum(fields.lines.map(orderLineTotals)));
const cameTaxes = taxes<Came>(({ fields }) => fields.lines.map(({ taxRate }) => taxRate));

const billColumns: ColumnsOf<'bill'> = {
  uuid: uuidColumn,
  ...rowColumns(without(billRows, 'date')),
  stockReceiptID: always(textOrNull, null),
  ...cameTotals,
  tax: cameTaxes,
  ...timeColumns,
};
const billDay = column<StoredRecord<'bill'>, string | null>(dayOrNull, ({ fields }) => orNull(fields.date));

const receiptMade: ColumnsOf<'stockReceipt'> = {
  uuid: uuidColumn,
  stockReceiptID: codeColumn,
  ...rowColumns(stockReceiptRows),
  ...cameTotals,
  ...timeColumns,
};
const receiptColumns: ColumnsOf<'stockReceipt'> = {
  ...receiptMade,
  supplierBillNumber: always(textOrNull, null),
  billDate: always(dayOrNull, null),
};

type CameLine = OrderLine & Pick<StoredRecord, 'createdAt' | 'modifiedAt'>;

/** The lines of a bill or a receipt, which name their taxes differently. */
const lines = (tax: Columns<CameLine>): Column<Came> =>
  each<Came, CameLine>(
    {
      uuid: uuidColumn,
      purchaseOrderCostUUID: column(idOrNull, ({ orderCost }) => orNull(orderCost)),
      name: column(text, ({ name }) => name),
      quantity: column(amount, ({ quantity }) => numberOf(quantity)),
      unitCost: column(amount, ({ unitCost }) => numberOf(unitCost)),
      additional: column(flag, ({ orderCost }) => orderCost === ''),
      ...tax,
      ...timeColumns,
    },
    ({ fields, createdAt, modifiedAt }) => fields.lines.map((line) => ({ createdAt, modifiedAt, ...line })),
  );
const lineRates = ({ taxRate }: CameLine): readonly string[] => [taxRate];

/** The jobs of an order, under the keys of each form. */
const jobs = (uuid: string, number: string) =>
  each<Order, StoredRecord<'job'>>(
    {
      [uuid]: column(id, (job) => job.uuid),
      [number]: column(text, ({ code }) => code ?? ''),
    },
    (order) => order.jobs,
  );

const head: Columns<Order> = {
  uuid: uuidColumn,
  purchaseOrderNumber: codeColumn,
  ...rowColumns(without(purchaseOrderRows, 'owner')),
  sent: column(flag, ({ fields }) => fields.state === 'Issued'),
  ...totalColumns(({ totals }) => totals),
  costs,
  ...timeColumns,
};
const base: Columns<Order> = {
  ...head,
  billingStatus: column(progress, ({ billing }) => billing),
  stockReceiptStatus: column(progress, ({ receiving }) => receiving),
  jobs: jobs('jobUUID', 'jobNumber'),
};

const supplier = refColumn<Order, 'supplier', unknown>(
  {
    kind: 'supplier',
    schema: z.strictObject({ uuid: id, name: text, email: textOrNull, phoneNumber: textOrNull }).nullable(),
    of: (one) =>
      one
        ? {
            uuid: one.uuid,
            name: one.name,
            email: orNull(one.fields.email),
            phoneNumber: orNull(one.fields.phone),
          }
        : null,
  },
  ({ owner }) => owner,
);

const { list, detail } = attachmentsOf('purchaseOrderPhase');

export const orderListed = loadedTable('purchaseOrder', 'PurchaseOrderListItem', load, {
  ...base,
  ...rowColumns(some(purchaseOrderRows, 'owner')),
  bills: each({ ...billColumns, date: billDay }, ({ bills }) => bills),
  stockReceipts: each({ ...receiptColumns, tax: cameTaxes }, ({ receipts }) => receipts),
  ...list,
});
export const orderShown = loadedTable('purchaseOrder', 'PurchaseOrderDetail', load, {
  ...base,
  supplier,
  bills: each(
    { ...billColumns, date: billDay, costs: lines({ tax: taxes(lineRates, 'INPUT') }) },
    ({ bills }) => bills,
  ),
  stockReceipts: each(
    { ...receiptColumns, tax: cameTaxes, costs: lines({ taxRate: taxes(lineRates, 'INPUT') }) },
    ({ receipts }) => receipts,
  ),
  ...detail,
});
export const orderSaved = loadedTable('purchaseOrder', 'PurchaseOrderSaved', load, {
  ...head,
  supplier,
  jobs: jobs('UUID', 'number'),
});

const billAlone: ColumnsOf<'bill'> = {
  ...billColumns,
  purchaseOrderUUID: column(idOrNull, ({ owner }) => owner ?? null),
  status: always(z.enum(['approved', 'cancelled']), 'approved'),
  costs: lines({ tax: taxes(lineRates) }),
};
export const billListed = tableOf('bill', 'Bill', { ...billAlone, date: billDay });
export const billSaved = tableOf('bill', 'BillSaved', { ...billAlone, billDate: billDay });
export const receiptListed = tableOf('stockReceipt', 'StockReceipt', receiptColumns);
export const receiptSaved = tableOf('stockReceipt', 'StockReceiptSaved', receiptMade);

async function load(
  call: JsonCall,
  orders: readonly StoredRecord<'purchaseOrder'>[],
): Promise<readonly Order[]> {
  const full = await ordersWithLines(call.records, orders);
  const named = ({ other, costs: own }: OrderLines & StoredRecord): readonly string[] => [
    ...new Set([other ?? '', ...own.map(({ fields }) => fields.job)]),
  ];
  const known = await call.records.byUuids('job', full.flatMap(named));
  return full.map((order) => ({ ...order, jobs: named(order).flatMap((job) => known.get(job) ?? []) }));
}
