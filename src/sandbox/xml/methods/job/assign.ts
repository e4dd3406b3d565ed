import {
  assignToJob,
  assignToTask,
  shareAllocation,
  unassignFromJob,
  unassignFromTask,
} from '../../../records/job-rules.ts';
import type { StoredRecord } from '../../../records/kinds.ts';
import { type Answer, methods, type Operation, type XmlCall } from '../../call.ts';
import { ofText, unknownRecord } from '../../record/identify.ts';
import type { Message } from '../../http/message.ts';
import { missing } from '../../refusal.ts';
import { givenJob } from './write.ts';

type Job = StoredRecord<'job'>;
type Staff = StoredRecord<'staff'>;

/** `id` on V1, `uuid` on V3, either in transition mode. */
function attributeOf(call: XmlCall, entry: Message, prefix: '' | 'task-'): string {
  const { ids } = call.dialect;
  const names = ids === 'both' ? ['id', 'uuid'] : [ids];
  for (const name of names) {
    const given = entry.attribute(prefix + name)?.trim() ?? '';
    if (given !== '') return given;
  }
  return '';
}

async function memberOf(call: XmlCall, entry: Message, element: string): Promise<Staff> {
  const given = attributeOf(call, entry, '');
  if (given === '') throw missing('Job', element, `@${call.dialect.ids === 'uuid' ? 'uuid' : 'id'}`);
  return ofText(call, 'staff', given);
}

/** Returns undefined if the entry concerns the whole job. Throws `Refusal` for the task of another job. */
async function taskOf(call: XmlCall, job: Job, entry: Message): Promise<StoredRecord<'jobTask'> | undefined> {
  const given = attributeOf(call, entry, 'task-');
  if (given === '') return undefined;
  const task = await ofText(call, 'jobTask', given);
  if (task.owner !== job.uuid) throw unknownRecord('jobTask');
  return task;
}

/** In the order of the specification's table of attributes: additions, removals, manager, partner. */
async function assign(call: XmlCall): Promise<Answer> {
  const { message, job } = await givenJob(call);
  for (const entry of message?.children('add') ?? []) await addMember(call, job, entry);
  for (const entry of message?.children('remove') ?? []) await removeMember(call, job, entry);
  const manager = await roleAfter(call, message, 'manager', job.fields.manager);
  const partner = await roleAfter(call, message, 'partner', job.fields.partner);
  await call.records.update(job, { fields: { ...job.fields, manager, partner } }, call.now);
  return { answer: 'status' };
}

async function addMember(call: XmlCall, job: Job, entry: Message): Promise<void> {
  const { uuid } = await memberOf(call, entry, 'add');
  const task = await taskOf(call, job, entry);
  if (!task) {
    await assignToJob(call.records, job, uuid, call.now);
    return;
  }
  await assignToTask(call.records, job, task, uuid, call.now);
  if (call.switches.timeAllocation) await shareAllocation(call.records, task, call.now);
}

async function removeMember(call: XmlCall, job: Job, entry: Message): Promise<void> {
  const { uuid } = await memberOf(call, entry, 'remove');
  const task = await taskOf(call, job, entry);
  if (task) await unassignFromTask(call.records, task, uuid, call.now);
  else await unassignFromJob(call.records, job, uuid, call.now);
  if (!call.switches.timeAllocation) return;
  const tasks = task ? [task] : await call.records.owned('jobTask', job);
  for (const one of tasks) await shareAllocation(call.records, one, call.now);
}

/** A job has one manager and one partner: adding replaces them, removing anyone else changes nothing. */
async function roleAfter(
  call: XmlCall,
  message: Message | undefined,
  role: 'manager' | 'partner',
  before: string,
): Promise<string> {
  let after = before;
  for (const entry of message?.children(`remove-${role}`) ?? []) {
    const { uuid } = await memberOf(call, entry, `remove-${role}`);
    if (uuid === after) after = '';
  }
  for (const entry of message?.children(`add-${role}`) ?? [])
    after = (await memberOf(call, entry, `add-${role}`)).uuid;
  return after;
}

export const jobAssignments: readonly Operation[] = methods([
  ['PUT', 'job.assign', 'job.api/assign', assign],
]);
