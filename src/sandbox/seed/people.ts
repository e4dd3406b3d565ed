import { leadRows } from '../tables/lead.ts';
import { staffRows } from '../tables/staff.ts';
import { filled, isoDateTime } from '../xml/values.ts';
import { owned, seedNotes } from './attachments.ts';
import type { Book, Identity } from './book.ts';
import { millis, textsOf, two } from './forms.ts';
import type { SeedLead, SeedOrganisation } from './schema.ts';
import { seedKind, seedRecord } from './table.ts';

export const seedStaff = (book: Book, seed: SeedOrganisation): Promise<void> =>
  seedKind(book, 'staff', staffRows, seed.staff);

const supplierTexts = [
  'address',
  'city',
  'region',
  'postCode',
  'country',
  'postalAddress',
  'postalCity',
  'postalRegion',
  'postalPostCode',
  'postalCountry',
  'phone',
  'fax',
  'website',
] as const;

export async function seedSuppliers(book: Book, seed: SeedOrganisation, now: number): Promise<void> {
  for (const supplier of await book.identify('supplier', seed.suppliers ?? [], ({ name }) => name)) {
    const { identity, name, isArchived } = supplier;
    const fields = textsOf(supplier, supplierTexts);
    const customValues = await book.customValues('Supplier', supplier.customFields);
    await book.write('supplier', [{ ...identity, name, isArchived, fields, customValues }]);
    await seedNotes(book, [supplier], now);
    for (const contact of await book.identify(
      'supplierContact',
      supplier.contacts ?? [],
      (one) => one.name,
    )) {
      await book.write('supplierContact', [
        {
          ...contact.identity,
          name: contact.name,
          owner: identity.uuid,
          fields: textsOf(contact, ['mobile', 'email', 'phone', 'position']),
          customValues: await book.customValues('Contact', contact.customFields),
        },
      ]);
    }
  }
}

export async function seedLeads(book: Book, seed: SeedOrganisation, now: number): Promise<void> {
  const leads = await book.identify('lead', seed.leads ?? [], ({ name }) => name);
  const written = [];
  for (const lead of leads) {
    const given = { ...lead, category: filled(lead.category) };
    const record = await seedRecord<'lead'>(book, leadRows, given);
    written.push({
      ...record,
      // The other surfaces begin a lead with a state and a value too.
      fields: {
        ...record.fields,
        state: lead.state ?? 'Current',
        estimatedValue: two(lead.estimatedValue ?? 0),
      },
      customValues: await book.customValues('Lead', lead.customFields),
    });
  }
  await book.write('lead', written);
  await seedActivities(book, leads);
  await seedHistory(book, leads, now);
}

type Lead = SeedLead & { readonly identity: Identity };

async function seedActivities(book: Book, leads: readonly Lead[]): Promise<void> {
  const given = owned(leads, ({ activities }) => activities);
  const written = [];
  for (const activity of await book.identify('leadActivity', given, ({ subject }) => subject))
    written.push({
      ...activity.identity,
      name: activity.subject,
      owner: activity.owner,
      other: (await book.resolve('staff', activity.responsible)) || undefined,
      fields: { date: activity.date ?? '', completed: activity.completed ?? false },
    });
  await book.write('leadActivity', written);
}

async function seedHistory(book: Book, leads: readonly Lead[], now: number): Promise<void> {
  const given = owned(leads, ({ history }) => history);
  const items = await book.identify('leadHistory', given, () => '');
  await book.write(
    'leadHistory',
    items.map((item) => ({
      ...item.identity,
      name: '',
      owner: item.owner,
      fields: {
        ...textsOf(item, ['type', 'staff', 'detail']),
        date: isoDateTime(millis(item.date) ?? now),
      },
    })),
  );
}
