import { flag, rate, reference, text, title } from '../form.ts';
import { everywhere, legacyRow, modernRow, rowsOf, textsEverywhere } from '../table.ts';

/** A staff member. V2 knows the name in two parts, and the role by its name too. */
export const staffRows = rowsOf(
  legacyRow('name', title),
  everywhere('email', text, { v2: { needed: true } }),
  ...textsEverywhere('phone', 'mobile', 'address', 'payrollCode'),
  modernRow('jobTitle', text),
  // What an hour costs, and what it is sold for.
  modernRow('baseRate', rate),
  modernRow('billableRate', rate),
  // May the member log in?
  { at: 'active', form: flag(true), v2: 'active', seed: 'active' },
  { at: 'role', form: reference('role'), v2: 'roleUUID' },
);
