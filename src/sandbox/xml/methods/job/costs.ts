import { touchJob } from '../../../records/job-rules.ts';
import type { StoredRecord } from '../../../records/kinds.ts';
import type { NewRecord, RecordChanges } from '../../../records/row.ts';
import { jobCostRows } from '../../../tables/jobs/job-cost.ts';
import { blank, type Valued } from '../../../tables/table.ts';
import { type Answer, methods, type Operation, type XmlCall } from '../../call.ts';
import { required } from '../../record/elements.ts';
import { ofCode, ofElement, ofPath, requireId, unknownRecord } from '../../record/identify.ts';
import { ofRoot, type Message } from '../../http/message.ts';
import { valuesAfter } from '../../record/record.ts';
import { xmlResource } from '../../record/resource.ts';
import { filled, isoDate } from '../../../tables/values.ts';
import { newIdScalars } from '../../record/written.ts';

type NewCost = NewRecord<'jobCost'>;
type JobCost = StoredRecord<'jobCost'>;

const { written } = xmlResource({ kind: 'jobCost', rows: jobCostRows, root: 'Cost' });

async function list(call: XmlCall): Promise<Answer> {
  const job = await ofPath(call, 'job');
  const costs = await call.records.owned('jobCost', job);
  return { answer: 'list', container: 'Costs', records: await written(call, costs) };
}

/** Keeps the day of a cost if the message has none. */
async function after(call: XmlCall, message: Message | undefined, before: Valued) {
  const { other, ...cost } = await valuesAfter<'jobCost'>(call, jobCostRows, 'Cost', message, before);
  const { date } = before.fields as JobCost['fields'];
  return { ...cost, other: filled(other), fields: { ...cost.fields, date: cost.fields.date || date } };
}

async function add(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Cost');
  const job = await ofCode(call, 'job', message, ['Cost', 'Job']);
  const name = required(message, 'Cost', 'Description');
  const fields = { ...blank(jobCostRows), date: isoDate(call.now) };
  const made = await after(call, message, { name, owner: job.uuid, fields });
  const cost = await call.records.insert('jobCost', { ...made, owner: job.uuid } as NewCost, call.now);
  await touchJob(call.records, job, call.now);
  return { answer: 'status', scalars: newIdScalars(call.dialect.ids, cost) };
}

async function update(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Cost');
  requireId(call, message, ['Cost']);
  const cost = await ofElement(call, 'jobCost', message);
  const job = await jobOf(call, message, cost);
  const { name, fields, other = null } = await after(call, message, cost);
  await call.records.update(cost, { name, fields, other } as RecordChanges<'jobCost'>, call.now);
  await touchJob(call.records, job, call.now);
  return { answer: 'status' };
}

/** The message repeats the job; a cost cannot move to another. */
async function jobOf(
  call: XmlCall,
  message: Message | undefined,
  cost: JobCost,
): Promise<StoredRecord<'job'>> {
  const job = message?.text('Job')?.trim()
    ? await ofCode(call, 'job', message, ['Cost', 'Job'])
    : await call.records.byUuid('job', cost.owner ?? '');
  if (!job || job.uuid !== cost.owner) throw unknownRecord('job');
  return job;
}

export const jobCosts: readonly Operation[] = methods([
  ['GET', 'job.costs', 'job.api/costs/{id}', list],
  ['POST', 'job.cost.add', 'job.api/cost', add],
  ['PUT', 'job.cost.update', 'job.api/cost', update],
]);
