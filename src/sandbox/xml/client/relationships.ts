import { type RelationshipFields, relationshipTypes } from '../../records/kinds/clients.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { Answer, Operation, XmlCall } from '../call.ts';
import { ofElement, requireId } from '../identify.ts';
import { ofRoot, type Message } from '../message.ts';
import { invalidValue, missing, Refusal } from '../refusal.ts';
import { readChoice, readDate, readDecimal, readInteger } from '../values.ts';
import { changeClient } from './write.ts';

const withShares = new Set(['Shareholder', 'Owner']);
const withPercentage = new Set(['Partner']);

const blank: RelationshipFields = { numberOfShares: '', percentage: '', startDate: '', endDate: '' };

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
  const fields = fieldsAfter(message, type, blank);
  const relationship = { name: type, fields, owner: client.uuid, other: related.uuid };
  await call.records.insert('relationship', relationship, call.now);
  await changeClient(call, client);
  return { answer: 'status' };
}

async function update(call: XmlCall): Promise<Answer> {
  const { message, relationship } = await givenRelationship(call);
  const fields = fieldsAfter(message, relationship.name, relationship.fields);
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

/** Absent elements keep their value, empty ones clear it. One form prints `NumberOfShared`. */
function fieldsAfter(
  message: Message | undefined,
  type: string,
  before: RelationshipFields,
): RelationshipFields {
  const shares = message?.text('NumberOfShares') ?? message?.text('NumberOfShared');
  return {
    numberOfShares: after('NumberOfShares', shares, before.numberOfShares, (given) =>
      withShares.has(type) ? readShares(given) : undefined,
    ),
    percentage: after('Percentage', message?.text('Percentage'), before.percentage, (given) =>
      withPercentage.has(type) ? readDecimal(given) : undefined,
    ),
    startDate: after('StartDate', message?.text('StartDate'), before.startDate, readDate),
    endDate: after('EndDate', message?.text('EndDate'), before.endDate, readDate),
  };
}

const readShares = (given: string): string | undefined => {
  const shares = readInteger(given);
  return shares?.startsWith('-') ? undefined : shares;
};

function after(
  element: string,
  given: string | undefined,
  before: string,
  read: (given: string) => string | undefined,
): string {
  if (given === undefined) return before;
  if (given.trim() === '') return '';
  const value = read(given);
  if (value === undefined) throw invalidValue(element);
  return value;
}

async function touchClient(call: XmlCall, relationship: StoredRecord<'relationship'>): Promise<void> {
  const client = await call.records.byUuid('client', relationship.owner ?? '');
  if (client) await changeClient(call, client);
}

/** Printed as POST; PUT is what other forms and some programs send. */
const verbs = ['POST', 'PUT'] as const;

export const clientRelationships: readonly Operation[] = [
  { id: 'client.relationship.add', verbs, path: 'client.api/addrelationship', serve: add },
  { id: 'client.relationship.update', verbs, path: 'client.api/updaterelationship', serve: update },
  { id: 'client.relationship.delete', verbs, path: 'client.api/deleterelationship', serve: remove },
];
