/** A cost as part of its job, and a cost on its own with its job. */
import { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import { jobCostRows } from '../../tables/jobs/job-cost.ts';
import {
  column,
  type ColumnsOf,
  customColumn,
  loaded,
  refColumn,
  tableOf,
  timeColumns,
  uuidColumn,
} from '../record/columns.ts';
import { phaseRef, phaseRefOf } from '../record/phases.ts';
import { rowColumns } from '../record/record.ts';
import { supplierRefs } from '../record/refs.ts';
import { amount, amountOrNull, cents, count, id, numberOf, text } from '../record/values.ts';

const name = column<StoredRecord<'jobCost'>, string>(text, (cost) => cost.name);

export const costEmbedded: ColumnsOf<'jobCost'> = {
  uuid: uuidColumn,
  name,
  ...rowColumns(jobCostRows),
  customFields: customColumn('JobCost'),
  ...timeColumns,
};

const alone: ColumnsOf<'jobCost'> = {
  uuid: uuidColumn,
  ...rowColumns(jobCostRows.filter(({ at }) => at !== 'folder')),
  supplier: refColumn(supplierRefs, ({ other }) => other),
  phase: column(phaseRef.nullable(), ({ owner = '', fields }) => phaseRefOf(owner, fields.folder)),
  customFields: customColumn('JobCost'),
  markup: column(amountOrNull, ({ fields }) => {
    const unitCost = numberOf(fields.unitCost);
    return unitCost === 0 ? null : cents(((numberOf(fields.unitPrice) - unitCost) / unitCost) * 100);
  }),
  amount: column(amount, ({ fields }) => cents(numberOf(fields.quantity) * numberOf(fields.unitPrice))),
  ...timeColumns,
};

const jobRef = z.strictObject({ uuid: id, jobNumber: text, jobName: text });

export const jobColumn = loaded<'jobTask' | 'jobCost', z.infer<typeof jobRef>>(jobRef, async (call, all) => {
  const jobs = await call.records.referred('job', all, ({ owner = '' }) => owner);
  return ({ owner = '' }) => {
    const job = jobs.get(owner);
    return { uuid: owner, jobNumber: job?.code ?? '', jobName: job?.name ?? '' };
  };
});

/** The label is `description` in lists and `costName` after a write. */
export const jobCostListed = tableOf('jobCost', 'JobCostListItem', { ...alone, description: name });
export const jobCostOfAll = tableOf('jobCost', 'JobCostOfOrganisation', {
  ...alone,
  description: name,
  job: jobColumn,
});
export const jobCostSaved = tableOf('jobCost', 'JobCostSaved', {
  ...alone,
  costName: name,
  order: loaded(count, async (call, costs) => {
    const siblings = await call.records.ownedBy(
      'jobCost',
      costs.map(({ owner = '' }) => owner),
    );
    return ({ uuid, owner = '' }) => (siblings.get(owner) ?? []).findIndex((one) => one.uuid === uuid) + 1;
  }),
});
