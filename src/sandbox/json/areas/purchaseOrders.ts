import { z } from 'zod';
import { nextCode } from '../../records/codes.ts';
import type { OrderLine } from '../../records/kinds/money.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import { attachedTo } from '../attached.ts';
import type { JsonCall } from '../call.ts';
import { comment, documentCommon } from '../documentShapes.ts';
import { ofBody, referenceAfter } from '../find.ts';
import { moneyOfOrders, type OrderMoney, orderLine, totalsOf } from '../money.ts';
import { areaBeyond, list, one, shape } from '../operation.ts';
import { pageOf, shown } from '../page.ts';
import { byUuids, clientRef, deleted, messageShape, staffRef } from '../refs.ts';
import { invalid } from '../refusal.ts';
import { removeWith, touch } from '../relink.ts';
import { randomUUID } from 'node:crypto';
import {
  amount,
  amountIn,
  amountOptional,
  dayIn,
  dayOptional,
  dayOrNull,
  flag,
  id,
  idIn,
  idOptional,
  idOrNull,
  numberOf,
  orNull,
  requiredText,
  text,
  textIn,
  textOrNull,
  times,
  timesOf,
  two,
} from '../values.ts';

const tax = z.array(z.strictObject({ taxName: text, taxRate: amount }));
const typedTax = z.array(z.strictObject({ taxName: text, taxRate: amount, taxType: text }));
const progress = z.enum(['awaiting', 'partial', 'full']);
const status = z.enum(['draft', 'issued', 'cancelled']);

const cost = z.strictObject({
  uuid: id,
  costUUID: idOrNull,
  jobUUID: idOrNull,
  jobCostUUID: idOrNull,
  code: textOrNull,
  description: text,
  notes: textOrNull,
  type: text,
  quantity: amount,
  unitCost: amount,
  tax,
  ...times,
});
const bill = {
  uuid: id,
  supplierBillNumber: textOrNull,
  dueDate: dayOrNull,
  receiptDate: dayOrNull,
  stockReceiptID: textOrNull,
  amountExTax: amount,
  amountIncTax: amount,
  tax,
  ...times,
};
const billInOrder = { ...bill, date: dayOrNull };
const receiptMade = {
  uuid: id,
  stockReceiptID: textOrNull,
  stockReceiptNote: textOrNull,
  receiptDate: dayOrNull,
  amountExTax: amount,
  amountIncTax: amount,
};
const receipt = { ...receiptMade, supplierBillNumber: textOrNull, billDate: dayOrNull };
const receiptInOrder = { ...receipt, tax, ...times };
const orderedLine = {
  uuid: id,
  purchaseOrderCostUUID: idOrNull,
  name: text,
  quantity: amount,
  unitCost: amount,
  additional: flag,
};
const note = { uuid: id, title: text, description: textOrNull, date: dayOrNull, phase: textOrNull, ...times };
const document = { ...documentCommon, purchaseOrderPhase: textOrNull };
const head = {
  uuid: id,
  purchaseOrderNumber: textOrNull,
  status,
  description: textOrNull,
  date: dayOrNull,
  deliveryAddress: textOrNull,
  sent: flag,
  amountExTax: amount,
  amountIncTax: amount,
  costs: z.array(cost),
  ...times,
};
const base = {
  ...head,
  billingStatus: progress,
  stockReceiptStatus: progress,
  jobs: z.array(z.strictObject({ jobUUID: id, jobNumber: text })),
};

