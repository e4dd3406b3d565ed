import { addressRows } from '../clients/address.ts';
import { flag, text, title } from '../form.ts';
import { everywhere, legacyRow, modernRow, rowsOf, textsEverywhere } from '../table.ts';

/** V2 groups these values under one key. */
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

/** The addresses are split for V2 outside the table. */
export const supplierRows = rowsOf(...supplierOwnRows, ...addressRows, ...supplierReachRows);

/** Owner: the supplier. V2 has the name in two parts. */
export const supplierContactRows = rowsOf(
  legacyRow('name', title),
  ...textsEverywhere('mobile', 'email', 'phone', 'position'),
);

export const supplierContactRightRows = rowsOf(
  modernRow('primary', flag(false)),
  modernRow('ccdInEmail', flag(false)),
);
