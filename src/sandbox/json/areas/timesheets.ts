/**
 * The operations of V2 on time, with its value (`wip`) at the applicable rates.
 *
 * `wip` and the billing state are calculated for a page at a time, from the rates of its jobs and the lines
 * of its invoices, not row by row. A body gives `time`, or both the start and the end; if it gives all three,
 * `time` counts, which may leave out a break.
 */
import { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import { some } from '../../tables/table.ts';
import { timeRows } from '../../tables/jobs/time.ts';
import { minutesOf } from '../../tables/values.ts';
import type { JsonCall } from '../operation/call.ts';
import {
  always,
  type ColumnsOf,
  customColumn,
  loaded,
  refColumn,
  tableOf,
  timeColumns,
  uuidColumn,
} from '../record/columns.ts';
import { customValuesAfter, customValuesIn } from '../record/custom-values.ts';
import { ofBody } from '../record/find.ts';
import { ratesFor } from '../jobs/rates.ts';
import { timeOfDay } from '../jobs/task-views.ts';
import { areaBeyond } from '../operation/operation.ts';
import { markDeleted, operationsOn } from '../operation/operations-on.ts';
import { bodiesOf, newRecord, storedAfter, rowColumns, type Body } from '../record/record.ts';
import { staffRefs } from '../record/refs.ts';
import { invalid } from '../operation/refusal.ts';
import { relink, touch } from '../record/relink.ts';
import {
  amount,
  amountOrNull,
  cents,
  count,
  dayOrNull,
  id,
  idOrNull,
  moment,
  numberOf,
  orNull,
  text,
  textOrNull,
} from '../record/values.ts';

type Time = StoredRecord<'time'>;

const jobRef = z.strictObject({ uuid: id, jobNumber: text, name: text });
const taskRef = z.strictObject({ uuid: id, name: text, label: textOrNull }).nullable();

const saved: ColumnsOf<'time'> = {
  uuid: uuidColumn,
  job: loaded(jobRef, async (call, all) => {
    const jobs = await call.records.referred('job', all, ({ owner }) => owner);
    return ({ owner = '' }) => {
      const job = jobs.get(owner);
      return { uuid: owner, jobNumber: job?.code ?? '', name: job?.name ?? '' };
    };
  }),
  jobTask: refColumn(
    {
      kind: 'jobTask',
      schema: taskRef,
      of: (task) => (task ? { uuid: task.uuid, name: task.name, label: orNull(task.fields.label) } : null),
    },
    ({ fields }) => fields.task,
  ),
  staff: refColumn(staffRefs, ({ other }) => other),
  ...rowColumns(some(timeRows, 'date', 'minutes', 'note', 'billable')),
  startTime: timeOfDay('start'),
  endTime: timeOfDay('end'),
  customFields: customColumn('JobTime'),
};
const detail: ColumnsOf<'time'> = {
  ...saved,
  // The API has no way to submit time sheets: entering one submits it.
  submittedAt: always(moment.nullable(), null),
  ...timeColumns,
};

/** The value of the time, and how it was invoiced. */
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

async function worthOf(call: JsonCall, all: readonly Time[]): Promise<(time: Time) => z.infer<typeof wip>> {
  const jobs = await call.records.referred('job', all, ({ owner }) => owner);
  const tasks = await call.records.referred('jobTask', all, ({ fields }) => fields.task);
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
  const lines = await call.records.referred('invoiceTask', all, ({ fields }) => fields.invoiceTask);
  const invoices = await call.records.referred('invoice', [...lines.values()], ({ owner }) => owner);
  return ({ fields }: Time, charge: number): z.infer<typeof wip>['invoice'] => {
    const line = lines.get(fields.invoiceTask);
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

const timesheetSaved = tableOf('time', 'TimesheetSaved', saved);
const timesheetDetail = tableOf('time', 'TimesheetDetail', detail);
const timesheetListed = tableOf('time', 'TimesheetListItem', { ...detail, wip: loaded(wip, worthOf) });

const { made: write, changed: changes } = bodiesOf(timeRows, { customFields: customValuesIn });

/** The minutes from `time`, or else from start and end. */
function minutesAfter(body: Body, start: string, end: string, before: Time['fields'] | undefined): number {
  const between = start !== '' && end !== '' ? minutesOf(end) - minutesOf(start) : undefined;
  if (between !== undefined && between <= 0) throw invalid('endTime', 'endTime must be after startTime');
  const isMoved = body.startTime !== undefined || body.endTime !== undefined;
  const minutes =
    (body.time as number | null | undefined) ?? (isMoved ? between : undefined) ?? before?.minutes;
  if (minutes === undefined) throw invalid('time', 'time, or startTime and endTime, is required');
  return minutes;
}

async function after(call: JsonCall, body: Body, before: Time | undefined) {
  const stored = await storedAfter<'time'>(call, timeRows, body, before);
  const fields = stored.fields as Time['fields'];
  const task = await ofBody(call, 'jobTask', fields.task, 'jobTaskUUID');
  if (task.owner !== stored.owner) throw invalid('jobTaskUUID', 'jobTaskUUID names a task of another job');
  const minutes = minutesAfter(body, fields.start, fields.end, before?.fields);
  return {
    ...stored,
    fields: { ...fields, minutes },
    customValues: await customValuesAfter(call, 'JobTime', body, before),
  };
}

async function create(call: JsonCall, body: Body): Promise<string> {
  const made = newRecord<'time'>(await after(call, body, undefined));
  const time = await call.records.insert('time', made, call.now);
  await touchOwners(call, time);
  return time.uuid;
}

async function update(call: JsonCall, time: Time, body: Body): Promise<void> {
  const { owner = '', other = null, fields, customValues } = await after(call, body, time);
  await call.records.update(time, { fields, other, customValues }, call.now);
  if (owner !== time.owner) await moved(call, time, owner);
  await touchOwners(call, time);
}

async function moved(call: JsonCall, time: Time, job: string): Promise<void> {
  await relink(call, time, { owner: job });
  await touch(call, 'job', job);
}

async function touchOwners(call: JsonCall, time: Time): Promise<void> {
  await touch(call, 'jobTask', time.fields.task);
  await touch(call, 'job', time.owner);
}

const operations = operationsOn({ kind: 'time', path: '/timesheets', word: 'timesheet' });

export const timesheets = areaBeyond('Timesheets', [
  operations.list(timesheetListed, {
    notes: '`wip` says what the time is worth.',
    filter: { ownedByLiving: 'job' },
  }),
  operations.get(timesheetDetail),
  operations.create(timesheetSaved, {
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
    make: create,
  }),
  operations.update(timesheetSaved, { body: changes, example: { time: 120 }, change: update }),
  operations.remove({
    removal: async (call, time) => {
      await markDeleted(call, time);
      await touchOwners(call, time);
    },
  }),
]);
