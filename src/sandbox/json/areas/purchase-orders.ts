import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { nextCode } from '../../records/codes.ts';
import type { OrderLine } from '../../records/kinds/money.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import { sum } from '../../records/money.ts';
import { referredAs, type Referring, withReferred } from '../../records/referred.ts';
import { type OrderLines, orderLineTotals, ordersWithLines } from '../../records/with-lines.ts';
import {
  billRows,
  purchaseOrderCostRows,
  purchaseOrderRows,
  stockReceiptRows,
} from '../../tables/purchase-order.ts';
import { without } from '../../tables/table.ts';
import { attachmentsOf } from '../attachments.ts';
import { mixed } from '../columns.ts';
import type { JsonCall } from '../call.ts';
import {
  always,
  answer,
  createdAt,
  each,
  field,
  type Field,
  type Fields,
  nested,
  updatedAt,
  uuid,
} from '../fields.ts';
import { taxes, totalFields } from '../money.ts';
import { areaBeyond, list, one } from '../operation.ts';
import { pageOf, shown } from '../page.ts';
import { bodiesOf, type Body, newRecord, rowFields, storedAfter } from '../record.ts';
import { deleted, messageShape } from '../refs.ts';
import { invalid } from '../refusal.ts';
import { removeWith, touch } from '../relink.ts';
import {
  amount,
  amountIn,
  amountOptional,
  dayOrNull,
  flag,
  id,
  idOptional,
  idOrNull,
  numberOf,
  orNull,
  text,
  textIn,
  textOrNull,
  two,
} from '../values.ts';

type Order = StoredRecord<'purchaseOrder'>;
type Cost = StoredRecord<'purchaseOrderCost'>;
type Bill = StoredRecord<'bill'>;
type Receipt = StoredRecord<'stockReceipt'>;
type OrderView = Referring<'purchaseOrder'> &
  OrderLines & {
    /** Those that its lines are for. */
    readonly jobs: readonly StoredRecord<'job'>[];
  };

const times = [createdAt, updatedAt];
const progress = z.enum(['awaiting', 'partial', 'full']);

const costFields: Fields<Cost> = [
  uuid,
  ...rowFields(purchaseOrderCostRows),
  field('type', text, ({ fields }) => fields.type),
  taxes(({ fields }) => [fields.taxRate]),
  ...times,
];

/** What came for an order comes to what its lines do, with their taxes. */
const cameFields: Fields<Bill | Receipt> = totalFields.map(({ name, schema, value }) => ({
  name,
  schema,
  value: ({ fields }, at) => value({ totals: sum(fields.lines.map(orderLineTotals)) }, at),
}));
const cameTaxes = taxes<Bill | Receipt>(({ fields }) => fields.lines.map(({ taxRate }) => taxRate));

const billFields: Fields<Bill> = [
  uuid,
  ...rowFields(without(billRows, 'date')),
  always('stockReceiptID', textOrNull, null),
  ...cameFields,
  cameTaxes,
  ...times,
];
const billDay = (name: string): Field<Bill> => field(name, dayOrNull, ({ fields }) => orNull(fields.date));

const receiptMade: Fields<Receipt> = [
  uuid,
  field('stockReceiptID', textOrNull, ({ code }) => orNull(code)),
  ...rowFields(stockReceiptRows),
  ...cameFields,
  ...times,
];
const receiptFields: Fields<Receipt> = [
  ...receiptMade,
  always('supplierBillNumber', textOrNull, null),
  always('billDate', dayOrNull, null),
];

type CameLine = OrderLine & { readonly createdAt: number; readonly modifiedAt: number };

/** The lines of what came; the name of their taxes differs. */
const lines = (tax: Field<CameLine>): Field<Bill | Receipt> =>
  each(
    'costs',
    [
      uuid,
      field('purchaseOrderCostUUID', idOrNull, ({ orderCost }: CameLine) => orNull(orderCost)),
      field('name', text, ({ name }: CameLine) => name),
      field('quantity', amount, (line: CameLine) => numberOf(line.quantity)),
      field('unitCost', amount, ({ unitCost }: CameLine) => numberOf(unitCost)),
      field('additional', flag, ({ orderCost }: CameLine) => orderCost === ''),
      tax,
      ...times,
    ],
    ({ fields, ...came }: Bill | Receipt) =>
      fields.lines.map((line) => ({ createdAt: came.createdAt, modifiedAt: came.modifiedAt, ...line })),
  );
const lineRates = ({ taxRate }: CameLine): readonly string[] => [taxRate];

