/**
 * The operations of V2 on the tasks of a job, and the staff assigned to them.
 *
 * A new task starts with the values of its catalogue task. `staff[]` replaces the allocations of a task, and
 * every member in it is also assigned to the job. In time-allocation mode the allocations must add up to the
 * estimated time.
 */
import { z } from 'zod';
import { assignToJob } from '../../records/job-rules.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import { jobTaskRows } from '../../tables/jobs/job-task.ts';
import { blank } from '../../tables/table.ts';
import type { JsonCall } from '../operation/call.ts';
import { customValuesAfter, customValuesIn } from '../record/custom-values.ts';
import { ofBody } from '../record/find.ts';
import { area } from '../operation/operation.ts';
import { createOwned, operationsOn, ORDERED } from '../operation/operations-on.ts';
import { bodiesOf, type Body, storedAfter } from '../record/record.ts';
import { invalid } from '../operation/refusal.ts';
import { removeWith, touch } from '../record/relink.ts';
import { idIn, minutesOptional } from '../record/values.ts';
import { jobTaskListed, jobTaskSaved } from './task-views.ts';

const staffIn = z.array(z.object({ uuid: idIn, allocatedTime: minutesOptional })).optional();
const changes = bodiesOf(jobTaskRows, {
  taskUUID: idIn.optional(),
  staff: staffIn,
  customFields: customValuesIn,
}).made;
const write = changes.extend({ taskUUID: idIn });

type JobTask = StoredRecord<'jobTask'>;

interface Allocation {
  readonly staff: string;
  readonly minutes: number;
}

async function allocationsIn(
  call: JsonCall,
  given: z.infer<typeof staffIn>,
): Promise<readonly Allocation[] | undefined> {
  if (!given) return undefined;
  const allocations: Allocation[] = [];
  for (const [at, { uuid, allocatedTime }] of given.entries()) {
    const { uuid: staff } = await ofBody(call, 'staff', uuid, `staff[${at}].uuid`);
    if (allocations.some((one) => one.staff === staff))
      throw invalid(`staff[${at}].uuid`, 'names a staff member twice');
    allocations.push({ staff, minutes: allocatedTime ?? 0 });
  }
  return allocations;
}

/**
 * In time-allocation mode the allocations of a task must add up to its estimated time (V2 specification, "Endpoints",
 * behaviour rule 3). A task without members has no allocations.
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

/** A member with a task of a job is also assigned to the job. */
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

async function after(
  call: JsonCall,
  body: Body,
  before: Parameters<typeof storedAfter>[3] & Partial<JobTask>,
) {
  const stored = await storedAfter<'jobTask'>(call, jobTaskRows, body, before);
  return {
    fields: stored.fields as JobTask['fields'],
    customValues: await customValuesAfter(call, 'JobTask', body, before),
  };
}

/** Creates a task with the values of its catalogue task. */
async function create(call: JsonCall, job: StoredRecord<'job'>, body: Body): Promise<string> {
  const catalogue = await ofBody(call, 'task', body.taskUUID as string, 'taskUUID');
  const { description, estimatedMinutes, billable } = catalogue.fields;
  const fields = { ...blank(jobTaskRows), description, estimatedMinutes, billable };
  const made = await after(call, body, { owner: job.uuid, fields });
  const allocations = (await allocationsIn(call, staffIn.parse(body.staff))) ?? [];
  requireSum(call, allocations, made.fields.estimatedMinutes);
  const task = await call.records.insert(
    'jobTask',
    { ...made, name: catalogue.name, owner: job.uuid, other: catalogue.uuid },
    call.now,
  );
  await allocate(call, task, allocations);
  await touch(call, 'job', job.uuid);
  return task.uuid;
}

/** Updates a task; `staff[]` replaces its allocations. */
async function update(call: JsonCall, task: JobTask, body: Body): Promise<void> {
  const catalogue = body.taskUUID
    ? await ofBody(call, 'task', body.taskUUID as string, 'taskUUID')
    : undefined;
  const changed = await after(call, body, task);
  const before = await call.records.owned('jobTaskStaff', task);
  const given = await allocationsIn(call, staffIn.parse(body.staff));
  const kept = before.map(({ other, fields: { allocatedMinutes } }) => ({
    staff: other ?? '',
    minutes: allocatedMinutes,
  }));
  requireSum(call, given ?? kept, changed.fields.estimatedMinutes);
  await call.records.update(
    task,
    { ...changed, ...(catalogue && { name: catalogue.name, other: catalogue.uuid }) },
    call.now,
  );
  if (given) {
    for (const one of before) await call.records.update(one, { isDeleted: true }, call.now);
    await allocate(call, task, given);
  }
  await touch(call, 'job', task.owner);
}

const operations = operationsOn({
  kind: 'jobTask',
  id: 'v2.job-tasks',
  path: '/jobs/tasks',
  pathOfOne: '/jobs/tasks/{jobTaskUUID}',
  word: 'job task',
});
const aliases = ['/jobs-tasks/{jobTaskUUID}'];

export const jobTasks = area('Job tasks', [
  createOwned(jobTaskSaved, 'job', {
    id: 'v2.job-tasks.create',
    path: '/jobs/{identifier}/tasks',
    summary: 'Create a task in a job',
    notes: 'With staff time allocation on, the allocations must add up to the estimated time (422).',
    body: write,
    example: {
      taskUUID: '{task}',
      label: 'Ground floor',
      estimatedMinutes: 120,
      staff: [{ uuid: '{staff}', allocatedTime: 120 }],
    },
    make: create,
  }),
  operations.list(jobTaskListed, {
    aliases: ['/jobs-tasks'],
    summary: 'List tasks across all jobs',
    query: [...ORDERED, 'jobUUID'],
    filter: (call) => ({ ownedByLiving: 'job', owner: call.query('jobUUID')?.toLowerCase() }),
  }),
  operations.update(jobTaskSaved, {
    aliases,
    body: changes,
    example: { label: 'First floor' },
    change: update,
  }),
  operations.remove({
    aliases,
    removal: async (call, task) => {
      await removeWith(call, task, ['jobTaskStaff']);
      await touch(call, 'job', task.owner);
    },
  }),
]);
