import { z } from 'zod';
import { quoteOfJob } from '../../records/quote-rules.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import { referredAs, type Referring, withReferred } from '../../records/referred.ts';
import {
  costLineTotals,
  type QuoteLines,
  quotesWithLines,
  quoteTaskTotals,
} from '../../records/with-lines.ts';
import { quoteCostRows, quoteRows, quoteTaskRows } from '../../tables/quote.ts';
import { without } from '../../tables/table.ts';
import { attachmentsOf, noteAlone } from '../attachments.ts';
import { mixed, tableOf } from '../columns.ts';
import type { JsonCall } from '../call.ts';
import { always, answer, createdAt, each, field, type Fields, nested, updatedAt, uuid } from '../fields.ts';
import { fresh, referenceAfter } from '../find.ts';
import { ratesFor } from '../jobs/rates.ts';
import { centsShown, taxes, totalFields } from '../money.ts';
import { areaBeyond, list, one } from '../operation.ts';
import { pageOf, pageOfRows, shown } from '../page.ts';
import { bodiesOf, type Body, changesOf, newRecord, rowFields, storedAfter } from '../record.ts';
import { byUuids, clientRef, clientRefOf, contactRef, contactRefOf, staffRef } from '../refs.ts';
import { notFound } from '../refusal.ts';
import { touch } from '../relink.ts';
import {
  amount,
  count,
  flag,
  id,
  idOptional,
  idOrNull,
  moment,
  numberOf,
  orNull,
  text,
  textIn,
  textOrNull,
  times,
  two,
  utc,
} from '../values.ts';

interface Line {
  /** The quote was accepted as it is. */
  readonly isAccepted: boolean;
}
type TaskLine = StoredRecord<'quoteTask'> & Line;
type CostLine = StoredRecord<'quoteCost'> & Line;

type QuoteView = Referring<'quote'> &
  QuoteLines & {
    /** The first of its job. */
    readonly isMaster: boolean;
  };

const lineFields: Fields<TaskLine | CostLine> = [
  uuid,
  always('quotePhaseUUID', idOrNull, null),
  always('fixedPrice', flag, false),
  field('order', count, (_line, at) => at + 1),
  taxes(({ fields }) => [fields.taxRate]),
  createdAt,
  updatedAt,
];

const taskFields: Fields<TaskLine> = [
  ...lineFields,
  ...rowFields(quoteTaskRows),
  field('amount', amount, (line) => centsShown(quoteTaskTotals(line).amount)),
  always('label', textOrNull, null),
  field('costAmount', amount, ({ fields }) =>
    Number(two((fields.estimatedMinutes / 60) * numberOf(fields.baseRate))),
  ),
  always('optional', flag, false),
  field('accepted', flag, ({ isAccepted }) => isAccepted),
  always('staffRates', flag, false),
  always(
    'staff',
    z.array(z.strictObject({ uuid: id, time: count, baseRate: amount, billableRate: amount })),
    [],
  ),
];

const soldFields: Fields<StoredRecord<'quoteCost'>> = [
  uuid,
  ...rowFields(without(quoteCostRows, 'unitCost')),
  field('description', textOrNull, ({ fields }) => orNull(fields.note)),
  always('type', text, 'Service'),
  field('amount', amount, (line) => centsShown(costLineTotals(line).amount)),
];

/** The name of its unit cost differs. */
const costFields = (unitCost: string): Fields<CostLine> => [
  ...lineFields,
  ...soldFields,
  always('costUUID', idOrNull, null),
  field('jobCostUUID', idOrNull, ({ other }) => other ?? null),
  field('accepted', flag, ({ isAccepted, fields }) => isAccepted && !fields.optional),
  field(unitCost, amount, ({ fields }) => numberOf(fields.unitCost)),
];

const phase = z.strictObject({
  uuid: id,
  jobPhaseUUID: id,
  name: text,
  description: textOrNull,
  order: count,
  ...times,
});

const linesOf = <T>({ fields }: QuoteView, lines: readonly T[]): readonly (T & Line)[] =>
  lines.map((line) => ({ ...line, isAccepted: fields.state === 'Accepted' }));

