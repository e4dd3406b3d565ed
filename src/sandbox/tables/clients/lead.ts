import { amount, day, reference, text, title } from '../form.ts';
import { rowsOf } from '../table.ts';

/** A lead. Its state is the name of a `leadStatus`; what moves it, and the two days, are rules of the methods. */
export const leadRows = rowsOf(
  { at: 'name', form: title, v2: 'name', xml: 'Name', seed: 'name' },
  { at: 'description', form: text, v2: 'description', xml: 'Description', seed: 'description' },
  { at: 'state', form: text, xml: { element: 'State', readOnly: true } },
  {
    at: 'estimatedValue',
    form: amount,
    v2: 'estimatedValue',
    xml: 'EstimatedValue',
    seed: 'estimatedValue',
  },
  {
    at: 'date',
    form: day,
    v2: { name: 'date', written: false },
    xml: { element: 'Date', readOnly: true },
    seed: 'date',
  },
  {
    at: 'dateWonLost',
    form: day,
    v2: { name: 'dateWonLost', written: false },
    xml: { element: 'DateWonLost', readOnly: true },
    seed: 'dateWonLost',
  },
  {
    at: 'category',
    form: reference('leadCategory'),
    v2: 'leadCategoryUUID',
    xml: { element: 'Category', as: 'name' },
    seed: 'category',
  },
  { at: 'owner', form: reference('client'), needed: true, v2: 'clientUUID', xml: 'Client', seed: 'client' },
  { at: 'contact', form: reference('contact'), v2: 'contactUUID', xml: 'Contact', seed: 'contact' },
  { at: 'other', form: reference('staff'), needed: true, v2: 'ownerUUID', xml: 'Owner', seed: 'owner' },
  // Of its job, when it is won.
  { at: 'template', form: reference('template') },
);
