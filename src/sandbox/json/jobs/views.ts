import type { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { customValuesShown } from '../customValues.ts';
import { fresh } from '../find.ts';
import { byUuids, clientRefOf, contactRefOf, staffRefOf } from '../refs.ts';
import { numberOrNull, orNull, timesOf } from '../values.ts';
import { groupsShown } from './groupViews.ts';
import type { JobGroup } from './related.ts';
import { type jobDetail, type jobListItem, type jobSaved, priorities } from './shapes.ts';

type Job = StoredRecord<'job'>;

const base = (job: Job) => {
  const { fields } = job;
  return {
    uuid: job.uuid,
    jobNumber: job.code ?? String(job.number),
    name: job.name,
    description: orNull(fields.description),
    clientOrderNumber: orNull(fields.clientOrderNumber),
    priority: priorities.find((one) => one === fields.priority) ?? 'Normal',
    startDate: orNull(fields.startDate),
    dueDate: orNull(fields.dueDate),
    completedDate: orNull(fields.completedDate),
    budget: numberOrNull(fields.budget),
    estimatedBillings: numberOrNull(fields.estimatedBillings),
    excludeEstimatedBillings: fields.excludeEstimatedBillings ?? false,
    taskInvoiceRate: fields.taskInvoiceRate ?? 'staff',
    capacityReducing: fields.capacityReducing ?? true,
    ...timesOf(job),
  } as const;
};

/** Statuses are stored by name. */
async function statusesOf(call: JsonCall): Promise<(name: string) => string | null> {
  const all = new Map((await call.records.all('jobStatus')).map(({ name, uuid }) => [name, uuid]));
  return (name) => all.get(name) ?? null;
}

export async function jobsListed(
  call: JsonCall,
  jobs: readonly Job[],
  groups: ReadonlySet<JobGroup>,
): Promise<z.infer<typeof jobListItem.schema>[]> {
  const status = await statusesOf(call);
  const related = await groupsShown(call, jobs, groups);
  return jobs.map((job) => {
    const { list } = related(job);
    return {
      ...base(job),
      deletedAt: null,
      clientUUID: job.owner ?? null,
      clientContactUUID: orNull(job.fields.contact),
      clientManagerUUID: orNull(job.fields.clientManager),
      jobManagerUUID: orNull(job.fields.manager),
      jobStatusUUID: status(job.fields.state),
      jobCategoryUUID: orNull(job.fields.category),
      ...list,
    };
  });
}

async function references(call: JsonCall, job: Job) {
  const { fields } = job;
  const clients = await byUuids(call, 'client', [job.owner]);
  const contacts = await byUuids(call, 'contact', [fields.contact]);
  const staff = await byUuids(call, 'staff', [fields.clientManager, fields.manager]);
  const categories = await byUuids(call, 'category', [fields.category]);
  const category = categories.get(fields.category);
  return {
    client: clientRefOf(clients.get(job.owner ?? '')),
    contact: contactRefOf(contacts.get(fields.contact)),
    clientManager: staffRefOf(staff.get(fields.clientManager ?? '')),
    jobManager: staffRefOf(staff.get(fields.manager)),
    jobStatus: { uuid: (await statusesOf(call))(fields.state), jobStatus: fields.state },
    jobCategory: category ? { uuid: category.uuid, jobCategory: category.name } : null,
    staffAssigned: await staffAssigned(call, job.uuid),
  };
}

export async function staffAssigned(call: JsonCall, job: string) {
  const assigned = (await call.records.ownedBy('jobStaff', [job])).get(job) ?? [];
  const staff = await byUuids(
    call,
    'staff',
    assigned.map(({ other }) => other),
  );
  return assigned.flatMap(({ other, fields }) => {
    const ref = staffRefOf(staff.get(other ?? ''));
    return ref ? [{ ...ref, customBillableRate: numberOrNull(fields.billableRate) }] : [];
  });
}

/** Tasks, costs, milestones, staff and billing settings always; the other groups where they are asked for. */
export async function jobDetailed(
  call: JsonCall,
  job: Job,
  asked: ReadonlySet<JobGroup>,
): Promise<z.infer<typeof jobDetail.schema>> {
  const groups = new Set<JobGroup>([...asked, 'tasks', 'costs', 'milestones']);
  const related = (await groupsShown(call, [job], groups))(job).detail;
  const { tasks = [], costs = [], milestones = [], ...others } = related;
  return {
    ...base(job),
    deletedAt: null,
    ...(await references(call, job)),
    tasks,
    costs,
    milestones,
    ...others,
  };
}

export async function jobWritten(call: JsonCall, uuid: string): Promise<z.infer<typeof jobSaved.schema>> {
  const job = await fresh(call, 'job', uuid);
  const customFields = await customValuesShown(call, 'Job');
  return { ...base(job), ...(await references(call, job)), customFields: customFields(job) };
}