const orderListItem = shape(
  'PurchaseOrderListItem',
  z.strictObject({
    ...base,
    supplierUUID: idOrNull,
    bills: z.array(z.strictObject(billInOrder)),
    stockReceipts: z.array(z.strictObject(receiptInOrder)),
    notes: z.array(z.strictObject({ ...note, createdByUUID: idOrNull })),
    documents: z.array(z.strictObject({ ...document, uploadedByUUID: idOrNull })),
  }),
);
const orderDetail = shape(
  'PurchaseOrderDetail',
  z.strictObject({
    ...base,
    supplier: clientRef.nullable(),
    bills: z.array(
      z.strictObject({
        ...billInOrder,
        costs: z.array(z.strictObject({ ...orderedLine, tax: typedTax, ...times })),
      }),
    ),
    stockReceipts: z.array(
      z.strictObject({
        ...receiptInOrder,
        costs: z.array(z.strictObject({ ...orderedLine, taxRate: typedTax, ...times })),
      }),
    ),
    notes: z.array(z.strictObject({ ...note, createdBy: staffRef.nullable(), comments: z.array(comment) })),
    documents: z.array(z.strictObject({ ...document, uploadedBy: staffRef.nullable() })),
  }),
);
/** The jobs are spelled `{UUID, number}` in this answer alone. */
const orderSaved = shape(
  'PurchaseOrderSaved',
  z.strictObject({
    ...head,
    supplier: clientRef.nullable(),
    jobs: z.array(z.strictObject({ UUID: id, number: text })),
  }),
);
const billAlone = {
  ...bill,
  purchaseOrderUUID: idOrNull,
  status: z.enum(['approved', 'cancelled']),
  costs: z.array(z.strictObject({ ...orderedLine, tax, ...times })),
};
const billShape = shape('Bill', z.strictObject({ ...billAlone, date: dayOrNull }));
const billSaved = shape('BillSaved', z.strictObject({ ...billAlone, billDate: dayOrNull }));
const stockReceipt = shape('StockReceipt', z.strictObject({ ...receipt, ...times }));
const stockReceiptSaved = shape('StockReceiptSaved', z.strictObject({ ...receiptMade, ...times }));

type Order = StoredRecord<'purchaseOrder'>;
type Bill = StoredRecord<'bill'>;
type Receipt = StoredRecord<'stockReceipt'>;

const states = { Draft: 'draft', Issued: 'issued', Cancelled: 'cancelled' } as const;

const taxOf = (rate: string): z.infer<typeof tax> =>
  numberOf(rate) === 0 ? [] : [{ taxName: 'Tax', taxRate: numberOf(rate) }];
const typedTaxOf = (rate: string): z.infer<typeof typedTax> =>
  taxOf(rate).map((each) => ({ ...each, taxType: 'INPUT' }));

const headOf = (order: Order, money: OrderMoney) => ({
  uuid: order.uuid,
  purchaseOrderNumber: orNull(order.code),
  status: states[order.fields.state],
  description: orNull(order.fields.description),
  date: orNull(order.fields.date),
  deliveryAddress: orNull(order.fields.deliveryAddress),
  sent: order.fields.state === 'Issued',
  amountExTax: money.exTax,
  amountIncTax: money.incTax,
  costs: money.costs.map((each) => ({
    uuid: each.uuid,
    costUUID: orNull(each.fields.cost),
    jobUUID: orNull(each.fields.job) ?? order.other ?? null,
    jobCostUUID: each.other ?? null,
    code: orNull(each.fields.code),
    description: each.name,
    notes: orNull(each.fields.note),
    type: each.fields.type ?? 'Service',
    quantity: numberOf(each.fields.quantity),
    unitCost: numberOf(each.fields.unitCost),
    tax: taxOf(each.fields.taxRate),
    ...timesOf(each),
  })),
  ...timesOf(order),
});

/** The jobs that its lines are for. */
async function jobsOf(call: JsonCall, orders: readonly Order[], money: (uuid: string) => OrderMoney) {
  const named = (order: Order): readonly string[] => [
    ...new Set(
      [order.other, ...money(order.uuid).costs.map(({ fields }) => fields.job)].flatMap((job) =>
        job === undefined || job === '' ? [] : [job],
      ),
    ),
  ];
  const jobs = await call.records.byUuids('job', orders.flatMap(named));
  return (order: Order) =>
    named(order).flatMap((uuid) => {
      const job = jobs.get(uuid);
      return job ? [{ jobUUID: uuid, jobNumber: job.code ?? '' }] : [];
    });
}

