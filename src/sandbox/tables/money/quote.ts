import { amount, choice, day, flag, minutes, money, reference, text, title } from '../form.ts';
import { costLineRows, taxRate } from './invoice.ts';
import { rowsOf } from '../table.ts';

/** A quote. Code: its number. */
export const quoteRows = rowsOf(
  {
    at: 'type',
    form: choice(['Quote', 'Estimate'], 'Quote'),
    v2: { name: 'type', as: 'lowerCase', written: false },
    xml: 'Type',
    seed: 'type',
  },
  {
    at: 'state',
    form: choice(['Draft', 'Issued', 'Accepted', 'Declined', 'Revised'], 'Draft'),
    v2: { name: 'status', as: 'lowerCase' },
    xml: 'State',
    seed: { name: 'state', usual: 'Issued' },
  },
  { at: 'name', form: title, v2: 'quoteName', xml: 'Name', seed: 'name' },
  { at: 'description', form: text, v2: 'description', xml: 'Description', seed: 'description' },
  { at: 'budget', form: amount, v2: 'budget', xml: 'Budget', seed: 'budget' },
  { at: 'optionExplanation', form: text, xml: 'OptionExplanation', seed: 'optionExplanation' },
  { at: 'date', form: day, v2: 'validFrom', xml: 'Date', seed: 'date' },
  { at: 'validDate', form: day, v2: 'validTo', xml: 'ValidDate', seed: 'validDate' },
  {
    at: 'owner',
    form: reference('client'),
    needed: true,
    v2: { name: 'clientUUID', written: false },
    xml: 'Client',
    seed: 'client',
  },
  { at: 'contact', form: reference('contact'), v2: 'contactUUID', xml: 'Contact', seed: 'contact' },
  { at: 'other', form: reference('job'), seed: 'job' },
  { at: 'lead', form: reference('lead'), seed: 'lead' },
);

/** Owner: the quote. */
export const quoteTaskRows = rowsOf(
  { at: 'name', form: title, v2: 'name', xml: 'Name', seed: 'name' },
  { at: 'description', form: text, v2: 'description', xml: 'Description', seed: 'description' },
  {
    at: 'estimatedMinutes',
    form: minutes,
    v2: 'time',
    xml: 'EstimatedMinutes',
    seed: 'estimatedMinutes',
  },
  // What an hour costs.
  { at: 'baseRate', form: money, v2: 'baseRate', seed: 'baseRate' },
  { at: 'billableRate', form: money, v2: 'billableRate', xml: 'BillableRate', seed: 'billableRate' },
  { at: 'billable', form: flag(true), v2: 'billable', xml: 'Billable', seed: 'billable' },
  taxRate,
  { at: 'task', form: reference('task'), v2: 'taskUUID' },
  { at: 'other', form: reference('jobTask'), v2: 'jobTaskUUID' },
);

/** Other: the job cost, or none. An option is offered beside the quote and is not part of its amount. */
export const quoteCostRows = rowsOf(...costLineRows, {
  at: 'optional',
  form: flag(false),
  v2: 'optional',
  seed: 'optional',
});
