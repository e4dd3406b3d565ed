import { addressRows } from '../clients/address.ts';
import { flag, text, title } from '../form.ts';
import { everywhere, legacyRow, modernRow, rowsOf } from '../table.ts';

/** V2 answers with these in a record of their own. */
export const supplierReachRows = rowsOf(
  everywhere('phone', text),
  everywhere('fax', text),
  everywhere('website', text),
  modernRow('email', text),
);

const titleRow = everywhere('name', title);

export const supplierOwnRows = rowsOf(
  titleRow,
  modernRow('exportCode', text),
  modernRow('favourite', flag(false)),
);

/** V2 divides the addresses by hand. */
export const supplierRows = rowsOf(...supplierOwnRows, ...addressRows, ...supplierReachRows);

/** Owner: the supplier. V2 knows the name in two parts. */
export const supplierContactRows = rowsOf(
  legacyRow('name', title),
  everywhere('mobile', text),
  everywhere('email', text),
  everywhere('phone', text),
  everywhere('position', text),
);

export const supplierContactRightRows = rowsOf(
  modernRow('primary', flag(false)),
  modernRow('ccdInEmail', flag(false)),
);
