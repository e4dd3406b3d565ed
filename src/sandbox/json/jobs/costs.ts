import { z } from 'zod';
import type { JobCostFields } from '../../records/kinds/jobs.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { customValuesAfter, customValuesIn, customValuesShown } from '../customValues.ts';
import { fresh, ofBody, referenceAfter } from '../find.ts';
import { area, list, one } from '../operation.ts';
import { pageOf, shown } from '../page.ts';
import { folderAfter, phaseRefOf } from '../phases.ts';
import { byUuids, namedRefOf } from '../refs.ts';
import { touch } from '../relink.ts';
import {
  amountOptional,
  cents,
  dayIn,
  flagAfter,
  flagOptional,
  idOptional,
  numberOf,
  orNull,
  requiredText,
  textAfter,
  textIn,
  timesOf,
  twoAfter,
} from '../values.ts';
import { costTypes, jobCostListItem, jobCostOfAll, jobCostSaved } from './shapes.ts';

/** `service` and `stock` are met in both cases. */
const costType = z
  .string()
  .refine(
    (given) => costTypes.some((one) => one.toLowerCase() === given.toLowerCase()),
    'must be Service or Stock',
  )
  .nullish();

const changes = z.object({
  costName: requiredText.optional(),
  date: dayIn.optional(),
  actual: flagOptional,
  unitCost: amountOptional,
  unitPrice: amountOptional,
  quantity: amountOptional,
  type: costType,
  billable: flagOptional,
  costUUID: idOptional,
  costCode: textIn,
  note: textIn,
  supplierUUID: idOptional,
  phaseUUID: idOptional,
  customFields: customValuesIn,
});
const write = changes.extend({ costName: requiredText, date: dayIn });
type Changes = z.infer<typeof changes>;
type JobCost = StoredRecord<'jobCost'>;

async function fieldsAfter(
  call: JsonCall,
  job: string,
  body: Changes,
  before: JobCostFields | undefined,
): Promise<JobCostFields> {
  const item = body.costUUID ? await ofBody(call, 'cost', body.costUUID, 'costUUID') : undefined;
  const usual = before ?? item?.fields;
  return {
    ...before,
    code: textAfter(body.costCode, usual?.code),
    note: textAfter(body.note, usual?.note),
    date: body.date ?? before?.date ?? '',
    quantity: twoAfter(body.quantity, before?.quantity) || '1.00',
    unitCost: twoAfter(body.unitCost, usual?.unitCost) || '0.00',
    unitPrice: twoAfter(body.unitPrice, usual?.unitPrice) || '0.00',
    billable: flagAfter(body.billable, before?.billable ?? true),
    actual: flagAfter(body.actual, before?.actual ?? true),
    type:
      costTypes.find((one) => one.toLowerCase() === body.type?.toLowerCase()) ?? before?.type ?? 'Service',
    folder: await folderAfter(call, job, body.phaseUUID, before?.folder),
    cost: await referenceAfter(call, 'cost', body.costUUID, 'costUUID', before?.cost),
  };
}

async function commonOf(call: JsonCall, costs: readonly JobCost[]) {
  const suppliers = await byUuids(
    call,
    'supplier',
    costs.map(({ other }) => other),
  );
  const customFields = await customValuesShown(call, 'JobCost');
  return (cost: JobCost) => {
    const { fields } = cost;
    const unitCost = numberOf(fields.unitCost);
    const unitPrice = numberOf(fields.unitPrice);
    return {
      uuid: cost.uuid,
      costUUID: orNull(fields.cost),
      costCode: orNull(fields.code),
      note: orNull(fields.note),
      date: orNull(fields.date),
      type: fields.type ?? 'Service',
      actual: fields.actual ?? true,
      billable: fields.billable,
      quantity: numberOf(fields.quantity),
      unitCost,
      unitPrice,
      supplier: namedRefOf(suppliers.get(cost.other ?? '')),
      phase: phaseRefOf(cost.owner ?? '', fields.folder),
      customFields: customFields(cost),
      markup: unitCost === 0 ? null : cents(((unitPrice - unitCost) / unitCost) * 100),
      amount: cents(numberOf(fields.quantity) * unitPrice),
      ...timesOf(cost),
    };
  };
}

