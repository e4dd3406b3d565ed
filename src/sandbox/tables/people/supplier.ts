import { addressRows } from '../clients/address.ts';
import { flag, text, title } from '../form.ts';
import { everywhere, legacyRow, modernRow, rowsOf, textsEverywhere } from '../table.ts';

/** V2 answers with these in a record of their own. */
export const supplierReachRows = rowsOf(
  ...textsEverywhere('phone', 'fax', 'website'),
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
  ...textsEverywhere('mobile', 'email', 'phone', 'position'),
);

export const supplierContactRightRows = rowsOf(
  modernRow('primary', flag(false)),
  modernRow('ccdInEmail', flag(false)),
);