const amountsOf = (lines: readonly OrderLine[]) => {
  const { exTax, incTax } = totalsOf(lines.map(orderLine));
  return { amountExTax: exTax, amountIncTax: incTax };
};

const taxesOf = (lines: readonly OrderLine[]): z.infer<typeof tax> =>
  [...new Set(lines.map(({ taxRate }) => taxRate))].flatMap(taxOf);

const billOf = (each: Bill) => ({
  uuid: each.uuid,
  supplierBillNumber: orNull(each.name),
  dueDate: orNull(each.fields.dueDate),
  receiptDate: orNull(each.fields.receiptDate),
  stockReceiptID: null,
  ...amountsOf(each.fields.lines),
  tax: taxesOf(each.fields.lines),
  ...timesOf(each),
});

const receiptMadeOf = (each: Receipt) => ({
  uuid: each.uuid,
  stockReceiptID: orNull(each.code),
  stockReceiptNote: orNull(each.fields.note),
  receiptDate: orNull(each.fields.date),
  ...amountsOf(each.fields.lines),
});

const receiptOf = (each: Receipt) => ({ ...receiptMadeOf(each), supplierBillNumber: null, billDate: null });

const lineOf = (each: OrderLine) => ({
  uuid: each.uuid,
  purchaseOrderCostUUID: orNull(each.orderCost),
  name: each.name,
  quantity: numberOf(each.quantity),
  unitCost: numberOf(each.unitCost),
  additional: each.orderCost === '',
});

async function partsOf(call: JsonCall, uuid: string) {
  const { notes, documents } = await attachedTo(call, uuid);
  return {
    notes,
    documents: documents.map(({ common, folder, uploadedBy }) => ({
      common: { ...common, purchaseOrderPhase: orNull(folder) },
      uploadedBy,
    })),
  };
}

async function listed(call: JsonCall, orders: readonly Order[]) {
  const money = await moneyOfOrders(call, orders);
  const jobs = await jobsOf(call, orders, money);
  const rows: z.infer<typeof orderListItem.schema>[] = [];
  for (const order of orders) {
    const { notes, documents } = await partsOf(call, order.uuid);
    const of = money(order.uuid);
    rows.push({
      ...headOf(order, of),
      billingStatus: of.billing,
      stockReceiptStatus: of.receiving,
      jobs: jobs(order),
      supplierUUID: order.owner ?? null,
      bills: of.bills.map((each) => ({ ...billOf(each), date: orNull(each.fields.date) })),
      stockReceipts: of.receipts.map((each) => ({
        ...receiptOf(each),
        tax: taxesOf(each.fields.lines),
        ...timesOf(each),
      })),
      notes: notes.map(({ common, createdBy }) => ({ ...common, createdByUUID: createdBy?.uuid ?? null })),
      documents: documents.map(({ common, uploadedBy }) => ({
        ...common,
        uploadedByUUID: uploadedBy?.uuid ?? null,
      })),
    });
  }
  return rows;
}

async function supplierCard(call: JsonCall, uuid: string | undefined) {
  const supplier = (await byUuids(call, 'supplier', [uuid])).get(uuid ?? '');
  if (!supplier) return null;
  const { name, fields } = supplier;
  return {
    uuid: supplier.uuid,
    name,
    email: orNull(fields.email),
    phoneNumber: orNull(fields.phone),
  };
}

