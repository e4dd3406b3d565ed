import { z } from 'zod';
import type { SupplierContactFields, SupplierFields } from '../../records/kinds/people.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { customValue, customValuesAfter, customValuesIn, customValuesShown } from '../customValues.ts';
import { comment, documentCommon, documentsShown, notesShown } from '../documentShapes.ts';
import { areaBeyond, list, one, shape } from '../operation.ts';
import { pageOf, shown } from '../page.ts';
import { deleted, messageShape, staffRef } from '../refs.ts';
import { invalid } from '../refusal.ts';
import { removeWith, touch } from '../relink.ts';
import {
  amount,
  flag,
  flagOptional,
  id,
  idOrNull,
  joinedName,
  moment,
  orNull,
  partsOfName,
  requiredText,
  text,
  textIn,
  textOrNull,
  times,
  timesOf,
} from '../values.ts';

const address = z.strictObject({
  type: z.enum(['postal', 'billing']),
  address: textOrNull,
  street: textOrNull,
  city: textOrNull,
  state: textOrNull,
  postalCode: textOrNull,
  country: textOrNull,
});
const contact = {
  uuid: id,
  firstName: text,
  lastName: text,
  position: textOrNull,
  email: textOrNull,
  phone: textOrNull,
  mobile: textOrNull,
  ...times,
};
const contactRights = { primary: flag, ccdInEmail: flag };
/** Notes say `note` where all others say `description`. */
const note = { uuid: id, title: text, note: textOrNull, phase: textOrNull, ...times };
const document = { ...documentCommon, phase: textOrNull };
const base = {
  uuid: id,
  name: text,
  status: z.enum(['active', 'archived', 'deleted']),
  exportCode: textOrNull,
  favourite: flag,
  addresses: z.array(address),
  contactDetails: z.strictObject({
    email: textOrNull,
    phone: textOrNull,
    fax: textOrNull,
    website: textOrNull,
  }),
  zeroRatedGST: z.array(z.strictObject({ tax_name: text, rate: amount })),
  customFields: z.array(customValue),
  ...times,
  /** Left out while it is not. */
  deletedAt: moment.optional(),
};
const detailedNote = z.strictObject({
  ...note,
  createdBy: staffRef.nullable(),
  comments: z.array(comment),
});

const supplierListItem = shape(
  'SupplierListItem',
  z.strictObject({
    ...base,
    contacts: z.array(z.strictObject(contact)),
    notes: z.array(z.strictObject({ ...note, createdByUUID: idOrNull })),
    documents: z.array(z.strictObject({ ...document, uploadedBy: textOrNull })),
  }),
);
const supplierDetail = shape(
  'SupplierDetail',
  z.strictObject({
    ...base,
    contacts: z.array(z.strictObject(contact)),
    notes: z.array(detailedNote),
    documents: z.array(z.strictObject({ ...document, uploadedBy: staffRef.nullable() })),
  }),
);
const supplierSaved = shape(
  'SupplierSaved',
  z.strictObject({
    ...base,
    contacts: z.array(z.strictObject({ ...contact, ...contactRights })),
    notes: z.array(detailedNote),
    documents: z.array(z.strictObject({ ...document, uploadedBy: textOrNull })),
  }),
);
const supplierContact = shape('SupplierContact', z.strictObject({ ...contact, ...contactRights }));

type Supplier = StoredRecord<'supplier'>;
type Contact = StoredRecord<'supplierContact'>;

function addressesOf({ fields }: Supplier): z.infer<typeof address>[] {
  const billing = {
    type: 'billing' as const,
    address: orNull(fields.address),
    street: orNull(fields.address),
    city: orNull(fields.city),
    state: orNull(fields.region),
    postalCode: orNull(fields.postCode),
    country: orNull(fields.country),
  };
  const postal = {
    type: 'postal' as const,
    address: orNull(fields.postalAddress),
    street: orNull(fields.postalAddress),
    city: orNull(fields.postalCity),
    state: orNull(fields.postalRegion),
    postalCode: orNull(fields.postalPostCode),
    country: orNull(fields.postalCountry),
  };
  return [billing, postal].filter((each) =>
    Object.entries(each).some(([key, value]) => key !== 'type' && value !== null),
  );
}

