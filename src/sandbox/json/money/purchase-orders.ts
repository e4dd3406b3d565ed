/**
 * The operations of V2 on purchase orders, and on their bills and stock receipts.
 *
 * A bill or a stock receipt names lines of its order and may add lines of its own, which then need a name and
 * a cost. Bills and receipts of a deleted order are no longer found.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { nextCode } from '../../records/codes.ts';
import type { OrderLine } from '../../records/kinds/money.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import {
  billRows,
  purchaseOrderCostRows,
  purchaseOrderRows,
  stockReceiptRows,
} from '../../tables/money/purchase-order.ts';
import type { JsonCall } from '../operation/call.ts';
import { areaBeyond } from '../operation/operation.ts';
import { createOwned, operationsOn } from '../operation/operations-on.ts';
import { bodiesOf, type Body, newRecord, storedAfter } from '../record/record.ts';
import { invalid } from '../operation/refusal.ts';
import { removeWith, touch } from '../record/relink.ts';
import { amountIn, amountOptional, idOptional, numberOf, textIn, two } from '../record/values.ts';
import {
  billListed,
  billSaved,
  orderListed,
  orderSaved,
  orderShown,
  receiptListed,
  receiptSaved,
} from './purchase-order-views.ts';

/**
 * Purchase orders with their bills and stock receipts. A line of those names a line of the order or is an
 * additional one. An order is created with its lines, and the first of them determines its job.
 */

type Order = StoredRecord<'purchaseOrder'>;

const costBodies = bodiesOf(purchaseOrderCostRows);
const { made: write } = bodiesOf(purchaseOrderRows, {
  status: z.enum(['draft', 'issued']).nullish(),
  costs: z.array(costBodies.made).nullish(),
});

async function create(call: JsonCall, { costs, ...body }: Body): Promise<string> {
  const order = await storedAfter<'purchaseOrder'>(call, purchaseOrderRows, body);
  const given = [];
  for (const [at, cost] of ((costs ?? []) as readonly Body[]).entries())
    given.push(
      newRecord(
        await storedAfter<'purchaseOrderCost'>(call, purchaseOrderCostRows, cost, undefined, `costs[${at}].`),
      ),
    );
  const jobs = given.map(({ fields }) => fields.job);
  const made = await call.records.insert(
    'purchaseOrder',
    newRecord({ ...order, other: jobs[0], code: await nextCode(call.records, 'purchaseOrder') }),
    call.now,
  );
  for (const cost of given)
    await call.records.insert('purchaseOrderCost', { ...cost, owner: made.uuid }, call.now);
  for (const job of new Set(jobs)) await touch(call, 'job', job);
  return made.uuid;
}

const receivedLine = z.object({
  purchaseOrderCostUUID: idOptional,
  name: textIn,
  quantity: amountIn,
  unitCost: amountOptional,
});

/** The lines of the order, and additional lines, which need a name and a cost of their own. */
async function linesOf(
  call: JsonCall,
  order: Order,
  given: readonly z.infer<typeof receivedLine>[],
): Promise<readonly OrderLine[]> {
  const known = await call.records.owned('purchaseOrderCost', order);
  return given.map((line, at) => {
    const of = known.find((cost) => cost.uuid === line.purchaseOrderCostUUID?.toLowerCase());
    if (line.purchaseOrderCostUUID && !of)
      throw invalid(`costs[${at}].purchaseOrderCostUUID`, 'names no cost of this purchase order');
    const name = line.name ?? of?.name;
    if (name === undefined) throw invalid(`costs[${at}].name`, `costs[${at}].name is required`);
    return {
      uuid: randomUUID(),
      orderCost: of?.uuid ?? '',
      name,
      quantity: two(line.quantity),
      unitCost: two(line.unitCost ?? numberOf(of?.fields.unitCost)),
      taxRate: of?.fields.taxRate ?? '0.00',
    };
  });
}

const { made: billWrite } = bodiesOf(billRows, {
  costs: z.array(receivedLine.extend({ unitCost: amountIn })).nullish(),
});
const { made: receiptWrite } = bodiesOf(stockReceiptRows, {
  costs: z.array(receivedLine.omit({ name: true })).nullish(),
});

/** Creates a bill or a stock receipt of an order. */
async function came(
  call: JsonCall,
  order: Order,
  kind: 'bill' | 'stockReceipt',
  body: Body,
): Promise<string> {
  const rows = kind === 'bill' ? billRows : stockReceiptRows;
  const { fields, ...columns } = await storedAfter<'bill'>(call, rows, body);
  const given = (body.costs ?? []) as readonly z.infer<typeof receivedLine>[];
  const record = {
    name: '',
    ...columns,
    owner: order.uuid,
    ...(kind === 'stockReceipt' && { code: await nextReceiptCode(call) }),
    fields: { ...fields, lines: await linesOf(call, order, given) },
  };
  const made = await call.records.insert(kind, record as never, call.now);
  await touch(call, 'purchaseOrder', order.uuid);
  return made.uuid;
}

async function nextReceiptCode(call: JsonCall): Promise<string> {
  const highest = await call.records.highestCode('stockReceipt', 'SR');
  return `SR${String(highest + 1).padStart(6, '0')}`;
}

const orders = operationsOn({ kind: 'purchaseOrder', path: '/purchase-orders', word: 'purchase order' });
const bills = operationsOn({
  kind: 'bill',
  path: '/purchase-orders/bills',
  word: 'purchase order bill',
});
const receipts = operationsOn({
  kind: 'stockReceipt',
  path: '/purchase-orders/stock-receipts',
  word: 'stock receipt',
});
const filter = { ownedByLiving: 'purchaseOrder' } as const;

export const purchaseOrders = areaBeyond('Purchase orders', [
  orders.list(orderListed),
  orders.get(orderShown, {
    path: '/purchase-orders/{identifier}',
    notes: 'The identifier is the UUID or the number.',
  }),
  orders.create(orderSaved, {
    body: write,
    example: {
      supplierUUID: '{supplier}',
      date: '2026-03-02',
      status: 'issued',
      costs: [{ jobUUID: '{job}', description: 'Cedar boards', quantity: 10, unitCost: 12.5 }],
    },
    make: create,
  }),
  orders.remove({
    removal: (call, order) =>
      removeWith(call, order, ['purchaseOrderCost', 'bill', 'stockReceipt', 'document', 'note']),
  }),
  bills.list(billListed, { filter }),
  createOwned(billSaved, 'purchaseOrder', {
    id: 'v2.purchase-orders.bills.create',
    path: '/purchase-orders/{identifier}/bills',
    summary: 'Create a purchase order bill',
    notes: 'Amounts are in the unit of all others, not in cents.',
    body: billWrite,
    example: {
      supplierBillNumber: 'B-77',
      billDate: '2026-03-20',
      costs: [{ purchaseOrderCostUUID: '{purchaseOrderCost}', quantity: 10, unitCost: 12.5 }],
    },
    make: (call, order, body) => came(call, order, 'bill', body),
  }),
  receipts.list(receiptListed, { query: [], filter }),
  createOwned(receiptSaved, 'purchaseOrder', {
    id: 'v2.purchase-orders.stock-receipts.create',
    path: '/purchase-orders/{UUID}/stockreceipts',
    summary: 'Create a stock receipt',
    body: receiptWrite,
    example: {
      receiptDate: '2026-03-18',
      costs: [{ purchaseOrderCostUUID: '{purchaseOrderCost}', quantity: 4 }],
    },
    make: (call, order, body) => came(call, order, 'stockReceipt', body),
  }),
]);
