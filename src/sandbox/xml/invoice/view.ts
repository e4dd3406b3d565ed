import { amountOf, cents, costTotals, sum, timeTotals, type Totals } from '../../records/money.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { Records } from '../../records/records.ts';
import { amountFields } from '../amounts.ts';
import type { XmlCall } from '../call.ts';
import type { IdForm } from '../dialect.ts';
import {
  type Fields,
  identified,
  identifiedByCode,
  list,
  type Named,
  namedFields,
  nested,
  optionalList,
  recordWriter,
  text,
} from '../fields.ts';
import { dateTime, yesNo } from '../values.ts';

type Invoice = StoredRecord<'invoice'>;
type Job = StoredRecord<'job'>;
type Task = StoredRecord<'invoiceTask'>;
type Cost = StoredRecord<'invoiceCost'>;

interface JobLines {
  readonly job: Job;
  readonly tasks: readonly Task[];
  readonly costs: readonly Cost[];
}

export interface InvoiceView extends Invoice {
  readonly client: Named | undefined;
  readonly contact: Named | undefined;
  readonly totals: Totals;
  /** In cents. */
  readonly paid: bigint;
  readonly isPaid: boolean;
  readonly jobs: readonly JobLines[];
  /** Lines that belong to no job. */
  readonly tasks: readonly Task[];
  readonly costs: readonly Cost[];
}

const taskTotals = ({ fields }: Task): Totals => timeTotals({ ...fields, rate: fields.billableRate });
const lineTotals = ({ fields }: Cost): Totals => costTotals({ ...fields, price: fields.unitPrice });

/** Invoices with their lines, found for a whole batch at once. */
export async function viewInvoices(
  records: Records,
  invoices: readonly Invoice[],
): Promise<readonly InvoiceView[]> {
  const uuids = invoices.map(({ uuid }) => uuid);
  const tasks = await records.ownedBy('invoiceTask', uuids);
  const costs = await records.ownedBy('invoiceCost', uuids);
  const payments = await records.ownedBy('payment', uuids);
  const clients = await records.byUuids(
    'client',
    invoices.map(({ owner }) => owner ?? ''),
  );
  const contacts = await records.byUuids(
    'contact',
    invoices.map(({ fields }) => fields.contact),
  );
  const lines = [...tasks.values(), ...costs.values()].flat();
  const jobs = await records.byUuids(
    'job',
    [...invoices, ...lines].map(({ other }) => other ?? ''),
  );
  return invoices.map((invoice) => {
    const own = { tasks: tasks.get(invoice.uuid) ?? [], costs: costs.get(invoice.uuid) ?? [] };
    const totals = sum([...own.tasks.map(taskTotals), ...own.costs.map(lineTotals)]);
    const paid = (payments.get(invoice.uuid) ?? []).reduce(
      (all, { fields }) => all + cents(fields.amount),
      0n,
    );
    const due = totals.amount + totals.tax;
    return {
      ...invoice,
      client: clients.get(invoice.owner ?? ''),
      contact: contacts.get(invoice.fields.contact),
      totals,
      paid,
      isPaid: paid > 0n && paid >= due,
      ...byJob(invoice, jobs, own.tasks, own.costs),
    };
  });
}

function byJob(
  invoice: Invoice,
  jobs: ReadonlyMap<string, Job>,
  tasks: readonly Task[],
  costs: readonly Cost[],
): Pick<InvoiceView, 'jobs' | 'tasks' | 'costs'> {
  const named = new Set([invoice, ...tasks, ...costs].map(({ other }) => other ?? ''));
  const own = [...named].flatMap((uuid) => jobs.get(uuid) ?? []);
  const isOf = (uuid: string | undefined) => (line: Task | Cost) => line.other === uuid;
  return {
    jobs: own.map((job) => ({
      job,
      tasks: tasks.filter(isOf(job.uuid)),
      costs: costs.filter(isOf(job.uuid)),
    })),
    tasks: tasks.filter(isOf(undefined)),
    costs: costs.filter(isOf(undefined)),
  };
}

