import { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import { jobCostRows } from '../../tables/jobs/job-cost.ts';
import { blank } from '../../tables/table.ts';
import type { JsonCall } from '../operation/call.ts';
import { customValuesAfter, customValuesIn } from '../record/custom-values.ts';
import { ofBody } from '../record/find.ts';
import { area } from '../operation/operation.ts';
import { createOwned, listOwned, operationsOn, ORDERED } from '../operation/operations-on.ts';
import { bodiesOf, type Body, changesOf, newRecord, storedAfter } from '../record/record.ts';
import { touch } from '../record/relink.ts';
import { jobCostListed, jobCostOfAll, jobCostSaved } from './cost-views.ts';

const types = ['service', 'stock'];

/** `service` and `stock` occur in lower and upper case. */
const type = z
  .string()
  .refine((given) => types.includes(given.toLowerCase()), 'must be Service or Stock')
  .nullish();

const bodies = bodiesOf(jobCostRows, { type, customFields: customValuesIn });

type JobCost = StoredRecord<'jobCost'>;

async function after(call: JsonCall, body: Body, before: JobCost | NewCost) {
  const known = 'customValues' in before ? before : undefined;
  return {
    ...(await storedAfter<'jobCost'>(call, jobCostRows, body, before)),
    customValues: await customValuesAfter(call, 'JobCost', body, known),
  };
}

type NewCost = Pick<JobCost, 'owner' | 'fields'>;

/** A new cost starts with the values of the catalogue item. */
async function beginning(call: JsonCall, job: string, { costUUID }: Body): Promise<NewCost> {
  const item = typeof costUUID === 'string' ? await ofBody(call, 'cost', costUUID, 'costUUID') : undefined;
  const { code, note, unitCost, unitPrice } = { ...blank(jobCostRows), ...item?.fields };
  return { owner: job, fields: { ...blank(jobCostRows), code, note, unitCost, unitPrice } };
}

async function create(call: JsonCall, job: StoredRecord<'job'>, body: Body): Promise<string> {
  const cost = newRecord<'jobCost'>({
    ...(await after(call, body, await beginning(call, job.uuid, body))),
    owner: job.uuid,
  });
  const { uuid } = await call.records.insert('jobCost', cost, call.now);
  await touch(call, 'job', job.uuid);
  return uuid;
}

async function update(call: JsonCall, cost: JobCost, body: Body): Promise<void> {
  await call.records.update(cost, changesOf<'jobCost'>(await after(call, body, cost)), call.now);
  await touch(call, 'job', cost.owner);
}

const operations = operationsOn({
  kind: 'jobCost',
  id: 'v2.job-costs',
  path: '/jobs/costs',
  pathOfOne: '/jobs/costs/{jobCostUUID}',
  word: 'job cost',
});

export const jobCosts = area('Job costs', [
  listOwned(jobCostListed, 'job', {
    id: 'v2.job-costs.list',
    path: '/jobs/{jobUUID}/costs',
    summary: 'List costs of one job',
    query: ORDERED,
  }),
  operations.list(jobCostOfAll, {
    id: 'v2.job-costs.list-all',
    summary: 'List costs across the organisation',
    filter: { ownedByLiving: 'job' },
  }),
  createOwned(jobCostSaved, 'job', {
    id: 'v2.job-costs.create',
    path: '/jobs/{identifier}/costs',
    summary: 'Add a cost to a job',
    notes: '`actual` false: an estimate. `amount` is quantity × unit price.',
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
    make: create,
  }),
  operations.update(jobCostSaved, { body: bodies.changed, example: { quantity: 5 }, change: update }),
]);
