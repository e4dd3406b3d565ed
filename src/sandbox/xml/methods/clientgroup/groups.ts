import type { StoredRecord } from '../../../records/kinds.ts';
import type { Referring } from '../../../records/referred.ts';
import type { NewRecord } from '../../../records/row.ts';
import { groupRows } from '../../../tables/clients/group.ts';
import { type Answer, methods, type Operation, type XmlCall } from '../../call.ts';
import { idElement } from '../../dialect.ts';
import { list as listField, type Named, namedFields } from '../../record/fields.ts';
import { ofText, reference } from '../../record/identify.ts';
import { ofRoot, type Message } from '../../http/message.ts';
import { valuesAfter } from '../../record/record.ts';
import { missing } from '../../refusal.ts';
import { xmlResource } from '../../record/resource.ts';

type Group = StoredRecord<'group'>;

interface GroupView extends Referring<'group'> {
  readonly clients: readonly Named[];
}

/** A single group includes its members, a list does not. */
const groups = xmlResource<'group', GroupView>({
  kind: 'group',
  rows: groupRows,
  root: 'Group',
  async load({ records }, all, isDetailed) {
    const members = await records.joinedTo('groupMember', isDetailed ? all : []);
    const clients = await records.referred('client', [...members.values()].flat(), ({ owner }) => owner);
    return all.map((group) => ({
      ...group,
      clients: (members.get(group.uuid) ?? [])
        .flatMap(({ owner }) => clients.get(owner ?? '') ?? [])
        .filter(({ isDeleted }) => !isDeleted),
    }));
  },
  further: ({ dialect: { ids } }, isDetailed) =>
    isDetailed
      ? [listField<GroupView, Named>('Clients', 'Client', namedFields(ids), ({ clients }) => clients)]
      : [],
});

async function list(call: XmlCall): Promise<Answer> {
  const all = await call.records.all('group');
  return { answer: 'list', container: 'Groups', records: await groups.written(call, all, false) };
}

const membersOf = async (call: XmlCall, { uuid }: Group) => await call.records.joined('groupMember', uuid);

async function add(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Group');
  const record = (await valuesAfter<'group'>(call, groupRows, 'Group', message)) as NewRecord<'group'>;
  const client = await reference(call, 'client', message, 'Client');
  const group = await call.records.insert('group', record, call.now);
  if (client) await join(call, group, client);
  return groups.answer(call, group);
}

const join = async (call: XmlCall, { uuid }: Group, client: string): Promise<unknown> =>
  call.records.insert('groupMember', { name: '', fields: {}, owner: client, other: uuid }, call.now);

/** Adding a member or removing a non-member has no effect. */
async function members(call: XmlCall): Promise<Answer> {
  const { message, record: group } = await groups.named(call);
  for (const client of await named(call, message, 'add')) {
    const present = await membersOf(call, group);
    if (!present.some(({ owner }) => owner === client)) await join(call, group, client);
  }
  const leaving = new Set(await named(call, message, 'remove'));
  for (const member of await membersOf(call, group))
    if (leaving.has(member.owner ?? '')) await call.records.update(member, { isDeleted: true }, call.now);
  return groups.answer(call, group);
}

/** Reads `<add id="…"/>`, on V3 with `uuid`. Throws `Refusal`. */
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
  const { record: group } = await groups.named(call);
  for (const member of await membersOf(call, group))
    await call.records.update(member, { isDeleted: true }, call.now);
  await call.records.update(group, { isDeleted: true }, call.now);
  return { answer: 'status' };
}

export const groupOperations: readonly Operation[] = methods([
  ['GET', 'clientgroup.list', 'clientgroup.api/list', list],
  ['GET', 'clientgroup.get', 'clientgroup.api/get/{id}', groups.get],
  ['POST', 'clientgroup.add', 'clientgroup.api/add', add],
  ['PUT', 'clientgroup.members', 'clientgroup.api/members', members],
  ['POST', 'clientgroup.delete', 'clientgroup.api/delete', remove],
]);
