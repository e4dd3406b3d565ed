import { sql } from 'kysely';
import { folded } from '../../records/records.ts';
import { includesOf, type JsonCall } from '../call.ts';
import { clientGroupNames, clientListed, clientSaved, clientShown } from '../clients/views.ts';
import { clientChanges, writeClient } from '../clients/write.ts';
import { areaBeyond, list, one } from '../operation.ts';
import { type Filter, pageOf, shown } from '../page.ts';
import { deleted, messageShape } from '../refs.ts';
import { badRequest } from '../refusal.ts';
import { removeWith } from '../relink.ts';

function filterOf(call: JsonCall): Filter {
  const status = (call.query('status') ?? 'active').toLowerCase();
  if (status !== 'active' && status !== 'archived')
    throw badRequest('A parameter is incorrect.', [
      { field: 'status', message: 'must be active or archived' },
    ]);
  const name = call.query('name');
  return {
    isArchived: status === 'archived',
    ...(name !== undefined && { where: (query) => query.where(partOfName(folded(name))) }),
  };
}

/** The name is the first line of what a record is found by; folding is JavaScript's, not SQLite's. */
const partOfName = (part: string) =>
  sql<boolean>`instr(substr(search, 1, instr(search || char(10), char(10)) - 1), ${part}) > 0`;

const example = {
  name: 'Saffron Studio',
  email: 'office@saffron.example',
  addresses: [{ type: 'billing', address: '1 Quay Street', city: 'Nelson', country: 'New Zealand' }],
  contacts: [{ firstName: 'Ana', lastName: 'Reed', primary: true }],
};

export const clients = areaBeyond('Clients', [
  list({
    id: 'v2.clients.list',
    path: '/clients',
    summary: 'List clients',
    notes: 'Archived clients only with `status=archived`. `name` is a part of the name.',
    query: ['sort', 'order', 'updatedSince', 'lastModified', 'name', 'status', 'includes'],
    response: clientListed.response,
    serve: (call) =>
      shown(pageOf(call, 'client', filterOf(call)), (rows) =>
        clientListed.views(call, rows, includesOf(call)),
      ),
  }),
  one({
    id: 'v2.clients.get',
    method: 'GET',
    path: '/clients/{UUID}',
    summary: 'Get a client',
    on: { UUID: 'client' },
    query: ['includes'],
    response: clientShown.response,
    serve: (call, on) => clientShown.view(call, on.UUID.uuid, includesOf(call)),
  }),
  one({
    id: 'v2.clients.create',
    method: 'POST',
    path: '/clients',
    summary: 'Create a client',
    notes: '`name` is required unless the business structure is Individual: then firstName and lastName.',
    body: clientChanges,
    example,
    response: clientSaved.response,
    serve: async (call, _on, body) => clientSaved.view(call, (await writeClient(call, body, undefined)).uuid),
  }),
  one({
    id: 'v2.clients.update',
    method: 'PUT',
    path: '/clients/{UUID}',
    summary: 'Update a client',
    on: { UUID: 'client' },
    body: clientChanges,
    example: { phone: '+64 3 555 0100', favorite: true },
    response: clientShown.response,
    serve: async (call, on, body) =>
      clientShown.view(call, (await writeClient(call, body, on.UUID)).uuid, clientGroupNames),
  }),
  one({
    id: 'v2.clients.delete',
    method: 'DELETE',
    path: '/clients/{UUID}',
    summary: 'Delete a client',
    on: { UUID: 'client' },
    response: messageShape,
    serve: async (call, { UUID: client }) => {
      await removeWith(call, client, []);
      return deleted('client');
    },
  }),
]);
