import { z } from 'zod';
import { groupRows } from '../../tables/clients/group.ts';
import type { JsonCall } from '../operation/call.ts';
import { groupShown } from '../clients/views.ts';
import { ofBody } from '../record/find.ts';
import { areaBeyond, one } from '../operation/operation.ts';
import { markDeleted, operationsOn } from '../operation/operations-on.ts';
import { bodiesOf, changesOf, newRecord, storedAfter } from '../record/record.ts';
import { touch } from '../record/relink.ts';
import { idIn } from '../record/values.ts';

const member = z.object({ uuid: idIn });
const clients = { clients: z.array(member).optional() };
const joining = member.extend(clients);
const bodies = bodiesOf(groupRows, clients);
type Clients = z.infer<typeof clients.clients>;

const membersOf = async (call: JsonCall, group: string) => await call.records.joined('groupMember', group);

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

/** Replaces the members by the given clients. */
async function replaceMembers(call: JsonCall, group: string, clients: Clients): Promise<void> {
  if (!clients) return;
  const wanted = new Set(clients.map(({ uuid }) => uuid.toLowerCase()));
  for (const one of await membersOf(call, group))
    if (!wanted.has(one.owner ?? '')) await call.records.update(one, { isDeleted: true }, call.now);
  await joinAll(call, group, clients);
}

async function joinAll(call: JsonCall, group: string, clients: NonNullable<Clients>): Promise<void> {
  for (const [at, { uuid }] of clients.entries()) await join(call, group, uuid, `clients[${at}].uuid`);
}

/** `{clientUUID}` and `{clients: [{uuid}]}` are also seen. */
function asMember(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const given = new Map(Object.entries(body).map(([key, value]) => [key.toLowerCase(), value as unknown]));
  const clients = given.get('clients');
  if (Array.isArray(clients)) return { ...(clients[0] as object | undefined), clients };
  return { uuid: given.get('uuid') ?? given.get('clientuuid') };
}

const operations = operationsOn({ kind: 'group', path: '/client-groups', word: 'client group' });

export const clientGroups = areaBeyond('Client groups', [
  operations.list(groupShown, { query: [] }),
  operations.get(groupShown),
  operations.create(groupShown, {
    body: bodies.made,
    example: { name: 'Retainers', taxable: true, clients: [{ uuid: '{client}' }] },
    make: async (call, body) => {
      const record = newRecord(await storedAfter<'group'>(call, groupRows, body));
      const group = await call.records.insert('group', record, call.now);
      await replaceMembers(call, group.uuid, body.clients as Clients);
      return group.uuid;
    },
  }),
  operations.update(groupShown, {
    notes: '`clients[]`, where present, are the members from now on.',
    body: bodies.changed,
    example: { favourite: true },
    change: async (call, group, body) => {
      const after = await storedAfter<'group'>(call, groupRows, body, group);
      await call.records.update(group, changesOf(after), call.now);
      await replaceMembers(call, group.uuid, body.clients as Clients);
    },
  }),
  operations.remove({
    removal: async (call, group) => {
      for (const one of await membersOf(call, group.uuid)) await markDeleted(call, one);
      await markDeleted(call, group);
    },
  }),
  one({
    id: 'v2.client-groups.add-client',
    method: 'POST',
    path: '/client-groups/{UUID}/client',
    summary: 'Add a client to a group',
    notes:
      '`{clientUUID}` is taken as well, and `{clients: [{uuid}]}`, which adds them all. Nothing takes a client out again.',
    makesNothing: true,
    on: { UUID: 'group' },
    body: joining,
    prepare: asMember,
    example: { uuid: '{client}' },
    response: groupShown.response,
    serve: async (call, { UUID: group }, body) => {
      const { uuid, clients: all } = body;
      if (!all) await join(call, group.uuid, uuid, 'uuid');
      else await joinAll(call, group.uuid, all);
      return groupShown.view(call, group.uuid);
    },
  }),
]);
