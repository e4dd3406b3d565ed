import { z } from 'zod';
import { quoteOfJob } from '../../records/quoteRules.ts';
import type { QuoteCostFields, QuoteFields } from '../../records/kinds/money.ts';
import { quoteStates } from '../../records/kinds/money.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import { attachedTo } from '../attached.ts';
import type { JsonCall } from '../call.ts';
import { comment, documentCommon } from '../documentShapes.ts';
import { referenceAfter } from '../find.ts';
import { ratesFor } from '../jobs/rates.ts';
import { amountOfLine, costLine, moneyOfQuotes, type QuoteMoney, timeLine } from '../money.ts';
import { areaBeyond, list, one, shape } from '../operation.ts';
import { pageOf, pageOfRows, shown } from '../page.ts';
import { byUuids, clientRef, clientRefOf, contactRef, contactRefOf, staffRef } from '../refs.ts';
import { notFound } from '../refusal.ts';
import { touch } from '../relink.ts';
import {
  amount,
  amountOptional,
  amountOrNull,
  count,
  dayOptional,
  dayOrNull,
  flag,
  flagOptional,
  id,
  idOptional,
  idOrNull,
  moment,
  numberOf,
  numberOrNull,
  orNull,
  requiredText,
  text,
  textAfter,
  textIn,
  textOrNull,
  times,
  timesOf,
  two,
  twoAfter,
  utc,
} from '../values.ts';

const statuses = ['draft', 'issued', 'accepted', 'declined', 'revised'] as const;
const tax = z.array(z.strictObject({ taxName: text, taxRate: amount }));
const line = {
  uuid: id,
  quotePhaseUUID: idOrNull,
  name: text,
  description: textOrNull,
  amount,
  billable: flag,
  fixedPrice: flag,
  optional: flag,
  accepted: flag,
  order: count,
  tax,
  ...times,
};
const task = z.strictObject({
  ...line,
  taskUUID: idOrNull,
  jobTaskUUID: idOrNull,
  label: textOrNull,
  time: count,
  baseRate: amount,
  billableRate: amount,
  costAmount: amount,
  staffRates: flag,
  staff: z.array(z.strictObject({ uuid: id, time: count, baseRate: amount, billableRate: amount })),
});
const cost = {
  ...line,
  costUUID: idOrNull,
  jobCostUUID: idOrNull,
  costCode: textOrNull,
  costNote: textOrNull,
  type: text,
  quantity: amount,
  unitPrice: amount,
};
const phase = z.strictObject({
  uuid: id,
  jobPhaseUUID: id,
  name: text,
  description: textOrNull,
  order: count,
  ...times,
});
const note = { uuid: id, title: text, description: textOrNull, date: dayOrNull, phase: textOrNull, ...times };
const document = { ...documentCommon, phase: textOrNull };
const base = {
  uuid: id,
  quoteNumber: textOrNull,
  quoteName: text,
  type: z.enum(['quote', 'estimate']),
  status: z.enum(statuses),
  description: textOrNull,
  validFrom: dayOrNull,
  validTo: dayOrNull,
  acceptedDeclinedDate: moment.nullable(),
  sent: flag,
  fixedPrice: flag,
  jobMasterQuote: flag,
  budget: amountOrNull,
  costAmountExTax: amount,
  amountExTax: amount,
  amountIncTax: amount,
  job: z.strictObject({ uuid: id, number: text }).nullable(),
  lead: z.strictObject({ uuid: id, name: text }).nullable(),
  customFields: z.array(z.strictObject({ uuid: id, name: text, value: text })),
  tasks: z.array(task),
  phases: z.array(phase),
  ...times,
};

