import { z } from 'zod';
import { groupRows } from '../../tables/group.ts';
import type { JsonCall } from '../call.ts';
import { groupShown } from '../clients/views.ts';
import { ofBody } from '../find.ts';
import { areaBeyond, list, one } from '../operation.ts';
import { pageOf, shown } from '../page.ts';
import { bodiesOf, changesOf, newRecord, storedAfter } from '../record.ts';
import { deleted, messageShape } from '../refs.ts';
import { touch } from '../relink.ts';
import { idIn } from '../values.ts';

const member = z.object({ uuid: idIn });
const clients = { clients: z.array(member).optional() };
const bodies = bodiesOf(groupRows, clients);
type Clients = z.infer<typeof clients.clients>;

const membersOf = async (call: JsonCall, group: string) =>
  (await call.records.joinedTo('groupMember', [group])).get(group) ?? [];

async function join(call: JsonCall, group: string, uuid: string, field: string): Promise<void> {
  const client = await ofBody(call, 'client', uuid, field);
  if ((await membersOf(call, group)).some(({ owner }) => owner === client.uuid)) return;
  await call.records.insert(
    'groupMember',
    { name: '', fields: {}, owner: client.uuid, other: group },
    call.now,
  );
  await touch(call, 'client', client.uuid);
  await touch(call, 'group', group);
}

/** The clients that are given are the members. */
async function replaceMembers(call: JsonCall, group: string, clients: Clients): Promise<void> {
  if (!clients) return;
  const wanted = new Set(clients.map(({ uuid }) => uuid.toLowerCase()));
  for (const one of await membersOf(call, group))
    if (!wanted.has(one.owner ?? '')) await call.records.update(one, { isDeleted: true }, call.now);
  for (const [at, { uuid }] of clients.entries()) await join(call, group, uuid, `clients[${at}].uuid`);
}

/** `{clientUUID}` and `{clients: [{uuid}]}` are met as well. */
function asMember(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const given = new Map(Object.entries(body).map(([key, value]) => [key.toLowerCase(), value as unknown]));
  const clients = given.get('clients');
  if (Array.isArray(clients)) return clients[0];
  return { uuid: given.get('uuid') ?? given.get('clientuuid') };
}

export const clientGroups = areaBeyond('Client groups', [
  list({
    id: 'v2.client-groups.list',
    path: '/client-groups',
    summary: 'List client groups',
    response: groupShown.response,
    serve: (call) => shown(pageOf(call, 'group'), (rows) => groupShown.views(call, rows)),
  }),
  one({
    id: 'v2.client-groups.get',
    method: 'GET',
    path: '/client-groups/{UUID}',
    summary: 'Get a client group',
    on: { UUID: 'group' },
    response: groupShown.response,
    serve: (call, on) => groupShown.view(call, on.UUID.uuid),
  }),
  one({
    id: 'v2.client-groups.create',
    method: 'POST',
    path: '/client-groups',
    summary: 'Create a client group',
    body: bodies.made,
    example: { name: 'Retainers', taxable: true, clients: [{ uuid: '{client}' }] },
    response: groupShown.response,
    serve: async (call, _on, body) => {
      const record = newRecord(await storedAfter<'group'>(call, groupRows, body));
      const group = await call.records.insert('group', record, call.now);
      await replaceMembers(call, group.uuid, body.clients as Clients);
      return groupShown.view(call, group.uuid);
    },
  }),
  one({
    id: 'v2.client-groups.update',
    method: 'PUT',
    path: '/client-groups/{UUID}',
    summary: 'Update a client group',
    notes: '`clients[]`, where present, are the members from now on.',
    on: { UUID: 'group' },
    body: bodies.changed,
    example: { favourite: true },
    response: groupShown.response,
    serve: async (call, { UUID: group }, body) => {
      const after = await storedAfter<'group'>(call, groupRows, body, group);
      await call.records.update(group, changesOf(after), call.now);
      await replaceMembers(call, group.uuid, body.clients as Clients);
      return groupShown.view(call, group.uuid);
    },
  }),
  one({
    id: 'v2.client-groups.delete',
    method: 'DELETE',
    path: '/client-groups/{UUID}',
    summary: 'Delete a client group',
    on: { UUID: 'group' },
    response: messageShape,
    serve: async (call, { UUID: group }) => {
      for (const one of await membersOf(call, group.uuid))
        await call.records.update(one, { isDeleted: true }, call.now);
      await call.records.update(group, { isDeleted: true }, call.now);
      return deleted('client group');
    },
  }),
  one({
    id: 'v2.client-groups.add-client',
    method: 'POST',
    path: '/client-groups/{UUID}/client',
    summary: 'Add a client to a group',
    notes: '`{clientUUID}` and `{clients: [{uuid}]}` are taken as well. Nothing takes a client out again.',
    makesNothing: true,
    on: { UUID: 'group' },
    body: member,
    prepare: asMember,
    example: { uuid: '{client}' },
    response: groupShown.response,
    serve: async (call, { UUID: group }, body) => {
      await join(call, group.uuid, body.uuid, 'uuid');
      return groupShown.view(call, group.uuid);
    },
  }),
]);
