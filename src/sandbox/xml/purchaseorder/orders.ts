import { nextCode, usualTaxRate } from '../../records/codes.ts';
import { currentPurchaseOrders } from '../../records/current.ts';
import type { PurchaseOrderState } from '../../records/kinds/money.ts';
import type { Selection } from '../../records/records.ts';
import type { Answer, Operation, XmlCall } from '../call.ts';
import { requiredDays } from '../days.ts';
import { required, setAfter } from '../elements.ts';
import { ofCode, ofElement, ofPath, requireId } from '../identify.ts';
import { ofRoot, type Message } from '../message.ts';
import { type Page, pageOf, pageScalars } from '../page.ts';
import { isoDate, readDate, readDecimal, readFlag } from '../values.ts';
import { writtenOrders } from './view.ts';

function ordersAnswer(call: XmlCall, selection: Selection, page?: Page): Extract<Answer, { answer: 'list' }> {
  const isDetailed = readFlag(call.query('detailed') ?? '') ?? false;
  async function* records(): AsyncGenerator<string> {
    for await (const batch of call.records.select('purchaseOrder', selection, page))
      yield writtenOrders(call, batch, isDetailed);
  }
  return { answer: 'list', container: 'PurchaseOrders', records: records() };
}

const inState =
  (values: readonly string[]) =>
  async (call: XmlCall): Promise<Answer> =>
    ordersAnswer(call, { withDeleted: false, oneOf: { field: 'state', values } });

async function list(call: XmlCall): Promise<Answer> {
  const selection = { withDeleted: false, dated: { field: 'date', ...requiredDays(call) } };
  const page = pageOf(call, ORDERS_PER_PAGE);
  return {
    ...ordersAnswer(call, selection, page),
    ...(page && {
      scalars: pageScalars(page, await call.records.count('purchaseOrder', selection)),
    }),
  };
}

const ORDERS_PER_PAGE = 1_000;

async function get(call: XmlCall): Promise<Answer> {
  const order = await ofPath(call, 'purchaseOrder');
  return { answer: 'record', xml: await writtenOrders(call, [order], true) };
}

async function ofJob(call: XmlCall): Promise<Answer> {
  const job = await ofPath(call, 'job');
  return ordersAnswer(call, { withDeleted: false, other: job.uuid });
}

/** Whole at once: an item that is refused leaves no order behind. */
const add =
  (state: PurchaseOrderState) =>
  async (call: XmlCall): Promise<Answer> => {
    const message = ofRoot(call.message, 'PurchaseOrder');
    const job = await ofCode(call, 'job', message, ['PurchaseOrder', 'JobNumber']);
    requireId(call, message, ['PurchaseOrder'], 'Supplier');
    const supplier = await ofElement(call, 'supplier', message, 'Supplier');
    const today = isoDate(call.now);
    const fields = {
      description: message?.text('Description') ?? '',
      date: setAfter(message, 'Date', today, today, readDate),
      deliveryAddress: message?.text('DeliveryAddress') ?? '',
      state,
    };
    const code = await nextCode(call.records, 'purchaseOrder');
    const order = await call.records.insert(
      'purchaseOrder',
      { code, name: '', owner: supplier.uuid, other: job.uuid, fields },
      call.now,
    );
    const items = (message?.child('Items')?.children('Item') ?? []).map(itemOf);
    await call.records.insertAll(
      'purchaseOrderCost',
      items.map((item) => ({ ...item, owner: order.uuid })),
      call.now,
    );
    return { answer: 'status', scalars: [['ID', code]] };
  };

function itemOf(item: Message) {
  return {
    name: required(item, 'PurchaseOrder', 'Items', 'Item', 'Description'),
    fields: {
      code: item.text('Code') ?? '',
      note: item.text('Note') ?? '',
      quantity: setAfter(item, 'Quantity', '1.00', '1.00', readDecimal),
      unitCost: setAfter(item, 'UnitCost', '0.00', '0.00', readDecimal),
      taxRate: usualTaxRate,
    },
  };
}

export const orderOperations: readonly Operation[] = (
  [
    {
      id: 'purchaseorder.current',
      verbs: ['GET'],
      path: 'purchaseorder.api/current',
      serve: inState(currentPurchaseOrders),
    },
    { id: 'purchaseorder.draft', verbs: ['GET'], path: 'purchaseorder.api/draft', serve: inState(['Draft']) },
    { id: 'purchaseorder.list', verbs: ['GET'], path: 'purchaseorder.api/list', serve: list },
    { id: 'purchaseorder.get', verbs: ['GET'], path: 'purchaseorder.api/get/{id}', serve: get },
    { id: 'purchaseorder.job', verbs: ['GET'], path: 'purchaseorder.api/job/{id}', serve: ofJob },
    { id: 'purchaseorder.add', verbs: ['POST'], path: 'purchaseorder.api/add', serve: add('Issued') },
    {
      id: 'purchaseorder.adddraft',
      verbs: ['POST'],
      path: 'purchaseorder.api/adddraft',
      serve: add('Draft'),
    },
  ] satisfies readonly Operation[]
).map((operation) => ({ ...operation, isAbsentInPractice: true }));
