import { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import { referredAs, type Referring, withReferred } from '../../records/referred.ts';
import {
  costLineTotals,
  type InvoiceLines,
  invoicesWithLines,
  invoiceTaskTotals,
} from '../../records/with-lines.ts';
import { costLineRows, invoiceRows, invoiceTaskRows, paymentRows } from '../../tables/invoice.ts';
import { without } from '../../tables/table.ts';
import { invoiceNotes, noteAlone } from '../attachments.ts';
import { mixed, tableOf } from '../columns.ts';
import type { JsonCall } from '../call.ts';
import { always, answer, createdAt, each, field, type Fields, updatedAt, uuid } from '../fields.ts';
import { centsShown, taxes, totalFields } from '../money.ts';
import { areaBeyond, list, one } from '../operation.ts';
import { pageOf, shown } from '../page.ts';
import { phaseUuid } from '../phases.ts';
import { rowFields } from '../record.ts';
import { byUuids, clientRef, clientRefOf, contactRef, contactRefOf } from '../refs.ts';
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
} from '../values.ts';

interface Time {
  readonly time: StoredRecord<'time'>;
  readonly member: StoredRecord<'staff'> | undefined;
  readonly line: StoredRecord<'invoiceTask'>;
}

type CostLine = StoredRecord<'invoiceCost'>;

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

type InvoiceView = Referring<'invoice'> & InvoiceLines & { readonly jobs: readonly BilledJob[] };

const lineFields: Fields<StoredRecord<'invoiceTask'> | CostLine> = [
  uuid,
  always('invoicePhaseUUID', idOrNull, null),
  always('fixedPrice', flag, false),
  always('additional', flag, false),
  field('order', count, (_line, at) => at + 1),
  taxes(({ fields }) => [fields.taxRate], 'OUTPUT'),
  createdAt,
  updatedAt,
];

const timeFields: Fields<Time> = [
  field('staffUUID', idOrNull, ({ time }) => time.other ?? null),
  field('staffFirstName', text, ({ member }) => (member ? partsOfName(member).firstName : '')),
  field('staffLastName', text, ({ member }) => (member ? partsOfName(member).lastName : '')),
  field('time', count, ({ time }) => time.fields.minutes),
  field('billableRate', amount, ({ line }) => numberOf(line.fields.billableRate)),
  field('date', dayOrNull, ({ time }) => orNull(time.fields.date)),
  field('invoiceBillable', z.enum(['Yes', 'No', 'Future']), ({ time }) =>
    time.fields.billable ? 'Yes' : 'No',
  ),
  field('invoiceTimesheetUUID', id, ({ time }) => time.uuid),
  field('jobTimesheetUUID', id, ({ time }) => time.uuid),
];

const taskFields: Fields<TaskLine> = [
  ...lineFields,
  ...rowFields(invoiceTaskRows),
  field('amount', amount, (line) => centsShown(invoiceTaskTotals(line).amount)),
  field('taskUUID', idOrNull, ({ jobTask }) => jobTask?.other ?? null),
  field('label', textOrNull, ({ jobTask }) => orNull(jobTask?.fields.label)),
];

const timeBreakDown = each<TaskLine, Time>('timeBreakDown', timeFields, ({ times }) => times);

/** A cost as the list of an invoice's costs has it. */
const costFields: Fields<CostLine> = [
  uuid,
  always('costUUID', idOrNull, null),
  always('jobCostUUID', idOrNull, null),
  ...rowFields(costLineRows),
  field('description', textOrNull, ({ fields }) => orNull(fields.note)),
  always('type', text, 'Service'),
  field('amount', amount, (line) => centsShown(costLineTotals(line).amount)),
  createdAt,
  updatedAt,
];

const phaseFields: Fields<{ readonly job: BilledJob; readonly name: string }> = [
  field('uuid', id, ({ job, name }) => phaseUuid(job.invoice, name)),
  field('jobPhaseUUID', id, ({ job, name }) => phaseUuid(job.uuid, name)),
  field('name', text, ({ name }) => name),
  always('description', textOrNull, null),
  field('order', count, (_phase, at) => at + 1),
];

