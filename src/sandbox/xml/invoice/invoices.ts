import { isCurrentInvoice } from '../../records/current.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { Selection } from '../../records/records.ts';
import type { Answer, Operation, XmlCall } from '../call.ts';
import { requiredDays } from '../days.ts';
import { type Fields, recordWriter, text } from '../fields.ts';
import { ofPath } from '../identify.ts';
import { dateTime, readFlag } from '../values.ts';
import { type InvoiceView, invoiceWriter, viewInvoices } from './view.ts';

function invoicesAnswer(
  call: XmlCall,
  selection: Selection,
  isWanted: (invoice: InvoiceView) => boolean = () => true,
): Answer {
  const isDetailed = readFlag(call.query('detailed') ?? '') ?? false;
  async function* records(): AsyncGenerator<string> {
    const write = invoiceWriter(call, isDetailed);
    for await (const batch of call.records.select('invoice', selection)) {
      const views = await viewInvoices(call.records, batch);
      yield views.filter(isWanted).map(write).join('');
    }
  }
  return { answer: 'list', container: 'Invoices', records: records() };
}

async function current(call: XmlCall): Promise<Answer> {
  return invoicesAnswer(call, { withDeleted: false }, ({ fields, isPaid }) =>
    isCurrentInvoice(fields.status, isPaid),
  );
}

async function drafts(call: XmlCall): Promise<Answer> {
  return invoicesAnswer(call, { withDeleted: false, oneOf: { field: 'status', values: ['Draft'] } });
}

async function list(call: XmlCall): Promise<Answer> {
  return invoicesAnswer(call, { withDeleted: false, dated: { field: 'date', ...requiredDays(call) } });
}

async function get(call: XmlCall): Promise<Answer> {
  const views = await viewInvoices(call.records, [await ofPath(call, 'invoice')]);
  return { answer: 'record', xml: views.map(invoiceWriter(call, true)).join('') };
}

/** Those made for the job, and those with a line of it. */
async function ofJob(call: XmlCall): Promise<Answer> {
  const { uuid } = await ofPath(call, 'job');
  const made = (await call.records.joinedTo('invoice', [uuid])).get(uuid) ?? [];
  const tasks = (await call.records.joinedTo('invoiceTask', [uuid])).get(uuid) ?? [];
  const costs = (await call.records.joinedTo('invoiceCost', [uuid])).get(uuid) ?? [];
  const withLines = await call.records.byUuids(
    'invoice',
    [...tasks, ...costs].map(({ owner }) => owner ?? ''),
  );
  const all = new Map([...made, ...withLines.values()].map((invoice) => [invoice.uuid, invoice]));
  const wanted = [...all.values()].filter(({ isDeleted }) => !isDeleted);
  const views = await viewInvoices(
    call.records,
    wanted.sort((a, b) => a.number - b.number),
  );
  return { answer: 'list', container: 'Invoices', records: views.map(invoiceWriter(call, false)) };
}

const paymentFields: Fields<StoredRecord<'payment'>> = [
  text('Date', ({ fields }) => dateTime(fields.date)),
  text('Amount', ({ fields }) => fields.amount),
  text('Reference', ({ name }) => name),
];

async function payments(call: XmlCall): Promise<Answer> {
  const { uuid } = await ofPath(call, 'invoice');
  const all = (await call.records.ownedBy('payment', [uuid])).get(uuid) ?? [];
  return {
    answer: 'list',
    container: 'Payments',
    records: all.map(recordWriter('Payment', paymentFields)),
  };
}

export const invoiceOperations: readonly Operation[] = [
  { id: 'invoice.current', verbs: ['GET'], path: 'invoice.api/current', serve: current },
  { id: 'invoice.draft', verbs: ['GET'], path: 'invoice.api/draft', serve: drafts },
  { id: 'invoice.list', verbs: ['GET'], path: 'invoice.api/list', serve: list },
  { id: 'invoice.get', verbs: ['GET'], path: 'invoice.api/get/{id}', serve: get },
  { id: 'invoice.job', verbs: ['GET'], path: 'invoice.api/job/{id}', serve: ofJob },
  { id: 'invoice.payments', verbs: ['GET'], path: 'invoice.api/payments/{id}', serve: payments },
];
