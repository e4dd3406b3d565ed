import { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import { listsOf } from '../../records/with-lines.ts';
import {
  supplierContactRightRows,
  supplierContactRows,
  supplierOwnRows,
  supplierReachRows,
  supplierRows,
} from '../../tables/supplier.ts';
import { supplierAttachments } from '../attachments.ts';
import { mixed } from '../columns.ts';
import type { JsonCall } from '../call.ts';
import {
  customValue,
  customValuesAfter,
  customValuesIn,
  type CustomValuesIn,
  customValuesShown,
} from '../custom-values.ts';
import {
  always,
  answer,
  createdAt,
  each,
  field,
  type Fields,
  objectOf,
  updatedAt,
  uuid,
  viewOf,
} from '../fields.ts';
import { areaBeyond, list, one } from '../operation.ts';
import { pageOf, shown } from '../page.ts';
import { bodiesOf, type Body, newRecord, rowFields, storedAfter } from '../record.ts';
import { deleted, messageShape } from '../refs.ts';
import { invalid } from '../refusal.ts';
import { removeWith, touch } from '../relink.ts';
import { amount, joinedName, moment, orNull, partsOfName, text, textIn, textOrNull } from '../values.ts';

type Contact = StoredRecord<'supplierContact'>;
type Supplier = StoredRecord<'supplier'>;
type SupplierView = Supplier & {
  readonly contacts: readonly Contact[];
  readonly customFieldsShown: readonly z.infer<typeof customValue>[];
};

const addressTypes = z.enum(['postal', 'billing']);

/** Where the two addresses of a supplier stand; the line is told twice. */
const places = {
  billing: {
    address: 'address',
    street: 'address',
    city: 'city',
    state: 'region',
    postalCode: 'postCode',
    country: 'country',
  },
  postal: {
    address: 'postalAddress',
    street: 'postalAddress',
    city: 'postalCity',
    state: 'postalRegion',
    postalCode: 'postalPostCode',
    country: 'postalCountry',
  },
} as const;

interface Address {
  readonly supplier: Supplier;
  readonly type: keyof typeof places;
}

const lines = ['address', 'street', 'city', 'state', 'postalCode', 'country'] as const;
const lineOf = ({ supplier, type }: Address, line: (typeof lines)[number]): string =>
  supplier.fields[places[type][line]];

const addressFields: Fields<Address> = [
  field('type', addressTypes, ({ type }) => type),
  ...lines.map((line) =>
    field<Address, typeof textOrNull>(line, textOrNull, (address) => orNull(lineOf(address, line))),
  ),
];

const contactFields: Fields<Contact> = [
  uuid,
  field('firstName', text, (contact) => partsOfName(contact).firstName),
  field('lastName', text, (contact) => partsOfName(contact).lastName),
  ...rowFields(supplierContactRows),
  createdAt,
  updatedAt,
];
const contactWithRights: Fields<Contact> = [...contactFields, ...rowFields(supplierContactRightRows)];

const base: Fields<SupplierView> = [
  uuid,
  ...rowFields(supplierOwnRows),
  field('status', z.enum(['active', 'archived', 'deleted']), ({ isArchived }) =>
    isArchived ? 'archived' : 'active',
  ),
  each('addresses', addressFields, (supplier: SupplierView) =>
    (['billing', 'postal'] as const)
      .map((type): Address => ({ supplier, type }))
      .filter((address) => lines.some((line) => lineOf(address, line) !== '')),
  ),
  {
    name: 'contactDetails',
    schema: objectOf(rowFields(supplierReachRows)),
    value: viewOf(rowFields(supplierReachRows)),
  },
  always('zeroRatedGST', z.array(z.strictObject({ tax_name: text, rate: amount })), []),
  field('customFields', z.array(customValue), ({ customFieldsShown }) => [...customFieldsShown]),
  createdAt,
  updatedAt,
  /** Left out while it is not. */
  always('deletedAt', moment.optional(), undefined),
];

const contacts = (fields: Fields<Contact>) =>
  each('contacts', fields, (supplier: SupplierView) => supplier.contacts);
const listItem = mixed<'supplier', SupplierView>(
  'SupplierListItem',
  [...base, contacts(contactFields)],
  supplierAttachments.list,
);
const detail = mixed<'supplier', SupplierView>(
  'SupplierDetail',
  [...base, contacts(contactFields)],
  supplierAttachments.detail,
);
const saved = mixed<'supplier', SupplierView>(
  'SupplierSaved',
  [...base, contacts(contactWithRights)],
  supplierAttachments.saved,
);
const supplierContact = answer('SupplierContact', contactWithRights);

async function load(call: JsonCall, suppliers: readonly Supplier[]): Promise<readonly SupplierView[]> {
  const lists = await listsOf(call.records, suppliers, { contacts: 'supplierContact' });
  const values = await customValuesShown(call, 'Supplier');
  return suppliers.map((supplier) => ({
    ...supplier,
    ...lists(supplier.uuid),
    customFieldsShown: values(supplier),
  }));
}

const contactRows = [...supplierContactRows, ...supplierContactRightRows];
const { made: contactWrite } = bodiesOf(contactRows, { firstName: textIn, lastName: textIn });
const addressIn = z.object({
  type: addressTypes,
  ...Object.fromEntries(lines.map((line) => [line, textIn])),
});
const { made: write } = bodiesOf(supplierRows, {
  addresses: z.array(addressIn).nullish(),
  contacts: z.array(contactWrite).nullish(),
  customFields: customValuesIn,
});

/** Of several addresses of a type the first counts; a street stands where there is no address. */
function addressesIn(body: Body) {
  const given = (body.addresses ?? []) as readonly z.infer<typeof addressIn>[];
  const fields: Record<string, unknown> = {};
  for (const [type, place] of Object.entries(places)) {
    const address: Body = given.find((one) => one.type === type) ?? {};
    for (const line of lines) fields[place[line]] = address[line] ?? fields[place[line]] ?? '';
    fields[place.address] = address.address ?? address.street ?? '';
  }
  return fields;
}

/** A contact as it is stored. `within`: where it stands in the body. */
async function contactAfter(call: JsonCall, body: Body, owner: string, within = '') {
  const firstName = (body.firstName ?? '') as string;
  const name = joinedName(firstName, (body.lastName ?? '') as string);
  const field = `${within}firstName`;
  if (name === '') throw invalid(field, `${field} is required`);
  const { fields } = await storedAfter<'supplierContact'>(call, contactRows, body);
  return newRecord<'supplierContact'>({ name, owner, fields: { ...fields, firstName } });
}

async function create(call: JsonCall, body: Body) {
  const { name, fields } = await storedAfter<'supplier'>(call, supplierRows, body);
  const given = (body.contacts ?? []) as readonly Body[];
  const customValues = await customValuesAfter(call, 'Supplier', body.customFields as CustomValuesIn);
  const supplier = await call.records.insert(
    'supplier',
    newRecord({ name: name ?? '', fields: { ...fields, ...addressesIn(body) }, customValues }),
    call.now,
  );
  for (const [at, contact] of given.entries())
    await call.records.insert(
      'supplierContact',
      await contactAfter(call, contact, supplier.uuid, `contacts[${at}].`),
      call.now,
    );
  return saved.only(call, await load(call, [supplier]));
}

export const suppliers = areaBeyond('Suppliers', [
  list({
    id: 'v2.suppliers.list',
    path: '/suppliers',
    summary: 'List suppliers',
    query: ['sort', 'order', 'updatedSince', 'lastModified'],
    response: listItem.response,
    serve: (call) =>
      shown(pageOf(call, 'supplier'), async (rows) => listItem.views(call, await load(call, rows))),
  }),
  one({
    id: 'v2.suppliers.get',
    method: 'GET',
    path: '/suppliers/{UUID}',
    summary: 'Get a supplier',
    on: { UUID: 'supplier' },
    response: detail.response,
    serve: async (call, on) => detail.only(call, await load(call, [on.UUID])),
  }),
  one({
    id: 'v2.suppliers.create',
    method: 'POST',
    path: '/suppliers',
    summary: 'Create a supplier',
    body: write,
    example: {
      name: 'Coast Glass',
      email: 'sales@glass.example',
      contacts: [{ firstName: 'Ola', lastName: 'Berg', primary: true }],
    },
    response: saved.response,
    serve: (call, _on, body) => create(call, body),
  }),
  one({
    id: 'v2.suppliers.delete',
    method: 'DELETE',
    path: '/suppliers/{UUID}',
    summary: 'Delete a supplier',
    on: { UUID: 'supplier' },
    response: messageShape,
    serve: async (call, { UUID: supplier }) => {
      await removeWith(call, supplier, ['supplierContact']);
      return deleted('supplier');
    },
  }),
  one({
    id: 'v2.supplier-contacts.get',
    method: 'GET',
    path: '/suppliers/contacts/{UUID}',
    summary: 'Get a supplier contact',
    on: { UUID: 'supplierContact' },
    response: supplierContact,
    serve: async (_call, on) => supplierContact.view(on.UUID),
  }),
  one({
    id: 'v2.supplier-contacts.create',
    method: 'POST',
    path: '/suppliers/{UUID}/contacts',
    summary: 'Create a supplier contact',
    on: { UUID: 'supplier' },
    body: contactWrite,
    example: { firstName: 'Ola', lastName: 'Berg', email: 'ola@glass.example' },
    response: supplierContact,
    serve: async (call, { UUID: supplier }, body) => {
      const contact = await contactAfter(call, body, supplier.uuid);
      const made = await call.records.insert('supplierContact', contact, call.now);
      await touch(call, 'supplier', supplier.uuid);
      return supplierContact.view(made);
    },
  }),
  one({
    id: 'v2.supplier-contacts.delete',
    method: 'DELETE',
    path: '/suppliers/contacts/{UUID}',
    summary: 'Delete a supplier contact',
    on: { UUID: 'supplierContact' },
    response: messageShape,
    serve: async (call, { UUID: contact }) => {
      await call.records.update(contact, { isDeleted: true }, call.now);
      await touch(call, 'supplier', contact.owner);
      return deleted('contact');
    },
  }),
]);
