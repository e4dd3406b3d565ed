import type { StoredRecord } from '../../../records/kinds.ts';
import { supplierContactRightRows, supplierContactRows } from '../../../tables/people/supplier.ts';
import { absentInPractice, type Answer, methods, type XmlCall } from '../../call.ts';
import type { IdForm } from '../../dialect.ts';
import { required } from '../../record/elements.ts';
import { type Fields, identified } from '../../record/fields.ts';
import { ofElement, ofPath, requireId } from '../../record/identify.ts';
import { ofRoot, type Message } from '../../http/message.ts';
import { elementsOf, type Path } from '../../record/record.ts';
import { insertRead, updateRead, xmlResource } from '../../record/resource.ts';

const rows = [...supplierContactRows, ...supplierContactRightRows];

/** The elements of a contact of a supplier. */
export const contactElements = (ids: IdForm): Fields<StoredRecord<'supplierContact'>> =>
  identified(ids, elementsOf<'supplierContact'>(rows, ids));

const contacts = xmlResource({ kind: 'supplierContact', rows, root: 'Contact' });

/** Adds a contact from a message to the supplier. */
export const insertContact = (
  call: XmlCall,
  supplier: StoredRecord<'supplier'>,
  path: Path,
  message: Message | undefined,
): Promise<StoredRecord<'supplierContact'>> =>
  insertRead(call, 'supplierContact', rows, path, message, { owner: supplier.uuid });

async function add(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Contact');
  const owner = message?.child('Supplier');
  requireId(call, owner, ['Contact', 'Supplier']);
  required(message, 'Contact', 'Name');
  const supplier = await ofElement(call, 'supplier', owner);
  const contact = await insertContact(call, supplier, 'Contact', message);
  await call.records.update(supplier, {}, call.now);
  return contacts.answer(call, contact);
}

/** One specified form calls the root `Supplier`. */
async function update(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Contact') ?? ofRoot(call.message, 'Supplier');
  required(message, 'Contact', 'Name');
  const contact = await updateRead(call, await ofPath(call, 'supplierContact'), rows, 'Contact', message);
  const supplier = await call.records.byUuid('supplier', contact.owner ?? '');
  if (supplier) await call.records.update(supplier, {}, call.now);
  return contacts.answer(call, contact);
}

export const supplierContacts = absentInPractice(
  methods([
    ['GET', 'supplier.contact.get', 'supplier.api/contact/{id}', contacts.get],
    ['POST', 'supplier.contact.add', 'supplier.api/contact', add],
    ['PUT', 'supplier.contact.update', 'supplier.api/contact/{id}', update],
  ]),
);
