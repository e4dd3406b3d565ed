import { flag, rate, reference, text, title } from '../form.ts';
import { rowsOf } from '../table.ts';

/** A staff member. V2 knows the name in two parts, and the role by its name too. */
export const staffRows = rowsOf(
  { at: 'name', form: title, xml: 'Name', seed: 'name' },
  { at: 'email', form: text, v2: { name: 'email', needed: true }, xml: 'Email', seed: 'email' },
  { at: 'phone', form: text, v2: 'phone', xml: 'Phone', seed: 'phone' },
  { at: 'mobile', form: text, v2: 'mobile', xml: 'Mobile', seed: 'mobile' },
  { at: 'address', form: text, v2: 'address', xml: 'Address', seed: 'address' },
  { at: 'payrollCode', form: text, v2: 'payrollCode', xml: 'PayrollCode', seed: 'payrollCode' },
  { at: 'jobTitle', form: text, v2: 'jobTitle' },
  // What an hour costs, and what it is sold for.
  { at: 'baseRate', form: rate, v2: 'baseRate' },
  { at: 'billableRate', form: rate, v2: 'billableRate' },
  // May the member log in?
  { at: 'active', form: flag(true), v2: 'active', seed: 'active' },
  { at: 'role', form: reference('role'), v2: 'roleUUID' },
);
