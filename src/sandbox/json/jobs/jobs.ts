/**
 * The operations of V2 on jobs. The table of jobs defines what a request stores; this file adds the rules on
 * the free number, the contact and the completion date.
 */
import { sql } from 'kysely';
import { z } from 'zod';
import { nextCode } from '../../records/codes.ts';
import { completedDateIn, deleteJob } from '../../records/job-rules.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import { folded } from '../../records/selection.ts';
import { jobRows, priorities } from '../../tables/jobs/job.ts';
import { isoDate } from '../../tables/values.ts';
import type { JsonCall } from '../operation/call.ts';
import { customValuesAfter, customValuesIn } from '../record/custom-values.ts';
import { contactAfter } from '../record/contact-after.ts';
import { ofBody } from '../record/find.ts';
import { operationsOn, ORDERED } from '../operation/operations-on.ts';
import type { Filter } from '../operation/page.ts';
import { bodiesOf, type Body, newRecord, storedAfter } from '../record/record.ts';
import { conflict, invalid } from '../operation/refusal.ts';
import { relink, removeWith } from '../record/relink.ts';
import { dayIn, idIn, requiredText } from '../record/values.ts';
import { jobListed, jobSaved, jobShown } from './views.ts';

const { changed: changes } = bodiesOf(jobRows, {
  statusUUID: idIn.optional(),
  priority: z.enum(priorities).optional(),
  jobNumber: requiredText.optional(),
  customFields: customValuesIn,
  // Our addition, like the billing settings: in the field it exists only on the job's screens.
  taskInvoiceRate: z.enum(['staff', 'task']).optional(),
});
const write = changes.extend({
  clientUUID: idIn,
  jobName: requiredText,
  statusUUID: idIn,
  startDate: dayIn,
  dueDate: dayIn,
  priority: z.enum(priorities),
});
type Job = StoredRecord<'job'>;

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

/** Finds statuses by name, type or UUID, in any case. */
async function statusNames(call: JsonCall, given: string): Promise<readonly string[]> {
  const wanted = folded(given.trim());
  const names = (await call.records.all('jobStatus'))
    .filter(({ name, uuid, fields }) =>
      [folded(name), uuid, fields.type, fields.type.replace(/^in /, '')].includes(wanted),
    )
    .map(({ name }) => name);
  // Jobs may have a name under which no status is configured.
  return names.length > 0 ? names : [given];
}

/** Returns what a request stores, including a free number. */
async function after(call: JsonCall, body: Body, job: Job | undefined) {
  const stored = await storedAfter<'job'>(call, jobRows, body, job);
  const fields = {
    ...(stored.fields as Job['fields']),
    ...(body.taskInvoiceRate !== undefined && { taskInvoiceRate: body.taskInvoiceRate as 'staff' | 'task' }),
  };
  const completedDate = await completedAfter(call, body, fields);
  if (fields.startDate !== '' && fields.dueDate !== '' && fields.dueDate < fields.startDate)
    throw invalid('dueDate', 'dueDate must not be before startDate');
  const contact = await contactAfter(call, body.contactUUID as string | null | undefined, stored.owner, job);
  const code = body.jobNumber as string | undefined;
  if (code !== undefined && code !== job?.code) await requireFreeNumber(call, code);
  return {
    ...stored,
    ...(code !== undefined && { code }),
    fields: { ...fields, completedDate, contact },
    customValues: await customValuesAfter(call, 'Job', body, job),
  };
}

async function completedAfter(call: JsonCall, { statusUUID }: Body, after: Job['fields']): Promise<string> {
  const known = after.completedDate;
  if (typeof statusUUID !== 'string') return known;
  const status = await ofBody(call, 'jobStatus', statusUUID, 'statusUUID');
  return completedDateIn(status, known, isoDate(call.now));
}

async function create(call: JsonCall, body: Body): Promise<string> {
  const made = newRecord<'job'>(await after(call, body, undefined));
  const code = made.code ?? (await nextCode(call.records, 'job'));
  const job = await call.records.insert('job', { ...made, code }, call.now);
  return job.uuid;
}

async function requireFreeNumber(call: JsonCall, code: string): Promise<void> {
  if (await call.records.isCodeTaken('job', code))
    throw conflict('jobNumber', 'jobNumber is used by another job');
}

async function update(call: JsonCall, job: Job, body: Body): Promise<void> {
  const { owner, code, name, fields, customValues } = await after(call, body, job);
  await call.records.update(job, { name: name ?? job.name, fields, customValues }, call.now);
  await relink(call, job, { ...(owner !== undefined && { owner }), ...(code !== undefined && { code }) });
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

const operations = operationsOn({
  kind: 'job',
  path: '/jobs',
  pathOfOne: '/jobs/{identifier}',
  word: 'job',
});

export const jobReads = [
  operations.get(jobShown, {
    summary: 'Get a job, including tasks, costs, milestones, staff, billing settings',
    notes: 'The identifier is the UUID or the job number. Further groups come with `includes`.',
    query: ['includes'],
  }),
  operations.list(jobListed, {
    notes: '`status` is the name, the type or the UUID of a status.',
    query: [...ORDERED, 'status', 'clientUUID', 'client', 'includes'],
    filter: filterOf,
  }),
];

export const jobWrites = [
  operations.create(jobSaved, {
    notes: 'Without `jobNumber` the service assigns one.',
    body: write,
    example,
    make: create,
  }),
  operations.update(jobSaved, {
    body: changes,
    example: { budget: 14_000, statusUUID: '{jobStatus}' },
    change: update,
  }),
  operations.remove({
    // The data of a deleted job leaves active workflows and reporting (V2 specification, "Endpoints", behaviour rule
    // 6).
    removal: async (call, job) => {
      for (const task of await call.records.owned('jobTask', job))
        await removeWith(call, task, ['jobTaskStaff']);
      await deleteJob(call.records, job, call.now);
    },
  }),
];
