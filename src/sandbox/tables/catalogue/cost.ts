import { money, reference, text, title } from '../form.ts';
import { rowsOf } from '../table.ts';

/** An item of the cost catalogue. */
export const costRows = rowsOf(
  { at: 'name', form: title, v2: 'name', xml: 'Description', seed: 'description' },
  { at: 'code', form: text, v2: 'code', xml: 'Code', seed: 'code' },
  { at: 'note', form: text, v2: 'note', xml: 'Note', seed: 'note' },
  { at: 'unitCost', form: money, v2: 'unitCost', xml: 'UnitCost', seed: 'unitCost' },
  { at: 'unitPrice', form: money, v2: 'unitPrice', xml: 'UnitPrice', seed: 'unitPrice' },
  {
    at: 'incomeAccount',
    form: text,
    v2: { name: 'incomeAccount', written: false },
    xml: { element: 'IncomeAccount', whenSet: true, readOnly: true },
    seed: 'incomeAccount',
  },
  {
    at: 'costOfSaleAccount',
    form: text,
    v2: { name: 'costOfSaleAccount', written: false },
    xml: { element: 'CostOfSaleAccount', whenSet: true, readOnly: true },
    seed: 'costOfSaleAccount',
  },
  {
    at: 'other',
    form: reference('supplier'),
    v2: { name: 'supplier', as: 'named', written: 'supplierUUID' },
    xml: 'Supplier',
    seed: 'supplier',
  },
  { at: 'details', form: text, v2: 'description' },
);
