/**
 * Finds the records that a path or a message names, by number, UUID or text number, whichever form the caller
 * uses.
 */
import { isUuid } from '../../../lib/text/uuid.ts';
import { type CodedKind, codedKinds } from '../../records/codes.ts';
import { isOfAnotherClient } from '../../records/contact-rules.ts';
import type { Kind, StoredRecord } from '../../records/kinds.ts';
import type { Records } from '../../records/records.ts';
import type { XmlCall } from '../call.ts';
import { idElement, type IdForm } from '../dialect.ts';
import type { Message } from '../http/message.ts';
import { missing, Refusal } from '../refusal.ts';
import { filled } from '../../tables/values.ts';

/**
 * `Invalid client identifier` and `Invalid contact identifier` were seen; the others are modelled on them.
 */
const kindNames: Partial<Record<Kind, string>> = {
  supplierContact: 'contact',
  jobTask: 'task',
  jobCost: 'cost',
  customField: 'custom field',
  leadCategory: 'category',
  purchaseOrder: 'purchase order',
};

/** The refusal of an identifier that no record has. */
export const unknownRecord = (kind: Kind): Refusal =>
  new Refusal(`Invalid ${kindNames[kind] ?? kind} identifier`);

const NUMBER = /^[1-9]\d{0,9}$/;
/** Kinds that disappear with their owner. */
const belonging: Partial<Record<Kind, Kind>> = {
  contact: 'client',
  supplierContact: 'supplier',
  jobTask: 'job',
  jobCost: 'job',
};
/** Returns the record that `{id}` in the path names. Throws `Refusal`. */
export async function ofPath<K extends Kind>(call: XmlCall, kind: K): Promise<StoredRecord<K>> {
  const given = call.identifier.trim();
  const found = codedKinds.has(kind)
    ? ((await call.records.byCode(kind, given)) ?? (await byUuid(call, kind, given)))
    : ((await byNumber(call, kind, given)) ?? (await byUuid(call, kind, given)));
  return living(call.records, kind, found);
}

/**
 * Returns the job (or another record with a text number) that an element of a message names: by that number
 * on V1 and V3, by UUID where the form has UUIDs. Absent and empty both count as missing. Throws `Refusal`.
 */
export async function ofCode<K extends CodedKind>(
  call: XmlCall,
  kind: K,
  parent: Message | undefined,
  path: readonly [string, string],
): Promise<StoredRecord<K>> {
  const given = filled(parent?.text(path[1])?.trim()) ?? uuidBeside(call, parent, path[1]);
  if (!given) throw missing(...path);
  const found = (await call.records.byCode(kind, given)) ?? (await byUuid(call, kind, given));
  if (!found) throw unknownRecord(kind);
  return found;
}

/** Programs that read the UUIDs of jobs send them back. */
const uuidBeside = (call: XmlCall, parent: Message | undefined, element: string): string | undefined =>
  element === 'ID' && call.dialect.ids !== 'id' ? parent?.text('UUID')?.trim() : undefined;

/**
 * Finds a record by an identifier in plain text: of an attribute, or of `Task` and `Staff` of a time sheet.
 * Throws `Refusal`.
 */
export async function ofText<K extends Kind>(
  call: XmlCall,
  kind: K,
  given: string,
): Promise<StoredRecord<K>> {
  const text = given.trim();
  return living(call.records, kind, (await byNumber(call, kind, text)) ?? (await byUuid(call, kind, text)));
}

/** Returns the record that `ID`, or `…ID`, of a message names; empty counts as missing. Throws `Refusal`. */
export async function ofElement<K extends Kind>(
  call: XmlCall,
  kind: K,
  parent: Message | undefined,
  of = '',
): Promise<StoredRecord<K>> {
  const { number, uuid } = givenIn(call.dialect.ids, parent, of);
  const byGivenNumber = number ? await byNumber(call, kind, number) : undefined;
  const byGivenUuid = uuid ? await byUuid(call, kind, uuid) : undefined;
  // Both may be given in transition mode; then they must name the same record.
  if (number && uuid && byGivenNumber?.uuid !== byGivenUuid?.uuid) throw unknownRecord(kind);
  return living(call.records, kind, byGivenNumber ?? byGivenUuid);
}

/** Throws `Refusal` if the identifier is absent or empty, before any identifier is looked up. */
export function requireId(
  call: XmlCall,
  parent: Message | undefined,
  path: readonly string[],
  of = '',
): void {
  const { number, uuid } = givenIn(call.dialect.ids, parent, of);
  if (!number && !uuid) throw missing(...path, idElement(call.dialect.ids, of));
}

/**
 * Returns undefined if the element is absent, '' if it is empty, or the UUID of the record. Throws `Refusal`.
 */
export async function reference(
  call: XmlCall,
  kind: Kind,
  parent: Message | undefined,
  of: string,
): Promise<string | undefined> {
  const { number, uuid } = givenIn(call.dialect.ids, parent, of);
  if (number === undefined && uuid === undefined) return undefined;
  if (!number && !uuid) return '';
  return (await ofElement(call, kind, parent, of)).uuid;
}

interface Given {
  readonly number: string | undefined;
  readonly uuid: string | undefined;
}

/** Reads only the elements that this form has; the others are ignored like any unknown element. */
function givenIn(ids: IdForm, parent: Message | undefined, of: string): Given {
  return {
    number: ids === 'uuid' ? undefined : parent?.text(`${of}ID`)?.trim(),
    uuid: ids === 'id' ? undefined : parent?.text(`${of}UUID`)?.trim(),
  };
}

async function byNumber<K extends Kind>(
  call: XmlCall,
  kind: K,
  text: string,
): Promise<StoredRecord<K> | undefined> {
  if (call.dialect.ids === 'uuid' || !NUMBER.test(text)) return undefined;
  return call.records.byNumber(kind, Number(text));
}

async function byUuid<K extends Kind>(
  call: XmlCall,
  kind: K,
  text: string,
): Promise<StoredRecord<K> | undefined> {
  if (call.dialect.ids === 'id' || !isUuid(text)) return undefined;
  return call.records.byUuid(kind, text);
}

/** The contacts of a deleted client and the tasks of a deleted job are not found. */
async function living<K extends Kind>(
  records: Records,
  kind: K,
  record: StoredRecord<K> | undefined,
): Promise<StoredRecord<K>> {
  if (!record) throw unknownRecord(kind);
  const ownerKind = belonging[kind];
  if (ownerKind && !(await records.byUuid(ownerKind, record.owner ?? ''))) throw unknownRecord(kind);
  return record;
}

/**
 * Returns the contact that a message names, which must be one of the client; '' if it names none. Throws
 * `Refusal`.
 */
export async function contactOfClient(
  call: XmlCall,
  message: Message | undefined,
  client: string,
): Promise<string> {
  const uuid = (await reference(call, 'contact', message, 'Contact')) ?? '';
  if (uuid === '') return '';
  const contact = await call.records.byUuid('contact', uuid);
  if (!contact || isOfAnotherClient(contact, client)) throw unknownRecord('contact');
  return uuid;
}
