import { amount, choice, day, flag, minutes, money, reference, text, title } from '../form.ts';
import { costLineRows, taxRate } from './invoice.ts';
import { everywhere, legacyRow, rowsOf } from '../table.ts';

/** A quote. Code: its number. */
export const quoteRows = rowsOf(
  everywhere('type', choice(['Quote', 'Estimate'], 'Quote'), { v2: { as: 'lowerCase', written: false } }),
  everywhere('state', choice(['Draft', 'Issued', 'Accepted', 'Declined', 'Revised'], 'Draft'), {
    v2: { name: 'status', as: 'lowerCase' },
    seed: { name: 'state', usual: 'Issued' },
  }),
  everywhere('name', title, { v2: { name: 'quoteName' } }),
  everywhere('description', text),
  everywhere('budget', amount),
  legacyRow('optionExplanation', text),
  everywhere('date', day, { v2: { name: 'validFrom' } }),
  everywhere('validDate', day, { v2: { name: 'validTo' } }),
  {
    at: 'owner',
    form: reference('client'),
    needed: true,
    v2: { name: 'clientUUID', written: false },
    xml: 'Client',
    seed: 'client',
  },
  everywhere('contact', reference('contact'), { v2: { name: 'contactUUID' } }),
  { at: 'other', form: reference('job'), seed: 'job' },
  { at: 'lead', form: reference('lead'), seed: 'lead' },
);

/** Owner: the quote. */
export const quoteTaskRows = rowsOf(
  everywhere('name', title),
  everywhere('description', text),
  everywhere('estimatedMinutes', minutes, { v2: { name: 'time' } }),
  // Cost of an hour.
  { at: 'baseRate', form: money, v2: 'baseRate', seed: 'baseRate' },
  everywhere('billableRate', money),
  everywhere('billable', flag(true)),
  taxRate,
  { at: 'task', form: reference('task'), v2: 'taskUUID' },
  { at: 'other', form: reference('jobTask'), v2: 'jobTaskUUID' },
);

/**
 * Other: the job cost, or none. An option is offered in addition to the quote and is not part of its amount.
 */
export const quoteCostRows = rowsOf(...costLineRows, {
  at: 'optional',
  form: flag(false),
  v2: 'optional',
  seed: 'optional',
});
