/**
 * A quote in its two forms, a row of a list and alone, and one of its costs. Both forms have tasks and costs.
 *
 * The forms differ in some spellings (`optionItemsExplanation`, `costs[].unit_cost`); each difference is a
 * row of its own and not a rule.
 */
import { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import {
  costLineTotals,
  type QuoteLines,
  quotesWithLines,
  quoteTaskTotals,
} from '../../records/with-lines.ts';
import { quoteCostRows, quoteRows, quoteTaskRows } from '../../tables/money/quote.ts';
import { some, without } from '../../tables/table.ts';
import { attachmentsOf, noteAlone } from '../record/attachments.ts';
import type { JsonCall } from '../operation/call.ts';
import {
  always,
  codeColumn,
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
import { rowColumns } from '../record/record.ts';
import { clientRefs, contactRefs, namedRefs, staffRef } from '../record/refs.ts';
import {
  amount,
  count,
  flag,
  id,
  idOrNull,
  moment,
  numberOf,
  orNull,
  text,
  textOrNull,
  times,
  two,
  utc,
} from '../record/values.ts';
import { centsShown, taxes, totalColumns } from './totals.ts';

interface Line {
  /** Whether the quote of the line was accepted. */
  readonly isAccepted: boolean;
}
type TaskLine = StoredRecord<'quoteTask'> & Line;
type CostLine = StoredRecord<'quoteCost'> & Line;

type Quote = StoredRecord<'quote'> &
  QuoteLines & {
    /** Whether this is the first quote of its job. */
    readonly isMaster: boolean;
  };

const lineColumns: Columns<TaskLine | CostLine> = {
  uuid: uuidColumn,
  quotePhaseUUID: always(idOrNull, null),
  fixedPrice: always(flag, false),
  order: column(count, (_line, at) => at + 1),
  tax: taxes(({ fields }) => [fields.taxRate]),
  ...timeColumns,
};

const taskColumns: Columns<TaskLine> = {
  ...lineColumns,
  ...rowColumns(quoteTaskRows),
  amount: column(amount, (line) => centsShown(quoteTaskTotals(line).amount)),
  label: always(textOrNull, null),
  costAmount: column(amount, ({ fields }) =>
    Number(two((fields.estimatedMinutes / 60) * numberOf(fields.baseRate))),
  ),
  optional: always(flag, false),
  accepted: column(flag, ({ isAccepted }) => isAccepted),
  staffRates: always(flag, false),
  staff: always(
    z.array(z.strictObject({ uuid: id, time: count, baseRate: amount, billableRate: amount })),
    [],
  ),
};

const soldColumns: ColumnsOf<'quoteCost'> = {
  uuid: uuidColumn,
  ...rowColumns(without(quoteCostRows, 'unitCost')),
  description: column(textOrNull, ({ fields }) => orNull(fields.note)),
  type: always(text, 'Service'),
  amount: column(amount, (line) => centsShown(costLineTotals(line).amount)),
};
const unitCost = column<StoredRecord<'quoteCost'>, number>(amount, ({ fields }) => numberOf(fields.unitCost));

const costColumns: Columns<CostLine> = {
  ...lineColumns,
  ...soldColumns,
  costUUID: always(idOrNull, null),
  jobCostUUID: column(idOrNull, ({ other }) => other ?? null),
  accepted: column(flag, ({ isAccepted, fields }) => isAccepted && !fields.optional),
};

const phase = z.strictObject({
  uuid: id,
  jobPhaseUUID: id,
  name: text,
  description: textOrNull,
  order: count,
  ...times,
});

const linesOf = <T>({ fields }: Quote, lines: readonly T[]): readonly (T & Line)[] =>
  lines.map((line) => ({ ...line, isAccepted: fields.state === 'Accepted' }));
const costs = (columns: Columns<CostLine>) => each(columns, (quote: Quote) => linesOf(quote, quote.costs));

const base: Columns<Quote> = {
  uuid: uuidColumn,
  quoteNumber: codeColumn,
  ...rowColumns(without(quoteRows, 'owner', 'contact')),
  acceptedDeclinedDate: column(moment.nullable(), ({ fields: { state }, modifiedAt }) =>
    state === 'Accepted' || state === 'Declined' ? utc(modifiedAt) : null,
  ),
  sent: column(flag, ({ fields }) => fields.state !== 'Draft'),
  fixedPrice: always(flag, false),
  jobMasterQuote: column(flag, ({ isMaster }) => isMaster),
  costAmountExTax: column(amount, ({ estimatedCost }) => centsShown(estimatedCost.amount)),
  ...totalColumns(({ totals }) => totals),
  job: refColumn(
    {
      kind: 'job',
      schema: z.strictObject({ uuid: id, number: text }).nullable(),
      of: (job) => (job ? { uuid: job.uuid, number: job.code ?? '' } : null),
    },
    ({ other }) => other,
  ),
  lead: refColumn(namedRefs('lead'), ({ fields }) => fields.lead),
  customFields: always(z.array(z.strictObject({ uuid: id, name: text, value: text })), []),
  tasks: each(taskColumns, (quote) => linesOf(quote, quote.tasks)),
  // A quote has no phases.
  phases: always(z.array(phase), []),
  ...timeColumns,
};

const { list, detail } = attachmentsOf();
const optionExplanation = column<Quote, string | null>(textOrNull, ({ fields }) =>
  orNull(fields.optionExplanation),
);

export const quoteListed = loadedTable('quote', 'QuoteListItem', load, {
  ...base,
  ...rowColumns(some(quoteRows, 'owner', 'contact')),
  salespersonUUID: always(idOrNull, null),
  optionalItemsExplanation: optionExplanation,
  costs: costs({ ...costColumns, unitCost }),
  ...list,
});

/** Spells some keys differently from the list: `optionItemsExplanation`, `costs[].unit_cost`. */
export const quoteShown = loadedTable('quote', 'QuoteDetail', load, {
  ...base,
  client: refColumn(clientRefs, ({ owner }) => owner),
  contact: refColumn(contactRefs, ({ fields }) => fields.contact),
  salesperson: always(staffRef.nullable(), null),
  optionItemsExplanation: optionExplanation,
  costs: costs({ ...costColumns, unit_cost: unitCost }),
  ...detail,
});

export const quoteCostShown = tableOf('quoteCost', 'QuoteCost', { ...soldColumns, unitCost });
export const quoteNote = tableOf('note', 'QuoteNote', noteAlone);

async function load(call: JsonCall, quotes: readonly StoredRecord<'quote'>[]): Promise<readonly Quote[]> {
  const full = await quotesWithLines(call.records, quotes);
  const jobs = quotes.flatMap(({ other }) => other ?? []);
  const siblings = await call.records.joinedTo('quote', [...new Set(jobs)]);
  return full.map((quote) => ({
    ...quote,
    isMaster: siblings.get(quote.other ?? '')?.[0]?.uuid === quote.uuid,
  }));
}
