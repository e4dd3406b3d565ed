import { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { notesShown } from '../documentShapes.ts';
import { amountOfLine, costLine, type InvoiceMoney, moneyOfInvoices, timeLine } from '../money.ts';
import { phaseUuid } from '../phases.ts';
import { areaBeyond, list, one, shape } from '../operation.ts';
import { pageOf, shown } from '../page.ts';
import { byUuids, clientRef, clientRefOf, contactRef, contactRefOf, staffRef } from '../refs.ts';
import {
  amount,
  count,
  dayOf,
  dayOrNull,
  flag,
  id,
  idOrNull,
  numberOf,
  orNull,
  partsOfName,
  text,
  textOrNull,
  times,
  timesOf,
} from '../values.ts';

const tax = z.strictObject({ taxName: text, taxRate: amount, taxType: text });
const line = {
  uuid: id,
  invoicePhaseUUID: idOrNull,
  name: text,
  description: textOrNull,
  billable: flag,
  amount,
  fixedPrice: flag,
  additional: flag,
  order: count,
  tax: z.array(tax),
  ...times,
};
const task = {
  ...line,
  taskUUID: idOrNull,
  jobTaskUUID: idOrNull,
  label: textOrNull,
  time: count,
  billableRate: amount,
};
const cost = z.strictObject({
  ...line,
  costUUID: idOrNull,
  jobCostUUID: idOrNull,
  costCode: textOrNull,
  costNote: textOrNull,
  type: text,
  quantity: amount,
  unitCost: amount,
  unitPrice: amount,
});
const timeBreakDown = z.array(
  z.strictObject({
    staffUUID: idOrNull,
    staffFirstName: text,
    staffLastName: text,
    time: count,
    billableRate: amount,
    date: dayOrNull,
    invoiceBillable: z.enum(['Yes', 'No', 'Future']),
    invoiceTimesheetUUID: id,
    jobTimesheetUUID: id,
  }),
);
const job = {
  uuid: id,
  number: text,
  name: text,
  description: textOrNull,
  clientOrderNumber: textOrNull,
  taskInvoiceMode: z.enum(['task', 'staff']),
  phases: z.array(
    z.strictObject({ uuid: id, jobPhaseUUID: id, name: text, description: textOrNull, order: count }),
  ),
  costs: z.array(cost),
};
const note = { uuid: id, title: text, description: textOrNull, date: dayOrNull, phase: textOrNull, ...times };
const payment = {
  accountUUID: idOrNull,
  accountName: textOrNull,
  date: dayOrNull,
  amount,
  reference: textOrNull,
  updatedAt: times.updatedAt,
};
const base = {
  uuid: id,
  invoiceNumber: text,
  type: text,
  mode: text,
  status: z.enum(['draft', 'approved', 'cancelled']),
  description: textOrNull,
  date: dayOrNull,
  dueDate: dayOrNull,
  datePaid: dayOrNull,
  progressDate: dayOrNull,
  sent: flag,
  fixedPrice: flag,
  amountExTax: amount,
  amountIncTax: amount,
  amountPaid: amount,
  ...times,
};

const invoiceListItem = shape(
  'InvoiceListItem',
  z.strictObject({
    ...base,
    clientUUID: idOrNull,
    contactUUID: idOrNull,
    jobs: z.array(z.strictObject({ ...job, tasks: z.array(z.strictObject(task)) })),
    notes: z.array(z.strictObject({ ...note, createdByUUID: idOrNull })),
    payments: z.array(z.strictObject(payment)),
  }),
);
const invoiceDetail = shape(
  'InvoiceDetail',
  z.strictObject({
    ...base,
    client: clientRef.nullable(),
    contact: contactRef.nullable(),
    jobs: z.array(z.strictObject({ ...job, tasks: z.array(z.strictObject({ ...task, timeBreakDown })) })),
    notes: z.array(z.strictObject({ ...note, createdBy: staffRef.nullable() })),
    payments: z.array(z.strictObject({ ...payment, createdAt: times.createdAt })),
  }),
);
const invoiceCost = shape(
  'InvoiceCost',
  z.strictObject({
    uuid: id,
    costUUID: idOrNull,
    jobCostUUID: idOrNull,
    name: text,
    description: textOrNull,
    costCode: textOrNull,
    costNote: textOrNull,
    type: text,
    quantity: amount,
    unitCost: amount,
    unitPrice: amount,
    amount,
    billable: flag,
    ...times,
  }),
);
const invoiceNote = shape('InvoiceNote', z.strictObject({ ...note, createdBy: staffRef.nullable() }));
const paymentShape = shape(
  'Payment',
  z.strictObject({
    uuid: id,
    invoiceUUID: idOrNull,
    date: dayOrNull,
    amount,
    reference: textOrNull,
    ...times,
  }),
);

type Invoice = StoredRecord<'invoice'>;
const statuses = { Draft: 'draft', Approved: 'approved', Cancelled: 'cancelled' } as const;

const baseOf = (invoice: Invoice, { exTax, incTax, paid, datePaid }: InvoiceMoney) => ({
  uuid: invoice.uuid,
  // Drafts have no number yet.
  invoiceNumber: invoice.fields.status === 'Draft' ? '' : (invoice.code ?? ''),
  type: invoice.fields.type === '' ? 'final invoice' : invoice.fields.type.toLowerCase(),
  mode: 'actual',
  status: statuses[invoice.fields.status],
  description: orNull(invoice.fields.description),
  date: orNull(invoice.fields.date),
  dueDate: orNull(invoice.fields.dueDate),
  datePaid: orNull(datePaid),
  progressDate: null,
  sent: false,
  fixedPrice: false,
  amountExTax: exTax,
  amountIncTax: incTax,
  amountPaid: paid,
  ...timesOf(invoice),
});

const taxesOf = (rate: string): z.infer<typeof tax>[] =>
  numberOf(rate) === 0 ? [] : [{ taxName: 'Tax', taxRate: numberOf(rate), taxType: 'OUTPUT' }];

const lineOf = (
  record: StoredRecord<'invoiceTask'> | StoredRecord<'invoiceCost'>,
  at: number,
  amountOfIt: number,
) => ({
  uuid: record.uuid,
  invoicePhaseUUID: null,
  name: record.name,
  billable: record.fields.billable,
  amount: amountOfIt,
  fixedPrice: false,
  additional: false,
  order: at + 1,
  tax: taxesOf(record.fields.taxRate),
  ...timesOf(record),
});

/** A cost as the list of an invoice's costs has it. */
const costAlone = (each: StoredRecord<'invoiceCost'>): z.infer<typeof invoiceCost.schema> => ({
  uuid: each.uuid,
  costUUID: null,
  jobCostUUID: null,
  name: each.name,
  description: orNull(each.fields.note),
  costCode: orNull(each.fields.code),
  costNote: orNull(each.fields.note),
  type: 'Service',
  quantity: numberOf(each.fields.quantity),
  unitCost: numberOf(each.fields.unitCost),
  unitPrice: numberOf(each.fields.unitPrice),
  amount: amountOfLine(costLine(each.fields)),
  billable: each.fields.billable,
  ...timesOf(each),
});

const costOf = (each: StoredRecord<'invoiceCost'>, at: number): z.infer<typeof cost> => ({
  ...costAlone(each),
  ...lineOf(each, at, amountOfLine(costLine(each.fields))),
});

/** The jobs that an invoice bills, each with its lines. */
async function jobsOf(call: JsonCall, invoices: readonly Invoice[], money: (uuid: string) => InvoiceMoney) {
  const lines = invoices.flatMap(({ uuid }) => [...money(uuid).tasks, ...money(uuid).costs]);
  const jobs = await byUuids(call, 'job', [
    ...invoices.map(({ other }) => other),
    ...lines.map(({ other }) => other),
  ]);
  const jobTasks = await byUuids(
    call,
    'jobTask',
    invoices.flatMap(({ uuid }) => money(uuid).tasks.map(({ fields }) => fields.task)),
  );
  return (invoice: Invoice) => {
    const { tasks, costs } = money(invoice.uuid);
    const owners = [...tasks, ...costs].map(({ other }) => other ?? invoice.other ?? '');
    const named = invoice.other === undefined ? owners : [invoice.other, ...owners];
    return [...new Set(named)].flatMap((uuid) => {
      const billed = jobs.get(uuid);
      if (!billed) return [];
      const isOf = ({ other }: StoredRecord) => (other ?? invoice.other) === uuid;
      const shownTasks = tasks.filter(isOf).map((each, at) => {
        const jobTask = jobTasks.get(each.fields.task);
        return {
          ...lineOf(each, at, amountOfLine(timeLine(each.fields.minutes, each.fields))),
          description: orNull(each.fields.description),
          taskUUID: jobTask?.other ?? null,
          jobTaskUUID: orNull(each.fields.task),
          label: orNull(jobTask?.fields.label),
          time: each.fields.minutes,
          billableRate: numberOf(each.fields.billableRate),
        };
      });
      const folders = [
        ...new Set(
          tasks.filter(isOf).flatMap(({ fields }) => jobTasks.get(fields.task)?.fields.folder ?? []),
        ),
      ].filter((folder) => folder !== '');
      return [
        {
          uuid,
          number: billed.code ?? '',
          name: billed.name,
          description: orNull(billed.fields.description),
          clientOrderNumber: orNull(billed.fields.clientOrderNumber),
          taskInvoiceMode: billed.fields.taskInvoiceRate ?? ('staff' as const),
          phases: folders.map((name, at) => ({
            uuid: phaseUuid(invoice.uuid, name),
            jobPhaseUUID: phaseUuid(uuid, name),
            name,
            description: null,
            order: at + 1,
          })),
          tasks: shownTasks,
          costs: costs.filter(isOf).map(costOf),
        },
      ];
    });
  };
}

const paymentOf = (each: StoredRecord<'payment'>) => ({
  accountUUID: null,
  accountName: null,
  date: orNull(each.fields.date),
  amount: numberOf(each.fields.amount),
  reference: orNull(each.name),
  updatedAt: timesOf(each).updatedAt,
});

async function notesOf(call: JsonCall, invoices: readonly string[]) {
  const owned = await call.records.ownedBy('note', invoices);
  const all = await notesShown(call, [...owned.values()].flat());
  return (invoice: string) =>
    all
      .filter(({ note: { owner } }) => owner === invoice)
      .map(({ note: { uuid, name, fields, ...record }, createdBy }) => ({
        common: {
          uuid,
          title: name,
          description: orNull(fields.text),
          date: dayOf(fields.date),
          phase: orNull(fields.folder),
          ...timesOf(record),
        },
        createdBy,
      }));
}

async function listed(call: JsonCall, invoices: readonly Invoice[]) {
  const money = await moneyOfInvoices(call, invoices);
  const jobs = await jobsOf(call, invoices, money);
  const notes = await notesOf(
    call,
    invoices.map(({ uuid }) => uuid),
  );
  return invoices.map((invoice) => ({
    ...baseOf(invoice, money(invoice.uuid)),
    clientUUID: invoice.owner ?? null,
    contactUUID: orNull(invoice.fields.contact),
    jobs: jobs(invoice),
    notes: notes(invoice.uuid).map(({ common, createdBy }) => ({
      ...common,
      createdByUUID: createdBy?.uuid ?? null,
    })),
    payments: money(invoice.uuid).payments.map(paymentOf),
  }));
}

async function detailed(call: JsonCall, invoice: Invoice): Promise<z.infer<typeof invoiceDetail.schema>> {
  const money = await moneyOfInvoices(call, [invoice]);
  const clients = await byUuids(call, 'client', [invoice.owner]);
  const contacts = await byUuids(call, 'contact', [invoice.fields.contact]);
  const breakDown = await breakDownOf(call, invoice, money(invoice.uuid));
  return {
    ...baseOf(invoice, money(invoice.uuid)),
    client: clientRefOf(clients.get(invoice.owner ?? '')),
    contact: contactRefOf(contacts.get(invoice.fields.contact)),
    jobs: (await jobsOf(call, [invoice], money))(invoice).map((billed) => ({
      ...billed,
      tasks: billed.tasks.map((each) => ({
        ...each,
        timeBreakDown: breakDown(each.uuid, each.billableRate),
      })),
    })),
    notes: (await notesOf(call, [invoice.uuid]))(invoice.uuid).map(({ common, createdBy }) => ({
      ...common,
      createdBy,
    })),
    payments: money(invoice.uuid).payments.map((each) => ({
      ...paymentOf(each),
      createdAt: timesOf(each).createdAt,
    })),
  };
}

/** The time that was invoiced by each line. */
async function breakDownOf(call: JsonCall, invoice: Invoice, money: InvoiceMoney) {
  const jobs = [invoice.other, ...money.tasks.map(({ other }) => other)].flatMap((each) => each ?? []);
  const all = [...(await call.records.ownedBy('time', [...new Set(jobs)])).values()].flat();
  const staff = await byUuids(
    call,
    'staff',
    all.map(({ other }) => other),
  );
  return (of: string, rate: number): z.infer<typeof timeBreakDown> =>
    all
      .filter(({ fields }) => fields.invoiceTask === of)
      .map((time) => {
        const member = staff.get(time.other ?? '');
        const parts = member ? partsOfName(member) : { firstName: '', lastName: '' };
        return {
          staffUUID: time.other ?? null,
          staffFirstName: parts.firstName,
          staffLastName: parts.lastName,
          time: time.fields.minutes,
          billableRate: rate,
          date: orNull(time.fields.date),
          invoiceBillable: time.fields.billable ? 'Yes' : 'No',
          invoiceTimesheetUUID: time.uuid,
          jobTimesheetUUID: time.uuid,
        };
      });
}

const order = ['sort', 'order', 'updatedSince', 'lastModified'] as const;

export const invoices = areaBeyond('Invoices', [
  list({
    id: 'v2.invoices.list',
    path: '/invoices',
    summary: 'List invoices',
    query: order,
    response: invoiceListItem,
    serve: (call) => shown(pageOf(call, 'invoice'), (rows) => listed(call, rows)),
  }),
  one({
    id: 'v2.invoices.get',
    method: 'GET',
    path: '/invoices/{UUID}',
    summary: 'Get an invoice',
    on: { UUID: 'invoice' },
    response: invoiceDetail,
    serve: (call, on) => detailed(call, on.UUID),
  }),
  list({
    id: 'v2.invoices.costs',
    path: '/invoices/{invoiceUUID}/costs',
    summary: 'List the costs of an invoice',
    on: { invoiceUUID: 'invoice' },
    response: invoiceCost,
    serve: (call, { invoiceUUID: invoice }) =>
      shown(pageOf(call, 'invoiceCost', { owner: invoice.uuid }), (rows) =>
        rows.map((row) => costAlone(row)),
      ),
  }),
  list({
    id: 'v2.invoices.notes',
    path: '/invoices/{UUID}/notes',
    summary: 'List the notes of an invoice',
    on: { UUID: 'invoice' },
    response: invoiceNote,
    serve: async (call, { UUID: invoice }) => {
      const notes = (await notesOf(call, [invoice.uuid]))(invoice.uuid);
      const views = new Map(notes.map(({ common, createdBy }) => [common.uuid, { ...common, createdBy }]));
      return shown(pageOf(call, 'note', { owner: invoice.uuid }), (rows) =>
        rows.flatMap(({ uuid }) => views.get(uuid) ?? []),
      );
    },
  }),
  list({
    id: 'v2.payments.list',
    path: '/payments',
    summary: 'List payments',
    query: order,
    response: paymentShape,
    serve: (call) =>
      shown(pageOf(call, 'payment', { ownedByLiving: 'invoice' }), (rows) =>
        rows.map((row) => ({
          uuid: row.uuid,
          invoiceUUID: row.owner ?? null,
          date: orNull(row.fields.date),
          amount: numberOf(row.fields.amount),
          reference: orNull(row.name),
          ...timesOf(row),
        })),
      ),
  }),
]);
