import type { Book } from './book.ts';
import { textsOf, twoOrNone } from './forms.ts';
import type { SeedOrganisation } from './schema.ts';

export async function seedStaff(book: Book, seed: SeedOrganisation): Promise<void> {
  const staff = await book.identify('staff', seed.staff ?? [], ({ name }) => name);
  await book.write(
    'staff',
    staff.map((one) => ({
      ...one.identity,
      name: one.name,
      fields: textsOf(one, ['email', 'phone', 'mobile', 'address', 'payrollCode']),
    })),
  );
}

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

export async function seedSuppliers(book: Book, seed: SeedOrganisation): Promise<void> {
  for (const supplier of await book.identify('supplier', seed.suppliers ?? [], ({ name }) => name)) {
    const { identity, name, isArchived } = supplier;
    const fields = textsOf(supplier, supplierTexts);
    const customValues = await book.customValues('Supplier', supplier.customFields);
    await book.write('supplier', [{ ...identity, name, isArchived, fields, customValues }]);
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

export async function seedLeads(book: Book, seed: SeedOrganisation): Promise<void> {
  const written = [];
  for (const lead of await book.identify('lead', seed.leads ?? [], ({ name }) => name)) {
    written.push({
      ...lead.identity,
      name: lead.name,
      owner: await book.resolve('client', lead.client),
      other: await book.resolve('staff', lead.owner),
      fields: {
        description: lead.description ?? '',
        state: lead.state ?? 'Current',
        estimatedValue: twoOrNone(lead.estimatedValue),
        date: lead.date ?? '',
        dateWonLost: lead.dateWonLost ?? '',
        category: lead.category ?? '',
        contact: await book.resolve('contact', lead.contact),
      },
      customValues: await book.customValues('Lead', lead.customFields),
    });
  }
  await book.write('lead', written);
}