const jobFields = (tasks: Fields<TaskLine>): Fields<BilledJob> => [
  uuid,
  field('number', text, ({ code }) => code ?? ''),
  field('name', text, ({ name }) => name),
  field('description', textOrNull, ({ fields }) => orNull(fields.description)),
  field('clientOrderNumber', textOrNull, ({ fields }) => orNull(fields.clientOrderNumber)),
  field('taskInvoiceMode', z.enum(['task', 'staff']), ({ fields }) => fields.taskInvoiceRate ?? 'staff'),
  each('phases', phaseFields, (job: BilledJob) => job.folders.map((name) => ({ job, name }))),
  each('tasks', tasks, (job: BilledJob) => job.tasks),
  each('costs', [...costFields, ...lineFields], (job: BilledJob) => job.costs),
];

const payment: Fields<StoredRecord<'payment'>> = [
  always('accountUUID', idOrNull, null),
  always('accountName', textOrNull, null),
  ...rowFields(paymentRows),
  updatedAt,
];

const base: Fields<InvoiceView> = [
  uuid,
  // Drafts have no number yet.
  field('invoiceNumber', text, ({ code, fields }) => (fields.status === 'Draft' ? '' : (code ?? ''))),
  field('type', text, ({ fields: { type } }) => (type === '' ? 'final invoice' : type.toLowerCase())),
  always('mode', text, 'actual'),
  ...rowFields(without(invoiceRows, 'owner', 'contact')),
  field('datePaid', dayOrNull, ({ datePaid }) => orNull(datePaid)),
  always('progressDate', dayOrNull, null),
  always('sent', flag, false),
  always('fixedPrice', flag, false),
  ...totalFields,
  field('amountPaid', amount, ({ paid }) => centsShown(paid)),
  createdAt,
  updatedAt,
];

const listItem = mixed<'invoice', InvoiceView>(
  'InvoiceListItem',
  [
    ...base,
    field('clientUUID', idOrNull, ({ owner }) => owner ?? null),
    field('contactUUID', idOrNull, ({ fields }) => orNull(fields.contact)),
    each('jobs', jobFields(taskFields), ({ jobs }: InvoiceView) => jobs),
    each('payments', payment, ({ payments }: InvoiceView) => payments),
  ],
  invoiceNotes.list,
);

const detail = mixed<'invoice', InvoiceView>(
  'InvoiceDetail',
  [
    ...base,
    field('client', clientRef.nullable(), ({ owner, referred }) =>
      clientRefOf(referredAs(referred, 'client', owner)),
    ),
    field('contact', contactRef.nullable(), ({ fields, referred }) =>
      contactRefOf(referredAs(referred, 'contact', fields.contact)),
    ),
    each('jobs', jobFields([...taskFields, timeBreakDown]), ({ jobs }: InvoiceView) => jobs),
    each('payments', [...payment, createdAt], ({ payments }: InvoiceView) => payments),
  ],
  invoiceNotes.detail,
);

const invoiceCost = answer('InvoiceCost', costFields);
const invoiceNote = tableOf('note', 'InvoiceNote', noteAlone);
const paymentShape = answer<StoredRecord<'payment'>>('Payment', [
  uuid,
  field('invoiceUUID', idOrNull, ({ owner }) => owner ?? null),
  ...rowFields(paymentRows),
  createdAt,
  updatedAt,
]);

async function load(
  call: JsonCall,
  invoices: readonly StoredRecord<'invoice'>[],
  isDetailed: boolean,
): Promise<readonly InvoiceView[]> {
  const referring = await withReferred(call.records, invoiceRows, invoices, ({ v2 }) => v2 !== undefined);
  const full = await invoicesWithLines(call.records, referring);
  const jobs = await jobsOf(call, full, isDetailed);
  return full.map((invoice) => ({ ...invoice, jobs: jobs(invoice) }));
}

type WithLines = StoredRecord<'invoice'> & InvoiceLines;

