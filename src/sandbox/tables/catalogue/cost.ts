import { money, reference, text, title } from '../form.ts';
import { everywhere, rowsOf, textsEverywhere } from '../table.ts';

/** An item of the cost catalogue. */
export const costRows = rowsOf(
  { at: 'name', form: title, v2: 'name', xml: 'Description', seed: 'description' },
  ...textsEverywhere('code', 'note'),
  everywhere('unitCost', money),
  everywhere('unitPrice', money),
  everywhere('incomeAccount', text, { v2: { written: false }, xml: { whenSet: true, readOnly: true } }),
  everywhere('costOfSaleAccount', text, { v2: { written: false }, xml: { whenSet: true, readOnly: true } }),
  {
    at: 'other',
    form: reference('supplier'),
    v2: { name: 'supplier', as: 'named', written: 'supplierUUID' },
    xml: 'Supplier',
    seed: 'supplier',
  },
  { at: 'details', form: text, v2: 'description' },
);
