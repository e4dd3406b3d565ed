import { amount, day, reference, title } from '../form.ts';
import { legacyRow, rowsOf } from '../table.ts';

/**
 * A relationship of its owner, a client, to another client. The number of shares, a whole number as text, is
 * not in the table.
 */
export const relationshipRows = rowsOf(
  legacyRow('name', title, { xml: { element: 'Type' }, seed: 'type' }),
  { at: 'other', form: reference('client'), xml: 'RelatedClient', needed: true, seed: 'relatedClient' },
  legacyRow('percentage', amount, { xml: { whenSet: true } }),
  legacyRow('startDate', day, { xml: { as: 'plain' } }),
  legacyRow('endDate', day, { xml: { as: 'plain' } }),
);