/** The jobs that an invoice bills, each with its lines. */
async function jobsOf(call: JsonCall, invoices: readonly WithLines[], isDetailed: boolean) {
  const named = ({ other, tasks, costs }: WithLines): readonly string[] => [
    ...new Set(
      [other, ...[...tasks, ...costs].map((line) => line.other ?? other)].flatMap((job) => job ?? []),
    ),
  ];
  const jobs = await byUuids(call, 'job', invoices.flatMap(named));
  const tasks = invoices.flatMap((invoice) => invoice.tasks);
  const lineOf = await taskLines(call, tasks, isDetailed ? [...jobs.keys()] : []);
  return (invoice: WithLines): readonly BilledJob[] =>
    named(invoice).flatMap((job) => {
      const billed = jobs.get(job);
      if (!billed) return [];
      const isOf = ({ other }: StoredRecord): boolean => (other ?? invoice.other) === job;
      const own = invoice.tasks.filter(isOf).map(lineOf);
      const folders = own
        .flatMap(({ jobTask }) => jobTask?.fields.folder ?? [])
        .filter((folder) => folder !== '');
      return [
        {
          ...billed,
          invoice: invoice.uuid,
          folders: [...new Set(folders)],
          tasks: own,
          costs: invoice.costs.filter(isOf),
        },
      ];
    });
}

/** Lines with the tasks they bill, and the time that was invoiced by them. */
async function taskLines(
  call: JsonCall,
  lines: readonly StoredRecord<'invoiceTask'>[],
  jobs: readonly string[],
): Promise<(line: StoredRecord<'invoiceTask'>) => TaskLine> {
  const jobTasks = await byUuids(
    call,
    'jobTask',
    lines.map(({ fields }) => fields.task),
  );
  const times = [...(await call.records.ownedBy('time', jobs)).values()].flat();
  const staff = await byUuids(
    call,
    'staff',
    times.map(({ other }) => other),
  );
  return (line) => ({
    ...line,
    jobTask: jobTasks.get(line.fields.task),
    times: times
      .filter(({ fields }) => fields.invoiceTask === line.uuid)
      .map((time) => ({ time, line, member: staff.get(time.other ?? '') })),
  });
}

const order = ['sort', 'order', 'updatedSince', 'lastModified'] as const;

export const invoices = areaBeyond('Invoices', [
  list({
    id: 'v2.invoices.list',
    path: '/invoices',
    summary: 'List invoices',
    query: order,
    response: listItem.response,
    serve: (call) =>
      shown(pageOf(call, 'invoice'), async (rows) => listItem.views(call, await load(call, rows, false))),
  }),
  one({
    id: 'v2.invoices.get',
    method: 'GET',
    path: '/invoices/{UUID}',
    summary: 'Get an invoice',
    on: { UUID: 'invoice' },
    response: detail.response,
    serve: async (call, on) => detail.only(call, await load(call, [on.UUID], true)),
  }),
  list({
    id: 'v2.invoices.costs',
    path: '/invoices/{invoiceUUID}/costs',
    summary: 'List the costs of an invoice',
    on: { invoiceUUID: 'invoice' },
    response: invoiceCost,
    serve: (call, { invoiceUUID: invoice }) =>
      shown(pageOf(call, 'invoiceCost', { owner: invoice.uuid }), (rows) => rows.map(invoiceCost.view)),
  }),
  list({
    id: 'v2.invoices.notes',
    path: '/invoices/{UUID}/notes',
    summary: 'List the notes of an invoice',
    on: { UUID: 'invoice' },
    response: invoiceNote.response,
    serve: (call, { UUID: invoice }) =>
      shown(pageOf(call, 'note', { owner: invoice.uuid }), (rows) => invoiceNote.views(call, rows)),
  }),
  list({
    id: 'v2.payments.list',
    path: '/payments',
    summary: 'List payments',
    query: order,
    response: paymentShape,
    serve: (call) =>
      shown(pageOf(call, 'payment', { ownedByLiving: 'invoice' }), (rows) => rows.map(paymentShape.view)),
  }),
]);
