import { choice, day, flag, folder, money, quantity, reference, text, title } from '../form.ts';
import { everywhere, legacyRow, modernRow, rowsOf } from '../table.ts';

/** A cost, owned by its job. V2 has different keys for the name in different places. */
export const jobCostRows = rowsOf(
  legacyRow('name', title, {
    v2: { name: 'costName', shown: false },
    xml: { element: 'Description' },
    seed: 'description',
  }),
  everywhere('quantity', quantity, { xml: { whenEmpty: '0.00' } }),
  everywhere('unitCost', money),
  everywhere('unitPrice', money),
  everywhere('date', day, { v2: { needed: true } }),
  everywhere('code', text, { v2: { name: 'costCode' } }),
  everywhere('note', text),
  everywhere('billable', flag(true), { xml: { as: 'trueFalse' } }),
  {
    at: 'other',
    form: reference('supplier'),
    v2: { name: 'supplierUUID', shown: false },
    xml: 'Supplier',
    seed: 'supplier',
  },
  modernRow('type', choice(['Service', 'Stock'], 'Service')),
  // Actual rather than estimated.
  modernRow('actual', flag(true)),
  { at: 'folder', form: folder, v2: 'phaseUUID' },
  // The catalogue item.
  { at: 'cost', form: reference('cost'), v2: 'costUUID' },
);
