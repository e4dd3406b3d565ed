import { z } from 'zod';
import {
  blankClient,
  type ClientFields,
  blankContact,
  relationshipTypes,
} from '../../records/kinds/clients.ts';
import type { Kind, StoredRecord } from '../../records/kinds.ts';
import { searchText } from '../../xml/client/searchText.ts';
import { readMonth } from '../../xml/values.ts';
import type { JsonCall } from '../call.ts';
import { customValuesAfter, customValuesIn } from '../customValues.ts';
import { ofBody, ofPath, referenceAfter } from '../find.ts';
import { fieldErrors, invalid } from '../refusal.ts';
import {
  amountOptional,
  dayOptional,
  flagOptional,
  idIn,
  idOptional,
  joinedName,
  requiredText,
  textAfter,
  textIn,
  two,
  twoAfter,
} from '../values.ts';

const address = z.object({
  type: z.enum(['postal', 'billing']),
  default: flagOptional,
  address: textIn,
  city: textIn,
  state: textIn,
  postalCode: textIn,
  country: textIn,
});

const contact = z.object({
  uuid: idOptional,
  salutation: textIn,
  firstName: textIn,
  lastName: textIn,
  addressee: textIn,
  position: textIn,
  phone: textIn,
  mobile: textIn,
  email: textIn,
  primary: flagOptional,
  includeInEmails: flagOptional,
});

const relationship = z.object({
  relatedClientUuid: idIn,
  type: z.enum(relationshipTypes),
  numberOfShare: z.int().min(0).nullish(),
  percentage: amountOptional,
  startDate: dayOptional,
  endDate: dayOptional,
});

export const clientChanges = z.object({
  name: requiredText.optional(),
  firstName: textIn,
  lastName: textIn,
  otherName: textIn,
  email: textIn,
  phone: textIn,
  fax: textIn,
  website: textIn,
  referralSource: textIn,
  clientManagerUuid: idOptional,
  jobManagerUuid: idOptional,
  businessStructureUuid: idOptional,
  clientTypeUuid: idOptional,
  favorite: flagOptional,
  addresses: z.array(address).optional(),
  taxFileNumber: textIn,
  'abn/Wpn': textIn,
  'branch/Cac/Ica': textIn,
  acn: textIn,
  vatNumber: textIn,
  companyNumber: textIn,
  irdNumber: textIn,
  nzbn: textIn,
  taxNumber: textIn,
  yearEndDate: dayOptional,
  balanceDate: textIn,
  zeroRatedTaxUuid: idOptional,
  billingClientUuid: idOptional,
  customRate: z.object({ markup: amountOptional }).nullish(),
  customPaymentDay: z.int().min(0).max(365).nullish(),
  customPaymentTerm: textIn,
  groups: z.array(z.object({ uuid: idIn })).optional(),
  exportCode: textIn,
  customFields: customValuesIn,
  contacts: z.array(contact).optional(),
  relationships: z.array(relationship).optional(),
});
export type ClientChanges = z.infer<typeof clientChanges>;
type Client = StoredRecord<'client'>;

/** Makes a client, or changes one. Throws `JsonRefusal`. */
export async function writeClient(
  call: JsonCall,
  body: ClientChanges,
  before: Client | undefined,
): Promise<Client> {
  const structure = body.businessStructureUuid
    ? await ofBody(call, 'businessStructure', body.businessStructureUuid, 'businessStructureUuid')
    : undefined;
  const fields = await fieldsAfter(call, body, before, structure?.name);
  const name = nameAfter(body, before, fields);
  const customValues = await customValuesAfter(call, 'Client', body.customFields, before?.customValues);
  const client = before ?? (await call.records.insert('client', { name, fields, customValues }, call.now));
  await writeContacts(call, client.uuid, body);
  await writeGroups(call, client.uuid, body);
  await writeRelationships(call, client.uuid, body);
  await settle(call, client, { name, fields, customValues });
  return ofPath(call.records, 'client', client.uuid);
}

