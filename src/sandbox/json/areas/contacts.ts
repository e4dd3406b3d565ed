import type { StoredRecord } from '../../records/kinds.ts';
import { contactRows } from '../../tables/clients/contact.ts';
import type { JsonCall } from '../operation/call.ts';
import { contactLinked, contactShown } from '../clients/views.ts';
import { contactChanges, contactNameAfter, linkedChanges, settle } from '../clients/write.ts';
import { customValuesAfter } from '../record/custom-values.ts';
import { fresh } from '../record/find.ts';
import { areaBeyond, one } from '../operation/operation.ts';
import { createOwned, markDeleted, operationsOn } from '../operation/operations-on.ts';
import { type Body, storedAfter } from '../record/record.ts';
import { messageShape } from '../record/refs.ts';
import { invalid, notFound } from '../operation/refusal.ts';
import { relink } from '../record/relink.ts';

type Contact = StoredRecord<'contact'>;

async function after(call: JsonCall, body: Body, before: Contact | undefined) {
  const { name, firstName } = contactNameAfter(body, before);
  if (name === '') throw invalid('firstName', 'firstName is required');
  const { fields } = await storedAfter<'contact'>(call, contactRows, body, before);
  return {
    name,
    fields: { ...(fields as Contact['fields']), firstName },
    isArchived: (body.archived as boolean | null | undefined) ?? before?.isArchived ?? false,
    customValues: await customValuesAfter(call, 'Contact', body, before),
  };
}

async function create(
  call: JsonCall,
  body: Body,
  client: StoredRecord<'client'> | undefined,
): Promise<string> {
  const contact = await call.records.insert(
    'contact',
    { ...(await after(call, body, undefined)), owner: client?.uuid },
    call.now,
  );
  await settleOwner(call, contact);
  return contact.uuid;
}

async function update(call: JsonCall, contact: Contact, body: Body): Promise<Contact> {
  await call.records.update(contact, await after(call, body, contact), call.now);
  const changed = await fresh(call, 'contact', contact.uuid);
  await settleOwner(call, changed);
  return changed;
}

/**
 * Updates the client of a contact: its search text contains the contacts' names, and only one contact is
 * primary.
 */
async function settleOwner(call: JsonCall, contact: Contact): Promise<void> {
  const client = await call.records.byUuid('client', contact.owner ?? '');
  if (!client) return;
  if (contact.fields.isPrimary)
    for (const other of await call.records.owned('contact', client))
      if (other.uuid !== contact.uuid && other.fields.isPrimary)
        await call.records.update(other, { fields: { ...other.fields, isPrimary: false } }, call.now);
  await settle(call, client);
}

/**
 * Links a contact that has no client, or already has this one, to the client. Throws `JsonRefusal` 404 for a
 * contact of another client.
 */
async function link(call: JsonCall, client: StoredRecord<'client'>, contact: Contact, body: Body) {
  if (contact.owner !== undefined && contact.owner !== client.uuid) throw notFound('contact of this client');
  await relink(call, contact, { owner: client.uuid });
  const { uuid } = await update(call, { ...contact, owner: client.uuid }, body);
  return contactLinked.view(call, uuid);
}

async function unlink(call: JsonCall, client: StoredRecord<'client'>, contact: Contact) {
  if (contact.owner !== client.uuid) throw notFound('contact of this client');
  await relink(call, contact, { owner: null });
  await call.records.update(
    contact,
    { fields: { ...contact.fields, isPrimary: false, position: '' } },
    call.now,
  );
  await settle(call, client);
  return { message: 'The contact was removed from the client.' };
}

const example = { firstName: 'Ana', lastName: 'Reed', email: 'ana@saffron.example' };

const operations = operationsOn({
  kind: 'contact',
  id: 'v2.client-contacts',
  path: '/clients/contacts',
  pathOfOne: '/clients/contacts/{contactUUID}',
  word: 'contact',
});

export const clientContacts = areaBeyond('Client contacts', [
  operations.create(contactShown, {
    id: 'v2.client-contacts.create-unlinked',
    body: contactChanges,
    example,
    make: (call, body) => create(call, body, undefined),
  }),
  operations.get(contactShown),
  operations.update(contactShown, {
    body: contactChanges,
    example: { mobile: '+64 21 555 0100' },
    change: update,
  }),
  operations.remove({
    removal: async (call, contact) => {
      await markDeleted(call, contact);
      const client = await call.records.byUuid('client', contact.owner ?? '');
      if (client) await settle(call, client);
    },
  }),
  createOwned(contactShown, 'client', {
    id: 'v2.client-contacts.create',
    path: '/clients/{clientUUID}/contacts',
    summary: 'Create a contact for a client',
    body: linkedChanges,
    example: { ...example, position: 'Owner', primary: true },
    make: (call, client, body) => create(call, body, client),
  }),
  one({
    id: 'v2.client-contacts.update-link',
    method: 'PUT',
    path: '/clients/{clientUUID}/contacts/{contactUUID}',
    summary: 'Update the link between client and contact (position, primary, includeInEmails)',
    notes: 'A contact that was made apart from any client is joined to this one.',
    on: { clientUUID: 'client', contactUUID: 'contact' },
    body: linkedChanges,
    example: { position: 'Director', primary: true },
    response: contactLinked.response,
    serve: (call, { clientUUID: client, contactUUID: contact }, body) => link(call, client, contact, body),
  }),
  one({
    id: 'v2.client-contacts.unlink',
    method: 'DELETE',
    path: '/clients/{clientUUID}/contacts/{contactUUID}',
    summary: 'Remove a contact from a client',
    on: { clientUUID: 'client', contactUUID: 'contact' },
    response: messageShape,
    serve: (call, { clientUUID: client, contactUUID: contact }) => unlink(call, client, contact),
  }),
]);