const quoteListItem = shape(
  'QuoteListItem',
  z.strictObject({
    ...base,
    clientUUID: idOrNull,
    contactUUID: idOrNull,
    salespersonUUID: idOrNull,
    optionalItemsExplanation: textOrNull,
    costs: z.array(z.strictObject({ ...cost, unitCost: amount })),
    notes: z.array(z.strictObject({ ...note, createdByUUID: idOrNull })),
    documents: z.array(z.strictObject({ ...document, uploadedByUUID: idOrNull })),
  }),
);
/** Spelled differently from the list: `optionItemsExplanation`, `costs[].unit_cost`. */
const quoteDetail = shape(
  'QuoteDetail',
  z.strictObject({
    ...base,
    client: clientRef.nullable(),
    contact: contactRef.nullable(),
    salesperson: staffRef.nullable(),
    optionItemsExplanation: textOrNull,
    costs: z.array(z.strictObject({ ...cost, unit_cost: amount })),
    notes: z.array(z.strictObject({ ...note, createdBy: staffRef.nullable(), comments: z.array(comment) })),
    documents: z.array(z.strictObject({ ...document, uploadedBy: staffRef.nullable() })),
  }),
);
const quoteCost = shape(
  'QuoteCost',
  z.strictObject({
    uuid: id,
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
    optional: flag,
  }),
);
const quoteNote = shape('QuoteNote', z.strictObject({ ...note, createdBy: staffRef.nullable() }));
const quoteVariation = shape('QuoteVariation', z.strictObject({ uuid: id }));

type Quote = StoredRecord<'quote'>;

const baseOf = (quote: Quote, money: QuoteMoney, refs: Refs) => {
  const { fields } = quote;
  const job = refs.jobs.get(quote.other ?? '');
  const lead = refs.leads.get(fields.lead);
  const isDecided = fields.state === 'Accepted' || fields.state === 'Declined';
  return {
    uuid: quote.uuid,
    quoteNumber: orNull(quote.code),
    quoteName: quote.name,
    type: fields.type === 'Quote' ? ('quote' as const) : ('estimate' as const),
    status: statuses[quoteStates.indexOf(fields.state)] ?? 'draft',
    description: orNull(fields.description),
    validFrom: orNull(fields.date),
    validTo: orNull(fields.validDate),
    acceptedDeclinedDate: isDecided ? utc(quote.modifiedAt) : null,
    sent: fields.state !== 'Draft',
    fixedPrice: false,
    jobMasterQuote: refs.isMaster(quote),
    budget: numberOrNull(fields.budget),
    costAmountExTax: money.costExTax,
    amountExTax: money.exTax,
    amountIncTax: money.incTax,
    job: job ? { uuid: job.uuid, number: job.code ?? '' } : null,
    lead: lead ? { uuid: lead.uuid, name: lead.name } : null,
    customFields: [],
    tasks: money.tasks.map((each, at) => taskOf(each, at, fields.state === 'Accepted')),
    phases: [],
    ...timesOf(quote),
  };
};

const taxOf = (rate: string): z.infer<typeof tax> =>
  numberOf(rate) === 0 ? [] : [{ taxName: 'Tax', taxRate: numberOf(rate) }];

const taskOf = (each: StoredRecord<'quoteTask'>, at: number, accepted: boolean): z.infer<typeof task> => {
  const { fields } = each;
  return {
    uuid: each.uuid,
    taskUUID: orNull(fields.task),
    jobTaskUUID: each.other ?? null,
    quotePhaseUUID: null,
    name: each.name,
    label: null,
    description: orNull(fields.description),
    time: fields.estimatedMinutes,
    baseRate: numberOf(fields.baseRate),
    billableRate: numberOf(fields.billableRate),
    costAmount: Number(two((fields.estimatedMinutes / 60) * numberOf(fields.baseRate))),
    amount: amountOfLine(timeLine(fields.estimatedMinutes, fields)),
    billable: fields.billable,
    fixedPrice: false,
    optional: false,
    accepted,
    staffRates: false,
    staff: [],
    order: at + 1,
    tax: taxOf(fields.taxRate),
    ...timesOf(each),
  };
};

const costOf = (each: StoredRecord<'quoteCost'>, at: number, accepted: boolean) => {
  const { fields } = each;
  return {
    uuid: each.uuid,
    costUUID: null,
    jobCostUUID: each.other ?? null,
    quotePhaseUUID: null,
    name: each.name,
    description: orNull(fields.note),
    costCode: orNull(fields.code),
    costNote: orNull(fields.note),
    type: 'Service',
    quantity: numberOf(fields.quantity),
    unitPrice: numberOf(fields.unitPrice),
    amount: amountOfLine(costLine(fields)),
    billable: fields.billable,
    fixedPrice: false,
    optional: fields.optional,
    accepted: accepted && !fields.optional,
    order: at + 1,
    tax: taxOf(fields.taxRate),
    ...timesOf(each),
  };
};

