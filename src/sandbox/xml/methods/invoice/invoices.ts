/**
 * The XML methods for invoices. What is billed is listed under its job, or directly in an invoice without
 * one.
 *
 * The tables of invoice, task and cost define the elements; this file only decides where the lines go: under
 * `Jobs`, or as `Tasks` and `Costs` of an invoice without a job, or in both places.
 */
import { isCurrentInvoice } from '../../../records/current.ts';
import type { StoredRecord } from '../../../records/kinds.ts';
import { amountOf } from '../../../records/money.ts';
import type { Referring } from '../../../records/referred.ts';
import {
  costLineTotals,
  type InvoiceLines,
  invoicesWithLines,
  invoiceTaskTotals,
} from '../../../records/with-lines.ts';
import { costLineRows, invoiceRows, invoiceTaskRows, paymentRows } from '../../../tables/money/invoice.ts';
import { amountFields } from '../../record/amounts.ts';
import { type Answer, methods, type Operation, type XmlCall } from '../../call.ts';
import { requiredDays } from '../../record/days.ts';
import type { IdForm } from '../../dialect.ts';
import { type Fields, identified, list, optionalList, recordWriter, text } from '../../record/fields.ts';
import { ofPath } from '../../record/identify.ts';
import { elementsOf } from '../../record/record.ts';
import { xmlResource } from '../../record/resource.ts';

type Task = StoredRecord<'invoiceTask'>;
type Cost = StoredRecord<'invoiceCost'>;

interface Lines {
  readonly tasks: readonly Task[];
  readonly costs: readonly Cost[];
}

interface JobLines extends Lines {
  readonly job: StoredRecord<'job'>;
}

interface InvoiceView extends Referring<'invoice'>, InvoiceLines {
  readonly jobs: readonly JobLines[];
  /** Lines that belong to no job. */
  readonly loose: Lines;
}

async function load(
  { records }: XmlCall,
  invoices: readonly Referring<'invoice'>[],
): Promise<readonly InvoiceView[]> {
  const full = await invoicesWithLines(records, invoices);
  const lines = full.flatMap(({ tasks, costs }) => [...tasks, ...costs]);
  const named = [...invoices, ...lines].map(({ other }) => other ?? '');
  const jobs = await records.byUuids('job', named);
  return full.map((invoice) => ({ ...invoice, ...byJob(invoice, jobs) }));
}

function byJob(
  invoice: StoredRecord<'invoice'> & Lines,
  jobs: ReadonlyMap<string, StoredRecord<'job'>>,
): Pick<InvoiceView, 'jobs' | 'loose'> {
  const { tasks, costs } = invoice;
  const named = new Set([invoice, ...tasks, ...costs].map(({ other }) => other ?? ''));
  const linesOf = (uuid: string | undefined): Lines => ({
    tasks: tasks.filter(({ other }) => other === uuid),
    costs: costs.filter(({ other }) => other === uuid),
  });
  return {
    jobs: [...named].flatMap((uuid) => {
      const job = jobs.get(uuid);
      return job ? [{ job, ...linesOf(uuid) }] : [];
    }),
    loose: linesOf(undefined),
  };
}

const taskFields = (ids: IdForm): Fields<Task> =>
  identified<Task>(ids, [...elementsOf(invoiceTaskRows, ids), ...amountFields<Task>(invoiceTaskTotals)]);

const costFields = (ids: IdForm): Fields<Cost> => [
  ...elementsOf(costLineRows, ids),
  ...amountFields<Cost>(costLineTotals),
];

const jobFields = (ids: IdForm): Fields<JobLines> => [
  text('ID', ({ job }) => job.code),
  text('Name', ({ job }) => job.name),
  text('Description', ({ job }) => job.fields.description),
  text('ClientOrderNumber', ({ job }) => job.fields.clientOrderNumber),
  list('Tasks', 'Task', taskFields(ids), ({ tasks }) => tasks),
  list('Costs', 'Cost', costFields(ids), ({ costs }) => costs),
];

