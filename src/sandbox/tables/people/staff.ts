import { flag, rate, reference, text, title } from '../form.ts';
import { everywhere, legacyRow, modernRow, rowsOf, textsEverywhere } from '../table.ts';

/** A staff member. V2 has the name in two parts, and also accepts the role by name. */
export const staffRows = rowsOf(
  legacyRow('name', title),
  everywhere('email', text, { v2: { needed: true } }),
  ...textsEverywhere('phone', 'mobile', 'address', 'payrollCode'),
  modernRow('jobTitle', text),
  // The cost of an hour, and the price charged for it.
  modernRow('baseRate', rate),
  modernRow('billableRate', rate),
  // Whether the member may log in.
  { at: 'active', form: flag(true), v2: 'active', seed: 'active' },
  { at: 'role', form: reference('role'), v2: 'roleUUID' },
);