interface Refs {
  readonly jobs: ReadonlyMap<string, StoredRecord<'job'>>;
  readonly leads: ReadonlyMap<string, StoredRecord<'lead'>>;
  /** The first of its job. */
  readonly isMaster: (quote: Quote) => boolean;
}

async function refsOf(call: JsonCall, quotes: readonly Quote[]): Promise<Refs> {
  const jobs = quotes.flatMap(({ other }) => other ?? []);
  const siblings = await call.records.joinedTo('quote', [...new Set(jobs)]);
  return {
    jobs: await call.records.byUuids('job', jobs),
    leads: await byUuids(
      call,
      'lead',
      quotes.map(({ fields }) => fields.lead),
    ),
    isMaster: ({ other, uuid }) => siblings.get(other ?? '')?.[0]?.uuid === uuid,
  };
}

async function partsOf(call: JsonCall, uuid: string) {
  const { notes, documents } = await attachedTo(call, uuid);
  return {
    notes,
    documents: documents.map(({ common, folder, uploadedBy }) => ({
      common: { ...common, phase: orNull(folder) },
      uploadedBy,
    })),
  };
}

async function listed(call: JsonCall, quotes: readonly Quote[]) {
  const money = await moneyOfQuotes(call, quotes);
  const refs = await refsOf(call, quotes);
  const rows: z.infer<typeof quoteListItem.schema>[] = [];
  for (const quote of quotes) {
    const { notes, documents } = await partsOf(call, quote.uuid);
    const { costs } = money(quote.uuid);
    rows.push({
      ...baseOf(quote, money(quote.uuid), refs),
      clientUUID: quote.owner ?? null,
      contactUUID: orNull(quote.fields.contact),
      salespersonUUID: null,
      optionalItemsExplanation: orNull(quote.fields.optionExplanation),
      costs: costs.map((each, at) => ({
        ...costOf(each, at, quote.fields.state === 'Accepted'),
        unitCost: numberOf(each.fields.unitCost),
      })),
      notes: notes.map(({ common, createdBy }) => ({ ...common, createdByUUID: createdBy?.uuid ?? null })),
      documents: documents.map(({ common, uploadedBy }) => ({
        ...common,
        uploadedByUUID: uploadedBy?.uuid ?? null,
      })),
    });
  }
  return rows;
}

async function detailed(call: JsonCall, uuid: string): Promise<z.infer<typeof quoteDetail.schema>> {
  const quote = await call.records.byUuid('quote', uuid);
  if (!quote) throw notFound('quote');
  const money = (await moneyOfQuotes(call, [quote]))(uuid);
  const { notes, documents } = await partsOf(call, uuid);
  const clients = await byUuids(call, 'client', [quote.owner]);
  const contacts = await byUuids(call, 'contact', [quote.fields.contact]);
  return {
    ...baseOf(quote, money, await refsOf(call, [quote])),
    client: clientRefOf(clients.get(quote.owner ?? '')),
    contact: contactRefOf(contacts.get(quote.fields.contact)),
    salesperson: null,
    optionItemsExplanation: orNull(quote.fields.optionExplanation),
    costs: money.costs.map((each, at) => ({
      ...costOf(each, at, quote.fields.state === 'Accepted'),
      unit_cost: numberOf(each.fields.unitCost),
    })),
    notes: notes.map(({ common, createdBy, comments }) => ({ ...common, createdBy, comments })),
    documents: documents.map(({ common, uploadedBy }) => ({ ...common, uploadedBy })),
  };
}

const changes = z.object({
  quoteName: requiredText.optional(),
  description: textIn,
  status: z.enum(statuses).optional(),
  validFrom: dayOptional,
  validTo: dayOptional,
  contactUUID: idOptional,
  salespersonUUID: idOptional,
  budget: amountOptional,
});
const fromJob = changes
  .omit({ status: true, budget: true })
  .extend({ type: z.enum(['quote', 'estimate']).nullish() });

