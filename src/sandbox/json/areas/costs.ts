import { z } from 'zod';
import type { CostFields } from '../../records/kinds/jobs.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { freshView, referenceAfter } from '../find.ts';
import { area, list, one, shape } from '../operation.ts';
import { pageOf, shown } from '../page.ts';
import { byUuids, deleted, messageShape, namedRefOf, supplierRef } from '../refs.ts';
import {
  amount,
  amountOptional,
  id,
  idOptional,
  moment,
  numberOf,
  orNull,
  requiredText,
  text,
  textAfter,
  textIn,
  textOrNull,
  times,
  timesOf,
  twoAfter,
} from '../values.ts';

const costItem = shape(
  'CostItem',
  z.strictObject({
    uuid: id,
    name: text,
    code: textOrNull,
    description: textOrNull,
    note: textOrNull,
    unitCost: amount,
    unitPrice: amount,
    supplier: supplierRef.nullable(),
    incomeAccount: textOrNull,
    costOfSaleAccount: textOrNull,
    ...times,
    deletedAt: moment.nullable(),
  }),
);

const changes = z.object({
  name: requiredText.optional(),
  code: textIn,
  description: textIn,
  note: textIn,
  unitCost: amountOptional,
  unitPrice: amountOptional,
  supplierUUID: idOptional,
});
const write = changes.extend({ name: requiredText });
type Changes = z.infer<typeof changes>;

async function views(call: JsonCall, costs: readonly StoredRecord<'cost'>[]) {
  const suppliers = await byUuids(
    call,
    'supplier',
    costs.map(({ other }) => other),
  );
  return costs.map((cost): z.infer<typeof costItem.schema> => {
    const { fields } = cost;
    return {
      uuid: cost.uuid,
      name: cost.name,
      code: orNull(fields.code),
      description: orNull(fields.details),
      note: orNull(fields.note),
      unitCost: numberOf(fields.unitCost),
      unitPrice: numberOf(fields.unitPrice),
      supplier: namedRefOf(suppliers.get(cost.other ?? '')),
      incomeAccount: orNull(fields.incomeAccount),
      costOfSaleAccount: orNull(fields.costOfSaleAccount),
      ...timesOf(cost),
      deletedAt: null,
    };
  });
}

const viewOf = (call: JsonCall, uuid: string) => freshView(call, 'cost', uuid, views);

const fieldsAfter = (body: Changes, before: CostFields | undefined): CostFields => ({
  ...before,
  code: textAfter(body.code, before?.code),
  note: textAfter(body.note, before?.note),
  details: textAfter(body.description, before?.details),
  unitCost: twoAfter(body.unitCost, before?.unitCost) || '0.00',
  unitPrice: twoAfter(body.unitPrice, before?.unitPrice) || '0.00',
});

const example = { name: 'Cedar', code: 'C1', unitCost: 12.5, unitPrice: 20, supplierUUID: '{supplier}' };

export const costs = area('Costs (catalogue)', [
  list({
    id: 'v2.costs.list',
    path: '/costs',
    summary: 'List cost items',
    query: ['sort', 'order', 'updatedSince', 'lastModified'],
    response: costItem,
    serve: (call) => shown(pageOf(call, 'cost'), (rows) => views(call, rows)),
  }),
  one({
    id: 'v2.costs.get',
    method: 'GET',
    path: '/costs/{UUID}',
    summary: 'Get a cost item',
    on: { UUID: 'cost' },
    response: costItem,
    serve: (call, on) => viewOf(call, on.UUID.uuid),
  }),
  one({
    id: 'v2.costs.create',
    method: 'POST',
    path: '/costs',
    summary: 'Create a cost item',
    body: write,
    example,
    response: costItem,
    serve: async (call, _on, body) => {
      const other = await referenceAfter(call, 'supplier', body.supplierUUID, 'supplierUUID');
      const cost = await call.records.insert(
        'cost',
        { name: body.name, fields: fieldsAfter(body, undefined), other: other || undefined },
        call.now,
      );
      return viewOf(call, cost.uuid);
    },
  }),
  one({
    id: 'v2.costs.update',
    method: 'PUT',
    path: '/costs/{UUID}',
    summary: 'Update a cost item',
    on: { UUID: 'cost' },
    body: changes,
    example: { unitPrice: 22 },
    response: costItem,
    serve: async (call, { UUID: cost }, body) => {
      const other = await referenceAfter(call, 'supplier', body.supplierUUID, 'supplierUUID', cost.other);
      const { name = cost.name } = body;
      await call.records.update(
        cost,
        { name, fields: fieldsAfter(body, cost.fields), other: other || null },
        call.now,
      );
      return viewOf(call, cost.uuid);
    },
  }),
  one({
    id: 'v2.costs.delete',
    method: 'DELETE',
    path: '/costs/{UUID}',
    summary: 'Delete a cost item',
    notes: 'Costs of jobs that were made from it stay.',
    on: { UUID: 'cost' },
    response: messageShape,
    serve: async (call, { UUID: cost }) => {
      await call.records.update(cost, { isDeleted: true }, call.now);
      return deleted('cost item');
    },
  }),
]);