const base: Fields<QuoteView> = [
  uuid,
  field('quoteNumber', textOrNull, ({ code }) => orNull(code)),
  ...rowFields(without(quoteRows, 'owner', 'contact')),
  field('acceptedDeclinedDate', moment.nullable(), ({ fields: { state }, modifiedAt }) =>
    state === 'Accepted' || state === 'Declined' ? utc(modifiedAt) : null,
  ),
  field('sent', flag, ({ fields }) => fields.state !== 'Draft'),
  always('fixedPrice', flag, false),
  field('jobMasterQuote', flag, ({ isMaster }) => isMaster),
  field('costAmountExTax', amount, ({ estimatedCost }) => centsShown(estimatedCost.amount)),
  ...totalFields,
  nested<QuoteView, StoredRecord>(
    'job',
    [uuid, field('number', text, ({ code }) => code ?? '')],
    ({ referred, other }) => referredAs(referred, 'job', other),
  ),
  nested<QuoteView, StoredRecord>(
    'lead',
    [uuid, field('name', text, ({ name }) => name)],
    ({ referred, fields }) => referredAs(referred, 'lead', fields.lead),
  ),
  always('customFields', z.array(z.strictObject({ uuid: id, name: text, value: text })), []),
  each('tasks', taskFields, (quote: QuoteView) => linesOf(quote, quote.tasks)),
  // There are none.
  always('phases', z.array(phase), []),
  createdAt,
  updatedAt,
];

const attachments = attachmentsOf<'quote'>();

const listItem = mixed<'quote', QuoteView>(
  'QuoteListItem',
  [
    ...base,
    field('clientUUID', idOrNull, ({ owner }) => owner ?? null),
    field('contactUUID', idOrNull, ({ fields }) => orNull(fields.contact)),
    always('salespersonUUID', idOrNull, null),
    field('optionalItemsExplanation', textOrNull, ({ fields }) => orNull(fields.optionExplanation)),
    each('costs', costFields('unitCost'), (quote: QuoteView) => linesOf(quote, quote.costs)),
  ],
  attachments.list,
);

/** Spelled differently from the list: `optionItemsExplanation`, `costs[].unit_cost`. */
const detail = mixed<'quote', QuoteView>(
  'QuoteDetail',
  [
    ...base,
    field('client', clientRef.nullable(), ({ owner, referred }) =>
      clientRefOf(referredAs(referred, 'client', owner)),
    ),
    field('contact', contactRef.nullable(), ({ fields, referred }) =>
      contactRefOf(referredAs(referred, 'contact', fields.contact)),
    ),
    always('salesperson', staffRef.nullable(), null),
    field('optionItemsExplanation', textOrNull, ({ fields }) => orNull(fields.optionExplanation)),
    each('costs', costFields('unit_cost'), (quote: QuoteView) => linesOf(quote, quote.costs)),
  ],
  attachments.detail,
);

const quoteCost = answer<StoredRecord<'quoteCost'>>('QuoteCost', [
  ...soldFields,
  field('unitCost', amount, ({ fields }) => numberOf(fields.unitCost)),
]);
const quoteNote = tableOf('note', 'QuoteNote', noteAlone);
const quoteVariation = answer('QuoteVariation', [uuid]);

async function load(call: JsonCall, quotes: readonly StoredRecord<'quote'>[]): Promise<readonly QuoteView[]> {
  const referring = await withReferred(call.records, quoteRows, quotes, () => true);
  const full = await quotesWithLines(call.records, referring);
  const jobs = quotes.flatMap(({ other }) => other ?? []);
  const siblings = await call.records.joinedTo('quote', [...new Set(jobs)]);
  return full.map((quote) => ({
    ...quote,
    isMaster: siblings.get(quote.other ?? '')?.[0]?.uuid === quote.uuid,
  }));
}

const detailed = async (call: JsonCall, quote: string) =>
  detail.only(call, await load(call, [await fresh(call, 'quote', quote)]));

const statuses = z.enum(['draft', 'issued', 'accepted', 'declined', 'revised']);
const { changed } = bodiesOf(quoteRows, { status: statuses.optional(), salespersonUUID: idOptional });
const fromJob = changed
  .omit({ status: true, budget: true })
  .extend({ type: z.enum(['quote', 'estimate']).nullish() });

async function update(call: JsonCall, quote: StoredRecord<'quote'>, body: Body): Promise<void> {
  await referenceAfter(call, 'staff', body.salespersonUUID as string | undefined, 'salespersonUUID');
  const changes = await storedAfter<'quote'>(call, quoteRows, body, quote);
  await call.records.update(quote, changesOf(changes), call.now);
}

