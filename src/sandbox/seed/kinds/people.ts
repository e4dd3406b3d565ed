import { day, flag, moment, reference, text, title } from '../../tables/form.ts';
import { leadRows } from '../../tables/clients/lead.ts';
import { staffRows } from '../../tables/people/staff.ts';
import { supplierContactRows, supplierRows } from '../../tables/people/supplier.ts';
import { rowsOf } from '../../tables/table.ts';
import { two } from '../forms.ts';
import type { SeedTable } from '../table.ts';
import { flag as seedFlag, texts } from '../values.ts';
import { notes } from './attachments.ts';

export const staff = { kind: 'staff', rows: staffRows } as const satisfies SeedTable;

export const suppliers = {
  kind: 'supplier',
  rows: supplierRows,
  use: 'Supplier',
  takes: { isArchived: seedFlag },
  owns: { notes, contacts: { kind: 'supplierContact', rows: supplierContactRows, use: 'Contact' } },
  further: ({ isArchived }) => ({ isArchived: isArchived === true }),
} as const satisfies SeedTable;

const activities = {
  kind: 'leadActivity',
  rows: rowsOf(
    { at: 'name', form: title, seed: 'subject' },
    { at: 'other', form: reference('staff'), seed: 'responsible' },
    { at: 'date', form: day, seed: 'date' },
    { at: 'completed', form: flag(false), seed: 'completed' },
  ),
} as const satisfies SeedTable;

const history = {
  kind: 'leadHistory',
  rows: rowsOf(
    { at: 'date', form: moment, seed: 'date' },
    { at: 'type', form: text, seed: 'type' },
    { at: 'staff', form: text, seed: 'staff' },
    { at: 'detail', form: text, seed: 'detail' },
  ),
} as const satisfies SeedTable;

export const leads = {
  kind: 'lead',
  rows: leadRows,
  use: 'Lead',
  takes: texts('state', 'category'),
  owns: { activities, history },
  // As on the other surfaces, a new lead has a state and a value.
  further: ({ state = 'Current', estimatedValue = 0 }) => ({
    fields: { state, estimatedValue: two(estimatedValue as number | string) },
  }),
} as const satisfies SeedTable;