async function fieldsAfter(
  call: JsonCall,
  body: Partial<z.infer<typeof changes>>,
  before: QuoteFields,
): Promise<QuoteFields> {
  await referenceAfter(call, 'staff', body.salespersonUUID, 'salespersonUUID');
  return {
    ...before,
    description: textAfter(body.description, before.description),
    state: body.status ? (quoteStates[statuses.indexOf(body.status)] ?? before.state) : before.state,
    date: textAfter(body.validFrom, before.date),
    validDate: textAfter(body.validTo, before.validDate),
    contact: await referenceAfter(call, 'contact', body.contactUUID, 'contactUUID', before.contact),
    budget: twoAfter(body.budget, before.budget),
  };
}

/** A draft of what the job holds: its tasks at the rates they would be charged at, and its costs. */
async function createFromJob(call: JsonCall, job: StoredRecord<'job'>, body: z.infer<typeof fromJob>) {
  const type = body.type === 'estimate' ? 'Estimate' : 'Quote';
  const quote = await quoteOfJob(call.records, job, type, call.now);
  const fields = await fieldsAfter(call, body, quote.fields);
  await call.records.update(quote, { name: body.quoteName ?? quote.name, fields }, call.now);
  await charge(call, job, quote.uuid);
  await touch(call, 'job', job.uuid);
  return detailed(call, quote.uuid);
}

/** Nobody in particular is to do the work, and it is done today: the other overrides hold. */
async function charge(call: JsonCall, job: StoredRecord<'job'>, quote: string): Promise<void> {
  const lines = (await call.records.ownedBy('quoteTask', [quote])).get(quote) ?? [];
  const tasks = await byUuids(
    call,
    'jobTask',
    lines.map(({ other }) => other),
  );
  const date = new Date(call.now).toISOString().slice(0, 10);
  const works = lines.map((each) => ({
    line: each,
    job,
    task: tasks.get(each.other ?? ''),
    staff: '',
    date,
  }));
  const rates = await ratesFor(call, works);
  for (const work of works) {
    const { base, charge: billable } = rates(work);
    const fields = { ...work.line.fields, baseRate: two(base), billableRate: two(billable) };
    await call.records.update(work.line, { fields }, call.now);
  }
}

const costChanges = z.object({
  costUUID: idOptional,
  name: requiredText.optional(),
  description: textIn,
  costCode: textIn,
  costNote: textIn,
  type: z.enum(['Service', 'Stock']).nullish(),
  quantity: amountOptional,
  unitCost: amountOptional,
  unitPrice: amountOptional,
  billable: flagOptional,
  optional: flagOptional,
});
const costWrite = costChanges.extend({ name: requiredText });

async function costAfter(
  call: JsonCall,
  body: z.infer<typeof costChanges>,
  before: QuoteCostFields | undefined,
): Promise<QuoteCostFields> {
  await referenceAfter(call, 'cost', body.costUUID, 'costUUID');
  return {
    note: textAfter(body.costNote ?? body.description, before?.note),
    code: textAfter(body.costCode, before?.code),
    billable: body.billable ?? before?.billable ?? true,
    quantity: twoAfter(body.quantity, before?.quantity) || '1.00',
    unitCost: twoAfter(body.unitCost, before?.unitCost) || '0.00',
    unitPrice: twoAfter(body.unitPrice, before?.unitPrice) || '0.00',
    taxRate: before?.taxRate ?? '0.00',
    optional: body.optional ?? before?.optional ?? false,
  };
}

const costView = (uuid: string, name: string, fields: QuoteCostFields): z.infer<typeof quoteCost.schema> => ({
  uuid,
  name,
  description: orNull(fields.note),
  costCode: orNull(fields.code),
  costNote: orNull(fields.note),
  type: 'Service',
  quantity: numberOf(fields.quantity),
  unitCost: numberOf(fields.unitCost),
  unitPrice: numberOf(fields.unitPrice),
  amount: amountOfLine(costLine(fields)),
  billable: fields.billable,
  optional: fields.optional,
});

