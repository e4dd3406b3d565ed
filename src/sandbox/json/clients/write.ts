/**
 * What V2 stores of a client from a request: the values of its table, its lists (addresses, contacts, groups,
 * relationships), and the number whose key differs by country.
 */
import { z } from 'zod';
import { type ClientFields, relationshipTypes } from '../../records/kinds/clients.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import { clientRows } from '../../tables/clients/client.ts';
import { contactRows } from '../../tables/clients/contact.ts';
import { some } from '../../tables/table.ts';
import { searchText } from '../../xml/methods/client/search-text.ts';
import { readMonth } from '../../tables/values.ts';
import type { JsonCall } from '../operation/call.ts';
import { terms, termsAfter } from './terms.ts';
import { customValuesAfter, customValuesIn } from '../record/custom-values.ts';
import { ofBody, ofPath } from '../record/find.ts';
import { bodiesOf, type Body, storedAfter } from '../record/record.ts';
import { fieldErrors, invalid } from '../operation/refusal.ts';
import {
  amountOptional,
  dayOptional,
  flagOptional,
  idIn,
  idOptional,
  joinedName,
  partsOfName,
  requiredText,
  textAfter,
  textIn,
  two,
} from '../record/values.ts';

const address = z.object({
  type: z.enum(['postal', 'billing']),
  default: flagOptional,
  address: textIn,
  city: textIn,
  state: textIn,
  postalCode: textIn,
  country: textIn,
});

const nameParts = { firstName: textIn, lastName: textIn };

const contact = z.object({
  uuid: idOptional,
  ...nameParts,
  ...bodiesOf(contactRows.filter(({ at }) => at !== 'favourite')).made.shape,
});
type GivenContact = z.infer<typeof contact> & { readonly primary?: boolean | null };

/** Changes to a contact alone. `linkedChanges` adds its place at a client. */
export const contactChanges = z.object({
  ...nameParts,
  ...bodiesOf(some(contactRows, 'salutation', 'addressee', 'phone', 'mobile', 'email', 'favourite')).made
    .shape,
  archived: flagOptional,
  customFields: customValuesIn,
});
export const linkedChanges = contactChanges.extend(
  bodiesOf(some(contactRows, 'position', 'isPrimary', 'includeInEmails')).made.shape,
);

const relationship = z.object({
  relatedClientUuid: idIn,
  type: z.enum(relationshipTypes),
  numberOfShare: z.int().min(0).nullish(),
  percentage: amountOptional,
  startDate: dayOptional,
  endDate: dayOptional,
});

/** Each country has its own key for the same number. */
const numbers = {
  taxNumber: ['taxNumber', 'taxFileNumber', 'irdNumber', 'vatNumber'],
  companyNumber: ['companyNumber', 'acn'],
  businessNumber: ['abn/Wpn', 'nzbn'],
  branch: ['branch/Cac/Ica'],
} as const;

export const clientChanges = z.object({
  name: requiredText.optional(),
  ...bodiesOf(clientRows).made.shape,
  addresses: z.array(address).optional(),
  ...Object.fromEntries(Object.values(numbers).flatMap((keys) => keys.map((key) => [key, textIn]))),
  yearEndDate: dayOptional,
  balanceDate: textIn,
  ...terms,
  groups: z.array(z.object({ uuid: idIn })).optional(),
  customFields: customValuesIn,
  contacts: z.array(contact).optional(),
  relationships: z.array(relationship).optional(),
});
export type ClientChanges = z.infer<typeof clientChanges>;
type Client = StoredRecord<'client'>;

/** Creates a client, or changes one. Throws `JsonRefusal`. */
export async function writeClient(
  call: JsonCall,
  body: ClientChanges,
  before: Client | undefined,
): Promise<Client> {
  const { fields: ofRows } = await storedAfter<'client'>(call, clientRows, body, before);
  const fields = {
    ...ofRows,
    ...furtherAfter(body, before?.fields),
    ...termsAfter(body, before?.fields),
  } as ClientFields;
  const name = nameAfter(body, before, fields);
  const customValues = await customValuesAfter(call, 'Client', body, before);
  const client = before ?? (await call.records.insert('client', { name, fields, customValues }, call.now));
  await writeContacts(call, client.uuid, body);
  await writeGroups(call, client.uuid, body);
  await writeRelationships(call, client.uuid, body);
  await settle(call, client, { name, fields, customValues });
  return ofPath(call.records, 'client', client.uuid);
}

/**
 * Stores a client with an up-to-date search text; without `changes`, only records that something of the
 * client changed.
 */
export async function settle(
  call: JsonCall,
  client: Client,
  changes: Partial<Pick<Client, 'name' | 'fields' | 'customValues'>> = {},
): Promise<void> {
  const contacts = await call.records.owned('contact', client);
  const search = searchText(changes.name ?? client.name, changes.fields ?? client.fields, contacts);
  await call.records.update(client, { ...changes, search }, call.now);
}

/** An individual may be given by first and last name alone. */
function nameAfter(body: ClientChanges, before: Client | undefined, fields: ClientFields): string {
  if (body.name !== undefined) return body.name;
  if (before) return before.name;
  if (fields.businessStructure !== 'Individual') throw invalid('name', 'name is required');
  const missing = (['firstName', 'lastName'] as const).filter((part) => fields[part] === '');
  if (missing.length > 0)
    throw fieldErrors(missing.map((field) => ({ field, message: `${field} is required` })));
  return joinedName(fields.firstName, fields.lastName);
}

/** The values that the table cannot express. */
const furtherAfter = (body: ClientChanges, before: ClientFields | undefined): Partial<ClientFields> => ({
  ...addressesAfter(body),
  balanceMonth: monthAfter(body, before?.balanceMonth ?? ''),
  ...Object.fromEntries(
    Object.entries(numbers).map(([field, keys]) => [
      field,
      textAfter(
        firstGiven(...keys.map((key) => (body as Body)[key])),
        before?.[field as keyof typeof numbers],
      ),
    ]),
  ),
});

