import { z } from 'zod';
import { assignToJob } from '../../records/jobRules.ts';
import type { JobTaskFields } from '../../records/kinds/jobs.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { customValuesAfter, customValuesIn } from '../customValues.ts';
import { ofBody } from '../find.ts';
import { area, list, one } from '../operation.ts';
import { pageOf, shown } from '../page.ts';
import { folderAfter } from '../phases.ts';
import { deleted, messageShape } from '../refs.ts';
import { invalid } from '../refusal.ts';
import { removeWith, touch } from '../relink.ts';
import {
  dayOptional,
  flagAfter,
  flagOptional,
  idIn,
  idOptional,
  minutesOptional,
  rateOptional,
  textAfter,
  textIn,
  twoAfter,
} from '../values.ts';
import { jobTaskListItem, jobTaskSaved } from './shapes.ts';
import { taskWritten, tasksListed } from './taskAlone.ts';

const changes = z.object({
  taskUUID: idIn.optional(),
  label: textIn,
  description: textIn,
  estimatedMinutes: minutesOptional,
  startDate: dayOptional,
  endDate: dayOptional,
  billable: flagOptional,
  customBillableRate: rateOptional,
  phaseUUID: idOptional,
  staff: z.array(z.object({ uuid: idIn, allocatedTime: minutesOptional })).optional(),
  customFields: customValuesIn,
});
const write = changes.extend({ taskUUID: idIn });
type Changes = z.infer<typeof changes>;
type JobTask = StoredRecord<'jobTask'>;

interface Allocation {
  readonly staff: string;
  readonly minutes: number;
}

async function fieldsAfter(
  call: JsonCall,
  job: string,
  body: Changes,
  before: JobTaskFields | undefined,
  catalogue: StoredRecord<'task'> | undefined,
): Promise<JobTaskFields> {
  const usual = catalogue?.fields;
  return {
    ...before,
    description: textAfter(body.description, before?.description ?? usual?.description),
    estimatedMinutes:
      body.estimatedMinutes === undefined
        ? (before?.estimatedMinutes ?? usual?.estimatedMinutes ?? 0)
        : (body.estimatedMinutes ?? 0),
    completed: before?.completed ?? false,
    billable: flagAfter(body.billable, before?.billable ?? usual?.billable ?? true),
    folder: await folderAfter(call, job, body.phaseUUID, before?.folder),
    startDate: textAfter(body.startDate, before?.startDate),
    dueDate: textAfter(body.endDate, before?.dueDate),
    label: textAfter(body.label, before?.label),
    customBillableRate: twoAfter(body.customBillableRate, before?.customBillableRate),
  };
}

async function allocationsIn(call: JsonCall, body: Changes): Promise<readonly Allocation[] | undefined> {
  if (!body.staff) return undefined;
  const allocations: Allocation[] = [];
  for (const [at, { uuid, allocatedTime }] of body.staff.entries()) {
    const { uuid: staff } = await ofBody(call, 'staff', uuid, `staff[${at}].uuid`);
    if (allocations.some((one) => one.staff === staff))
      throw invalid(`staff[${at}].uuid`, 'names a staff member twice');
    allocations.push({ staff, minutes: allocatedTime ?? 0 });
  }
  return allocations;
}

/**
 * In time-allocation mode the allocations of a task must add up to its estimated time (000_ef2b8fc3580d6af3.txt,
 * behaviour rule 3). A task on which nobody works yet has none.
 */
function requireSum(call: JsonCall, allocations: readonly Allocation[], estimated: number): void {
  if (!call.organisation.switches.timeAllocation || allocations.length === 0) return;
  const sum = allocations.reduce((total, { minutes }) => total + minutes, 0);
  if (sum !== estimated)
    throw invalid(
      'staff[].allocatedTime',
      `the allocations add up to ${sum} minutes, the task is estimated at ${estimated}`,
    );
}

/** Whoever has a task of a job is assigned to the job too. */
async function allocate(call: JsonCall, task: JobTask, allocations: readonly Allocation[]): Promise<void> {
  const job = await call.records.byUuid('job', task.owner ?? '');
  if (job) for (const { staff } of allocations) await assignToJob(call.records, job, staff, call.now);
  await call.records.insertAll(
    'jobTaskStaff',
    allocations.map(({ staff, minutes }) => ({
      name: '',
      fields: { allocatedMinutes: minutes },
      owner: task.uuid,
      other: staff,
    })),
    call.now,
  );
}

