import type { StoredRecord } from '../../records/kinds.ts';
import type { XmlCall } from '../call.ts';
import { noteFields } from '../client/view.ts';
import type { IdForm } from '../dialect.ts';
import { type Fields, identified, list, recordWriter, text } from '../fields.ts';

type Supplier = StoredRecord<'supplier'>;
type Contact = StoredRecord<'supplierContact'>;

interface SupplierView extends Supplier {
  readonly contacts: readonly Contact[];
  readonly notes: readonly StoredRecord<'note'>[];
}

export const addressElements = {
  Address: 'address',
  City: 'city',
  Region: 'region',
  PostCode: 'postCode',
  Country: 'country',
  PostalAddress: 'postalAddress',
  PostalCity: 'postalCity',
  PostalRegion: 'postalRegion',
  PostalPostCode: 'postalPostCode',
  PostalCountry: 'postalCountry',
  Phone: 'phone',
  Fax: 'fax',
  Website: 'website',
} as const;

export const contactElements = {
  Mobile: 'mobile',
  Email: 'email',
  Phone: 'phone',
  Position: 'position',
} as const;

export const contactFields = (ids: IdForm): Fields<Contact> =>
  identified<Contact>(ids, [
    text('Name', ({ name }) => name),
    ...Object.entries(contactElements).map(([element, field]) =>
      text<Contact>(element, ({ fields }) => fields[field]),
    ),
  ]);

const supplierFields = (ids: IdForm, isDetailed: boolean): Fields<SupplierView> =>
  identified<SupplierView>(ids, [
    text('Name', ({ name }) => name),
    ...Object.entries(addressElements).map(([element, field]) =>
      text<SupplierView>(element, ({ fields }) => fields[field]),
    ),
    list('Contacts', 'Contact', contactFields(ids), ({ contacts }) => contacts),
    ...(isDetailed ? [list('Notes', 'Note', noteFields, ({ notes }: SupplierView) => notes)] : []),
  ]);

export async function writtenSuppliers(
  { records, dialect }: XmlCall,
  suppliers: readonly Supplier[],
  isDetailed: boolean,
): Promise<string> {
  const uuids = suppliers.map(({ uuid }) => uuid);
  const contacts = await records.ownedBy('supplierContact', uuids);
  const notes = await records.ownedBy('note', isDetailed ? uuids : []);
  const write = recordWriter('Supplier', supplierFields(dialect.ids, isDetailed));
  return suppliers
    .map((supplier) =>
      write({
        ...supplier,
        contacts: contacts.get(supplier.uuid) ?? [],
        notes: notes.get(supplier.uuid) ?? [],
      }),
    )
    .join('');
}
