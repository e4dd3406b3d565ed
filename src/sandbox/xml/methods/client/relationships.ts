import { type RelationshipFields, relationshipTypes } from '../../../records/kinds/clients.ts';
import type { StoredRecord } from '../../../records/kinds.ts';
import { relationshipRows } from '../../../tables/clients/relationship.ts';
import { some } from '../../../tables/table.ts';
import type { Answer, Operation, XmlCall } from '../../call.ts';
import { ofElement, requireId } from '../../record/identify.ts';
import { ofRoot, type Message } from '../../http/message.ts';
import { valuesAfter } from '../../record/record.ts';
import { invalidValue, missing, Refusal } from '../../refusal.ts';
import { readChoice, readCount } from '../../../tables/values.ts';
import { changeClient } from './write.ts';

const withShares = new Set(['Shareholder', 'Owner']);
const withPercentage = new Set(['Partner']);

async function add(call: XmlCall): Promise<Answer> {
  const message = messageOf(call);
  requireId(call, message, ['Relationship'], 'Client');
  requireId(call, message, ['Relationship'], 'RelatedClient');
  const given = message?.text('Type') ?? '';
  if (given.trim() === '') throw missing('Relationship', 'Type');
  const type = readChoice(given, relationshipTypes);
  if (type === undefined) throw invalidValue('Type');
  const client = await ofElement(call, 'client', message, 'Client');
  const related = await ofElement(call, 'client', message, 'RelatedClient');
  const fields = await fieldsAfter(call, message, type);
  const relationship = { name: type, fields, owner: client.uuid, other: related.uuid };
  await call.records.insert('relationship', relationship, call.now);
  await changeClient(call, client);
  return { answer: 'status' };
}

async function update(call: XmlCall): Promise<Answer> {
  const { message, relationship } = await givenRelationship(call);
  const fields = await fieldsAfter(call, message, relationship.name, relationship);
  await call.records.update(relationship, { fields }, call.now);
  await touchClient(call, relationship);
  return { answer: 'status' };
}

async function remove(call: XmlCall): Promise<Answer> {
  const { relationship } = await givenRelationship(call);
  await call.records.update(relationship, { isDeleted: true }, call.now);
  await touchClient(call, relationship);
  return { answer: 'status' };
}

async function givenRelationship(
  call: XmlCall,
): Promise<{ readonly message: Message | undefined; readonly relationship: StoredRecord<'relationship'> }> {
  const message = messageOf(call);
  requireId(call, message, ['Relationship']);
  return { message, relationship: await ofElement(call, 'relationship', message) };
}

function messageOf(call: XmlCall): Message | undefined {
  if (!call.dialect.practice) throw new Refusal('This method needs the practice management module');
  return ofRoot(call.message, 'Relationship');
}

const fieldRows = some(relationshipRows, 'percentage', 'startDate', 'endDate');

/** Absent elements keep their value, empty ones clear it. One specified form prints `NumberOfShared`. */
async function fieldsAfter(
  call: XmlCall,
  message: Message | undefined,
  type: string,
  before?: StoredRecord<'relationship'>,
): Promise<RelationshipFields> {
  if (message?.text('Percentage')?.trim() && !withPercentage.has(type)) throw invalidValue('Percentage');
  const { fields } = await valuesAfter<'relationship'>(call, fieldRows, 'Relationship', message, before);
  const element = message?.text('NumberOfShares') === undefined ? 'NumberOfShared' : 'NumberOfShares';
  const shares = message?.text(element);
  const known = before?.fields.numberOfShares ?? '';
  const numberOfShares = shares === undefined ? known : sharesOf(shares, type);
  return { ...fields, numberOfShares };
}

function sharesOf(given: string, type: string): string {
  if (given.trim() === '') return '';
  const shares = withShares.has(type) ? readCount(given) : undefined;
  if (shares === undefined) throw invalidValue('NumberOfShares');
  return String(shares);
}

async function touchClient(call: XmlCall, relationship: StoredRecord<'relationship'>): Promise<void> {
  const client = await call.records.byUuid('client', relationship.owner ?? '');
  if (client) await changeClient(call, client);
}

/** Specified as POST; other forms and some programs use PUT. */
const verbs = ['POST', 'PUT'] as const;

export const clientRelationships: readonly Operation[] = [
  { id: 'client.relationship.add', verbs, path: 'client.api/addrelationship', serve: add },
  {
    id: 'client.relationship.update',
    verbs,
    verbsInPractice31: ['PUT'],
    path: 'client.api/updaterelationship',
    serve: update,
  },
  { id: 'client.relationship.delete', verbs, path: 'client.api/deleterelationship', serve: remove },
];
