import type { SupplierFields } from '../../records/kinds/people.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { Answer, Operation, XmlCall } from '../call.ts';
import { required, textsAfter } from '../elements.ts';
import { ofElement, ofPath, requireId } from '../identify.ts';
import { ofRoot, type Message } from '../message.ts';
import { pageOf, pageScalars } from '../page.ts';
import { missing } from '../refusal.ts';
import { readFlag } from '../values.ts';
import { blankContact, contactFieldsAfter } from './contacts.ts';
import { addressElements, writtenSuppliers } from './view.ts';

type Supplier = StoredRecord<'supplier'>;

/**
 * Archived suppliers are left out: unlike a client, a supplier has no element that would tell. On V3 there are pages
 * only where `pagesize` is sent.
 */
async function list(call: XmlCall): Promise<Answer> {
  const isDetailed = readFlag(call.query('detailed') ?? '') ?? false;
  const selection = { withDeleted: false, isArchived: false };
  const page = call.query('pagesize') === undefined ? undefined : pageOf(call, SUPPLIERS_PER_PAGE);
  async function* records(): AsyncGenerator<string> {
    for await (const batch of call.records.select('supplier', selection, page))
      yield writtenSuppliers(call, batch, isDetailed);
  }
  return {
    answer: 'list',
    container: 'Suppliers',
    ...(page && { scalars: pageScalars(page, await call.records.count('supplier', selection)) }),
    records: records(),
  };
}

/** For a `pagesize` that is no number. */
const SUPPLIERS_PER_PAGE = 100;

/** Detailed, as every answer with one supplier. */
const supplierAnswer = async (call: XmlCall, supplier: Supplier): Promise<Answer> => ({
  answer: 'record',
  xml: await writtenSuppliers(call, [supplier], true),
});

async function get(call: XmlCall): Promise<Answer> {
  return supplierAnswer(call, await ofPath(call, 'supplier'));
}

const blank: SupplierFields = {
  address: '',
  city: '',
  region: '',
  postCode: '',
  country: '',
  postalAddress: '',
  postalCity: '',
  postalRegion: '',
  postalPostCode: '',
  postalCountry: '',
  phone: '',
  fax: '',
  website: '',
};

async function add(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Supplier');
  const name = required(message, 'Supplier', 'Name');
  const contacts = givenContacts(message);
  const fields = textsAfter(message, addressElements, blank);
  const supplier = await call.records.insert('supplier', { name, fields }, call.now);
  await call.records.insertAll(
    'supplierContact',
    contacts.map((contact) => ({ ...contact, owner: supplier.uuid })),
    call.now,
  );
  return supplierAnswer(call, supplier);
}

function givenContacts(message: Message | undefined) {
  return (message?.child('Contacts')?.children('Contact') ?? []).map((contact) => {
    const name = contact.text('Name') ?? '';
    if (name.trim() === '') throw missing('Supplier', 'Contacts', 'Contact', 'Name');
    return { name, fields: contactFieldsAfter(contact, blankContact) };
  });
}

async function update(call: XmlCall): Promise<Answer> {
  const { message, supplier } = await givenSupplier(call);
  const name = message?.text('Name') ?? supplier.name;
  if (name.trim() === '') throw missing('Supplier', 'Name');
  const fields = textsAfter(message, addressElements, supplier.fields);
  await call.records.update(supplier, { name, fields }, call.now);
  return supplierAnswer(call, { ...supplier, name, fields });
}

async function archive(call: XmlCall): Promise<Answer> {
  const { supplier } = await givenSupplier(call);
  await call.records.update(supplier, { isArchived: true }, call.now);
  return supplierAnswer(call, supplier);
}

/** Answers the supplier as it was. */
async function remove(call: XmlCall): Promise<Answer> {
  const { supplier } = await givenSupplier(call);
  const answer = await supplierAnswer(call, supplier);
  await call.records.update(supplier, { isDeleted: true }, call.now);
  return answer;
}

async function givenSupplier(
  call: XmlCall,
): Promise<{ readonly message: Message | undefined; readonly supplier: Supplier }> {
  const message = ofRoot(call.message, 'Supplier');
  requireId(call, message, ['Supplier']);
  return { message, supplier: await ofElement(call, 'supplier', message) };
}

export const supplierOperations: readonly Operation[] = (
  [
    { id: 'supplier.list', verbs: ['GET'], path: 'supplier.api/list', serve: list },
    { id: 'supplier.get', verbs: ['GET'], path: 'supplier.api/get/{id}', serve: get },
    { id: 'supplier.add', verbs: ['POST'], path: 'supplier.api/add', serve: add },
    { id: 'supplier.update', verbs: ['PUT'], path: 'supplier.api/update', serve: update },
    { id: 'supplier.archive', verbs: ['PUT'], path: 'supplier.api/archive', serve: archive },
    { id: 'supplier.delete', verbs: ['POST'], path: 'supplier.api/delete', serve: remove },
  ] satisfies readonly Operation[]
).map((operation) => ({ ...operation, isAbsentInPractice: true }));
