import { nextCode } from '../../../records/codes.ts';
import { usualTaxRate } from '../../../tables/money/invoice.ts';
import { currentPurchaseOrders } from '../../../records/current.ts';
import type { RecordFields, StoredRecord } from '../../../records/kinds.ts';
import type { Referring } from '../../../records/referred.ts';
import { type OrderLines, orderLineTotals, ordersWithLines } from '../../../records/with-lines.ts';
import { purchaseOrderCostRows, purchaseOrderRows } from '../../../tables/money/purchase-order.ts';
import { amountFields } from '../../record/amounts.ts';
import { absentInPractice, type Answer, methods, type XmlCall } from '../../call.ts';
import { requiredDays } from '../../record/days.ts';
import { setAfter } from '../../record/elements.ts';
import { list } from '../../record/fields.ts';
import { ofCode, ofElement, ofPath, requireId } from '../../record/identify.ts';
import { ofRoot } from '../../http/message.ts';
import { pageOf } from '../../http/page.ts';
import { elementsOf } from '../../record/record.ts';
import { insertRead, xmlResource } from '../../record/resource.ts';
import { isoDate, readDate } from '../../../tables/values.ts';

type OrderView = Referring<'purchaseOrder'> & OrderLines;
type Cost = StoredRecord<'purchaseOrderCost'>;

const orders = xmlResource<'purchaseOrder', OrderView>({
  kind: 'purchaseOrder',
  rows: purchaseOrderRows,
  root: 'PurchaseOrder',
  id: 'codeAlone',
  load: ({ records }, of) => ordersWithLines(records, of),
  behind: () => ({ State: amountFields<OrderView>(({ totals }) => totals) }),
  further: ({ dialect: { ids } }, isDetailed) =>
    isDetailed
      ? [
          list(
            'Costs',
            'Cost',
            [
              ...elementsOf(purchaseOrderCostRows, ids),
              ...amountFields<Cost>(({ fields }) => orderLineTotals(fields)),
            ],
            ({ costs }: OrderView) => costs,
          ),
        ]
      : [],
});

const ORDERS_PER_PAGE = 1_000;

/** All or nothing: a refused item leaves no order behind. */
const add =
  (state: RecordFields['purchaseOrder']['state']) =>
  async (call: XmlCall): Promise<Answer> => {
    const message = ofRoot(call.message, 'PurchaseOrder');
    const job = await ofCode(call, 'job', message, ['PurchaseOrder', 'JobNumber']);
    requireId(call, message, ['PurchaseOrder'], 'Supplier');
    const supplier = await ofElement(call, 'supplier', message, 'Supplier');
    const today = isoDate(call.now);
    const code = await nextCode(call.records, 'purchaseOrder');
    const order = await insertRead(call, 'purchaseOrder', purchaseOrderRows, 'PurchaseOrder', message, {
      code,
      owner: supplier.uuid,
      other: job.uuid,
      fields: { state, date: setAfter(message, 'Date', today, today, readDate) },
    });
    const path = ['PurchaseOrder', 'Items', 'Item'] as const;
    for (const item of message?.child('Items')?.children('Item') ?? [])
      await insertRead(call, 'purchaseOrderCost', purchaseOrderCostRows, path, item, {
        owner: order.uuid,
        fields: { taxRate: usualTaxRate },
      });
    return { answer: 'status', scalars: [['ID', code]] };
  };

const inState = (values: readonly string[]) => (call: XmlCall) =>
  orders.list(call, { oneOf: { field: 'state', values } });

export const orderOperations = absentInPractice(
  methods([
    ['GET', 'purchaseorder.current', 'purchaseorder.api/current', inState(currentPurchaseOrders)],
    ['GET', 'purchaseorder.draft', 'purchaseorder.api/draft', inState(['Draft'])],
    [
      'GET',
      'purchaseorder.list',
      'purchaseorder.api/list',
      async (call) =>
        orders.list(
          call,
          { dated: { field: 'date', ...requiredDays(call) } },
          { page: pageOf(call, ORDERS_PER_PAGE) },
        ),
    ],
    ['GET', 'purchaseorder.get', 'purchaseorder.api/get/{id}', orders.get],
    [
      'GET',
      'purchaseorder.job',
      'purchaseorder.api/job/{id}',
      async (call) => orders.list(call, { other: (await ofPath(call, 'job')).uuid }, { isShort: true }),
    ],
    ['POST', 'purchaseorder.add', 'purchaseorder.api/add', add('Issued')],
    ['POST', 'purchaseorder.adddraft', 'purchaseorder.api/adddraft', add('Draft')],
  ]),
);
