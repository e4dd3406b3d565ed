import { touchJob } from '../../records/jobRules.ts';
import type { JobCostFields } from '../../records/kinds/jobs.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { Answer, Operation, XmlCall } from '../call.ts';
import type { IdForm } from '../dialect.ts';
import { required, setAfter, textAfter } from '../elements.ts';
import { type Fields, identified, type Named, namedFields, nested, recordWriter, text } from '../fields.ts';
import { ofCode, ofElement, ofPath, reference, requireId, unknownRecord } from '../identify.ts';
import { ofRoot, type Message } from '../message.ts';
import { missing } from '../refusal.ts';
import { dateTime, filled, isoDate, readDate, readDecimal, readFlag, trueFalse } from '../values.ts';
import { newIdScalars } from '../written.ts';

type JobCost = StoredRecord<'jobCost'>;

interface CostView extends JobCost {
  readonly supplier: Named | undefined;
}

const costFields = (ids: IdForm): Fields<CostView> =>
  identified<CostView>(ids, [
    text('Description', ({ name }) => name),
    text('Quantity', ({ fields }) => fields.quantity),
    text('UnitCost', ({ fields }) => fields.unitCost),
    text('UnitPrice', ({ fields }) => fields.unitPrice),
    text('Date', ({ fields }) => dateTime(fields.date)),
    text('Code', ({ fields }) => fields.code),
    text('Note', ({ fields }) => fields.note),
    text('Billable', ({ fields }) => trueFalse(fields.billable)),
    nested('Supplier', namedFields(ids), ({ supplier }) => supplier),
  ]);

async function list(call: XmlCall): Promise<Answer> {
  const job = await ofPath(call, 'job');
  const costs = (await call.records.ownedBy('jobCost', [job.uuid])).get(job.uuid) ?? [];
  const suppliers = await call.records.byUuids(
    'supplier',
    costs.map(({ other }) => other ?? ''),
  );
  const write = recordWriter('Cost', costFields(call.dialect.ids));
  return {
    answer: 'list',
    container: 'Costs',
    records: costs.map((cost) => write({ ...cost, supplier: suppliers.get(cost.other ?? '') })),
  };
}

const fieldsAfter = (message: Message | undefined, before: JobCostFields): JobCostFields => ({
  ...before,
  code: textAfter(message, 'Code', before.code),
  note: textAfter(message, 'Note', before.note),
  date: setAfter(message, 'Date', before.date, before.date, readDate),
  quantity: setAfter(message, 'Quantity', before.quantity, '0.00', readDecimal),
  unitCost: setAfter(message, 'UnitCost', before.unitCost, '0.00', readDecimal),
  unitPrice: setAfter(message, 'UnitPrice', before.unitPrice, '0.00', readDecimal),
  billable: setAfter(message, 'Billable', before.billable, false, readFlag),
});

async function add(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Cost');
  const job = await ofCode(call, 'job', message, ['Cost', 'Job']);
  const name = required(message, 'Cost', 'Description');
  const fields = fieldsAfter(message, {
    code: '',
    note: '',
    date: isoDate(call.now),
    quantity: '1.00',
    unitCost: '0.00',
    unitPrice: '0.00',
    billable: true,
  });
  const other = filled(await reference(call, 'supplier', message, 'Supplier'));
  const cost = await call.records.insert('jobCost', { name, owner: job.uuid, other, fields }, call.now);
  await touchJob(call.records, job, call.now);
  return { answer: 'status', scalars: newIdScalars(call.dialect.ids, cost) };
}

async function update(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Cost');
  requireId(call, message, ['Cost']);
  const cost = await ofElement(call, 'jobCost', message);
  const job = await jobOf(call, message, cost);
  const name = textAfter(message, 'Description', cost.name);
  if (name.trim() === '') throw missing('Cost', 'Description');
  const fields = fieldsAfter(message, cost.fields);
  const supplier = await reference(call, 'supplier', message, 'Supplier');
  const other = supplier === undefined ? cost.other : filled(supplier);
  await call.records.update(cost, { name, fields, other: other ?? null }, call.now);
  await touchJob(call.records, job, call.now);
  return { answer: 'status' };
}

/** The message names the job again; a cost does not move to another. */
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

export const jobCosts: readonly Operation[] = [
  { id: 'job.costs', verbs: ['GET'], path: 'job.api/costs/{id}', serve: list },
  { id: 'job.cost.add', verbs: ['POST'], path: 'job.api/cost', serve: add },
  { id: 'job.cost.update', verbs: ['PUT'], path: 'job.api/cost', serve: update },
];
