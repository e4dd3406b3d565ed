import { z } from 'zod';
import { blankContact } from '../../records/kinds/clients.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { clientContact, clientContactLinked } from '../clients/shapes.ts';
import { settle } from '../clients/write.ts';
import { customValuesAfter, customValuesIn, customValuesShown } from '../customValues.ts';
import { fresh } from '../find.ts';
import { areaBeyond, one } from '../operation.ts';
import { deleted, messageShape } from '../refs.ts';
import { invalid, notFound } from '../refusal.ts';
import { relink } from '../relink.ts';
import { flagOptional, joinedName, orNull, partsOfName, textAfter, textIn } from '../values.ts';

const changes = z.object({
  salutation: textIn,
  firstName: textIn,
  lastName: textIn,
  addressee: textIn,
  phone: textIn,
  mobile: textIn,
  email: textIn,
  favourite: flagOptional,
  archived: flagOptional,
  customFields: customValuesIn,
});
const linked = changes.extend({ position: textIn, primary: flagOptional, includeInEmails: flagOptional });
type Changes = z.infer<typeof linked>;
type Contact = StoredRecord<'contact'>;

async function view(call: JsonCall, contact: Contact): Promise<z.infer<typeof clientContact.schema>> {
  const { fields } = contact;
  return {
    uuid: contact.uuid,
    salutation: orNull(fields.salutation),
    ...partsOfName(contact),
    addressee: orNull(fields.addressee),
    phone: orNull(fields.phone),
    mobile: orNull(fields.mobile),
    email: orNull(fields.email),
    favourite: fields.favourite ?? false,
    archived: contact.isArchived,
    customFields: (await customValuesShown(call, 'Contact'))(contact).map(({ uuid, value }) => ({
      uuid,
      value,
    })),
  };
}

async function linkedView(call: JsonCall, contact: Contact) {
  return {
    ...(await view(call, contact)),
    position: orNull(contact.fields.position),
    primary: contact.fields.isPrimary,
    includeInEmails: contact.fields.includeInEmails ?? false,
  };
}

async function after(call: JsonCall, body: Changes, before: Contact | undefined) {
  const known = before?.fields ?? blankContact;
  const parts = before ? partsOfName(before) : { firstName: '', lastName: '' };
  const firstName = textAfter(body.firstName, parts.firstName);
  const name = joinedName(firstName, textAfter(body.lastName, parts.lastName));
  if (name === '') throw invalid('firstName', 'firstName is required');
  return {
    name,
    fields: {
      ...known,
      firstName,
      salutation: textAfter(body.salutation, known.salutation),
      addressee: textAfter(body.addressee, known.addressee),
      phone: textAfter(body.phone, known.phone),
      mobile: textAfter(body.mobile, known.mobile),
      email: textAfter(body.email, known.email),
      position: textAfter(body.position, known.position),
      isPrimary: body.primary ?? known.isPrimary,
      includeInEmails: body.includeInEmails ?? known.includeInEmails ?? false,
      favourite: body.favourite ?? known.favourite ?? false,
    },
    isArchived: body.archived ?? before?.isArchived ?? false,
    customValues: await customValuesAfter(call, 'Contact', body.customFields, before?.customValues),
  };
}

async function create(call: JsonCall, body: Changes, client: StoredRecord<'client'> | undefined) {
  const contact = await call.records.insert(
    'contact',
    { ...(await after(call, body, undefined)), owner: client?.uuid },
    call.now,
  );
  await settleOwner(call, contact);
  return view(call, contact);
}

async function update(call: JsonCall, contact: Contact, body: Changes): Promise<Contact> {
  await call.records.update(contact, await after(call, body, contact), call.now);
  const changed = await fresh(call, 'contact', contact.uuid);
  await settleOwner(call, changed);
  return changed;
}

/** The client is found by its contacts' names, and has one primary contact. */
async function settleOwner(call: JsonCall, contact: Contact): Promise<void> {
  const client = await call.records.byUuid('client', contact.owner ?? '');
  if (!client) return;
  if (contact.fields.isPrimary)
    for (const other of (await call.records.ownedBy('contact', [client.uuid])).get(client.uuid) ?? [])
      if (other.uuid !== contact.uuid && other.fields.isPrimary)
        await call.records.update(other, { fields: { ...other.fields, isPrimary: false } }, call.now);
  await settle(call, client);
}

/** A contact that belongs to nobody may be joined to the client; one of another client is not this client's. */
async function link(call: JsonCall, client: StoredRecord<'client'>, contact: Contact, body: Changes) {
  if (contact.owner !== undefined && contact.owner !== client.uuid) throw notFound('contact of this client');
  await relink(call, contact, { owner: client.uuid });
  return linkedView(call, await update(call, { ...contact, owner: client.uuid }, body));
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

export const clientContacts = areaBeyond('Client contacts', [
  one({
    id: 'v2.client-contacts.create-unlinked',
    method: 'POST',
    path: '/clients/contacts',
    summary: 'Create a contact',
    body: changes,
    example,
    response: clientContact,
    serve: (call, _on, body) => create(call, body, undefined),
  }),
  one({
    id: 'v2.client-contacts.get',
    method: 'GET',
    path: '/clients/contacts/{contactUUID}',
    summary: 'Get a contact',
    on: { contactUUID: 'contact' },
    response: clientContact,
    serve: (call, { contactUUID: contact }) => view(call, contact),
  }),
  one({
    id: 'v2.client-contacts.update',
    method: 'PUT',
    path: '/clients/contacts/{contactUUID}',
    summary: 'Update a contact',
    on: { contactUUID: 'contact' },
    body: changes,
    example: { mobile: '+64 21 555 0100' },
    response: clientContact,
    serve: async (call, { contactUUID: contact }, body) => view(call, await update(call, contact, body)),
  }),
  one({
    id: 'v2.client-contacts.delete',
    method: 'DELETE',
    path: '/clients/contacts/{contactUUID}',
    summary: 'Delete a contact',
    on: { contactUUID: 'contact' },
    response: messageShape,
    serve: async (call, { contactUUID: contact }) => {
      await call.records.update(contact, { isDeleted: true }, call.now);
      const client = await call.records.byUuid('client', contact.owner ?? '');
      if (client) await settle(call, client);
      return deleted('contact');
    },
  }),
  one({
    id: 'v2.client-contacts.create',
    method: 'POST',
    path: '/clients/{clientUUID}/contacts',
    summary: 'Create a contact for a client',
    on: { clientUUID: 'client' },
    body: linked,
    example: { ...example, position: 'Owner', primary: true },
    response: clientContact,
    serve: (call, { clientUUID: client }, body) => create(call, body, client),
  }),
  one({
    id: 'v2.client-contacts.update-link',
    method: 'PUT',
    path: '/clients/{clientUUID}/contacts/{contactUUID}',
    summary: 'Update the link between client and contact (position, primary, includeInEmails)',
    notes: 'A contact that was made apart from any client is joined to this one.',
    on: { clientUUID: 'client', contactUUID: 'contact' },
    body: linked,
    example: { position: 'Director', primary: true },
    response: clientContactLinked,
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