/** `Jobs`, or `Tasks` and `Costs` in an invoice without a job; both if some lines belong to no job. */
const detailedFields = (ids: IdForm): Fields<InvoiceView> => [
  optionalList('Jobs', 'Job', jobFields(ids), ({ jobs }: InvoiceView) => jobs),
  besideJobs('Tasks', 'Task', taskFields(ids), ({ loose }) => loose.tasks),
  besideJobs('Costs', 'Cost', costFields(ids), ({ loose }) => loose.costs),
];

/** Omitted if it is empty and there are jobs. */
function besideJobs<N>(
  element: string,
  item: string,
  fields: Fields<N>,
  value: (of: InvoiceView) => readonly N[],
): Fields<InvoiceView>[number] {
  const present = list(element, item, fields, value);
  const left = optionalList(element, item, fields, value);
  return { row: left.row, value: (of) => (of.jobs.length > 0 ? left : present).value(of) };
}

const invoices = xmlResource<'invoice', InvoiceView>({
  kind: 'invoice',
  rows: invoiceRows,
  root: 'Invoice',
  id: 'code',
  load,
  behind: () => ({
    Type: [text('JobText', ({ jobs }) => jobs.map(({ job }) => `${job.code ?? ''} ${job.name}`).join(', '))],
    DueDate: [
      ...amountFields<InvoiceView>(({ totals }) => totals),
      text('AmountPaid', ({ paid }) => amountOf(paid)),
      text('AmountOutstanding', ({ totals, paid }) => amountOf(totals.amount + totals.tax - paid)),
      text('Status', ({ fields: { status }, isPaid }) => (status === 'Approved' && isPaid ? 'Paid' : status)),
    ],
  }),
  further: ({ dialect }, isDetailed) => (isDetailed ? detailedFields(dialect.ids) : []),
});

/** Lists the invoices made for the job, and those with a line for it. */
async function ofJob(call: XmlCall): Promise<Answer> {
  const { uuid } = await ofPath(call, 'job');
  const joined = async <K extends 'invoice' | 'invoiceTask' | 'invoiceCost'>(kind: K) =>
    await call.records.joined(kind, uuid);
  const lines = [...(await joined('invoiceTask')), ...(await joined('invoiceCost'))];
  const owners = lines.map(({ owner }) => owner ?? '');
  const withLines = await call.records.byUuids('invoice', owners);
  const made = await joined('invoice');
  const all = new Map([...made, ...withLines.values()].map((invoice) => [invoice.uuid, invoice]));
  const wanted = [...all.values()].filter(({ isDeleted }) => !isDeleted).sort((a, b) => a.number - b.number);
  return { answer: 'list', container: 'Invoices', records: await invoices.written(call, wanted, false) };
}

async function payments(call: XmlCall): Promise<Answer> {
  const { uuid } = await ofPath(call, 'invoice');
  const all = await call.records.owned('payment', uuid);
  const write = recordWriter<StoredRecord<'payment'>>('Payment', elementsOf(paymentRows, call.dialect.ids));
  return { answer: 'list', container: 'Payments', records: all.map(write) };
}

export const invoiceOperations: readonly Operation[] = methods([
  [
    'GET',
    'invoice.current',
    'invoice.api/current',
    (call) =>
      invoices.list(call, {}, { isWanted: ({ fields, isPaid }) => isCurrentInvoice(fields.status, isPaid) }),
  ],
  [
    'GET',
    'invoice.draft',
    'invoice.api/draft',
    (call) => invoices.list(call, { oneOf: { field: 'status', values: ['Draft'] } }),
  ],
  [
    'GET',
    'invoice.list',
    'invoice.api/list',
    async (call) => invoices.list(call, { dated: { field: 'date', ...requiredDays(call) } }),
  ],
  ['GET', 'invoice.get', 'invoice.api/get/{id}', invoices.get],
  ['GET', 'invoice.job', 'invoice.api/job/{id}', ofJob],
  ['GET', 'invoice.payments', 'invoice.api/payments/{id}', payments],
]);
