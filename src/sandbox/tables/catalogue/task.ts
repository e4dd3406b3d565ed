import { flag, minutes, rate, reference, text, title } from '../form.ts';
import { rowsOf } from '../table.ts';

/** A task of the catalogue. Its taxes, a list, are told by hand. */
export const taskRows = rowsOf(
  { at: 'name', form: title, v2: 'name', xml: 'Name', seed: 'name' },
  { at: 'description', form: text, v2: 'description', xml: 'Description', seed: 'description' },
  { at: 'baseRate', form: rate, v2: 'baseRate' },
  { at: 'billableRate', form: rate, v2: 'billableRate', seed: 'billableRate' },
  { at: 'incomeAccount', form: reference('account'), v2: { name: 'incomeAccount', as: 'code' } },
  { at: 'exportCode', form: text, v2: 'exportCode' },
  { at: 'estimatedMinutes', form: minutes, v2: 'estimatedMinutes' },
  { at: 'billable', form: flag(true), v2: 'billable' },
);