async function create(call: JsonCall, job: StoredRecord<'job'>, body: z.infer<typeof write>) {
  const catalogue = await ofBody(call, 'task', body.taskUUID, 'taskUUID');
  const fields = await fieldsAfter(call, job.uuid, body, undefined, catalogue);
  const allocations = (await allocationsIn(call, body)) ?? [];
  requireSum(call, allocations, fields.estimatedMinutes);
  const customValues = await customValuesAfter(call, 'JobTask', body.customFields);
  const task = await call.records.insert(
    'jobTask',
    { name: catalogue.name, fields, owner: job.uuid, other: catalogue.uuid, customValues },
    call.now,
  );
  await allocate(call, task, allocations);
  await touch(call, 'job', job.uuid);
  return taskWritten(call, task.uuid);
}

/** `staff[]` replaces the allocations of the task. */
async function update(call: JsonCall, task: JobTask, body: Changes) {
  const catalogue = body.taskUUID ? await ofBody(call, 'task', body.taskUUID, 'taskUUID') : undefined;
  const fields = await fieldsAfter(call, task.owner ?? '', body, task.fields, undefined);
  const before = (await call.records.ownedBy('jobTaskStaff', [task.uuid])).get(task.uuid) ?? [];
  const given = await allocationsIn(call, body);
  const kept = before.map(({ other, fields: { allocatedMinutes } }) => ({
    staff: other ?? '',
    minutes: allocatedMinutes,
  }));
  requireSum(call, given ?? kept, fields.estimatedMinutes);
  const customValues = await customValuesAfter(call, 'JobTask', body.customFields, task.customValues);
  await call.records.update(
    task,
    { fields, customValues, ...(catalogue && { name: catalogue.name, other: catalogue.uuid }) },
    call.now,
  );
  if (given) {
    for (const one of before) await call.records.update(one, { isDeleted: true }, call.now);
    await allocate(call, task, given);
  }
  await touch(call, 'job', task.owner);
  return taskWritten(call, task.uuid);
}

async function ofAllJobs(call: JsonCall) {
  const job = call.query('jobUUID');
  const page = pageOf(call, 'jobTask', { ownedByLiving: 'job', owner: job?.toLowerCase() });
  return shown(page, (rows) => tasksListed(call, rows));
}

export const jobTasks = area('Job tasks', [
  one({
    id: 'v2.job-tasks.create',
    method: 'POST',
    path: '/jobs/{identifier}/tasks',
    summary: 'Create a task in a job',
    notes: 'With staff time allocation on, the allocations must add up to the estimated time (422).',
    on: { identifier: 'job' },
    body: write,
    example: {
      taskUUID: '{task}',
      label: 'Ground floor',
      estimatedMinutes: 120,
      staff: [{ uuid: '{staff}', allocatedTime: 120 }],
    },
    response: jobTaskSaved,
    serve: (call, { identifier: job }, body) => create(call, job, body),
  }),
  list({
    id: 'v2.job-tasks.list',
    path: '/jobs/tasks',
    aliases: ['/jobs-tasks'],
    summary: 'List tasks across all jobs',
    query: ['sort', 'order', 'updatedSince', 'lastModified', 'jobUUID'],
    response: jobTaskListItem,
    serve: ofAllJobs,
  }),
  one({
    id: 'v2.job-tasks.update',
    method: 'PUT',
    path: '/jobs/tasks/{jobTaskUUID}',
    aliases: ['/jobs-tasks/{jobTaskUUID}'],
    summary: 'Update a job task',
    on: { jobTaskUUID: 'jobTask' },
    body: changes,
    example: { label: 'First floor' },
    response: jobTaskSaved,
    serve: (call, { jobTaskUUID: task }, body) => update(call, task, body),
  }),
  one({
    id: 'v2.job-tasks.delete',
    method: 'DELETE',
    path: '/jobs/tasks/{jobTaskUUID}',
    aliases: ['/jobs-tasks/{jobTaskUUID}'],
    summary: 'Delete a job task',
    on: { jobTaskUUID: 'jobTask' },
    response: messageShape,
    serve: async (call, { jobTaskUUID: task }) => {
      await removeWith(call, task, ['jobTaskStaff']);
      await touch(call, 'job', task.owner);
      return deleted('job task');
    },
  }),
]);
