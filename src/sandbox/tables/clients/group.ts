import { flag, title } from '../form.ts';
import { everywhere, modernRow, rowsOf } from '../table.ts';

/** A group of clients. Its members are records of their own. */
export const groupRows = rowsOf(
  everywhere('name', title),
  everywhere('taxable', flag(false)),
  modernRow('favourite', flag(false)),
);