const contactOf = (each: Contact) => ({
  uuid: each.uuid,
  ...partsOfName(each),
  position: orNull(each.fields.position),
  email: orNull(each.fields.email),
  phone: orNull(each.fields.phone),
  mobile: orNull(each.fields.mobile),
  ...timesOf(each),
});

const contactWithRights = (each: Contact) => ({
  ...contactOf(each),
  primary: each.fields.primary ?? false,
  ccdInEmail: each.fields.ccdInEmail ?? false,
});

interface Parts {
  readonly base: Omit<z.infer<typeof supplierListItem.schema>, 'contacts' | 'notes' | 'documents'>;
  readonly contacts: readonly Contact[];
  readonly notes: Awaited<ReturnType<typeof notesShown>>;
  readonly documents: Awaited<ReturnType<typeof documentsShown>>;
}

async function partsOf(call: JsonCall, suppliers: readonly Supplier[]): Promise<readonly Parts[]> {
  const uuids = suppliers.map(({ uuid }) => uuid);
  const contacts = await call.records.ownedBy('supplierContact', uuids);
  const notes = await call.records.ownedBy('note', uuids);
  const documents = await call.records.ownedBy('document', uuids);
  const values = await customValuesShown(call, 'Supplier');
  const all: Parts[] = [];
  for (const supplier of suppliers) {
    const { uuid, name, fields } = supplier;
    all.push({
      base: {
        uuid,
        name,
        status: supplier.isArchived ? 'archived' : 'active',
        exportCode: orNull(fields.exportCode),
        favourite: fields.favourite ?? false,
        addresses: addressesOf(supplier),
        contactDetails: {
          email: orNull(fields.email),
          phone: orNull(fields.phone),
          fax: orNull(fields.fax),
          website: orNull(fields.website),
        },
        zeroRatedGST: [],
        customFields: values(supplier),
        ...timesOf(supplier),
      },
      contacts: contacts.get(uuid) ?? [],
      notes: await notesShown(call, notes.get(uuid) ?? []),
      documents: await documentsShown(call, documents.get(uuid) ?? []),
    });
  }
  return all;
}

const noteOf = ({ note: each }: Parts['notes'][number]) => ({
  uuid: each.uuid,
  title: each.name,
  note: orNull(each.fields.text),
  phase: orNull(each.fields.folder),
  ...timesOf(each),
});

const documentOf = ({ common, folder }: Parts['documents'][number]) => ({
  ...common,
  phase: orNull(folder),
});

const nameOf = (author: Parts['documents'][number]['uploadedBy']): string | null =>
  author && joinedName(author.firstName, author.lastName);

const listItem = ({ base: of, contacts, notes, documents }: Parts) => ({
  ...of,
  contacts: contacts.map(contactOf),
  notes: notes.map((each) => ({ ...noteOf(each), createdByUUID: each.createdBy?.uuid ?? null })),
  documents: documents.map((each) => ({ ...documentOf(each), uploadedBy: nameOf(each.uploadedBy) })),
});

const detailedNotes = ({ notes }: Parts) =>
  notes.map((each) => ({ ...noteOf(each), createdBy: each.createdBy, comments: each.comments }));

const detail = (parts: Parts) => ({
  ...parts.base,
  contacts: parts.contacts.map(contactOf),
  notes: detailedNotes(parts),
  documents: parts.documents.map((each) => ({ ...documentOf(each), uploadedBy: each.uploadedBy })),
});

const saved = (parts: Parts) => ({
  ...parts.base,
  contacts: parts.contacts.map(contactWithRights),
  notes: detailedNotes(parts),
  documents: parts.documents.map((each) => ({ ...documentOf(each), uploadedBy: nameOf(each.uploadedBy) })),
});

async function only(call: JsonCall, supplier: Supplier): Promise<Parts> {
  const [parts] = await partsOf(call, [supplier]);
  if (!parts) throw new Error('a supplier is gone within its own transaction');
  return parts;
}

