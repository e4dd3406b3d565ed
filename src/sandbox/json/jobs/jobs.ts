import { sql } from 'kysely';
import { z } from 'zod';
import { nextCode } from '../../records/codes.ts';
import { deleteJob } from '../../records/jobRules.ts';
import type { JobFields } from '../../records/kinds/jobs.ts';
import type { Kind, StoredRecord } from '../../records/kinds.ts';
import { folded } from '../../records/records.ts';
import { includesOf, type JsonCall } from '../call.ts';
import { customValuesAfter, customValuesIn } from '../customValues.ts';
import { ofBody, referenceAfter } from '../find.ts';
import { list, one } from '../operation.ts';
import { type Filter, pageOf, shown } from '../page.ts';
import { deleted, messageShape } from '../refs.ts';
import { conflict, invalid } from '../refusal.ts';
import { relink, removeWith } from '../relink.ts';
import {
  amountOptional,
  dayIn,
  dayOptional,
  flagOptional,
  idIn,
  idOptional,
  requiredText,
  textAfter,
  textIn,
  twoAfter,
} from '../values.ts';
import { jobGroups, type JobGroup } from './related.ts';
import { jobDetail, jobListItem, jobSaved, priorities } from './shapes.ts';
import { jobDetailed, jobsListed, jobWritten } from './views.ts';

const changes = z.object({
  clientUUID: idIn.optional(),
  jobName: requiredText.optional(),
  statusUUID: idIn.optional(),
  startDate: dayOptional,
  dueDate: dayOptional,
  priority: z.enum(priorities).optional(),
  contactUUID: idOptional,
  jobNumber: requiredText.optional(),
  clientOrderNumber: textIn,
  budget: amountOptional,
  description: textIn,
  jobCategoryUUID: idOptional,
  clientManagerUUID: idOptional,
  jobManagerUUID: idOptional,
  customFields: customValuesIn,
  // Ours: the field knows these as settings of the job's screens only.
  taskInvoiceRate: z.enum(['staff', 'task']).optional(),
  estimatedBillings: amountOptional,
  excludeEstimatedBillings: flagOptional,
  capacityReducing: flagOptional,
});
const write = changes.extend({
  clientUUID: idIn,
  jobName: requiredText,
  statusUUID: idIn,
  startDate: dayIn,
  dueDate: dayIn,
  priority: z.enum(priorities),
});
type Changes = z.infer<typeof changes>;
type Job = StoredRecord<'job'>;

function groupsAsked(call: JsonCall): ReadonlySet<JobGroup> {
  const asked = includesOf(call);
  return new Set(jobGroups.filter((group) => asked.has(group)));
}

async function filterOf(call: JsonCall): Promise<Filter> {
  const client = call.query('clientUUID') ?? call.query('client');
  const status = call.query('status');
  const names = status === undefined ? undefined : await statusNames(call, status);
  return {
    ...(client !== undefined && { owner: client.toLowerCase() }),
    ...(names && {
      where: (query) => query.where(sql<string>`json_extract(fields, '$.state')`, 'in', names),
    }),
  };
}

/** By name, type or UUID, in any case. */
async function statusNames(call: JsonCall, given: string): Promise<readonly string[]> {
  const wanted = folded(given.trim());
  const names = (await call.records.all('jobStatus'))
    .filter(({ name, uuid, fields }) =>
      [folded(name), uuid, fields.type, fields.type.replace(/^in /, '')].includes(wanted),
    )
    .map(({ name }) => name);
  // A name that jobs have and no status is configured under.
  return names.length > 0 ? names : [given];
}

async function fieldsAfter(call: JsonCall, body: Changes, job: Job | undefined): Promise<JobFields> {
  const before = job?.fields;
  const status =
    body.statusUUID === undefined
      ? undefined
      : await ofBody(call, 'jobStatus', body.statusUUID, 'statusUUID');
  const fields: JobFields = {
    ...before,
    description: textAfter(body.description, before?.description),
    clientOrderNumber: textAfter(body.clientOrderNumber, before?.clientOrderNumber),
    budget: twoAfter(body.budget, before?.budget),
    state: status ? status.name : (before?.state ?? ''),
    startDate: textAfter(body.startDate, before?.startDate),
    dueDate: textAfter(body.dueDate, before?.dueDate),
    completedDate: completedAfter(call, status, before),
    partner: before?.partner ?? '',
    ...(await referencesAfter(call, body, job)),
    ...settingsAfter(body, before),
  };
  if (fields.startDate !== '' && fields.dueDate !== '' && fields.dueDate < fields.startDate)
    throw invalid('dueDate', 'dueDate must not be before startDate');
  return fields;
}

async function referencesAfter(call: JsonCall, body: Changes, job: Job | undefined) {
  const before = job?.fields;
  const reference = (kind: Kind, key: keyof Changes, known: string | undefined) =>
    referenceAfter(call, kind, body[key] as string | null | undefined, key, known);
  return {
    category: await reference('category', 'jobCategoryUUID', before?.category),
    contact: await contactAfter(call, body, job),
    manager: await reference('staff', 'jobManagerUUID', before?.manager),
    clientManager: await reference('staff', 'clientManagerUUID', before?.clientManager),
  };
}

/** A contact of the job's client. */
async function contactAfter(call: JsonCall, body: Changes, job: Job | undefined): Promise<string> {
  if (!body.contactUUID)
    return referenceAfter(call, 'contact', body.contactUUID, 'contactUUID', job?.fields.contact);
  const contact = await ofBody(call, 'contact', body.contactUUID, 'contactUUID');
  const client = body.clientUUID?.toLowerCase() ?? job?.owner;
  if (contact.owner !== undefined && contact.owner !== client)
    throw invalid('contactUUID', 'contactUUID names a contact of another client');
  return contact.uuid;
}