const firstGiven = (...given: readonly unknown[]): string | null | undefined =>
  given.find((one) => one !== undefined) as string | null | undefined;

/** A month by its name or number, or a date in it. */
function monthAfter(
  { balanceDate, yearEndDate }: ClientChanges,
  before: ClientFields['balanceMonth'],
): ClientFields['balanceMonth'] {
  const given = firstGiven(balanceDate, yearEndDate);
  if (given === undefined) return before;
  if (given === null || given === '') return '';
  const month = readMonth(given) ?? readMonth(String(Number(/^\d{4}-(\d{2})/.exec(given)?.[1] ?? NaN)));
  if (month === undefined) throw invalid('balanceDate', 'balanceDate must name a month');
  return month as ClientFields['balanceMonth'];
}

/** `addresses[]`, if present, replaces all addresses. */
function addressesAfter(body: ClientChanges): Partial<ClientFields> {
  const of = (type: 'postal' | 'billing') => body.addresses?.find((one) => one.type === type);
  const billing = of('billing');
  const postal = of('postal');
  if (!body.addresses) return {};
  return {
    address: billing?.address ?? '',
    city: billing?.city ?? '',
    region: billing?.state ?? '',
    postCode: billing?.postalCode ?? '',
    country: billing?.country ?? '',
    postalAddress: postal?.address ?? '',
    postalCity: postal?.city ?? '',
    postalRegion: postal?.state ?? '',
    postalPostCode: postal?.postalCode ?? '',
    postalCountry: postal?.country ?? '',
  };
}

/**
 * Changes contacts with known UUIDs and creates the others. If several are primary, the last counts. Removes
 * none.
 */
async function writeContacts(call: JsonCall, client: string, body: ClientChanges): Promise<void> {
  const contacts: readonly GivenContact[] | undefined = body.contacts;
  if (!contacts || contacts.length === 0) return;
  const known = new Map((await call.records.owned('contact', client)).map((one) => [one.uuid, one]));
  const primary = contacts.findLast((one) => one.primary === true);
  for (const [at, given] of contacts.entries()) {
    const before = given.uuid ? known.get(given.uuid.toLowerCase()) : undefined;
    if (given.uuid && !before) throw invalid(`contacts[${at}].uuid`, 'names no contact of this client');
    const written = await contactAfter(call, given, before, given === primary);
    if (written.name === '') throw invalid(`contacts[${at}].firstName`, 'firstName is required');
    if (before) await call.records.update(before, written, call.now);
    else await call.records.insert('contact', { ...written, owner: client }, call.now);
  }
  if (!primary) return;
  for (const one of known.values())
    if (one.fields.isPrimary && !contacts.some(({ uuid }) => uuid?.toLowerCase() === one.uuid))
      await call.records.update(one, { fields: { ...one.fields, isPrimary: false } }, call.now);
}

/** The name of a contact after a call: a part that is absent is kept, null clears it. */
export function contactNameAfter(
  given: { readonly firstName?: string | null | undefined; readonly lastName?: string | null | undefined },
  before: StoredRecord<'contact'> | undefined,
): { readonly name: string; readonly firstName: string } {
  const parts = before ? partsOfName(before) : { firstName: '', lastName: '' };
  const firstName = textAfter(given.firstName, parts.firstName);
  return { name: joinedName(firstName, textAfter(given.lastName, parts.lastName)), firstName };
}

async function contactAfter(
  call: JsonCall,
  given: GivenContact,
  before: StoredRecord<'contact'> | undefined,
  isPrimary: boolean,
) {
  const { primary } = given;
  const { name, firstName } = contactNameAfter(given, before);
  const { fields } = await storedAfter<'contact'>(call, contactRows, given, before);
  return {
    name,
    fields: {
      ...(fields as StoredRecord<'contact'>['fields']),
      firstName,
      isPrimary: isPrimary || (primary === undefined && (before?.fields.isPrimary ?? false)),
    },
  };
}

/** Replaces the client's groups by the given ones. */
async function writeGroups(call: JsonCall, client: string, { groups }: ClientChanges): Promise<void> {
  if (!groups) return;
  const wanted = new Set<string>();
  for (const [at, { uuid }] of groups.entries())
    wanted.add((await ofBody(call, 'group', uuid, `groups[${at}].uuid`)).uuid);
  for (const member of await call.records.owned('groupMember', client))
    if (!wanted.delete(member.other ?? '')) await call.records.update(member, { isDeleted: true }, call.now);
  for (const group of wanted)
    await call.records.insert('groupMember', { name: '', fields: {}, owner: client, other: group }, call.now);
}

/** Replaces the client's relationships by the given ones. */
async function writeRelationships(
  call: JsonCall,
  client: string,
  { relationships }: ClientChanges,
): Promise<void> {
  if (!relationships) return;
  for (const one of await call.records.owned('relationship', client))
    await call.records.update(one, { isDeleted: true }, call.now);
  for (const [at, given] of relationships.entries()) {
    const related = await ofBody(
      call,
      'client',
      given.relatedClientUuid,
      `relationships[${at}].relatedClientUuid`,
    );
    const fields = {
      numberOfShares: typeof given.numberOfShare === 'number' ? String(given.numberOfShare) : '',
      percentage: typeof given.percentage === 'number' ? two(given.percentage) : '',
      startDate: given.startDate ?? '',
      endDate: given.endDate ?? '',
    };
    await call.records.insert(
      'relationship',
      { name: given.type, fields, owner: client, other: related.uuid },
      call.now,
    );
  }
}