/** A draft of what the job holds: its tasks at the rates they would be charged at, and its costs. */
async function createFromJob(call: JsonCall, job: StoredRecord<'job'>, body: Body) {
  const quote = await quoteOfJob(
    call.records,
    job,
    body.type === 'estimate' ? 'Estimate' : 'Quote',
    call.now,
  );
  await update(call, quote, body);
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
  const works = lines.map((line) => ({ line, job, task: tasks.get(line.other ?? ''), staff: '', date }));
  const rates = await ratesFor(call, works);
  for (const work of works) {
    const { base: cost, charge: billable } = rates(work);
    const fields = { ...work.line.fields, baseRate: two(cost), billableRate: two(billable) };
    await call.records.update(work.line, { fields }, call.now);
  }
}

const costBodies = bodiesOf(quoteCostRows, {
  costUUID: idOptional,
  description: textIn,
  type: z.enum(['Service', 'Stock']).nullish(),
});

/** What it says of the item of the catalogue is checked, and not kept. */
async function costAfter(call: JsonCall, body: Body, before?: StoredRecord<'quoteCost'>) {
  await referenceAfter(call, 'cost', body.costUUID as string | undefined, 'costUUID');
  return storedAfter<'quoteCost'>(
    call,
    quoteCostRows,
    { ...body, costNote: body.costNote ?? body.description },
    before,
  );
}

export const quotes = areaBeyond('Quotes', [
  list({
    id: 'v2.quotes.list',
    path: '/quotes',
    summary: 'List quotes',
    query: ['sort', 'order', 'updatedSince', 'lastModified'],
    response: listItem.response,
    serve: (call) =>
      shown(pageOf(call, 'quote'), async (rows) => listItem.views(call, await load(call, rows))),
  }),
  one({
    id: 'v2.quotes.get',
    method: 'GET',
    path: '/quotes/{UUID}',
    summary: 'Get a quote',
    on: { UUID: 'quote' },
    response: detail.response,
    serve: (call, on) => detailed(call, on.UUID.uuid),
  }),
  one({
    id: 'v2.quotes.update',
    method: 'PUT',
    path: '/quotes/{identifier}',
    summary: 'Update a quote',
    on: { identifier: 'quote' },
    body: changed,
    example: { status: 'issued' },
    response: detail.response,
    serve: async (call, { identifier: quote }, body) => {
      await update(call, quote, body);
      return detailed(call, quote.uuid);
    },
  }),
  one({
    id: 'v2.quotes.add-cost',
    method: 'POST',
    path: '/quotes/{UUID}/costs',
    summary: 'Add a cost to a quote',
    on: { UUID: 'quote' },
    body: costBodies.made,
    example: { name: 'Crane', quantity: 1, unitCost: 300, unitPrice: 420 },
    response: detail.response,
    serve: async (call, { UUID: quote }, body) => {
      const cost = newRecord<'quoteCost'>({ ...(await costAfter(call, body)), owner: quote.uuid });
      await call.records.insert('quoteCost', cost, call.now);
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
    body: costBodies.changed,
    example: { quantity: 2 },
    response: quoteCost,
    serve: async (call, { UUID: before }, body) => {
      await call.records.update(before, changesOf(await costAfter(call, body, before)), call.now);
      await touch(call, 'quote', before.owner);
      return quoteCost.view(await fresh(call, 'quoteCost', before.uuid));
    },
  }),
  list({
    id: 'v2.quotes.notes',
    path: '/quotes/{UUID}/notes',
    summary: 'List the notes of a quote',
    on: { UUID: 'quote' },
    response: quoteNote.response,
    serve: (call, { UUID: quote }) =>
      shown(pageOf(call, 'note', { owner: quote.uuid }), (rows) => quoteNote.views(call, rows)),
  }),
  list({
    id: 'v2.quote-variations.list',
    path: '/quote-variations',
    summary: 'List quote variations',
    notes: 'Nothing makes one here: the list is empty.',
    response: quoteVariation,
    serve: async (call) => pageOfRows(call, []),
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
    response: detail.response,
    serve: (call, { UUID: job }, body) => createFromJob(call, job, body),
  }),
]);