const contactWrite = z.object({
  firstName: textIn,
  lastName: textIn,
  position: textIn,
  email: textIn,
  phone: textIn,
  mobile: textIn,
  primary: flagOptional,
  ccdInEmail: flagOptional,
});
const write = z.object({
  name: requiredText,
  email: textIn,
  phone: textIn,
  fax: textIn,
  website: textIn,
  exportCode: textIn,
  favourite: flagOptional,
  addresses: z
    .array(
      z.object({
        type: z.enum(['postal', 'billing']),
        address: textIn,
        street: textIn,
        city: textIn,
        state: textIn,
        postalCode: textIn,
        country: textIn,
      }),
    )
    .nullish(),
  contacts: z.array(contactWrite).nullish(),
  customFields: customValuesIn,
});

function fieldsOf(body: z.infer<typeof write>): SupplierFields {
  const of = (type: 'postal' | 'billing') => body.addresses?.find((each) => each.type === type);
  const billing = of('billing');
  const postal = of('postal');
  return {
    address: billing?.address ?? billing?.street ?? '',
    city: billing?.city ?? '',
    region: billing?.state ?? '',
    postCode: billing?.postalCode ?? '',
    country: billing?.country ?? '',
    postalAddress: postal?.address ?? postal?.street ?? '',
    postalCity: postal?.city ?? '',
    postalRegion: postal?.state ?? '',
    postalPostCode: postal?.postalCode ?? '',
    postalCountry: postal?.country ?? '',
    phone: body.phone ?? '',
    fax: body.fax ?? '',
    website: body.website ?? '',
    email: body.email ?? '',
    exportCode: body.exportCode ?? '',
    favourite: body.favourite ?? false,
  };
}

function contactFields(body: z.infer<typeof contactWrite>, field: string) {
  const firstName = body.firstName ?? '';
  const name = joinedName(firstName, body.lastName ?? '');
  if (name === '') throw invalid(field, `${field} is required`);
  const fields: SupplierContactFields = {
    firstName,
    mobile: body.mobile ?? '',
    email: body.email ?? '',
    phone: body.phone ?? '',
    position: body.position ?? '',
    primary: body.primary ?? false,
    ccdInEmail: body.ccdInEmail ?? false,
  };
  return { name, fields };
}

async function create(call: JsonCall, body: z.infer<typeof write>) {
  const contacts = (body.contacts ?? []).map((each, at) => contactFields(each, `contacts[${at}].firstName`));
  const customValues = await customValuesAfter(call, 'Supplier', body.customFields);
  const supplier = await call.records.insert(
    'supplier',
    { name: body.name, fields: fieldsOf(body), customValues },
    call.now,
  );
  await call.records.insertAll(
    'supplierContact',
    contacts.map((each) => ({ ...each, owner: supplier.uuid })),
    call.now,
  );
  return saved(await only(call, supplier));
}

export const suppliers = areaBeyond('Suppliers', [
  list({
    id: 'v2.suppliers.list',
    path: '/suppliers',
    summary: 'List suppliers',
    query: ['sort', 'order', 'updatedSince', 'lastModified'],
    response: supplierListItem,
    serve: (call) =>
      shown(pageOf(call, 'supplier'), async (rows) => (await partsOf(call, rows)).map(listItem)),
  }),
  one({
    id: 'v2.suppliers.get',
    method: 'GET',
    path: '/suppliers/{UUID}',
    summary: 'Get a supplier',
    on: { UUID: 'supplier' },
    response: supplierDetail,
    serve: async (call, on) => detail(await only(call, on.UUID)),
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
    response: supplierSaved,
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
    serve: async (_call, on) => contactWithRights(on.UUID),
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
      const made = await call.records.insert(
        'supplierContact',
        { ...contactFields(body, 'firstName'), owner: supplier.uuid },
        call.now,
      );
      await touch(call, 'supplier', supplier.uuid);
      return contactWithRights(made);
    },
  }),
  one({
    id: 'v2.supplier-contacts.delete',
    method: 'DELETE',
    path: '/suppliers/contacts/{UUID}',
    summary: 'Delete a supplier contact',
    on: { UUID: 'supplierContact' },
    response: messageShape,
    serve: async (call, { UUID: each }) => {
      await call.records.update(each, { isDeleted: true }, call.now);
      await touch(call, 'supplier', each.owner);
      return deleted('contact');
    },
  }),
]);