const head: Fields<OrderView> = [
  uuid,
  field('purchaseOrderNumber', textOrNull, ({ code }) => orNull(code)),
  ...rowFields(without(purchaseOrderRows, 'owner')),
  field('sent', flag, ({ fields }) => fields.state === 'Issued'),
  ...totalFields,
  each('costs', costFields, ({ costs, other }: OrderView) =>
    costs.map((cost) => ({ ...cost, fields: { ...cost.fields, job: cost.fields.job || (other ?? '') } })),
  ),
  ...times,
];
const base: Fields<OrderView> = [
  ...head,
  field('billingStatus', progress, ({ billing }) => billing),
  field('stockReceiptStatus', progress, ({ receiving }) => receiving),
  each(
    'jobs',
    [
      field('jobUUID', id, (job: StoredRecord<'job'>) => job.uuid),
      field('jobNumber', text, ({ code }: StoredRecord<'job'>) => code ?? ''),
    ],
    ({ jobs }: OrderView) => jobs,
  ),
];

const supplier = nested<OrderView, StoredRecord<'supplier'>>(
  'supplier',
  [
    uuid,
    field('name', text, ({ name }) => name),
    field('email', textOrNull, ({ fields }) => orNull(fields.email)),
    field('phoneNumber', textOrNull, ({ fields }) => orNull(fields.phone)),
  ],
  ({ referred, owner }) => referredAs(referred, 'supplier', owner),
);

const attachments = attachmentsOf<'purchaseOrder'>('purchaseOrderPhase');

const listItem = mixed<'purchaseOrder', OrderView>(
  'PurchaseOrderListItem',
  [
    ...base,
    field('supplierUUID', idOrNull, ({ owner }) => owner ?? null),
    each('bills', [...billFields, billDay('date')], ({ bills }: OrderView) => bills),
    each('stockReceipts', [...receiptFields, cameTaxes], ({ receipts }: OrderView) => receipts),
  ],
  attachments.list,
);
const detail = mixed<'purchaseOrder', OrderView>(
  'PurchaseOrderDetail',
  [
    ...base,
    supplier,
    each(
      'bills',
      [...billFields, billDay('date'), lines(taxes(lineRates, 'INPUT'))],
      ({ bills }: OrderView) => bills,
    ),
    each(
      'stockReceipts',
      [...receiptFields, cameTaxes, lines(taxes(lineRates, 'INPUT', 'taxRate'))],
      ({ receipts }: OrderView) => receipts,
    ),
  ],
  attachments.detail,
);
/** The jobs are spelled `{UUID, number}` in this answer alone. */
const saved = mixed<'purchaseOrder', OrderView>(
  'PurchaseOrderSaved',
  [
    ...head,
    supplier,
    each(
      'jobs',
      [
        field('UUID', id, (job: StoredRecord<'job'>) => job.uuid),
        field('number', text, ({ code }: StoredRecord<'job'>) => code ?? ''),
      ],
      ({ jobs }: OrderView) => jobs,
    ),
  ],
  {},
);

const billAlone: Fields<Bill> = [
  ...billFields,
  field('purchaseOrderUUID', idOrNull, ({ owner }) => owner ?? null),
  always('status', z.enum(['approved', 'cancelled']), 'approved'),
  lines(taxes(lineRates)),
];
const bill = answer('Bill', [...billAlone, billDay('date')]);
const billSaved = answer('BillSaved', [...billAlone, billDay('billDate')]);
const stockReceipt = answer('StockReceipt', receiptFields);
const stockReceiptSaved = answer('StockReceiptSaved', receiptMade);

async function load(call: JsonCall, orders: readonly Order[]): Promise<readonly OrderView[]> {
  const referring = await withReferred(call.records, purchaseOrderRows, orders, ({ at }) => at === 'owner');
  const full = await ordersWithLines(call.records, referring);
  const named = ({ other, costs }: OrderLines & Order): readonly string[] => [
    ...new Set([other ?? '', ...costs.map(({ fields }) => fields.job)]),
  ];
  const jobs = await call.records.byUuids('job', full.flatMap(named));
  return full.map((order) => ({ ...order, jobs: named(order).flatMap((job) => jobs.get(job) ?? []) }));
}

const costBodies = bodiesOf(purchaseOrderCostRows);
const { made: write } = bodiesOf(purchaseOrderRows, {
  status: z.enum(['draft', 'issued']).nullish(),
  costs: z.array(costBodies.made).nullish(),
});

async function create(call: JsonCall, { costs, ...body }: Body) {
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
  return saved.only(call, await load(call, [made]));
}

const receivedLine = z.object({
  purchaseOrderCostUUID: idOptional,
  name: textIn,
  quantity: amountIn,
  unitCost: amountOptional,
});

