import { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import { jobCostRows } from '../../tables/job-cost.ts';
import { blank } from '../../tables/table.ts';
import type { JsonCall } from '../call.ts';
import { customValuesAfter, customValuesIn, type CustomValuesIn } from '../custom-values.ts';
import { ofBody } from '../find.ts';
import { area, list, one } from '../operation.ts';
import { pageOf, shown } from '../page.ts';
import { bodiesOf, type Body, changesOf, newRecord, storedAfter } from '../record.ts';
import { touch } from '../relink.ts';
import { jobCostListed, jobCostOfAll, jobCostSaved } from './cost-views.ts';

const types = ['service', 'stock'];

/** `service` and `stock` are met in both cases. */
const type = z
  .string()
  .refine((given) => types.includes(given.toLowerCase()), 'must be Service or Stock')
  .nullish();

const bodies = bodiesOf(jobCostRows, { type, customFields: customValuesIn });

type JobCost = StoredRecord<'jobCost'>;

async function after(call: JsonCall, body: Body, before: JobCost | NewCost) {
  const values = 'customValues' in before ? before.customValues : undefined;
  return {
    ...(await storedAfter<'jobCost'>(call, jobCostRows, body, before)),
    customValues: await customValuesAfter(call, 'JobCost', body.customFields as CustomValuesIn, values),
  };
}

type NewCost = Pick<JobCost, 'owner' | 'fields'>;

/** A new cost begins with what the item of the catalogue says. */
async function beginning(call: JsonCall, job: string, { costUUID }: Body): Promise<NewCost> {
  const item = typeof costUUID === 'string' ? await ofBody(call, 'cost', costUUID, 'costUUID') : undefined;
  const { code, note, unitCost, unitPrice } = { ...blank(jobCostRows), ...item?.fields };
  return { owner: job, fields: { ...blank(jobCostRows), code, note, unitCost, unitPrice } };
}

async function create(call: JsonCall, job: StoredRecord<'job'>, body: Body) {
  const cost = newRecord<'jobCost'>({
    ...(await after(call, body, await beginning(call, job.uuid, body))),
    owner: job.uuid,
  });
  const { uuid } = await call.records.insert('jobCost', cost, call.now);
  await touch(call, 'job', job.uuid);
  return jobCostSaved.view(call, uuid);
}

async function update(call: JsonCall, cost: JobCost, body: Body) {
  await call.records.update(cost, changesOf<'jobCost'>(await after(call, body, cost)), call.now);
  await touch(call, 'job', cost.owner);
  return jobCostSaved.view(call, cost.uuid);
}

const query = ['sort', 'order', 'updatedSince', 'lastModified'] as const;

export const jobCosts = area('Job costs', [
  list({
    id: 'v2.job-costs.list',
    path: '/jobs/{jobUUID}/costs',
    summary: 'List costs of one job',
    on: { jobUUID: 'job' },
    query,
    response: jobCostListed.response,
    serve: (call, { jobUUID: job }) =>
      shown(pageOf(call, 'jobCost', { owner: job.uuid }), (rows) => jobCostListed.views(call, rows)),
  }),
  list({
    id: 'v2.job-costs.list-all',
    path: '/jobs/costs',
    summary: 'List costs across the organisation',
    query,
    response: jobCostOfAll.response,
    serve: (call) =>
      shown(pageOf(call, 'jobCost', { ownedByLiving: 'job' }), (rows) => jobCostOfAll.views(call, rows)),
  }),
  one({
    id: 'v2.job-costs.create',
    method: 'POST',
    path: '/jobs/{identifier}/costs',
    summary: 'Add a cost to a job',
    notes: '`actual` false: an estimate. `amount` is quantity × unit price.',
    on: { identifier: 'job' },
    body: bodies.made,
    example: {
      costName: 'Cedar',
      date: '2026-03-03',
      quantity: 4,
      unitCost: 12.5,
      unitPrice: 20,
      type: 'Stock',
      supplierUUID: '{supplier}',
    },
    response: jobCostSaved.response,
    serve: (call, { identifier: job }, body) => create(call, job, body),
  }),
  one({
    id: 'v2.job-costs.update',
    method: 'PUT',
    path: '/jobs/costs/{jobCostUUID}',
    summary: 'Update a job cost',
    on: { jobCostUUID: 'jobCost' },
    body: bodies.changed,
    example: { quantity: 5 },
    response: jobCostSaved.response,
    serve: (call, { jobCostUUID: cost }, body) => update(call, cost, body),
  }),
]);
