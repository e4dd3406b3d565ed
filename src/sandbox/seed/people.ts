import { supplierContactRows, supplierRows } from '../tables/people/supplier.ts';
import { leadRows } from '../tables/clients/lead.ts';
import { staffRows } from '../tables/people/staff.ts';
import { day, flag, moment, reference, text, title } from '../tables/form.ts';
import { rowsOf } from '../tables/table.ts';
import { notes } from './attachments.ts';
import type { IdBook } from './id-book.ts';
import { two } from './forms.ts';
import type { SeedOrganisation } from './schema.ts';
import { seedKind, type SeedTable } from './table.ts';

export const seedStaff = (repository: IdBook, seed: SeedOrganisation): Promise<void> =>
  seedKind(repository, { kind: 'staff', rows: staffRows }, seed.staff);

const suppliers: SeedTable = {
  kind: 'supplier',
  rows: supplierRows,
  use: 'Supplier',
  further: ({ isArchived }) => ({ isArchived: isArchived === true }),
  owns: { notes, contacts: { kind: 'supplierContact', rows: supplierContactRows, use: 'Contact' } },
};

export const seedSuppliers = (repository: IdBook, seed: SeedOrganisation): Promise<void> =>
  seedKind(repository, suppliers, seed.suppliers);

const activityRows = rowsOf(
  { at: 'name', form: title, seed: 'subject' },
  { at: 'other', form: reference('staff'), seed: 'responsible' },
  { at: 'date', form: day, seed: 'date' },
  { at: 'completed', form: flag(false), seed: 'completed' },
);
const historyRows = rowsOf(
  { at: 'date', form: moment, seed: 'date' },
  { at: 'type', form: text, seed: 'type' },
  { at: 'staff', form: text, seed: 'staff' },
  { at: 'detail', form: text, seed: 'detail' },
);

export const seedLeads = (repository: IdBook, seed: SeedOrganisation): Promise<void> =>
  seedKind(
    repository,
    {
      kind: 'lead',
      rows: leadRows,
      use: 'Lead',
      owns: {
        activities: { kind: 'leadActivity', rows: activityRows },
        history: { kind: 'leadHistory', rows: historyRows },
      },
      // The other surfaces begin a lead with a state and a value too.
      further: ({ state = 'Current', estimatedValue = 0 }) => ({
        fields: { state, estimatedValue: two(estimatedValue as number | string) },
      }),
    },
    seed.leads,
  );
