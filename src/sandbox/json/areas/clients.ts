import { sql } from 'kysely';
import { folded } from '../../records/records.ts';
import { includesOf, type JsonCall } from '../call.ts';
import { clientDetail, clientListItem, clientSaved } from '../clients/shapes.ts';
import {
  clientDetailed,
  clientGroups,
  type ClientGroup,
  clientsListed,
  clientWritten,
} from '../clients/views.ts';
import { clientChanges, writeClient } from '../clients/write.ts';
import { areaBeyond, list, one } from '../operation.ts';
import { type Filter, pageOf, shown } from '../page.ts';
import { deleted, messageShape } from '../refs.ts';
import { badRequest } from '../refusal.ts';
import { removeWith } from '../relink.ts';

function groupsAsked(call: JsonCall): ReadonlySet<ClientGroup> {
  const asked = includesOf(call);
  return new Set(clientGroups.filter((group) => asked.has(group)));
}

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
    response: clientListItem,
    serve: (call) =>
      shown(pageOf(call, 'client', filterOf(call)), (rows) => clientsListed(call, rows, groupsAsked(call))),
  }),
  one({
    id: 'v2.clients.get',
    method: 'GET',
    path: '/clients/{UUID}',
    summary: 'Get a client',
    on: { UUID: 'client' },
    query: ['includes'],
    response: clientDetail,
    serve: (call, on) => clientDetailed(call, on.UUID, groupsAsked(call)),
  }),
  one({
    id: 'v2.clients.create',
    method: 'POST',
    path: '/clients',
    summary: 'Create a client',
    notes: '`name` is required unless the business structure is Individual: then firstName and lastName.',
    body: clientChanges,
    example,
    response: clientSaved,
    serve: async (call, _on, body) => clientWritten(call, await writeClient(call, body, undefined)),
  }),
  one({
    id: 'v2.clients.update',
    method: 'PUT',
    path: '/clients/{UUID}',
    summary: 'Update a client',
    on: { UUID: 'client' },
    body: clientChanges,
    example: { phone: '+64 3 555 0100', favorite: true },
    response: clientDetail,
    serve: async (call, on, body) =>
      clientDetailed(call, await writeClient(call, body, on.UUID), new Set(clientGroups)),
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