export const quotes = areaBeyond('Quotes', [
  list({
    id: 'v2.quotes.list',
    path: '/quotes',
    summary: 'List quotes',
    query: ['sort', 'order', 'updatedSince', 'lastModified'],
    response: quoteListItem,
    serve: (call) => shown(pageOf(call, 'quote'), (rows) => listed(call, rows)),
  }),
  one({
    id: 'v2.quotes.get',
    method: 'GET',
    path: '/quotes/{UUID}',
    summary: 'Get a quote',
    on: { UUID: 'quote' },
    response: quoteDetail,
    serve: (call, on) => detailed(call, on.UUID.uuid),
  }),
  one({
    id: 'v2.quotes.update',
    method: 'PUT',
    path: '/quotes/{identifier}',
    summary: 'Update a quote',
    on: { identifier: 'quote' },
    body: changes,
    example: { status: 'issued' },
    response: quoteDetail,
    serve: async (call, { identifier: quote }, body) => {
      const fields = await fieldsAfter(call, body, quote.fields);
      await call.records.update(quote, { name: body.quoteName ?? quote.name, fields }, call.now);
      return detailed(call, quote.uuid);
    },
  }),
  one({
    id: 'v2.quotes.add-cost',
    method: 'POST',
    path: '/quotes/{UUID}/costs',
    summary: 'Add a cost to a quote',
    on: { UUID: 'quote' },
    body: costWrite,
    example: { name: 'Crane', quantity: 1, unitCost: 300, unitPrice: 420 },
    response: quoteDetail,
    serve: async (call, { UUID: quote }, body) => {
      const fields = await costAfter(call, body, undefined);
      await call.records.insert('quoteCost', { name: body.name, fields, owner: quote.uuid }, call.now);
      await touch(call, 'quote', quote.uuid);
      return detailed(call, quote.uuid);
    },
  }),
  one({
    id: 'v2.quotes.update-cost',
    method: 'PUT',
    path: '/quote-costs/{UUID}',
    summary: 'Update a quote cost',
    on: { UUID: 'quoteCost' },
    body: costChanges,
    example: { quantity: 2 },
    response: quoteCost,
    serve: async (call, { UUID: before }, body) => {
      const fields = await costAfter(call, body, before.fields);
      const { name = before.name } = body;
      await call.records.update(before, { name, fields }, call.now);
      await touch(call, 'quote', before.owner);
      return costView(before.uuid, name, fields);
    },
  }),
  list({
    id: 'v2.quotes.notes',
    path: '/quotes/{UUID}/notes',
    summary: 'List the notes of a quote',
    on: { UUID: 'quote' },
    response: quoteNote,
    serve: async (call, { UUID: quote }) => {
      const { notes } = await partsOf(call, quote.uuid);
      const views = new Map(notes.map(({ common, createdBy }) => [common.uuid, { ...common, createdBy }]));
      return shown(pageOf(call, 'note', { owner: quote.uuid }), (rows) =>
        rows.flatMap(({ uuid }) => views.get(uuid) ?? []),
      );
    },
  }),
  list({
    id: 'v2.quote-variations.list',
    path: '/quote-variations',
    summary: 'List quote variations',
    notes: 'Nothing makes one here: the list is empty.',
    response: quoteVariation,
    serve: async (call) => pageOfRows<{ uuid: string }>(call, []),
  }),
  one({
    id: 'v2.quote-variations.get',
    method: 'GET',
    path: '/quote-variations/{UUID}',
    summary: 'Get a quote variation',
    notes: 'Nothing makes one here: always 404.',
    response: quoteVariation,
    serve: async () => {
      throw notFound('quote variation');
    },
  }),
  one({
    id: 'v2.quotes.create-from-job',
    method: 'POST',
    path: '/jobs/{UUID}/quotes',
    summary: 'Create a quote for a job',
    notes: 'An empty body makes a draft of the tasks and costs of the job.',
    on: { UUID: 'job' },
    body: fromJob,
    example: { quoteName: 'Stage one', validTo: '2026-06-30' },
    response: quoteDetail,
    serve: (call, { UUID: job }, body) => createFromJob(call, job, body),
  }),
]);
