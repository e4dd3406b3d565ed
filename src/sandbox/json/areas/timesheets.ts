import { z } from 'zod';
import type { TimeFields } from '../../records/kinds/jobs.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { customValue, customValuesAfter, customValuesIn, customValuesShown } from '../customValues.ts';
import { freshView, ofBody } from '../find.ts';
import { ratesFor } from '../jobs/rates.ts';
import { areaBeyond, list, one, shape } from '../operation.ts';
import { pageOf, shown } from '../page.ts';
import { byUuids, deleted, messageShape, staffRef, staffRefOf } from '../refs.ts';
import { invalid } from '../refusal.ts';
import { relink, touch } from '../relink.ts';
import {
  amount,
  amountOrNull,
  cents,
  count,
  dayIn,
  dayOrNull,
  flag,
  flagOptional,
  id,
  idIn,
  idOrNull,
  minutesOptional,
  moment,
  numberOf,
  orNull,
  text,
  textAfter,
  textIn,
  textOrNull,
  timeOptional,
  times,
  timesOf,
} from '../values.ts';

const saved = {
  uuid: id,
  job: z.strictObject({ uuid: id, jobNumber: text, name: text }),
  jobTask: z.strictObject({ uuid: id, name: text, label: textOrNull }).nullable(),
  staff: staffRef.nullable(),
  date: dayOrNull,
  time: count,
  startTime: text.optional(),
  endTime: text.optional(),
  note: textOrNull,
  billable: flag,
  customFields: z.array(customValue),
};
const detail = { ...saved, submittedAt: moment.nullable(), ...times };

/** What the time is worth, and what became of it on an invoice. */
const wip = z.strictObject({
  baseRate: amount,
  standardRate: amount,
  chargeRate: amount,
  costAmount: amount,
  standardAmount: amount,
  chargeAmount: amount,
  invoice: z
    .strictObject({
      invoiceUUID: idOrNull,
      invoiceTaskUUID: id,
      invoiceDate: dayOrNull,
      invoiceRate: amountOrNull,
      invoiceTime: count,
      invoiceAmount: amount,
      writeonAmount: amount,
    })
    .nullable(),
});

const timesheetSaved = shape('TimesheetSaved', z.strictObject(saved));
const timesheetDetail = shape('TimesheetDetail', z.strictObject(detail));
const timesheetListItem = shape('TimesheetListItem', z.strictObject({ ...detail, wip }));

const changes = z.object({
  jobUUID: idIn.optional(),
  jobTaskUUID: idIn.optional(),
  staffUUID: idIn.optional(),
  date: dayIn.optional(),
  time: minutesOptional,
  startTime: timeOptional,
  endTime: timeOptional,
  note: textIn,
  billable: flagOptional,
  customFields: customValuesIn,
});
const write = changes.extend({ jobUUID: idIn, jobTaskUUID: idIn, staffUUID: idIn, date: dayIn });
type Changes = z.infer<typeof changes>;
type Time = StoredRecord<'time'>;

async function savedViews(call: JsonCall, all: readonly Time[]) {
  const jobs = await byUuids(
    call,
    'job',
    all.map(({ owner }) => owner),
  );
  const tasks = await byUuids(
    call,
    'jobTask',
    all.map(({ fields }) => fields.task),
  );
  const staff = await byUuids(
    call,
    'staff',
    all.map(({ other }) => other),
  );
  const values = await customValuesShown(call, 'JobTime');
  return all.map((time) => {
    const { fields } = time;
    const job = jobs.get(time.owner ?? '');
    const task = tasks.get(fields.task);
    return {
      uuid: time.uuid,
      job: { uuid: time.owner ?? '', jobNumber: job?.code ?? '', name: job?.name ?? '' },
      jobTask: task ? { uuid: task.uuid, name: task.name, label: orNull(task.fields.label) } : null,
      staff: staffRefOf(staff.get(time.other ?? '')),
      date: orNull(fields.date),
      time: fields.minutes,
      ...(fields.start !== '' && { startTime: fields.start }),
      ...(fields.end !== '' && { endTime: fields.end }),
      note: orNull(fields.note),
      billable: fields.billable,
      customFields: values(time),
    };
  });
}