async function detailed(call: JsonCall, order: Order): Promise<z.infer<typeof orderDetail.schema>> {
  const money = await moneyOfOrders(call, [order]);
  const of = money(order.uuid);
  const { notes, documents } = await partsOf(call, order.uuid);
  return {
    ...headOf(order, of),
    billingStatus: of.billing,
    stockReceiptStatus: of.receiving,
    jobs: (await jobsOf(call, [order], money))(order),
    supplier: await supplierCard(call, order.owner),
    bills: of.bills.map((each) => ({
      ...billOf(each),
      date: orNull(each.fields.date),
      costs: each.fields.lines.map((line) => ({
        ...lineOf(line),
        tax: typedTaxOf(line.taxRate),
        ...timesOf(each),
      })),
    })),
    stockReceipts: of.receipts.map((each) => ({
      ...receiptOf(each),
      tax: taxesOf(each.fields.lines),
      ...timesOf(each),
      costs: each.fields.lines.map((line) => ({
        ...lineOf(line),
        taxRate: typedTaxOf(line.taxRate),
        ...timesOf(each),
      })),
    })),
    notes: notes.map(({ common, createdBy, comments }) => ({ ...common, createdBy, comments })),
    documents: documents.map(({ common, uploadedBy }) => ({ ...common, uploadedBy })),
  };
}

const write = z.object({
  supplierUUID: idIn,
  date: dayIn,
  description: textIn,
  deliveryAddress: textIn,
  status: z.enum(['draft', 'issued']).nullish(),
  costs: z
    .array(
      z.object({
        jobUUID: idIn,
        costUUID: idOptional,
        code: textIn,
        description: requiredText,
        notes: textIn,
        type: z.enum(['Service', 'Stock']).nullish(),
        quantity: amountIn,
        unitCost: amountIn,
      }),
    )
    .nullish(),
});

async function create(call: JsonCall, body: z.infer<typeof write>) {
  const supplier = await ofBody(call, 'supplier', body.supplierUUID, 'supplierUUID');
  const costs = body.costs ?? [];
  const jobs: string[] = [];
  for (const [at, { jobUUID }] of costs.entries())
    jobs.push((await ofBody(call, 'job', jobUUID, `costs[${at}].jobUUID`)).uuid);
  const order = await call.records.insert(
    'purchaseOrder',
    {
      name: '',
      owner: supplier.uuid,
      other: jobs[0],
      code: await nextCode(call.records, 'purchaseOrder'),
      fields: {
        description: body.description ?? '',
        date: body.date,
        deliveryAddress: body.deliveryAddress ?? '',
        state: body.status === 'issued' ? 'Issued' : 'Draft',
      },
    },
    call.now,
  );
  for (const [at, each] of costs.entries()) {
    const item = await referenceAfter(call, 'cost', each.costUUID, `costs[${at}].costUUID`);
    const fields = {
      code: each.code ?? '',
      note: each.notes ?? '',
      quantity: two(each.quantity),
      unitCost: two(each.unitCost),
      taxRate: '0.00',
      job: jobs[at] ?? '',
      cost: item,
      type: each.type ?? ('Service' as const),
    };
    await call.records.insert(
      'purchaseOrderCost',
      { name: each.description, owner: order.uuid, fields },
      call.now,
    );
  }
  for (const job of new Set(jobs)) await touch(call, 'job', job);
  return saved(call, order);
}

async function saved(call: JsonCall, order: Order): Promise<z.infer<typeof orderSaved.schema>> {
  const money = await moneyOfOrders(call, [order]);
  return {
    ...headOf(order, money(order.uuid)),
    supplier: await supplierCard(call, order.owner),
    jobs: (await jobsOf(call, [order], money))(order).map(({ jobUUID, jobNumber }) => ({
      UUID: jobUUID,
      number: jobNumber,
    })),
  };
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
    const of = known.find(({ uuid }) => uuid === line.purchaseOrderCostUUID?.toLowerCase());
    if (line.purchaseOrderCostUUID && !of)
      throw invalid(`costs[${at}].purchaseOrderCostUUID`, 'names no cost of this purchase order');
    const name = line.name ?? of?.name;
    if (name === undefined) throw invalid(`costs[${at}].name`, `costs[${at}].name is required`);
    const unitCost = line.unitCost ?? numberOf(of?.fields.unitCost);
    return {
      uuid: randomUUID(),
      orderCost: of?.uuid ?? '',
      name,
      quantity: two(line.quantity),
      unitCost: two(unitCost),
      taxRate: of?.fields.taxRate ?? '0.00',
    };
  });
}

