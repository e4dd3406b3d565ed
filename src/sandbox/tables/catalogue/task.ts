import { flag, minutes, rate, reference, text, title } from '../form.ts';
import { everywhere, modernRow, rowsOf } from '../table.ts';

/** A task of the catalogue. The list of its taxes is not in the table. */
export const taskRows = rowsOf(
  everywhere('name', title),
  everywhere('description', text),
  modernRow('baseRate', rate),
  { at: 'billableRate', form: rate, v2: 'billableRate', seed: 'billableRate' },
  { at: 'incomeAccount', form: reference('account'), v2: { name: 'incomeAccount', as: 'code' } },
  modernRow('exportCode', text),
  modernRow('estimatedMinutes', minutes),
  modernRow('billable', flag(true)),
);
