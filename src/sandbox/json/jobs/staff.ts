import { z } from 'zod';
import { shareAllocation, unassignFromJob } from '../../records/job-rules.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../operation/call.ts';
import { ofBody } from '../record/find.ts';
import { area, one, shape } from '../operation/operation.ts';
import { messageShape } from '../record/refs.ts';
import { notFound } from '../operation/refusal.ts';
import { touch } from '../record/relink.ts';
import { idIn, rateOptional, twoAfter } from '../record/values.ts';
import { assignedStaff, staffAssigned as assignedTo } from './views.ts';

const assigned = shape('AssignedStaff', z.strictObject({ staffAssigned: z.array(assignedStaff) }));
const oneAssigned = shape('StaffAssignment', assignedStaff);

const staffAssigned = async (call: JsonCall, job: StoredRecord<'job'>) =>
  (await assignedTo.load(call, [job]))(job) as z.infer<typeof assignedStaff>[];

const assign = z.object({
  staff: z.array(z.object({ uuid: idIn, customBillableRate: rateOptional })).min(1),
});
const change = z.object({
  uuid: idIn,
  customBillableRate: z.number().min(0).max(1e9).nullable(),
});

/** A bare array and single objects `{staffUUID, billableRate}` also occur. */
function asList(body: unknown): unknown {
  if (Array.isArray(body)) return { staff: body.map(asMember) };
  if (typeof body !== 'object' || body === null) return body;
  const given = lowered(body);
  if (Array.isArray(given.staff)) return { staff: given.staff.map(asMember) };
  return 'staff' in given || !('staffuuid' in given || 'uuid' in given) ? body : { staff: [asMember(body)] };
}

function asMember(body: unknown): unknown {
  if (typeof body === 'string') return { uuid: body };
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const given = lowered(body);
  return {
    uuid: given.uuid ?? given.staffuuid,
    customBillableRate: 'custombillablerate' in given ? given.custombillablerate : given.billablerate,
  };
}

const lowered = (body: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(body).map(([key, value]) => [key.toLowerCase(), value as unknown]));

async function assignmentOf(
  call: JsonCall,
  job: string,
  staff: string,
): Promise<StoredRecord<'jobStaff'> | undefined> {
  const all = await call.records.owned('jobStaff', job);
  return all.find(({ other }) => other === staff.toLowerCase());
}

/**
 * Adds assignments and keeps existing ones (V2 specification, "Endpoints", behaviour rule 1). Assigning a member again
 * updates the rate.
 */
async function add(call: JsonCall, job: StoredRecord<'job'>, given: z.infer<typeof assign>['staff']) {
  for (const [at, { uuid, customBillableRate }] of given.entries()) {
    const member = await ofBody(call, 'staff', uuid, `staff[${at}].uuid`);
    const before = await assignmentOf(call, job.uuid, member.uuid);
    const fields = { billableRate: twoAfter(customBillableRate, before?.fields.billableRate) };
    if (before) await call.records.update(before, { fields }, call.now);
    else
      await call.records.insert(
        'jobStaff',
        { name: '', fields, owner: job.uuid, other: member.uuid },
        call.now,
      );
  }
  await touch(call, 'job', job.uuid);
  return { staffAssigned: await staffAssigned(call, job) };
}

async function update(call: JsonCall, job: StoredRecord<'job'>, body: z.infer<typeof change>) {
  const assignment = await assignmentOf(call, job.uuid, body.uuid);
  if (!assignment) throw notFound('assignment of this staff member');
  const fields = { billableRate: twoAfter(body.customBillableRate, '') };
  await call.records.update(assignment, { fields }, call.now);
  await touch(call, 'job', job.uuid);
  const shown = (await staffAssigned(call, job)).find(({ uuid }) => uuid === assignment.other);
  if (!shown) throw notFound('staff member');
  return shown;
}

/** If shares must add up, the remaining members take over the share of the member who left. */
async function share(call: JsonCall, job: string): Promise<void> {
  for (const task of await call.records.owned('jobTask', job))
    await shareAllocation(call.records, task, call.now);
}

export const jobStaff = area('Job staff', [
  one({
    id: 'v2.job-staff.assign',
    method: 'POST',
    path: '/jobs/{identifier}/staff',
    summary: 'Assign one or more staff, optionally with a custom billable rate each',
    notes: 'Additive. A bare array and a single `{staffUUID, billableRate}` are taken as well.',
    on: { identifier: 'job' },
    body: assign,
    prepare: asList,
    example: { staff: [{ uuid: '{staff}', customBillableRate: 135 }] },
    response: assigned,
    serve: (call, { identifier: job }, { staff }) => add(call, job, staff),
  }),
  one({
    id: 'v2.job-staff.update',
    method: 'PUT',
    path: '/jobs/{identifier}/staff',
    summary: 'Update the custom billable rate of one assigned staff member',
    notes: '`customBillableRate: null` removes the override.',
    on: { identifier: 'job' },
    body: change,
    prepare: (body) => (typeof body === 'string' ? body : asMember(body)),
    example: { uuid: '{staff}', customBillableRate: 155 },
    response: oneAssigned,
    serve: (call, { identifier: job }, body) => update(call, job, body),
  }),
  one({
    id: 'v2.job-staff.unassign',
    method: 'DELETE',
    path: '/jobs/{identifier}/staff/{staffUUID}',
    summary: 'Unassign a staff member',
    notes:
      'The job, its tasks and the profile of the member stay; the member has no share in its tasks any more.',
    on: { identifier: 'job', staffUUID: 'staff' },
    response: messageShape,
    serve: async (call, { identifier: job, staffUUID: member }) => {
      if (!(await assignmentOf(call, job.uuid, member.uuid)))
        throw notFound('assignment of this staff member');
      await unassignFromJob(call.records, job, member.uuid, call.now);
      if (call.organisation.switches.timeAllocation) await share(call, job.uuid);
      return { message: 'The staff member was unassigned.' };
    },
  }),
]);