async function listed(call: JsonCall, costs: readonly JobCost[]) {
  const common = await commonOf(call, costs);
  return costs.map((cost) => ({ ...common(cost), description: cost.name }));
}

async function listedOfAll(call: JsonCall, costs: readonly JobCost[]) {
  const common = await commonOf(call, costs);
  const jobs = await byUuids(
    call,
    'job',
    costs.map(({ owner }) => owner),
  );
  return costs.map((cost) => {
    const job = jobs.get(cost.owner ?? '');
    return {
      ...common(cost),
      description: cost.name,
      job: { uuid: cost.owner ?? '', jobNumber: job?.code ?? '', jobName: job?.name ?? '' },
    };
  });
}

async function written(call: JsonCall, uuid: string) {
  const cost = await fresh(call, 'jobCost', uuid);
  const siblings = (await call.records.ownedBy('jobCost', [cost.owner ?? ''])).get(cost.owner ?? '') ?? [];
  return {
    ...(await commonOf(call, [cost]))(cost),
    costName: cost.name,
    order: siblings.findIndex((one) => one.uuid === uuid) + 1,
  };
}

async function create(call: JsonCall, job: StoredRecord<'job'>, body: z.infer<typeof write>) {
  const fields = await fieldsAfter(call, job.uuid, body, undefined);
  const other = await referenceAfter(call, 'supplier', body.supplierUUID, 'supplierUUID');
  const customValues = await customValuesAfter(call, 'JobCost', body.customFields);
  const cost = await call.records.insert(
    'jobCost',
    { name: body.costName, fields, owner: job.uuid, other: other || undefined, customValues },
    call.now,
  );
  await touch(call, 'job', job.uuid);
  return written(call, cost.uuid);
}

async function update(call: JsonCall, cost: JobCost, body: Changes) {
  const fields = await fieldsAfter(call, cost.owner ?? '', body, cost.fields);
  const other = await referenceAfter(call, 'supplier', body.supplierUUID, 'supplierUUID', cost.other);
  const customValues = await customValuesAfter(call, 'JobCost', body.customFields, cost.customValues);
  const { costName: name = cost.name } = body;
  await call.records.update(cost, { name, fields, other: other || null, customValues }, call.now);
  await touch(call, 'job', cost.owner);
  return written(call, cost.uuid);
}

const query = ['sort', 'order', 'updatedSince', 'lastModified'] as const;

export const jobCosts = area('Job costs', [
  list({
    id: 'v2.job-costs.list',
    path: '/jobs/{jobUUID}/costs',
    summary: 'List costs of one job',
    on: { jobUUID: 'job' },
    query,
    response: jobCostListItem,
    serve: (call, { jobUUID: job }) =>
      shown(pageOf(call, 'jobCost', { owner: job.uuid }), (rows) => listed(call, rows)),
  }),
  list({
    id: 'v2.job-costs.list-all',
    path: '/jobs/costs',
    summary: 'List costs across the organisation',
    query,
    response: jobCostOfAll,
    serve: (call) =>
      shown(pageOf(call, 'jobCost', { ownedByLiving: 'job' }), (rows) => listedOfAll(call, rows)),
  }),
  one({
    id: 'v2.job-costs.create',
    method: 'POST',
    path: '/jobs/{identifier}/costs',
    summary: 'Add a cost to a job',
    notes: '`actual` false: an estimate. `amount` is quantity × unit price.',
    on: { identifier: 'job' },
    body: write,
    example: {
      costName: 'Cedar',
      date: '2026-03-03',
      quantity: 4,
      unitCost: 12.5,
      unitPrice: 20,
      type: 'Stock',
      supplierUUID: '{supplier}',
    },
    response: jobCostSaved,
    serve: (call, { identifier: job }, body) => create(call, job, body),
  }),
  one({
    id: 'v2.job-costs.update',
    method: 'PUT',
    path: '/jobs/costs/{jobCostUUID}',
    summary: 'Update a job cost',
    on: { jobCostUUID: 'jobCost' },
    body: changes,
    example: { quantity: 5 },
    response: jobCostSaved,
    serve: (call, { jobCostUUID: cost }, body) => update(call, cost, body),
  }),
]);
