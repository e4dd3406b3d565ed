import { shareAllocation, touchJob } from '../../../records/job-rules.ts';
import type { JobTaskFields } from '../../../records/kinds/jobs.ts';
import type { StoredRecord } from '../../../records/kinds.ts';
import { jobTaskRows } from '../../../tables/jobs/job-task.ts';
import { blank, type Valued } from '../../../tables/table.ts';
import { type Answer, methods, type Operation, type XmlCall } from '../../call.ts';
import { idElement } from '../../dialect.ts';
import { ofCode, ofElement, ofPath, requireId, unknownRecord } from '../../record/identify.ts';
import { ofRoot, type Message } from '../../http/message.ts';
import { valuesAfter } from '../../record/record.ts';
import { missing } from '../../refusal.ts';
import { isoDate } from '../../../tables/values.ts';
import { newIdScalars } from '../../record/written.ts';
import { givenJob } from './write.ts';

type JobTask = StoredRecord<'jobTask'>;

const fieldsAfter = async (
  call: XmlCall,
  message: Message | undefined,
  before: Valued,
): Promise<JobTaskFields> =>
  (await valuesAfter<'jobTask'>(call, jobTaskRows, 'Task', message, before)).fields;

/** Adds a task of the catalogue to the job. */
async function add(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Task');
  const job = await ofCode(call, 'job', message, ['Task', 'Job']);
  requireId(call, message, ['Task'], 'Task');
  const item = await ofElement(call, 'task', message, 'Task');
  const { description, estimatedMinutes, billable } = item.fields;
  const beginning = { ...blank(jobTaskRows), description, estimatedMinutes, billable };
  const fields = await fieldsAfter(call, message, { fields: beginning });
  const task = { name: item.name, owner: job.uuid, other: item.uuid, fields };
  const added = await call.records.insert('jobTask', task, call.now);
  await touchJob(call.records, job, call.now);
  return { answer: 'status', scalars: newIdScalars(call.dialect.ids, added) };
}

async function update(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Task');
  const task = await givenTask(call, message);
  await change(call, task, await fieldsAfter(call, message, task));
  return { answer: 'status' };
}

/** One form in the V3 specification calls the key `TaskUUID`. */
async function givenTask(call: XmlCall, message: Message | undefined): Promise<JobTask> {
  const own = idElement(call.dialect.ids);
  if (own === 'UUID' && !message?.text('UUID')?.trim() && message?.text('TaskUUID')?.trim())
    return ofElement(call, 'jobTask', message, 'Task');
  requireId(call, message, ['Task']);
  return ofElement(call, 'jobTask', message);
}

async function change(call: XmlCall, task: JobTask, fields: JobTaskFields): Promise<void> {
  await call.records.update(task, { fields }, call.now);
  const isShared = call.switches.timeAllocation && fields.estimatedMinutes !== task.fields.estimatedMinutes;
  if (isShared) await shareAllocation(call.records, { ...task, fields }, call.now);
  const job = await call.records.byUuid('job', task.owner ?? '');
  if (job) await touchJob(call.records, job, call.now);
}

async function complete(call: XmlCall): Promise<Answer> {
  const task = await ofPath(call, 'jobTask');
  await change(call, task, { ...task.fields, completed: true, completedDate: isoDate(call.now) });
  return { answer: 'status' };
}

async function reopen(call: XmlCall): Promise<Answer> {
  const task = await ofPath(call, 'jobTask');
  await change(call, task, { ...task.fields, completed: false, completedDate: '' });
  return { answer: 'status' };
}

/** Tasks that the message omits follow those it lists, in their previous order. */
async function reorder(call: XmlCall): Promise<Answer> {
  const { message, job } = await givenJob(call);
  const entries = message?.child('Tasks')?.children('Task') ?? [];
  if (entries.length === 0) throw missing('Job', 'Tasks', 'Task');
  const named: string[] = [];
  for (const entry of entries) {
    requireId(call, entry, ['Job', 'Tasks', 'Task']);
    const task = await ofElement(call, 'jobTask', entry);
    if (task.owner !== job.uuid) throw unknownRecord('jobTask');
    named.push(task.uuid);
  }
  const tasks = await call.records.owned('jobTask', job);
  const place = ({ uuid, fields }: JobTask): number => {
    const at = named.indexOf(uuid);
    return at >= 0 ? at : named.length + (fields.position ?? tasks.length);
  };
  const ordered = [...tasks].sort((a, b) => place(a) - place(b));
  for (const [position, task] of ordered.entries())
    await call.records.update(task, { fields: { ...task.fields, position } }, call.now);
  await touchJob(call.records, job, call.now);
  return { answer: 'status' };
}

export const jobTasks: readonly Operation[] = methods([
  ['POST', 'job.task.add', 'job.api/task', add],
  ['PUT', 'job.task.update', 'job.api/task', update],
  ['PUT', 'job.task.complete', 'job.api/task/{id}/complete', complete],
  ['PUT', 'job.task.reopen', 'job.api/task/{id}/reopen', reopen],
  ['PUT', 'job.reordertasks', 'job.api/reordertasks', reorder],
]);