const settingsAfter = (body: Changes, before: JobFields | undefined) => ({
  priority: body.priority ?? before?.priority ?? 'Normal',
  estimatedBillings: twoAfter(body.estimatedBillings, before?.estimatedBillings),
  excludeEstimatedBillings: body.excludeEstimatedBillings ?? before?.excludeEstimatedBillings ?? false,
  capacityReducing: body.capacityReducing ?? before?.capacityReducing ?? true,
  ...(body.taskInvoiceRate && { taskInvoiceRate: body.taskInvoiceRate }),
});

/** A status of the completed type dates the job; one that comes before completion takes the date away again. */
function completedAfter(
  call: JsonCall,
  status: StoredRecord<'jobStatus'> | undefined,
  before: JobFields | undefined,
): string {
  const known = before?.completedDate ?? '';
  if (!status) return known;
  switch (status.fields.type) {
    case 'completed':
      return known || new Date(call.now).toISOString().slice(0, 10);
    case 'invoiced':
    case 'cancelled':
      return known;
    case 'planned':
    case 'in progress':
    case 'on hold':
      return '';
  }
}

async function create(call: JsonCall, body: z.infer<typeof write>) {
  const client = await ofBody(call, 'client', body.clientUUID, 'clientUUID');
  const fields = await fieldsAfter(call, body, undefined);
  const customValues = await customValuesAfter(call, 'Job', body.customFields);
  const code = body.jobNumber ?? (await nextCode(call.records, 'job'));
  await requireFreeNumber(call, code);
  const job = await call.records.insert(
    'job',
    { name: body.jobName, fields, owner: client.uuid, code, customValues },
    call.now,
  );
  return jobWritten(call, job.uuid);
}

async function requireFreeNumber(call: JsonCall, code: string): Promise<void> {
  if (await call.records.isCodeTaken('job', code))
    throw conflict('jobNumber', 'jobNumber is used by another job');
}

async function update(call: JsonCall, job: Job, body: Changes) {
  const client = body.clientUUID && (await ofBody(call, 'client', body.clientUUID, 'clientUUID'));
  const fields = await fieldsAfter(call, body, job);
  // The contact is one of the client's: it does not go along to another one.
  if (client && client.uuid !== job.owner && !body.contactUUID) Object.assign(fields, { contact: '' });
  const customValues = await customValuesAfter(call, 'Job', body.customFields, job.customValues);
  const { jobNumber } = body;
  if (jobNumber !== undefined && jobNumber !== job.code) await requireFreeNumber(call, jobNumber);
  await call.records.update(job, { name: body.jobName ?? job.name, fields, customValues }, call.now);
  await relink(call, job, {
    ...(client && { owner: client.uuid }),
    ...(jobNumber !== undefined && { code: jobNumber }),
  });
  return jobWritten(call, job.uuid);
}

const example = {
  clientUUID: '{client}',
  jobName: 'Harbour house',
  statusUUID: '{jobStatus}',
  startDate: '2026-03-02',
  dueDate: '2026-04-30',
  priority: 'Normal',
  jobManagerUUID: '{staff}',
  budget: 12_000,
};

export const jobReads = [
  one({
    id: 'v2.jobs.get',
    method: 'GET',
    path: '/jobs/{identifier}',
    summary: 'Get a job, including tasks, costs, milestones, staff, billing settings',
    notes: 'The identifier is the UUID or the job number. Further groups come with `includes`.',
    on: { identifier: 'job' },
    query: ['includes'],
    response: jobDetail,
    serve: (call, { identifier: job }) => jobDetailed(call, job, groupsAsked(call)),
  }),
  list({
    id: 'v2.jobs.list',
    path: '/jobs',
    summary: 'List jobs',
    notes: '`status` is the name, the type or the UUID of a status.',
    query: ['sort', 'order', 'updatedSince', 'lastModified', 'status', 'clientUUID', 'client', 'includes'],
    response: jobListItem,
    serve: async (call) =>
      shown(pageOf(call, 'job', await filterOf(call)), (rows) => jobsListed(call, rows, groupsAsked(call))),
  }),
];

export const jobWrites = [
  one({
    id: 'v2.jobs.create',
    method: 'POST',
    path: '/jobs',
    summary: 'Create a job',
    notes: 'Without `jobNumber` the service assigns one.',
    body: write,
    example,
    response: jobSaved,
    serve: (call, _on, body) => create(call, body),
  }),
  one({
    id: 'v2.jobs.update',
    method: 'PUT',
    path: '/jobs/{identifier}',
    summary: 'Update a job',
    on: { identifier: 'job' },
    body: changes,
    example: { budget: 14_000, statusUUID: '{jobStatus}' },
    response: jobSaved,
    serve: (call, on, body) => update(call, on.identifier, body),
  }),
  one({
    id: 'v2.jobs.delete',
    method: 'DELETE',
    path: '/jobs/{identifier}',
    summary: 'Delete a job',
    on: { identifier: 'job' },
    response: messageShape,
    // Its data leaves active workflows and reporting with it (000_ef2b8fc3580d6af3.txt, behaviour rule 6).
    serve: async (call, { identifier: job }) => {
      for (const task of (await call.records.ownedBy('jobTask', [job.uuid])).get(job.uuid) ?? [])
        await removeWith(call, task, ['jobTaskStaff']);
      await deleteJob(call.records, job, call.now);
      return deleted('job');
    },
  }),
];
