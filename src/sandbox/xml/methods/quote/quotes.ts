import { currentQuotes } from '../../../records/current.ts';
import type { StoredRecord } from '../../../records/kinds.ts';
import type { Referring } from '../../../records/referred.ts';
import {
  costLineTotals,
  type QuoteLines,
  quotesWithLines,
  quoteTaskTotals,
} from '../../../records/with-lines.ts';
import { quoteCostRows, quoteRows, quoteTaskRows } from '../../../tables/money/quote.ts';
import { type Rows, without } from '../../../tables/table.ts';
import { amountFields } from '../../record/amounts.ts';
import { methods, type Operation } from '../../call.ts';
import { requiredDays } from '../../record/days.ts';
import type { IdForm } from '../../dialect.ts';
import { type Fields, list, optional } from '../../record/fields.ts';
import { elementsOf } from '../../record/record.ts';
import { xmlResource } from '../../record/resource.ts';

type QuoteView = Referring<'quote'> & QuoteLines;
type Task = StoredRecord<'quoteTask'>;
type Cost = StoredRecord<'quoteCost'>;

const costFields = (rows: Rows, ids: IdForm): Fields<Cost> => [
  ...elementsOf(rows, ids),
  ...amountFields<Cost>(costLineTotals),
];

const detailedFields = (ids: IdForm): Fields<QuoteView> => [
  list(
    'Tasks',
    'Task',
    [...elementsOf(quoteTaskRows, ids), ...amountFields<Task>(quoteTaskTotals)],
    ({ tasks }: QuoteView) => tasks,
  ),
  list('Costs', 'Cost', costFields(quoteCostRows, ids), ({ costs }: QuoteView) =>
    costs.filter(({ fields }) => !fields.optional),
  ),
  list('Options', 'Option', costFields(without(quoteCostRows, 'billable'), ids), ({ costs }: QuoteView) =>
    costs.filter(({ fields }) => fields.optional),
  ),
];

const quotes = xmlResource<'quote', QuoteView>({
  kind: 'quote',
  rows: quoteRows,
  root: 'Quote',
  id: 'code',
  load: ({ records }, of) => quotesWithLines(records, of),
  behind: () => ({
    ValidDate: [
      ...amountFields<QuoteView>(({ estimatedCost }) => estimatedCost, 'EstimatedCost'),
      ...amountFields<QuoteView>(({ totals }) => totals),
    ],
  }),
  further: ({ dialect: { ids } }, isDetailed) => [
    ...(isDetailed ? detailedFields(ids) : []),
    // Only in the form with UUIDs; V1 has no number for it.
    ...(ids === 'id' ? [] : [optional<QuoteView>('LeadUUID', ({ fields }) => fields.lead)]),
  ],
});

export const quoteOperations: readonly Operation[] = methods([
  [
    'GET',
    'quote.current',
    'quote.api/current',
    (call) => quotes.list(call, { oneOf: { field: 'state', values: currentQuotes } }),
  ],
  [
    'GET',
    'quote.draft',
    'quote.api/draft',
    (call) => quotes.list(call, { oneOf: { field: 'state', values: ['Draft'] } }),
  ],
  [
    'GET',
    'quote.list',
    'quote.api/list',
    async (call) => quotes.list(call, { dated: { field: 'date', ...requiredDays(call) } }),
  ],
  ['GET', 'quote.get', 'quote.api/get/{id}', quotes.get],
]);
