import type { StoredRecord } from '../../../records/kinds.ts';
import { type Answer, methods, type Operation, type XmlCall } from '../../call.ts';
import { recordWriter } from '../../record/fields.ts';
import { ofElement, ofPath, requireId } from '../../record/identify.ts';
import { ofRoot, type Message } from '../../http/message.ts';
import { missing } from '../../refusal.ts';
import { contactFieldsAfter } from './elements.ts';
import { contactFields } from './view.ts';
import { changeClient } from './write.ts';

type Contact = StoredRecord<'contact'>;

const contactAnswer = (call: XmlCall, contact: Contact): Answer => ({
  answer: 'record',
  xml: recordWriter('Contact', contactFields(call.dialect))(contact),
});

async function get(call: XmlCall): Promise<Answer> {
  return contactAnswer(call, await ofPath(call, 'contact'));
}

async function add(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Contact');
  const owner = message?.child('Client');
  requireId(call, owner, ['Contact', 'Client']);
  const name = requiredName(message);
  const client = await ofElement(call, 'client', owner);
  const fields = await contactFieldsAfter(call, message);
  const contact = await call.records.insert('contact', { name, fields, owner: client.uuid }, call.now);
  await settlePrimary(call, contact);
  await changeClient(call, client);
  return contactAnswer(call, contact);
}

async function update(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Contact');
  const name = requiredName(message);
  const contact = await ofPath(call, 'contact');
  const fields = await contactFieldsAfter(call, message, contact);
  const changed = { ...contact, name, fields };
  await call.records.update(contact, { name, fields }, call.now);
  await settlePrimary(call, changed);
  await touchOwner(call, contact);
  return contactAnswer(call, changed);
}

/** Answers with the contact as it was. */
async function remove(call: XmlCall): Promise<Answer> {
  const contact = await ofPath(call, 'contact');
  await call.records.update(contact, { isDeleted: true }, call.now);
  await touchOwner(call, contact);
  return contactAnswer(call, contact);
}

/** A client has one primary contact: marking one clears the others. */
async function settlePrimary(call: XmlCall, contact: Contact): Promise<void> {
  if (!contact.fields.isPrimary) return;
  const owner = contact.owner ?? '';
  for (const other of await call.records.owned('contact', owner)) {
    if (other.uuid === contact.uuid || !other.fields.isPrimary) continue;
    await call.records.update(other, { fields: { ...other.fields, isPrimary: false } }, call.now);
  }
}

/** Marks a client as modified, because one of its contacts is. */
async function touchOwner(call: XmlCall, contact: Contact): Promise<void> {
  const client = await call.records.byUuid('client', contact.owner ?? '');
  if (client) await changeClient(call, client);
}

function requiredName(message: Message | undefined): string {
  const name = message?.text('Name') ?? '';
  if (name.trim() === '') throw missing('Contact', 'Name');
  return name;
}

export const clientContacts: readonly Operation[] = methods([
  ['GET', 'client.contact.get', 'client.api/contact/{id}', get],
  ['PUT', 'client.contact.update', 'client.api/contact/{id}', update],
  ['DELETE', 'client.contact.delete', 'client.api/contact/{id}', remove],
  ['POST', 'client.contact.add', 'client.api/contact', add],
]);
