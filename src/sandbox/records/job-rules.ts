/**
 * The rules of jobs that both surfaces share: templates, assignments, tasks, deletion.
 *
 * They are separate from the operations because V3 in XML and V2 in JSON work on the same records. Each function works
 * within the transaction of its caller (V2 specification, "Endpoints").
 */
import { DAY } from '../../lib/time/clock.ts';
import { jobCostRows } from '../tables/jobs/job-cost.ts';
import { milestoneRows, toDoRows } from '../tables/jobs/job-parts.ts';
import { jobTaskRows } from '../tables/jobs/job-task.ts';
import { blank } from '../tables/table.ts';
import type { StoredRecord } from './kinds.ts';
import type { Records } from './records.ts';

/** Changes to jobs, whichever surface asked for them. Each call belongs to a transaction of the caller. */

type Job = StoredRecord<'job'>;
type JobTask = StoredRecord<'jobTask'>;

/** Marks a job as modified, which it is when something that belongs to it is. */
export async function touchJob(records: Records, job: Job, now: number): Promise<void> {
  await records.update(job, {}, now);
}

/** The completion date of a job in a status: set by one that ends it, kept if cancelled, removed by an earlier one. */
export function completedDateIn(
  { fields: { type } }: StoredRecord<'jobStatus'>,
  known: string,
  today: string,
): string {
  switch (type) {
    case 'completed':
    case 'invoiced':
      return known || today;
    case 'cancelled':
      return known;
    case 'planned':
    case 'in progress':
    case 'on hold':
      return '';
  }
}

/** Adds to the members already assigned (V2 specification, "Endpoints", behaviour rule 1). */
export async function assignToJob(records: Records, job: Job, staff: string, now: number): Promise<void> {
  const present = await records.owned('jobStaff', job);
  if (present.some(({ other }) => other === staff)) return;
  await records.insert(
    'jobStaff',
    { name: '', owner: job.uuid, other: staff, fields: { billableRate: '' } },
    now,
  );
}

/** Assigns the member to the job as well as to its task. */
export async function assignToTask(
  records: Records,
  job: Job,
  task: JobTask,
  staff: string,
  now: number,
): Promise<void> {
  await assignToJob(records, job, staff, now);
  const present = await records.owned('jobTaskStaff', task);
  if (present.some(({ other }) => other === staff)) return;
  await records.insert(
    'jobTaskStaff',
    { name: '', owner: task.uuid, other: staff, fields: { allocatedMinutes: 0 } },
    now,
  );
}

/** Keeps the job, its tasks and the member; the member no longer has a task in the job (rule 4). */
export async function unassignFromJob(records: Records, job: Job, staff: string, now: number): Promise<void> {
  for (const assignment of await records.owned('jobStaff', job))
    if (assignment.other === staff) await records.update(assignment, { isDeleted: true }, now);
  for (const task of await records.owned('jobTask', job)) await unassignFromTask(records, task, staff, now);
}

/** Removes the staff member from the task. */
export async function unassignFromTask(
  records: Records,
  task: JobTask,
  staff: string,
  now: number,
): Promise<void> {
  for (const assignment of await records.owned('jobTaskStaff', task))
    if (assignment.other === staff) await records.update(assignment, { isDeleted: true }, now);
}

/**
 * Divides the estimated minutes of a task evenly, the remainder going to the first members: for changes
 * without shares, if time allocation requires shares to add up (rule 3).
 */
export async function shareAllocation(records: Records, task: JobTask, now: number): Promise<void> {
  const assigned = await records.owned('jobTaskStaff', task);
  const { estimatedMinutes } = task.fields;
  for (const [at, assignment] of assigned.entries()) {
    const allocatedMinutes =
      Math.floor(estimatedMinutes / assigned.length) + (at < estimatedMinutes % assigned.length ? 1 : 0);
    if (allocatedMinutes === assignment.fields.allocatedMinutes) continue;
    await records.update(assignment, { fields: { ...assignment.fields, allocatedMinutes } }, now);
  }
}

/** Minutes spent, by the UUID of the job task. */
export async function actualMinutes(
  records: Records,
  jobs: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const minutes = new Map<string, number>();
  for (const times of (await records.ownedBy('time', jobs)).values())
    for (const { fields } of times)
      minutes.set(fields.task, (minutes.get(fields.task) ?? 0) + fields.minutes);
  return minutes;
}

/** Adds the template's contents to the job's and replaces nothing (rule 7). */
export async function applyTemplate(
  records: Records,
  job: Job,
  template: StoredRecord<'template'>,
  now: number,
): Promise<void> {
  const { tasks, milestones, costs, toDos } = template.fields;
  const owner = job.uuid;
  await records.insertAll(
    'jobTask',
    tasks.map(({ name, task, ...fields }) => ({
      name,
      owner,
      other: task === '' ? undefined : task,
      fields: { ...blank(jobTaskRows), ...fields },
    })),
    now,
  );
  const start = Date.parse(job.fields.startDate || new Date(now).toISOString().slice(0, 10));
  await records.insertAll(
    'milestone',
    milestones.map(({ description, daysAfterStart, folder }) => ({
      name: description,
      owner,
      fields: {
        ...blank(milestoneRows),
        date: new Date(start + daysAfterStart * DAY).toISOString().slice(0, 10),
        folder,
      },
    })),
    now,
  );
  await records.insertAll(
    'jobCost',
    costs.map(({ description, supplier, ...fields }) => ({
      name: description,
      owner,
      other: supplier === '' ? undefined : supplier,
      fields: { ...blank(jobCostRows), ...fields, date: new Date(now).toISOString().slice(0, 10) },
    })),
    now,
  );
  await records.insertAll(
    'toDo',
    toDos.map((name) => ({ name, owner, fields: blank(toDoRows) })),
    now,
  );
  await touchJob(records, job, now);
}

const ofJob = ['jobTask', 'jobCost', 'milestone', 'toDo', 'time', 'jobStaff', 'note', 'document'] as const;

/**
 * Removes the job and what belongs to it from all lists (rule 6): tasks, costs, milestones, to-do items,
 * time, notes, documents, quotes and purchase orders. Invoices stay: they belong to the client's accounts.
 */
export async function deleteJob(records: Records, job: Job, now: number): Promise<void> {
  const remove = async (record: StoredRecord): Promise<void> =>
    records.update(record, { isDeleted: true }, now);
  for (const kind of ofJob) for (const record of await records.owned(kind, job)) await remove(record);
  for (const kind of ['quote', 'purchaseOrder'] as const)
    for (const record of await records.joined(kind, job)) await remove(record);
  await remove(job);
}
