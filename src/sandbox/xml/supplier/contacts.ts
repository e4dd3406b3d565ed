import type { SupplierContactFields } from '../../records/kinds/people.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { Answer, Operation, XmlCall } from '../call.ts';
import { required, textsAfter } from '../elements.ts';
import { recordWriter } from '../fields.ts';
import { ofElement, ofPath, requireId } from '../identify.ts';
import { ofRoot, type Message } from '../message.ts';
import { contactElements, contactFields } from './view.ts';

type Contact = StoredRecord<'supplierContact'>;

export const blankContact: SupplierContactFields = { mobile: '', email: '', phone: '', position: '' };

/** Absent elements keep their value. */
export const contactFieldsAfter = (
  message: Message | undefined,
  before: SupplierContactFields,
): SupplierContactFields => textsAfter(message, contactElements, before);

const contactAnswer = (call: XmlCall, contact: Contact): Answer => ({
  answer: 'record',
  xml: recordWriter('Contact', contactFields(call.dialect.ids))(contact),
});

async function get(call: XmlCall): Promise<Answer> {
  return contactAnswer(call, await ofPath(call, 'supplierContact'));
}

async function add(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Contact');
  const owner = message?.child('Supplier');
  requireId(call, owner, ['Contact', 'Supplier']);
  const name = required(message, 'Contact', 'Name');
  const supplier = await ofElement(call, 'supplier', owner);
  const contact = { name, fields: contactFieldsAfter(message, blankContact), owner: supplier.uuid };
  await call.records.update(supplier, {}, call.now);
  return contactAnswer(call, await call.records.insert('supplierContact', contact, call.now));
}

/** One printed form calls the root `Supplier`. */
async function update(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Contact') ?? ofRoot(call.message, 'Supplier');
  const name = required(message, 'Contact', 'Name');
  const contact = await ofPath(call, 'supplierContact');
  const fields = contactFieldsAfter(message, contact.fields);
  await call.records.update(contact, { name, fields }, call.now);
  const supplier = await call.records.byUuid('supplier', contact.owner ?? '');
  if (supplier) await call.records.update(supplier, {}, call.now);
  return contactAnswer(call, { ...contact, name, fields });
}

export const supplierContacts: readonly Operation[] = (
  [
    { id: 'supplier.contact.get', verbs: ['GET'], path: 'supplier.api/contact/{id}', serve: get },
    { id: 'supplier.contact.add', verbs: ['POST'], path: 'supplier.api/contact', serve: add },
    { id: 'supplier.contact.update', verbs: ['PUT'], path: 'supplier.api/contact/{id}', serve: update },
  ] satisfies readonly Operation[]
).map((operation) => ({ ...operation, isAbsentInPractice: true }));
