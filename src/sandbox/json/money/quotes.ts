import { z } from 'zod';
import { quoteOfJob } from '../../records/quote-rules.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import { quoteCostRows, quoteRows } from '../../tables/money/quote.ts';
import type { JsonCall } from '../operation/call.ts';
import { tableOf, uuidColumn } from '../record/columns.ts';
import { referenceAfter } from '../record/find.ts';
import { ratesFor } from '../jobs/rates.ts';
import { areaBeyond, list, one } from '../operation/operation.ts';
import { createOwned, listOwned, operationsOn } from '../operation/operations-on.ts';
import { pageOfRows } from '../operation/page.ts';
import { bodiesOf, type Body, changesOf, newRecord, storedAfter } from '../record/record.ts';
import { notFound } from '../operation/refusal.ts';
import { touch } from '../record/relink.ts';
import { idOptional, textIn, two } from '../record/values.ts';
import { quoteCostShown, quoteListed, quoteNote, quoteShown } from './quote-views.ts';

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

/** Creates a draft from the job: its tasks at the rates they would be charged at, and its costs. */
async function createFromJob(call: JsonCall, job: StoredRecord<'job'>, body: Body): Promise<string> {
  const quote = await quoteOfJob(
    call.records,
    job,
    body.type === 'estimate' ? 'Estimate' : 'Quote',
    call.now,
  );
  await update(call, quote, body);
  await charge(call, job, quote.uuid);
  await touch(call, 'job', job.uuid);
  return quote.uuid;
}

/** Sets today's rates on the lines, without the rates of a particular member; all other overrides apply. */
async function charge(call: JsonCall, job: StoredRecord<'job'>, quote: string): Promise<void> {
  const lines = await call.records.owned('quoteTask', quote);
  const tasks = await call.records.referred('jobTask', lines, ({ other }) => other);
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

/** Checks the reference to the catalogue item but does not store it. */
async function costAfter(call: JsonCall, body: Body, before?: StoredRecord<'quoteCost'>) {
  await referenceAfter(call, 'cost', body.costUUID as string | undefined, 'costUUID');
  return storedAfter<'quoteCost'>(
    call,
    quoteCostRows,
    { ...body, costNote: body.costNote ?? body.description },
    before,
  );
}

const quote = operationsOn({ kind: 'quote', path: '/quotes', word: 'quote' });
const quoteCost = operationsOn({ kind: 'quoteCost', path: '/quote-costs', word: 'quote cost' });
const variation = { response: tableOf('quote', 'QuoteVariation', { uuid: uuidColumn }).response };

export const quotes = areaBeyond('Quotes', [
  quote.list(quoteListed),
  quote.get(quoteShown),
  quote.update(quoteShown, {
    path: '/quotes/{identifier}',
    body: changed,
    example: { status: 'issued' },
    change: update,
  }),
  one({
    id: 'v2.quotes.add-cost',
    method: 'POST',
    path: '/quotes/{UUID}/costs',
    summary: 'Add a cost to a quote',
    on: { UUID: 'quote' },
    body: costBodies.made,
    example: { name: 'Crane', quantity: 1, unitCost: 300, unitPrice: 420 },
    response: quoteShown.response,
    serve: async (call, { UUID: { uuid } }, body) => {
      const cost = newRecord<'quoteCost'>({ ...(await costAfter(call, body)), owner: uuid });
      await call.records.insert('quoteCost', cost, call.now);
      await touch(call, 'quote', uuid);
      return quoteShown.view(call, uuid);
    },
  }),
  quoteCost.update(quoteCostShown, {
    id: 'v2.quotes.update-cost',
    body: costBodies.changed,
    example: { quantity: 2 },
    change: async (call, before, body) => {
      await call.records.update(before, changesOf(await costAfter(call, body, before)), call.now);
      await touch(call, 'quote', before.owner);
    },
  }),
  listOwned(quoteNote, 'quote', {
    id: 'v2.quotes.notes',
    path: '/quotes/{UUID}/notes',
    summary: 'List the notes of a quote',
  }),
  list({
    id: 'v2.quote-variations.list',
    path: '/quote-variations',
    summary: 'List quote variations',
    notes: 'Nothing makes one here: the list is empty.',
    ...variation,
    serve: async (call) => pageOfRows(call, []),
  }),
  one({
    id: 'v2.quote-variations.get',
    method: 'GET',
    path: '/quote-variations/{UUID}',
    summary: 'Get a quote variation',
    notes: 'Nothing makes one here: always 404.',
    ...variation,
    serve: async () => {
      throw notFound('quote variation');
    },
  }),
  createOwned(quoteShown, 'job', {
    id: 'v2.quotes.create-from-job',
    path: '/jobs/{UUID}/quotes',
    summary: 'Create a quote for a job',
    notes: 'An empty body makes a draft of the tasks and costs of the job.',
    body: fromJob,
    example: { quoteName: 'Stage one', validTo: '2026-06-30' },
    make: createFromJob,
  }),
]);
