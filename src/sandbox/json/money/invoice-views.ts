/**
 * An invoice in its two forms, a row of a list and alone, with what it bills grouped by job; its costs and
 * payments.
 *
 * Lines, costs and times of all invoices on a page are loaded at once (`withJobs`), then grouped by the jobs
 * they bill; a line without a job of its own belongs to the invoice's job.
 */
import { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import {
  costLineTotals,
  type InvoiceLines,
  invoicesWithLines,
  invoiceTaskTotals,
} from '../../records/with-lines.ts';
import { jobRows } from '../../tables/jobs/job.ts';
import { costLineRows, invoiceRows, invoiceTaskRows, paymentRows } from '../../tables/money/invoice.ts';
import { some, without } from '../../tables/table.ts';
import { invoiceNotes, noteAlone } from '../record/attachments.ts';
import type { JsonCall } from '../operation/call.ts';
import {
  always,
  column,
  type Columns,
  type ColumnsOf,
  each,
  loadedTable,
  refColumn,
  tableOf,
  timeColumns,
  uuidColumn,
} from '../record/columns.ts';
import { phaseUuid } from '../record/phases.ts';
import { rowColumns } from '../record/record.ts';
import { clientRefs, contactRefs } from '../record/refs.ts';
import {
  amount,
  count,
  dayOrNull,
  flag,
  id,
  idOrNull,
  numberOf,
  orNull,
  partsOfName,
  text,
  textOrNull,
} from '../record/values.ts';
import { centsShown, taxes, totalColumns } from './totals.ts';

type CostLine = StoredRecord<'invoiceCost'>;

interface Time {
  readonly time: StoredRecord<'time'>;
  readonly member: StoredRecord<'staff'> | undefined;
  readonly line: StoredRecord<'invoiceTask'>;
}

interface TaskLine extends StoredRecord<'invoiceTask'> {
  readonly jobTask: StoredRecord<'jobTask'> | undefined;
  readonly times: readonly Time[];
}

interface BilledJob extends StoredRecord<'job'> {
  readonly invoice: string;
  readonly folders: readonly string[];
  readonly tasks: readonly TaskLine[];
  readonly costs: readonly CostLine[];
}

type WithLines = StoredRecord<'invoice'> & InvoiceLines;
type Invoice = WithLines & { readonly jobs: readonly BilledJob[] };

const lineColumns: Columns<StoredRecord<'invoiceTask'> | CostLine> = {
  uuid: uuidColumn,
  invoicePhaseUUID: always(idOrNull, null),
  fixedPrice: always(flag, false),
  additional: always(flag, false),
  order: column(count, (_line, at) => at + 1),
  tax: taxes(({ fields }) => [fields.taxRate], 'OUTPUT'),
  ...timeColumns,
};

const timeBreakDown: Columns<Time> = {
  staffUUID: column(idOrNull, ({ time }) => time.other ?? null),
  staffFirstName: column(text, ({ member }) => (member ? partsOfName(member).firstName : '')),
  staffLastName: column(text, ({ member }) => (member ? partsOfName(member).lastName : '')),
  time: column(count, ({ time }) => time.fields.minutes),
  billableRate: column(amount, ({ line }) => numberOf(line.fields.billableRate)),
  date: column(dayOrNull, ({ time }) => orNull(time.fields.date)),
  invoiceBillable: column(z.enum(['Yes', 'No', 'Future']), ({ time }) =>
    time.fields.billable ? 'Yes' : 'No',
  ),
  invoiceTimesheetUUID: column(id, ({ time }) => time.uuid),
  jobTimesheetUUID: column(id, ({ time }) => time.uuid),
};

const taskColumns: Columns<TaskLine> = {
  ...lineColumns,
  ...rowColumns(invoiceTaskRows),
  amount: column(amount, (line) => centsShown(invoiceTaskTotals(line).amount)),
  taskUUID: column(idOrNull, ({ jobTask }) => jobTask?.other ?? null),
  label: column(textOrNull, ({ jobTask }) => orNull(jobTask?.fields.label)),
};

/** A cost in the list of an invoice's costs. */
const costColumns: ColumnsOf<'invoiceCost'> = {
  uuid: uuidColumn,
  costUUID: always(idOrNull, null),
  jobCostUUID: always(idOrNull, null),
  ...rowColumns(costLineRows),
  description: column(textOrNull, ({ fields }) => orNull(fields.note)),
  type: always(text, 'Service'),
  amount: column(amount, (line) => centsShown(costLineTotals(line).amount)),
  ...timeColumns,
};

const phaseColumns: Columns<{ readonly job: BilledJob; readonly name: string }> = {
  uuid: column(id, ({ job, name }) => phaseUuid(job.invoice, name)),
  jobPhaseUUID: column(id, ({ job, name }) => phaseUuid(job.uuid, name)),
  name: column(text, ({ name }) => name),
  description: always(textOrNull, null),
  order: column(count, (_phase, at) => at + 1),
};

const jobs = (tasks: Columns<TaskLine>) =>
  each<Invoice, BilledJob>(
    {
      uuid: uuidColumn,
      number: column(text, ({ code }) => code ?? ''),
      ...rowColumns(some(jobRows, 'name', 'description', 'clientOrderNumber')),
      taskInvoiceMode: column(z.enum(['task', 'staff']), ({ fields }) => fields.taskInvoiceRate ?? 'staff'),
      phases: each(phaseColumns, (job) => job.folders.map((name) => ({ job, name }))),
      tasks: each(tasks, (job) => job.tasks),
      costs: each({ ...costColumns, ...lineColumns }, (job) => job.costs),
    },
    (invoice) => invoice.jobs,
  );

const payments = (further: ColumnsOf<'payment'>) =>
  each<Invoice, StoredRecord<'payment'>>(
    {
      accountUUID: always(idOrNull, null),
      accountName: always(textOrNull, null),
      ...rowColumns(paymentRows),
      updatedAt: timeColumns.updatedAt,
      ...further,
    },
    (invoice) => invoice.payments,
  );

const base: Columns<Invoice> = {
  uuid: uuidColumn,
  // Drafts have no number yet.
  invoiceNumber: column(text, ({ code, fields }) => (fields.status === 'Draft' ? '' : (code ?? ''))),
  type: column(text, ({ fields: { type } }) => (type === '' ? 'final invoice' : type.toLowerCase())),
  mode: always(text, 'actual'),
  ...rowColumns(without(invoiceRows, 'owner', 'contact')),
  datePaid: column(dayOrNull, ({ datePaid }) => orNull(datePaid)),
  progressDate: always(dayOrNull, null),
  sent: always(flag, false),
  fixedPrice: always(flag, false),
  ...totalColumns(({ totals }) => totals),
  amountPaid: column(amount, ({ paid }) => centsShown(paid)),
  ...timeColumns,
};

export const invoiceListed = loadedTable('invoice', 'InvoiceListItem', billed, {
  ...base,
  ...rowColumns(some(invoiceRows, 'owner', 'contact')),
  jobs: jobs(taskColumns),
  payments: payments({}),
  ...invoiceNotes.list,
});

export const invoiceShown = loadedTable('invoice', 'InvoiceDetail', billedWithTimes, {
  ...base,
  client: refColumn(clientRefs, ({ owner }) => owner),
  contact: refColumn(contactRefs, ({ fields }) => fields.contact),
  jobs: jobs({ ...taskColumns, timeBreakDown: each(timeBreakDown, ({ times }) => times) }),
  payments: payments({ createdAt: timeColumns.createdAt }),
  ...invoiceNotes.detail,
});

export const invoiceCost = tableOf('invoiceCost', 'InvoiceCost', costColumns);
export const invoiceNote = tableOf('note', 'InvoiceNote', noteAlone);
export const payment = tableOf('payment', 'Payment', {
  uuid: uuidColumn,
  invoiceUUID: column(idOrNull, ({ owner }) => owner ?? null),
  ...rowColumns(paymentRows),
  ...timeColumns,
});

function billed(call: JsonCall, invoices: readonly StoredRecord<'invoice'>[]): Promise<readonly Invoice[]> {
  return withJobs(call, invoices, false);
}

function billedWithTimes(
  call: JsonCall,
  invoices: readonly StoredRecord<'invoice'>[],
): Promise<readonly Invoice[]> {
  return withJobs(call, invoices, true);
}

/** Returns the invoices with the jobs that they bill, each with its lines. */
async function withJobs(
  call: JsonCall,
  invoices: readonly StoredRecord<'invoice'>[],
  areTimesShown: boolean,
): Promise<readonly Invoice[]> {
  const full = await invoicesWithLines(call.records, invoices);
  const known = await call.records.byUuids('job', full.flatMap(jobsOf));
  const tasks = full.flatMap((invoice) => invoice.tasks);
  const lineOf = await taskLines(call, tasks, areTimesShown ? [...known.keys()] : []);
  return full.map((invoice) => ({
    ...invoice,
    jobs: jobsOf(invoice).flatMap((uuid) => {
      const job = known.get(uuid);
      return job ? [billedJob(invoice, job, lineOf)] : [];
    }),
  }));
}

/** The jobs of the invoice's lines; a line without a job of its own belongs to the invoice's job. */
const jobsOf = ({ other, tasks, costs }: WithLines): readonly string[] => [
  ...new Set([other, ...[...tasks, ...costs].map((line) => line.other ?? other)].flatMap((job) => job ?? [])),
];

function billedJob(
  invoice: WithLines,
  job: StoredRecord<'job'>,
  lineOf: (line: StoredRecord<'invoiceTask'>) => TaskLine,
): BilledJob {
  const isOf = ({ other }: StoredRecord): boolean => (other ?? invoice.other) === job.uuid;
  const tasks = invoice.tasks.filter(isOf).map(lineOf);
  const folders = tasks.map(({ jobTask }) => jobTask?.fields.folder ?? '').filter((folder) => folder !== '');
  return {
    ...job,
    invoice: invoice.uuid,
    folders: [...new Set(folders)],
    tasks,
    costs: invoice.costs.filter(isOf),
  };
}

/** Returns the lines with the tasks they bill and the time they invoice. */
async function taskLines(
  call: JsonCall,
  lines: readonly StoredRecord<'invoiceTask'>[],
  jobs: readonly string[],
): Promise<(line: StoredRecord<'invoiceTask'>) => TaskLine> {
  const jobTasks = await call.records.referred('jobTask', lines, ({ fields }) => fields.task);
  const times = [...(await call.records.ownedBy('time', jobs)).values()].flat();
  const staff = await call.records.referred('staff', times, ({ other }) => other);
  return (line) => ({
    ...line,
    jobTask: jobTasks.get(line.fields.task),
    times: times
      .filter(({ fields }) => fields.invoiceTask === line.uuid)
      .map((time) => ({ time, line, member: staff.get(time.other ?? '') })),
  });
}