/** Nothing submits time sheets through the API: entering one is submitting it. */
const detailOf = (view: Awaited<ReturnType<typeof savedViews>>[number], time: Time) => ({
  ...view,
  submittedAt: null,
  ...timesOf(time),
});

async function listed(call: JsonCall, all: readonly Time[]) {
  const views = await savedViews(call, all);
  const worth = await worthOf(call, all);
  return all.flatMap((time, at) => {
    const view = views[at];
    return view ? [{ ...detailOf(view, time), wip: worth(time) }] : [];
  });
}

async function worthOf(call: JsonCall, all: readonly Time[]): Promise<(time: Time) => z.infer<typeof wip>> {
  const jobs = await byUuids(
    call,
    'job',
    all.map(({ owner }) => owner),
  );
  const tasks = await byUuids(
    call,
    'jobTask',
    all.map(({ fields }) => fields.task),
  );
  const workOf = ({ owner, other, fields }: Time) => {
    const job = jobs.get(owner ?? '');
    return job && { job, task: tasks.get(fields.task), staff: other ?? '', date: fields.date };
  };
  const rates = await ratesFor(
    call,
    all.flatMap((time) => workOf(time) ?? []),
  );
  const invoiced = await invoicedBy(call, all);
  return (time) => {
    const work = workOf(time);
    const { base, standard, charge } = work ? rates(work) : { base: 0, standard: 0, charge: 0 };
    const hours = time.fields.minutes / 60;
    const sold = time.fields.billable ? hours : 0;
    return {
      baseRate: base,
      standardRate: standard,
      chargeRate: charge,
      costAmount: cents(hours * base),
      standardAmount: cents(sold * standard),
      chargeAmount: cents(sold * charge),
      invoice: invoiced(time, cents(sold * charge)),
    };
  };
}

async function invoicedBy(call: JsonCall, all: readonly Time[]) {
  const lines = await byUuids(
    call,
    'invoiceTask',
    all.map(({ fields }) => fields.invoiceTask),
  );
  const invoices = await byUuids(
    call,
    'invoice',
    [...lines.values()].map(({ owner }) => owner),
  );
  return ({ fields }: Time, charge: number): z.infer<typeof wip>['invoice'] => {
    const line = lines.get(fields.invoiceTask ?? '');
    if (!line) return null;
    const rate = numberOf(line.fields.billableRate);
    const invoiceAmount = cents((fields.minutes / 60) * rate);
    return {
      invoiceUUID: line.owner ?? null,
      invoiceTaskUUID: line.uuid,
      invoiceDate: orNull(invoices.get(line.owner ?? '')?.fields.date),
      invoiceRate: rate,
      invoiceTime: fields.minutes,
      invoiceAmount,
      writeonAmount: cents(invoiceAmount - charge),
    };
  };
}

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};

function fieldsAfter(body: Changes, task: string, before: TimeFields | undefined): TimeFields {
  const start = textAfter(body.startTime, before?.start);
  const end = textAfter(body.endTime, before?.end);
  return {
    ...before,
    task,
    date: body.date ?? before?.date ?? '',
    minutes: minutesAfter(body, start, end, before),
    note: textAfter(body.note, before?.note),
    billable: body.billable ?? before?.billable ?? true,
    start,
    end,
  };
}

/** Either `time`, or both times; both must agree with it where all are given. */
function minutesAfter(body: Changes, start: string, end: string, before: TimeFields | undefined): number {
  const between = start !== '' && end !== '' ? minutesOf(end) - minutesOf(start) : undefined;
  if (between !== undefined && between <= 0) throw invalid('endTime', 'endTime must be after startTime');
  const isMoved = body.startTime !== undefined || body.endTime !== undefined;
  const minutes = body.time ?? (isMoved ? between : undefined) ?? before?.minutes;
  if (minutes === undefined) throw invalid('time', 'time, or startTime and endTime, is required');
  return minutes;
}