/** Writes a client so that searches find it, and only notes that something of it changed where nothing is given. */
export async function settle(
  call: JsonCall,
  client: Client,
  changes: Partial<Pick<Client, 'name' | 'fields' | 'customValues'>> = {},
): Promise<void> {
  const contacts = (await call.records.ownedBy('contact', [client.uuid])).get(client.uuid) ?? [];
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

const texts = [
  'email',
  'phone',
  'fax',
  'website',
  'referralSource',
  'exportCode',
  'firstName',
  'lastName',
  'otherName',
] as const;

async function fieldsAfter(
  call: JsonCall,
  body: ClientChanges,
  { fields: before }: Pick<Client, 'fields'> = { fields: blankClient },
  structure: string | undefined,
): Promise<ClientFields> {
  const reference = (kind: Kind, key: keyof ClientChanges, known: string | undefined) =>
    referenceAfter(call, kind, body[key] as string | null | undefined, key, known);
  return {
    ...before,
    ...(Object.fromEntries(texts.map((key) => [key, textAfter(body[key], before[key])])) as Record<
      (typeof texts)[number],
      string
    >),
    ...addressesAfter(body),
    accountManager: await reference('staff', 'clientManagerUuid', before.accountManager),
    jobManager: await reference('staff', 'jobManagerUuid', before.jobManager),
    type: await reference('clientType', 'clientTypeUuid', before.type),
    billingClient: await reference('client', 'billingClientUuid', before.billingClient),
    zeroRatedTax: await reference('tax', 'zeroRatedTaxUuid', before.zeroRatedTax),
    businessStructure: body.businessStructureUuid === null ? '' : (structure ?? before.businessStructure),
    balanceMonth: monthAfter(body, before.balanceMonth),
    ...numbersAfter(body, before),
    ...termsAfter(body, before),
  };
}

/** The same number has another key in each country. */
const numbersAfter = (body: ClientChanges, before: ClientFields) => ({
  taxNumber: textAfter(
    firstGiven(body.taxNumber, body.taxFileNumber, body.irdNumber, body.vatNumber),
    before.taxNumber,
  ),
  companyNumber: textAfter(firstGiven(body.companyNumber, body.acn), before.companyNumber),
  businessNumber: textAfter(firstGiven(body['abn/Wpn'], body.nzbn), before.businessNumber),
  branch: textAfter(body['branch/Cac/Ica'], before.branch),
});

const firstGiven = (...given: readonly (string | null | undefined)[]): string | null | undefined =>
  given.find((one) => one !== undefined);

const termsAfter = (body: ClientChanges, before: ClientFields) => ({
  favorite: body.favorite ?? before.favorite ?? false,
  ...(body.customRate !== undefined && { markup: twoAfter(body.customRate?.markup ?? null, before.markup) }),
  ...(typeof body.customPaymentDay === 'number' && { paymentDay: body.customPaymentDay }),
  ...(typeof body.customPaymentTerm === 'string' && { paymentTerm: body.customPaymentTerm }),
});

/** A month by its name or number, or a date in it. */
function monthAfter({ balanceDate, yearEndDate }: ClientChanges, before: string): string {
  const given = firstGiven(balanceDate, yearEndDate);
  if (given === undefined) return before;
  if (given === null || given === '') return '';
  const month = readMonth(given) ?? readMonth(String(Number(/^\d{4}-(\d{2})/.exec(given)?.[1] ?? NaN)));
  if (month === undefined) throw invalid('balanceDate', 'balanceDate must name a month');
  return month;
}

/** `addresses[]`, where present, are all there are. */
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

/** Contacts of known UUIDs are changed, others made; of several primary ones the last is it. Nobody is removed. */
async function writeContacts(call: JsonCall, client: string, { contacts }: ClientChanges): Promise<void> {
  if (!contacts || contacts.length === 0) return;
  const known = new Map(
    ((await call.records.ownedBy('contact', [client])).get(client) ?? []).map((one) => [one.uuid, one]),
  );
  const primary = contacts.findLast((one) => one.primary === true);
  for (const [at, given] of contacts.entries()) {
    const before = given.uuid ? known.get(given.uuid.toLowerCase()) : undefined;
    if (given.uuid && !before) throw invalid(`contacts[${at}].uuid`, 'names no contact of this client');
    const written = contactAfter(given, before, given === primary);
    if (written.name === '') throw invalid(`contacts[${at}].firstName`, 'firstName is required');
    if (before) await call.records.update(before, written, call.now);
    else await call.records.insert('contact', { ...written, owner: client }, call.now);
  }
  if (!primary) return;
  for (const one of known.values())
    if (one.fields.isPrimary && !contacts.some(({ uuid }) => uuid?.toLowerCase() === one.uuid))
      await call.records.update(one, { fields: { ...one.fields, isPrimary: false } }, call.now);
}

function contactAfter(
  given: z.infer<typeof contact>,
  before: StoredRecord<'contact'> | undefined,
  isPrimary: boolean,
) {
  const known = before?.fields ?? blankContact;
  const firstName = given.firstName ?? '';
  const isNamed = given.firstName !== undefined || given.lastName !== undefined;
  return {
    name: isNamed ? joinedName(firstName, given.lastName ?? '') : (before?.name ?? ''),
    fields: {
      ...known,
      ...(isNamed && { firstName }),
      salutation: textAfter(given.salutation, known.salutation),
      addressee: textAfter(given.addressee, known.addressee),
      position: textAfter(given.position, known.position),
      phone: textAfter(given.phone, known.phone),
      mobile: textAfter(given.mobile, known.mobile),
      email: textAfter(given.email, known.email),
      isPrimary: isPrimary || (given.primary === undefined && known.isPrimary),
      includeInEmails: given.includeInEmails ?? known.includeInEmails ?? false,
    },
  };
}

/** The groups that are given are the groups it is in. */
async function writeGroups(call: JsonCall, client: string, { groups }: ClientChanges): Promise<void> {
  if (!groups) return;
  const wanted = new Set<string>();
  for (const [at, { uuid }] of groups.entries())
    wanted.add((await ofBody(call, 'group', uuid, `groups[${at}].uuid`)).uuid);
  for (const member of (await call.records.ownedBy('groupMember', [client])).get(client) ?? [])
    if (!wanted.delete(member.other ?? '')) await call.records.update(member, { isDeleted: true }, call.now);
  for (const group of wanted)
    await call.records.insert('groupMember', { name: '', fields: {}, owner: client, other: group }, call.now);
}

/** The relationships that are given are those it has. */
async function writeRelationships(
  call: JsonCall,
  client: string,
  { relationships }: ClientChanges,
): Promise<void> {
  if (!relationships) return;
  for (const one of (await call.records.ownedBy('relationship', [client])).get(client) ?? [])
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
