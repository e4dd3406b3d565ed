import { flag, title } from '../form.ts';
import { everywhere, rowsOf } from '../table.ts';

/** A group of clients. Its members are records of their own. */
export const groupRows = rowsOf(everywhere('name', title), everywhere('taxable', flag(false)), {
  at: 'favourite',
  form: flag(false),
  v2: 'favourite',
});
