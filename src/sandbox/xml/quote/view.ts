import { costTotals, sum, timeTotals, type Totals } from '../../records/money.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { Records } from '../../records/records.ts';
import { amountFields } from '../amounts.ts';
import type { XmlCall } from '../call.ts';
import {
  type Fields,
  identifiedByCode,
  list,
  type Named,
  namedFields,
  nested,
  optional,
  recordWriter,
  text,
} from '../fields.ts';
import { dateTime, yesNo } from '../values.ts';

type Quote = StoredRecord<'quote'>;
type Task = StoredRecord<'quoteTask'>;
type Cost = StoredRecord<'quoteCost'>;

interface QuoteView extends Quote {
  readonly client: Named | undefined;
  readonly contact: Named | undefined;
  readonly totals: Totals;
  readonly estimatedCost: Totals;
  readonly tasks: readonly Task[];
  readonly costs: readonly Cost[];
  /** Costs that are offered beside the quote. */
  readonly options: readonly Cost[];
}

const taskTotals = ({ fields }: Task): Totals =>
  timeTotals({ ...fields, minutes: fields.estimatedMinutes, rate: fields.billableRate });
const lineTotals = ({ fields }: Cost): Totals => costTotals({ ...fields, price: fields.unitPrice });

/** What it costs the organisation itself, billable or not. */
const taskCost = ({ fields: { estimatedMinutes: minutes, baseRate: rate, taxRate } }: Task): Totals =>
  timeTotals({ minutes, rate, taxRate });
const lineCost = ({ fields: { quantity, unitCost: price, taxRate } }: Cost): Totals =>
  costTotals({ quantity, price, taxRate });

export async function viewQuotes(records: Records, quotes: readonly Quote[]): Promise<readonly QuoteView[]> {
  const uuids = quotes.map(({ uuid }) => uuid);
  const allTasks = await records.ownedBy('quoteTask', uuids);
  const allCosts = await records.ownedBy('quoteCost', uuids);
  const clients = await records.byUuids(
    'client',
    quotes.map(({ owner }) => owner ?? ''),
  );
  const contacts = await records.byUuids(
    'contact',
    quotes.map(({ fields }) => fields.contact),
  );
  return quotes.map((quote) => {
    const tasks = allTasks.get(quote.uuid) ?? [];
    const lines = allCosts.get(quote.uuid) ?? [];
    const costs = lines.filter(({ fields }) => !fields.optional);
    return {
      ...quote,
      client: clients.get(quote.owner ?? ''),
      contact: contacts.get(quote.fields.contact),
      totals: sum([...tasks.map(taskTotals), ...costs.map(lineTotals)]),
      estimatedCost: sum([...tasks.map(taskCost), ...costs.map(lineCost)]),
      tasks,
      costs,
      options: lines.filter(({ fields }) => fields.optional),
    };
  });
}

const taskFields: Fields<Task> = [
  text('Name', ({ name }) => name),
  text('Description', ({ fields }) => fields.description),
  text('EstimatedMinutes', ({ fields }) => String(fields.estimatedMinutes)),
  text('BillableRate', ({ fields }) => fields.billableRate),
  text('Billable', ({ fields }) => yesNo(fields.billable)),
  ...amountFields<Task>(taskTotals),
];

const costFields = (withBillable: boolean): Fields<Cost> => [
  text('Description', ({ name }) => name),
  text('Note', ({ fields }) => fields.note),
  text('Code', ({ fields }) => fields.code),
  ...(withBillable ? [text<Cost>('Billable', ({ fields }) => yesNo(fields.billable))] : []),
  text('Quantity', ({ fields }) => fields.quantity),
  text('UnitCost', ({ fields }) => fields.unitCost),
  text('UnitPrice', ({ fields }) => fields.unitPrice),
  ...amountFields<Cost>(lineTotals),
];

const detailedFields: Fields<QuoteView> = [
  list('Tasks', 'Task', taskFields, ({ tasks }: QuoteView) => tasks),
  list('Costs', 'Cost', costFields(true), ({ costs }: QuoteView) => costs),
  list('Options', 'Option', costFields(false), ({ options }: QuoteView) => options),
];

export function quoteWriter(call: XmlCall, isDetailed: boolean): (quote: QuoteView) => string {
  const { ids } = call.dialect;
  return recordWriter<QuoteView>(
    'Quote',
    identifiedByCode<QuoteView>(ids, [
      text('Type', ({ fields }) => fields.type),
      text('State', ({ fields }) => fields.state),
      text('Name', ({ name }) => name),
      text('Description', ({ fields }) => fields.description),
      text('Budget', ({ fields }) => fields.budget),
      text('OptionExplanation', ({ fields }) => fields.optionExplanation),
      text('Date', ({ fields }) => dateTime(fields.date)),
      text('ValidDate', ({ fields }) => dateTime(fields.validDate)),
      ...amountFields<QuoteView>(({ estimatedCost }) => estimatedCost, 'EstimatedCost'),
      ...amountFields<QuoteView>(({ totals }) => totals),
      nested('Client', namedFields(ids), ({ client }) => client),
      nested('Contact', namedFields(ids), ({ contact }) => contact),
      ...(isDetailed ? detailedFields : []),
      // Of the form with UUIDs; V1 has no number for it.
      ...(ids === 'id' ? [] : [optional<QuoteView>('LeadUUID', ({ fields }) => fields.lead)]),
    ]),
  );
}
