import { sql } from 'kysely';
import { folded } from '../../records/selection.ts';
import type { JsonCall } from '../operation/call.ts';
import { clientGroupNames, clientListed, clientSaved, clientShown } from '../clients/views.ts';
import { clientChanges, writeClient } from '../clients/write.ts';
import { areaBeyond } from '../operation/operation.ts';
import { operationsOn, ORDERED } from '../operation/operations-on.ts';
import type { Filter } from '../operation/page.ts';
import { badRequest } from '../operation/refusal.ts';

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

/**
 * Matches part of the name, which is the first line of the search text. The text was folded in JavaScript:
 * SQLite folds differently.
 */
const partOfName = (part: string) =>
  sql<boolean>`instr(substr(search, 1, instr(search || char(10), char(10)) - 1), ${part}) > 0`;

const example = {
  name: 'Saffron Studio',
  email: 'office@saffron.example',
  addresses: [{ type: 'billing', address: '1 Quay Street', city: 'Nelson', country: 'New Zealand' }],
  contacts: [{ firstName: 'Ana', lastName: 'Reed', primary: true }],
};

const operations = operationsOn({ kind: 'client', path: '/clients', word: 'client' });

export const clients = areaBeyond('Clients', [
  operations.list(clientListed, {
    notes: 'Archived clients only with `status=archived`. `name` is a part of the name.',
    query: [...ORDERED, 'name', 'status', 'includes'],
    filter: filterOf,
  }),
  operations.get(clientShown, { query: ['includes'] }),
  operations.create(clientSaved, {
    notes: '`name` is required unless the business structure is Individual: then firstName and lastName.',
    body: clientChanges,
    example,
    make: async (call, body) => (await writeClient(call, body, undefined)).uuid,
  }),
  operations.update(clientShown, {
    body: clientChanges,
    example: { phone: '+64 3 555 0100', favorite: true },
    change: (call, client, body) => writeClient(call, body, client),
    groups: clientGroupNames,
  }),
  operations.remove(),
]);