/** Lines of the order, and additional ones, which need a name and a cost of their own. */
async function linesOf(
  call: JsonCall,
  order: Order,
  given: readonly z.infer<typeof receivedLine>[],
): Promise<readonly OrderLine[]> {
  const known = (await call.records.ownedBy('purchaseOrderCost', [order.uuid])).get(order.uuid) ?? [];
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

/** What came for an order. */
async function came<K extends 'bill' | 'stockReceipt'>(
  call: JsonCall,
  order: Order,
  kind: K,
  body: Body,
): Promise<StoredRecord<K>> {
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
  return made;
}

async function nextReceiptCode(call: JsonCall): Promise<string> {
  const highest = await call.records.highestCode('stockReceipt', 'SR');
  return `SR${String(highest + 1).padStart(6, '0')}`;
}

const query = ['sort', 'order', 'updatedSince', 'lastModified'] as const;
const living = { ownedByLiving: 'purchaseOrder' } as const;

export const purchaseOrders = areaBeyond('Purchase orders', [
  list({
    id: 'v2.purchase-orders.list',
    path: '/purchase-orders',
    summary: 'List purchase orders',
    query,
    response: listItem.response,
    serve: (call) =>
      shown(pageOf(call, 'purchaseOrder'), async (rows) => listItem.views(call, await load(call, rows))),
  }),
  one({
    id: 'v2.purchase-orders.get',
    method: 'GET',
    path: '/purchase-orders/{identifier}',
    summary: 'Get a purchase order',
    notes: 'The identifier is the UUID or the number.',
    on: { identifier: 'purchaseOrder' },
    response: detail.response,
    serve: async (call, { identifier: order }) => detail.only(call, await load(call, [order])),
  }),
  one({
    id: 'v2.purchase-orders.create',
    method: 'POST',
    path: '/purchase-orders',
    summary: 'Create a purchase order',
    body: write,
    example: {
      supplierUUID: '{supplier}',
      date: '2026-03-02',
      status: 'issued',
      costs: [{ jobUUID: '{job}', description: 'Cedar boards', quantity: 10, unitCost: 12.5 }],
    },
    response: saved.response,
    serve: (call, _on, body) => create(call, body),
  }),
  one({
    id: 'v2.purchase-orders.delete',
    method: 'DELETE',
    path: '/purchase-orders/{UUID}',
    summary: 'Delete a purchase order',
    on: { UUID: 'purchaseOrder' },
    response: messageShape,
    serve: async (call, { UUID: order }) => {
      await removeWith(call, order, ['purchaseOrderCost', 'bill', 'stockReceipt', 'document', 'note']);
      return deleted('purchase order');
    },
  }),
  list({
    id: 'v2.purchase-orders.bills.list',
    path: '/purchase-orders/bills',
    summary: 'List purchase order bills',
    query,
    response: bill,
    serve: (call) => shown(pageOf(call, 'bill', living), (rows) => rows.map(bill.view)),
  }),
  one({
    id: 'v2.purchase-orders.bills.create',
    method: 'POST',
    path: '/purchase-orders/{identifier}/bills',
    summary: 'Create a purchase order bill',
    notes: 'Amounts are in the unit of all others, not in cents.',
    on: { identifier: 'purchaseOrder' },
    body: billWrite,
    example: {
      supplierBillNumber: 'B-77',
      billDate: '2026-03-20',
      costs: [{ purchaseOrderCostUUID: '{purchaseOrderCost}', quantity: 10, unitCost: 12.5 }],
    },
    response: billSaved,
    serve: async (call, { identifier: order }, body) => billSaved.view(await came(call, order, 'bill', body)),
  }),
  list({
    id: 'v2.purchase-orders.stock-receipts.list',
    path: '/purchase-orders/stock-receipts',
    summary: 'List stock receipts',
    response: stockReceipt,
    serve: (call) => shown(pageOf(call, 'stockReceipt', living), (rows) => rows.map(stockReceipt.view)),
  }),
  one({
    id: 'v2.purchase-orders.stock-receipts.create',
    method: 'POST',
    path: '/purchase-orders/{UUID}/stockreceipts',
    summary: 'Create a stock receipt',
    on: { UUID: 'purchaseOrder' },
    body: receiptWrite,
    example: {
      receiptDate: '2026-03-18',
      costs: [{ purchaseOrderCostUUID: '{purchaseOrderCost}', quantity: 4 }],
    },
    response: stockReceiptSaved,
    serve: async (call, { UUID: order }, body) =>
      stockReceiptSaved.view(await came(call, order, 'stockReceipt', body)),
  }),
]);