async function referencesAfter(call: JsonCall, body: Changes, before: Time | undefined) {
  const job = body.jobUUID ? (await ofBody(call, 'job', body.jobUUID, 'jobUUID')).uuid : before?.owner;
  const taskId = body.jobTaskUUID ?? before?.fields.task ?? '';
  const task = await ofBody(call, 'jobTask', taskId, 'jobTaskUUID');
  if (task.owner !== job) throw invalid('jobTaskUUID', 'jobTaskUUID names a task of another job');
  const staff = body.staffUUID
    ? (await ofBody(call, 'staff', body.staffUUID, 'staffUUID')).uuid
    : before?.other;
  return { job: job ?? '', task: task.uuid, staff };
}

async function create(call: JsonCall, body: Changes) {
  const { job, task, staff } = await referencesAfter(call, body, undefined);
  const time = await call.records.insert(
    'time',
    {
      name: '',
      owner: job,
      other: staff,
      fields: fieldsAfter(body, task, undefined),
      customValues: await customValuesAfter(call, 'JobTime', body.customFields),
    },
    call.now,
  );
  await touchOwners(call, time);
  return savedOf(call, time.uuid);
}

async function update(call: JsonCall, time: Time, body: Changes) {
  const { job, task, staff } = await referencesAfter(call, body, time);
  const fields = fieldsAfter(body, task, time.fields);
  const customValues = await customValuesAfter(call, 'JobTime', body.customFields, time.customValues);
  await call.records.update(time, { fields, other: staff ?? null, customValues }, call.now);
  if (job !== time.owner) await moved(call, time, job);
  await touchOwners(call, time);
  return savedOf(call, time.uuid);
}

async function moved(call: JsonCall, time: Time, job: string): Promise<void> {
  await relink(call, time, { owner: job });
  await touch(call, 'job', job);
}

async function touchOwners(call: JsonCall, time: Time): Promise<void> {
  await touch(call, 'jobTask', time.fields.task);
  await touch(call, 'job', time.owner);
}

const savedOf = (call: JsonCall, uuid: string) => freshView(call, 'time', uuid, savedViews);

export const timesheets = areaBeyond('Timesheets', [
  list({
    id: 'v2.timesheets.list',
    path: '/timesheets',
    summary: 'List timesheets',
    notes: '`wip` says what the time is worth.',
    query: ['sort', 'order', 'updatedSince', 'lastModified'],
    response: timesheetListItem,
    serve: (call) => shown(pageOf(call, 'time', { ownedByLiving: 'job' }), (rows) => listed(call, rows)),
  }),
  one({
    id: 'v2.timesheets.get',
    method: 'GET',
    path: '/timesheets/{UUID}',
    summary: 'Get a timesheet',
    on: { UUID: 'time' },
    response: timesheetDetail,
    serve: async (call, { UUID: time }) => detailOf(await savedOf(call, time.uuid), time),
  }),
  one({
    id: 'v2.timesheets.create',
    method: 'POST',
    path: '/timesheets',
    summary: 'Create a timesheet',
    notes: 'Either `time` in minutes or both times are needed.',
    body: write,
    example: {
      jobUUID: '{job}',
      jobTaskUUID: '{jobTask}',
      staffUUID: '{staff}',
      date: '2026-03-02',
      time: 90,
      note: 'Drawings',
    },
    response: timesheetSaved,
    serve: (call, _on, body) => create(call, body),
  }),
  one({
    id: 'v2.timesheets.update',
    method: 'PUT',
    path: '/timesheets/{UUID}',
    summary: 'Update a timesheet',
    on: { UUID: 'time' },
    body: changes,
    example: { time: 120 },
    response: timesheetSaved,
    serve: (call, { UUID: time }, body) => update(call, time, body),
  }),
  one({
    id: 'v2.timesheets.delete',
    method: 'DELETE',
    path: '/timesheets/{UUID}',
    summary: 'Delete a timesheet',
    on: { UUID: 'time' },
    response: messageShape,
    serve: async (call, { UUID: time }) => {
      await call.records.update(time, { isDeleted: true }, call.now);
      await touchOwners(call, time);
      return deleted('timesheet');
    },
  }),
]);
