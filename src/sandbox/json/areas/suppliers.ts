/**
 * The operations of V2 on suppliers and their contacts. Addresses are a list in V2 and ten fields in the
 * table.
 *
 * The postal and the billing address are columns of the stored supplier; the table `places` says which. In a body the
 * first address of a type counts.
 */
import { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import {
  supplierContactRightRows,
  supplierContactRows,
  supplierOwnRows,
  supplierReachRows,
  supplierRows,
} from '../../tables/people/supplier.ts';
import { supplierAttachments } from '../record/attachments.ts';
import type { JsonCall } from '../operation/call.ts';
import {
  always,
  column,
  type ColumnsOf,
  customColumn,
  each,
  grouped,
  nameColumns,
  ownedColumn,
  tableOf,
  timeColumns,
  uuidColumn,
} from '../record/columns.ts';
import { customValuesAfter, customValuesIn } from '../record/custom-values.ts';
import { areaBeyond } from '../operation/operation.ts';
import { createOwned, markDeleted, operationsOn } from '../operation/operations-on.ts';
import { bodiesOf, type Body, newRecord, rowColumns, storedAfter } from '../record/record.ts';
import { invalid } from '../operation/refusal.ts';
import { removeWith, touch } from '../record/relink.ts';
import { amount, joinedName, moment, orNull, text, textIn, textOrNull } from '../record/values.ts';

type Supplier = StoredRecord<'supplier'>;

const addressTypes = z.enum(['postal', 'billing']);

/** Columns of the two addresses of a supplier; the line occurs twice. */
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

const addresses = each<Supplier, Address>(
  {
    type: column(addressTypes, ({ type }) => type),
    ...Object.fromEntries(
      lines.map((line) => [line, column(textOrNull, (address: Address) => orNull(lineOf(address, line)))]),
    ),
  },
  (supplier) =>
    (['billing', 'postal'] as const)
      .map((type) => ({ supplier, type }))
      .filter((address) => lines.some((line) => lineOf(address, line) !== '')),
);

const contactColumns: ColumnsOf<'supplierContact'> = {
  uuid: uuidColumn,
  ...nameColumns,
  ...rowColumns(supplierContactRows),
  ...timeColumns,
};
const contactWithRights = { ...contactColumns, ...rowColumns(supplierContactRightRows) };

const base: ColumnsOf<'supplier'> = {
  uuid: uuidColumn,
  ...rowColumns(supplierOwnRows),
  status: column(z.enum(['active', 'archived', 'deleted']), ({ isArchived }) =>
    isArchived ? 'archived' : 'active',
  ),
  addresses,
  contactDetails: grouped(rowColumns(supplierReachRows)),
  zeroRatedGST: always(z.array(z.strictObject({ tax_name: text, rate: amount })), []),
  customFields: customColumn('Supplier'),
  ...timeColumns,
  /** Omitted unless the supplier is deleted. */
  deletedAt: always(moment.optional(), undefined),
};

const contacts = ownedColumn('supplierContact', contactColumns);
const listed = tableOf('supplier', 'SupplierListItem', { ...base, contacts, ...supplierAttachments.list });
const shown = tableOf('supplier', 'SupplierDetail', { ...base, contacts, ...supplierAttachments.detail });
const saved = tableOf('supplier', 'SupplierSaved', {
  ...base,
  contacts: ownedColumn('supplierContact', contactWithRights),
  ...supplierAttachments.saved,
});
const contactShown = tableOf('supplierContact', 'SupplierContact', contactWithRights);

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

/** Takes the first address of each type; `street` replaces a missing `address`. */
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

/** Returns a contact in its stored form. `within`: its position in the body. */
async function contactAfter(call: JsonCall, body: Body, owner: string, within = '') {
  const firstName = (body.firstName ?? '') as string;
  const name = joinedName(firstName, (body.lastName ?? '') as string);
  const field = `${within}firstName`;
  if (name === '') throw invalid(field, `${field} is required`);
  const { fields } = await storedAfter<'supplierContact'>(call, contactRows, body);
  return newRecord<'supplierContact'>({ name, owner, fields: { ...fields, firstName } });
}

async function create(call: JsonCall, body: Body): Promise<string> {
  const { name, fields } = await storedAfter<'supplier'>(call, supplierRows, body);
  const given = (body.contacts ?? []) as readonly Body[];
  const customValues = await customValuesAfter(call, 'Supplier', body);
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
  return supplier.uuid;
}

const supplierOperations = operationsOn({ kind: 'supplier', path: '/suppliers', word: 'supplier' });
const contactOperations = operationsOn({
  kind: 'supplierContact',
  id: 'v2.supplier-contacts',
  path: '/suppliers/contacts',
  word: 'contact',
});

export const suppliers = areaBeyond('Suppliers', [
  supplierOperations.list(listed),
  supplierOperations.get(shown),
  supplierOperations.create(saved, {
    body: write,
    example: {
      name: 'Coast Glass',
      email: 'sales@glass.example',
      contacts: [{ firstName: 'Ola', lastName: 'Berg', primary: true }],
    },
    make: create,
  }),
  supplierOperations.remove({
    removal: (call, supplier) => removeWith(call, supplier, ['supplierContact']),
  }),
  contactOperations.get(contactShown, { summary: 'Get a supplier contact' }),
  createOwned(contactShown, 'supplier', {
    id: 'v2.supplier-contacts.create',
    path: '/suppliers/{UUID}/contacts',
    summary: 'Create a supplier contact',
    body: contactWrite,
    example: { firstName: 'Ola', lastName: 'Berg', email: 'ola@glass.example' },
    make: async (call, supplier, body) => {
      const contact = await contactAfter(call, body, supplier.uuid);
      const { uuid } = await call.records.insert('supplierContact', contact, call.now);
      await touch(call, 'supplier', supplier.uuid);
      return uuid;
    },
  }),
  contactOperations.remove({
    summary: 'Delete a supplier contact',
    removal: async (call, contact) => {
      await markDeleted(call, contact);
      await touch(call, 'supplier', contact.owner);
    },
  }),
]);
