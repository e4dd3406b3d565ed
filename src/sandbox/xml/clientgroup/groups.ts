import type { StoredRecord } from '../../records/kinds.ts';
import type { NewRecord } from '../../records/row.ts';
import { groupRows } from '../../tables/group.ts';
import type { Answer, Operation, XmlCall } from '../call.ts';
import { idElement } from '../dialect.ts';
import { identified, list as listField, type Named, namedFields, recordWriter } from '../fields.ts';
import { ofElement, ofPath, ofText, reference, requireId } from '../identify.ts';
import { ofRoot, type Message } from '../message.ts';
import { elementsOf, valuesAfter } from '../record.ts';
import { missing } from '../refusal.ts';

type Group = StoredRecord<'group'>;

interface GroupView extends Group {
  readonly clients: readonly Named[];
}

async function list(call: XmlCall): Promise<Answer> {
  const all = await call.records.all('group');
  const write = recordWriter('Group', groupFields(call, false));
  return {
    answer: 'list',
    container: 'Groups',
    records: all.map((group) => write({ ...group, clients: [] })),
  };
}

async function get(call: XmlCall): Promise<Answer> {
  return groupAnswer(call, await ofPath(call, 'group'));
}

/** With its members. */
async function groupAnswer(call: XmlCall, group: Group): Promise<Answer> {
  const members = await membersOf(call, group);
  const clients = await call.records.referred('client', members, ({ owner }) => owner);
  const living = members.flatMap(({ owner }) => clients.get(owner ?? '') ?? []);
  const view = { ...group, clients: living.filter(({ isDeleted }) => !isDeleted) };
  return { answer: 'record', xml: recordWriter('Group', groupFields(call, true))(view) };
}

const groupFields = ({ dialect: { ids } }: XmlCall, withClients: boolean) =>
  identified<GroupView>(ids, [
    ...elementsOf<'group', GroupView>(groupRows, ids),
    ...(withClients
      ? [listField<GroupView, Named>('Clients', 'Client', namedFields(ids), ({ clients }) => clients)]
      : []),
  ]);

const membersOf = async (call: XmlCall, { uuid }: Group) => await call.records.joined('groupMember', uuid);

async function add(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Group');
  const record = (await valuesAfter<'group'>(call, groupRows, 'Group', message)) as NewRecord<'group'>;
  const client = await reference(call, 'client', message, 'Client');
  const group = await call.records.insert('group', record, call.now);
  if (client) await join(call, group, client);
  return groupAnswer(call, group);
}

const join = async (call: XmlCall, { uuid }: Group, client: string): Promise<unknown> =>
  call.records.insert('groupMember', { name: '', fields: {}, owner: client, other: uuid }, call.now);

/** Whoever is in the group already, or is not in it, stays so. */
async function members(call: XmlCall): Promise<Answer> {
  const { message, group } = await givenGroup(call);
  for (const client of await named(call, message, 'add')) {
    const present = await membersOf(call, group);
    if (!present.some(({ owner }) => owner === client)) await join(call, group, client);
  }
  const leaving = new Set(await named(call, message, 'remove'));
  for (const member of await membersOf(call, group))
    if (leaving.has(member.owner ?? '')) await call.records.update(member, { isDeleted: true }, call.now);
  return groupAnswer(call, group);
}

/** `<add id="…"/>`, `uuid` on V3. Throws `Refusal`. */
async function named(
  call: XmlCall,
  message: Message | undefined,
  element: 'add' | 'remove',
): Promise<readonly string[]> {
  const attribute = idElement(call.dialect.ids).toLowerCase();
  const clients: string[] = [];
  for (const entry of message?.children(element) ?? []) {
    const given = entry.attribute(attribute) ?? (call.dialect.ids === 'both' ? entry.attribute('uuid') : '');
    if (!given?.trim()) throw missing('Group', element, `@${attribute}`);
    clients.push((await ofText(call, 'client', given)).uuid);
  }
  return clients;
}

async function remove(call: XmlCall): Promise<Answer> {
  const { group } = await givenGroup(call);
  for (const member of await membersOf(call, group))
    await call.records.update(member, { isDeleted: true }, call.now);
  await call.records.update(group, { isDeleted: true }, call.now);
  return { answer: 'status' };
}

async function givenGroup(
  call: XmlCall,
): Promise<{ readonly message: Message | undefined; readonly group: Group }> {
  const message = ofRoot(call.message, 'Group');
  requireId(call, message, ['Group']);
  return { message, group: await ofElement(call, 'group', message) };
}

export const groupOperations: readonly Operation[] = [
  { id: 'clientgroup.list', verbs: ['GET'], path: 'clientgroup.api/list', serve: list },
  { id: 'clientgroup.get', verbs: ['GET'], path: 'clientgroup.api/get/{id}', serve: get },
  { id: 'clientgroup.add', verbs: ['POST'], path: 'clientgroup.api/add', serve: add },
  { id: 'clientgroup.members', verbs: ['PUT'], path: 'clientgroup.api/members', serve: members },
  { id: 'clientgroup.delete', verbs: ['POST'], path: 'clientgroup.api/delete', serve: remove },
];