const statusOf = ({ fields, isPaid }: InvoiceView): string =>
  fields.status === 'Approved' && isPaid ? 'Paid' : fields.status;

const taskFields = (ids: IdForm): Fields<Task> =>
  identified<Task>(ids, [
    text('Name', ({ name }) => name),
    text('Description', ({ fields }) => fields.description),
    text('Minutes', ({ fields }) => String(fields.minutes)),
    text('BillableRate', ({ fields }) => fields.billableRate),
    text('Billable', ({ fields }) => yesNo(fields.billable)),
    ...amountFields<Task>(taskTotals),
  ]);

const costFields: Fields<Cost> = [
  text('Description', ({ name }) => name),
  text('Note', ({ fields }) => fields.note),
  text('Code', ({ fields }) => fields.code),
  text('Billable', ({ fields }) => yesNo(fields.billable)),
  text('Quantity', ({ fields }) => fields.quantity),
  text('UnitCost', ({ fields }) => fields.unitCost),
  text('UnitPrice', ({ fields }) => fields.unitPrice),
  ...amountFields<Cost>(lineTotals),
];

const jobFields = (ids: IdForm): Fields<JobLines> => [
  text('ID', ({ job }) => job.code),
  text('Name', ({ job }) => job.name),
  text('Description', ({ job }) => job.fields.description),
  text('ClientOrderNumber', ({ job }) => job.fields.clientOrderNumber),
  list('Tasks', 'Task', taskFields(ids), ({ tasks }) => tasks),
  list('Costs', 'Cost', costFields, ({ costs }) => costs),
];

/** `Jobs`, or, in an invoice without a job, `Tasks` and `Costs`; both where some lines belong to none. */
const detailedFields = (ids: IdForm): Fields<InvoiceView> => [
  optionalList('Jobs', 'Job', jobFields(ids), ({ jobs }: InvoiceView) => jobs),
  listUnless(
    'Tasks',
    'Task',
    taskFields(ids),
    ({ tasks }: InvoiceView) => tasks,
    ({ jobs }) => jobs.length > 0,
  ),
  listUnless(
    'Costs',
    'Cost',
    costFields,
    ({ costs }: InvoiceView) => costs,
    ({ jobs }) => jobs.length > 0,
  ),
];

/** Left out when it is empty and the condition holds. */
function listUnless<T, N>(
  element: string,
  item: string,
  fields: Fields<N>,
  value: (of: T) => readonly N[],
  isLeftOut: (of: T) => boolean,
): Fields<T>[number] {
  const present = list(element, item, fields, value);
  const left = optionalList(element, item, fields, value);
  return { row: left.row, value: (of) => (isLeftOut(of) ? left : present).value(of) };
}

export function invoiceWriter(call: XmlCall, isDetailed: boolean): (invoice: InvoiceView) => string {
  const { ids } = call.dialect;
  return recordWriter<InvoiceView>(
    'Invoice',
    identifiedByCode<InvoiceView>(ids, [
      text('Type', ({ fields }) => fields.type),
      text('JobText', ({ jobs }) => jobs.map(({ job }) => `${job.code ?? ''} ${job.name}`).join(', ')),
      text('Description', ({ fields }) => fields.description),
      text('Date', ({ fields }) => dateTime(fields.date)),
      text('DueDate', ({ fields }) => dateTime(fields.dueDate)),
      ...amountFields<InvoiceView>(({ totals }) => totals),
      text('AmountPaid', ({ paid }) => amountOf(paid)),
      text('AmountOutstanding', ({ totals, paid }) => amountOf(totals.amount + totals.tax - paid)),
      text('Status', statusOf),
      nested('Client', namedFields(ids), ({ client }) => client),
      nested('Contact', namedFields(ids), ({ contact }) => contact),
      ...(isDetailed ? detailedFields(ids) : []),
    ]),
  );
}
