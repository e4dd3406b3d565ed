import { costTotals, sum, type Totals } from '../../records/money.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import { amountFields } from '../amounts.ts';
import type { XmlCall } from '../call.ts';
import type { IdForm } from '../dialect.ts';
import {
  type Coded,
  codedFields,
  type Fields,
  list,
  type Named,
  namedFields,
  nested,
  recordWriter,
  text,
} from '../fields.ts';
import { dateTime } from '../values.ts';

type Order = StoredRecord<'purchaseOrder'>;
type Cost = StoredRecord<'purchaseOrderCost'>;

interface OrderView extends Order {
  readonly job: Coded | undefined;
  readonly supplier: Named | undefined;
  readonly totals: Totals;
  readonly costs: readonly Cost[];
}

const lineTotals = ({ fields }: Cost): Totals => costTotals({ ...fields, price: fields.unitCost });

const costFields: Fields<Cost> = [
  text('Description', ({ name }) => name),
  text('Code', ({ fields }) => fields.code),
  text('Note', ({ fields }) => fields.note),
  text('Quantity', ({ fields }) => fields.quantity),
  text('UnitCost', ({ fields }) => fields.unitCost),
  ...amountFields<Cost>(lineTotals),
];

/** Its number only, on both forms. */
const orderFields = (ids: IdForm, isDetailed: boolean): Fields<OrderView> => [
  text('ID', ({ code }) => code),
  text('Description', ({ fields }) => fields.description),
  text('Date', ({ fields }) => dateTime(fields.date)),
  text('DeliveryAddress', ({ fields }) => fields.deliveryAddress),
  text('State', ({ fields }) => fields.state),
  ...amountFields<OrderView>(({ totals }) => totals),
  nested('Job', codedFields, ({ job }) => job),
  nested('Supplier', namedFields(ids), ({ supplier }) => supplier),
  ...(isDetailed ? [list('Costs', 'Cost', costFields, ({ costs }: OrderView) => costs)] : []),
];

export async function writtenOrders(
  { records, dialect }: XmlCall,
  orders: readonly Order[],
  isDetailed: boolean,
): Promise<string> {
  const costs = await records.ownedBy(
    'purchaseOrderCost',
    orders.map(({ uuid }) => uuid),
  );
  const jobs = await records.byUuids(
    'job',
    orders.map(({ other }) => other ?? ''),
  );
  const suppliers = await records.byUuids(
    'supplier',
    orders.map(({ owner }) => owner ?? ''),
  );
  const write = recordWriter('PurchaseOrder', orderFields(dialect.ids, isDetailed));
  return orders
    .map((order) => {
      const lines = costs.get(order.uuid) ?? [];
      return write({
        ...order,
        job: jobs.get(order.other ?? ''),
        supplier: suppliers.get(order.owner ?? ''),
        totals: sum(lines.map(lineTotals)),
        costs: lines,
      });
    })
    .join('');
}
