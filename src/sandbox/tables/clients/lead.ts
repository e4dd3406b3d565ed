import { day, money, reference, text, title } from '../form.ts';
import { everywhere, rowsOf } from '../table.ts';

/**
 * A lead. Its state is the name of a `leadStatus`; the methods decide on changes of the state and on the two
 * dates.
 */
export const leadRows = rowsOf(
  everywhere('name', title),
  everywhere('description', text),
  { at: 'state', form: text, xml: { element: 'State', readOnly: true } },
  everywhere('estimatedValue', money),
  everywhere('date', day, { v2: { written: false }, xml: { readOnly: true } }),
  everywhere('dateWonLost', day, { v2: { written: false }, xml: { readOnly: true } }),
  everywhere('category', reference('leadCategory'), {
    v2: { name: 'leadCategoryUUID' },
    xml: { as: 'name' },
  }),
  { at: 'owner', form: reference('client'), needed: true, v2: 'clientUUID', xml: 'Client', seed: 'client' },
  everywhere('contact', reference('contact'), { v2: { name: 'contactUUID' } }),
  { at: 'other', form: reference('staff'), needed: true, v2: 'ownerUUID', xml: 'Owner', seed: 'owner' },
  // Template of the job created when the lead is won.
  { at: 'template', form: reference('template') },
);
