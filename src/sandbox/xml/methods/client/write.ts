import type { ClientFields } from '../../../records/kinds/clients.ts';
import type { RecordFields, StoredRecord } from '../../../records/kinds.ts';
import { clientRows } from '../../../tables/clients/client.ts';
import { type Answer, methods, type Operation, type XmlCall } from '../../call.ts';
import { ofElement, requireId } from '../../record/identify.ts';
import { ofRoot, type Message } from '../../http/message.ts';
import { valuesAfter } from '../../record/record.ts';
import { missing, Refusal } from '../../refusal.ts';
import { contactFieldsAfter } from './elements.ts';
import { searchText } from './search-text.ts';
import { clients } from './view.ts';

type Client = StoredRecord<'client'>;

/** Answers with the client as it is stored now. */
async function freshAnswer(call: XmlCall, { uuid }: Client): Promise<Answer> {
  const client = await call.records.byUuid('client', uuid);
  if (!client) throw new Error('a client is gone within its own transaction');
  return clients.answer(call, client);
}

/** Changes a client, or only marks it as modified because something that belongs to it has changed. */
export async function changeClient(
  call: XmlCall,
  client: Client,
  changes: { readonly name?: string; readonly fields?: ClientFields; readonly isArchived?: boolean } = {},
): Promise<void> {
  const contacts = await call.records.owned('contact', client);
  const search = searchText(changes.name ?? client.name, changes.fields ?? client.fields, contacts);
  await call.records.update(client, { ...changes, search }, call.now);
}

/** Accepts any root, because programs use various names here (`XmlClient`); other methods check it. */
async function add(call: XmlCall): Promise<Answer> {
  const { message } = call;
  if (!message) throw new Refusal(NAME_REQUIRED);
  const name = requiredName(message);
  const contacts = await givenContacts(call, message);
  const { fields } = await valuesAfter<'client'>(call, clientRows, 'Client', message);
  const search = searchText(name, fields, contacts);
  const client = await call.records.insert('client', { name, fields, search }, call.now);
  await call.records.insertAll(
    'contact',
    contacts.map((contact) => ({ ...contact, owner: client.uuid })),
    call.now,
  );
  return clients.answer(call, client);
}

interface GivenContact {
  readonly name: string;
  readonly fields: RecordFields['contact'];
}

/** If several contacts are sent, the last one marked primary is the primary (XML specification, "Contact"). */
async function givenContacts(call: XmlCall, message: Message): Promise<readonly GivenContact[]> {
  const given: GivenContact[] = [];
  for (const contact of message.child('Contacts')?.children('Contact') ?? [])
    given.push({ name: contact.text('Name') ?? '', fields: await contactFieldsAfter(call, contact) });
  if (given.some(({ name }) => name.trim() === '')) throw missing('Client', 'Contacts', 'Contact', 'Name');
  const primary = given.findLast(({ fields }) => fields.isPrimary);
  return given.map((contact) => ({
    ...contact,
    fields: { ...contact.fields, isPrimary: contact === primary },
  }));
}

async function update(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Client');
  requireId(call, message, ['Client']);
  const name = requiredName(message);
  const client = await ofElement(call, 'client', message);
  const { fields } = await valuesAfter<'client'>(call, clientRows, 'Client', message, client);
  await changeClient(call, client, { name, fields });
  return freshAnswer(call, client);
}

async function archive(call: XmlCall): Promise<Answer> {
  const { record: client } = await clients.named(call);
  await changeClient(call, client, { isArchived: true });
  return freshAnswer(call, client);
}

/** Seen on add and on update. */
const NAME_REQUIRED = 'The client name is required';

function requiredName(message: Message | undefined): string {
  const name = message?.text('Name') ?? '';
  if (name.trim() === '') throw new Refusal(NAME_REQUIRED);
  return name;
}

/** A deleted client stays in lists, marked as deleted; its own methods no longer find it. */
export const clientWrites: readonly Operation[] = methods([
  ['POST', 'client.add', 'client.api/add', add],
  ['PUT', 'client.update', 'client.api/update', update],
  ['PUT', 'client.archive', 'client.api/archive', archive],
  ['POST', 'client.delete', 'client.api/delete', clients.remove],
]);
