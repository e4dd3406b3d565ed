/**
 * The operations of V2 on rates that override the catalogue. A rate has no identifier and is addressed by
 * what it applies to.
 */
import { z } from 'zod';
import type { CustomRateFields } from '../../records/kinds/rates.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import { customRateTypes } from '../../tables/catalogue/rates.ts';
import type { JsonCall } from '../operation/call.ts';
import { ofBody } from '../record/find.ts';
import { area, one, shape } from '../operation/operation.ts';
import { messageShape } from '../record/refs.ts';
import { invalid, notFound } from '../operation/refusal.ts';
import { touch } from '../record/relink.ts';
import {
  amountOrNull,
  dayOptional,
  dayOrNull,
  idOptional,
  idOrNull,
  numberOrNull,
  orNull,
  rateOptional,
  twoAfter,
} from '../record/values.ts';

const customRate = shape(
  'CustomRate',
  z.strictObject({
    type: z.enum(customRateTypes),
    taskUUID: idOrNull,
    clientUUID: idOrNull,
    staffUUID: idOrNull,
    baseRate: amountOrNull,
    billableRate: amountOrNull,
    appliedUpTo: dayOrNull,
  }),
);

const selector = z.object({
  type: z.enum(customRateTypes),
  taskUUID: idOptional,
  clientUUID: idOptional,
  staffUUID: idOptional,
  appliedUpTo: dayOptional,
});
const write = selector.extend({ baseRate: rateOptional, billableRate: rateOptional });
type Selector = z.infer<typeof selector>;
type Write = z.infer<typeof write>;

interface Place {
  readonly type: Selector['type'];
  readonly ownerKind: 'task' | 'staff';
  readonly owner: string;
  readonly other: string | undefined;
  readonly appliedUpTo: string;
}

/** Finds the records that the rate applies to, which identify it. Throws `JsonRefusal` 422. */
async function placeOf(call: JsonCall, given: Selector): Promise<Place> {
  const { type } = given;
  switch (type) {
    case 'client-task':
    case 'staff-task': {
      const task = await named(call, 'task', given.taskUUID, 'taskUUID');
      const other =
        type === 'client-task'
          ? await named(call, 'client', given.clientUUID, 'clientUUID')
          : await named(call, 'staff', given.staffUUID, 'staffUUID');
      return { type, ownerKind: 'task', owner: task, other, appliedUpTo: '' };
    }
    case 'historic': {
      if (Boolean(given.taskUUID) === Boolean(given.staffUUID))
        throw invalid('taskUUID', 'exactly one of taskUUID and staffUUID is required for a historic rate');
      if (!given.appliedUpTo) throw invalid('appliedUpTo', 'appliedUpTo is required');
      const ownerKind = given.taskUUID ? 'task' : 'staff';
      const owner = await named(call, ownerKind, given.taskUUID ?? given.staffUUID, `${ownerKind}UUID`);
      return { type, ownerKind, owner, other: undefined, appliedUpTo: given.appliedUpTo };
    }
  }
}

async function named(
  call: JsonCall,
  kind: 'task' | 'client' | 'staff',
  uuid: string | null | undefined,
  field: string,
): Promise<string> {
  if (!uuid) throw invalid(field, `${field} is required`);
  return (await ofBody(call, kind, uuid, field)).uuid;
}

async function at(call: JsonCall, place: Place): Promise<StoredRecord<'customRate'> | undefined> {
  const all = await call.records.owned('customRate', place.owner);
  return all.find(
    ({ other, fields }) =>
      fields.type === place.type && other === place.other && fields.appliedUpTo === place.appliedUpTo,
  );
}

async function put(call: JsonCall, body: Write) {
  const place = await placeOf(call, body);
  const before = await at(call, place);
  const fields: CustomRateFields = {
    type: place.type,
    baseRate: twoAfter(body.baseRate, before?.fields.baseRate),
    billableRate: twoAfter(body.billableRate, before?.fields.billableRate),
    appliedUpTo: place.appliedUpTo,
  };
  requireRate(fields);
  if (before) await call.records.update(before, { fields }, call.now);
  else
    await call.records.insert(
      'customRate',
      { name: '', fields, owner: place.owner, other: place.other },
      call.now,
    );
  await touch(call, place.ownerKind, place.owner);
  return view(place, fields);
}

function requireRate({ type, baseRate, billableRate }: CustomRateFields): void {
  if (type === 'client-task' && billableRate === '')
    throw invalid('billableRate', 'billableRate is required');
  if (baseRate === '' && billableRate === '')
    throw invalid('billableRate', 'baseRate or billableRate is required');
}

const view = (place: Place, fields: CustomRateFields): z.infer<typeof customRate.schema> => ({
  type: place.type,
  taskUUID: place.ownerKind === 'task' ? place.owner : null,
  clientUUID: place.type === 'client-task' ? (place.other ?? null) : null,
  staffUUID:
    place.ownerKind === 'staff' ? place.owner : place.type === 'staff-task' ? (place.other ?? null) : null,
  baseRate: numberOrNull(fields.baseRate),
  billableRate: numberOrNull(fields.billableRate),
  appliedUpTo: orNull(fields.appliedUpTo),
});

async function remove(call: JsonCall, body: Selector) {
  const place = await placeOf(call, body);
  const found = await at(call, place);
  if (!found) throw notFound('custom rate');
  await call.records.update(found, { isDeleted: true }, call.now);
  await touch(call, place.ownerKind, place.owner);
  return { message: 'The custom rate was deleted.' };
}

/** It is not known whether the selector is in the body or in the query, so both are read. */
function selectorFromQuery(body: unknown, call: JsonCall): unknown {
  if (body !== undefined) return body;
  const given = ['type', 'taskUUID', 'clientUUID', 'staffUUID', 'appliedUpTo'].flatMap((name) => {
    const value = call.query(name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given) as object;
}

export const customRates = area('Custom rates', [
  one({
    id: 'v2.custom-rates.put',
    method: 'PUT',
    path: '/custom-rates',
    summary: 'Create or update a single custom rate record',
    notes:
      'client-task: taskUUID, clientUUID, billableRate. staff-task: taskUUID, staffUUID and a rate. historic: taskUUID or staffUUID, appliedUpTo and the superseded rate; it holds for work dated before that day.',
    body: write,
    example: { type: 'client-task', taskUUID: '{task}', clientUUID: '{client}', billableRate: 140 },
    response: customRate,
    serve: (call, _on, body) => put(call, body),
  }),
  one({
    id: 'v2.custom-rates.delete',
    method: 'DELETE',
    path: '/custom-rates',
    summary: 'Delete a single custom rate record',
    notes: 'The selector may stand in the query as well.',
    body: selector,
    prepare: selectorFromQuery,
    example: { type: 'staff-task', taskUUID: '{task}', staffUUID: '{staff}' },
    response: messageShape,
    serve: (call, _on, body) => remove(call, body),
  }),
]);