const billWrite = z.object({
  supplierBillNumber: textIn,
  billDate: dayIn,
  dueDate: dayOptional,
  receiptDate: dayOptional,
  costs: z.array(receivedLine.extend({ unitCost: amountIn })).nullish(),
});

const billAloneOf = (each: Bill) => ({
  ...billOf(each),
  purchaseOrderUUID: each.owner ?? null,
  status: 'approved' as const,
  costs: each.fields.lines.map((line) => ({ ...lineOf(line), tax: taxOf(line.taxRate), ...timesOf(each) })),
});

async function createBill(call: JsonCall, order: Order, body: z.infer<typeof billWrite>) {
  const made = await call.records.insert(
    'bill',
    {
      name: body.supplierBillNumber ?? '',
      owner: order.uuid,
      fields: {
        date: body.billDate,
        dueDate: body.dueDate ?? '',
        receiptDate: body.receiptDate ?? '',
        lines: await linesOf(call, order, body.costs ?? []),
      },
    },
    call.now,
  );
  await touch(call, 'purchaseOrder', order.uuid);
  return { ...billAloneOf(made), billDate: orNull(made.fields.date) };
}

const receiptWrite = z.object({
  stockReceiptNote: textIn,
  receiptDate: dayIn,
  costs: z.array(receivedLine.omit({ name: true })).nullish(),
});

async function nextReceiptCode(call: JsonCall): Promise<string> {
  const highest = await call.records.highestCode('stockReceipt', 'SR');
  return `SR${String(highest + 1).padStart(6, '0')}`;
}

async function createReceipt(call: JsonCall, order: Order, body: z.infer<typeof receiptWrite>) {
  const made = await call.records.insert(
    'stockReceipt',
    {
      name: '',
      owner: order.uuid,
      code: await nextReceiptCode(call),
      fields: {
        note: body.stockReceiptNote ?? '',
        date: body.receiptDate,
        lines: await linesOf(call, order, body.costs ?? []),
      },
    },
    call.now,
  );
  await touch(call, 'purchaseOrder', order.uuid);
  return { ...receiptMadeOf(made), ...timesOf(made) };
}

const query = ['sort', 'order', 'updatedSince', 'lastModified'] as const;

export const purchaseOrders = areaBeyond('Purchase orders', [
  list({
    id: 'v2.purchase-orders.list',
    path: '/purchase-orders',
    summary: 'List purchase orders',
    query,
    response: orderListItem,
    serve: (call) => shown(pageOf(call, 'purchaseOrder'), (rows) => listed(call, rows)),
  }),
  one({
    id: 'v2.purchase-orders.get',
    method: 'GET',
    path: '/purchase-orders/{identifier}',
    summary: 'Get a purchase order',
    notes: 'The identifier is the UUID or the number.',
    on: { identifier: 'purchaseOrder' },
    response: orderDetail,
    serve: (call, { identifier: order }) => detailed(call, order),
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
    response: orderSaved,
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
    response: billShape,
    serve: (call) =>
      shown(pageOf(call, 'bill', { ownedByLiving: 'purchaseOrder' }), (rows) =>
        rows.map((row) => ({ ...billAloneOf(row), date: orNull(row.fields.date) })),
      ),
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
    serve: (call, { identifier: order }, body) => createBill(call, order, body),
  }),
  list({
    id: 'v2.purchase-orders.stock-receipts.list',
    path: '/purchase-orders/stock-receipts',
    summary: 'List stock receipts',
    response: stockReceipt,
    serve: (call) =>
      shown(pageOf(call, 'stockReceipt', { ownedByLiving: 'purchaseOrder' }), (rows) =>
        rows.map((row) => ({ ...receiptOf(row), ...timesOf(row) })),
      ),
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
    serve: (call, { UUID: order }, body) => createReceipt(call, order, body),
  }),
]);
