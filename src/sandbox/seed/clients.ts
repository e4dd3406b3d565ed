import { blankContact, type ClientFields } from '../records/kinds/clients.ts';
import type { Files } from '../records/files.ts';
import type { NewRecord } from '../records/row.ts';
import { searchText } from '../xml/client/searchText.ts';
import { owned, seedDocuments, seedNotes } from './attachments.ts';
import type { Book, Identity, Ids } from './book.ts';
import { millis, textsOf, twoOrNone } from './forms.ts';
import type { SeedClient, SeedOrganisation, SeedReference } from './schema.ts';

type Client = SeedClient & { readonly identity: Identity };

/** Clients with what belongs to them; those that name one another may stand in any order. */
export async function seedClients(
  book: Book,
  files: Files,
  organisationId: string,
  seed: SeedOrganisation,
  now: number,
): Promise<void> {
  const clients = await book.identify('client', seed.clients ?? [], ({ name }) => name);
  const written: NewRecord<'client'>[] = [];
  for (const client of clients) written.push(await clientRecord(book, client));
  await book.write('client', written);
  await seedContacts(book, clients);
  await seedNotes(book, clients, now);
  await seedMembers(book, clients);
  await seedRelationships(book, clients);
  await seedDocuments(book, files, organisationId, clients, now);
}

async function clientRecord(book: Book, client: Client): Promise<NewRecord<'client'>> {
  const fields = await clientFields(book, client);
  return {
    ...client.identity,
    name: client.name,
    fields,
    isArchived: client.isArchived,
    isDeleted: client.isDeleted,
    createdAt: millis(client.createdAt) ?? millis(client.modifiedAt),
    modifiedAt: millis(client.modifiedAt),
    search: searchText(client.name, fields, client.contacts ?? []),
    customValues: await book.customValues('Client', client.customFields),
  };
}

const clientTexts = [
  'email',
  'dateOfBirth',
  'address',
  'city',
  'region',
  'postCode',
  'country',
  'postalAddress',
  'postalCity',
  'postalRegion',
  'postalPostCode',
  'postalCountry',
  'phone',
  'fax',
  'website',
  'referralSource',
  'exportCode',
  'firstName',
  'lastName',
  'otherName',
  'taxNumber',
  'companyNumber',
  'businessNumber',
  'balanceMonth',
  'gstPeriod',
  'gstBasis',
  'provisionalTaxBasis',
  'provisionalTaxRatio',
  'agencyStatus',
  'returnType',
] as const satisfies readonly (keyof ClientFields & keyof SeedClient)[];

async function clientFields(book: Book, client: Client): Promise<ClientFields> {
  if (client.businessStructure) await book.resolve('businessStructure', client.businessStructure);
  if (client.taxAgent) await book.resolve('taxAgent', client.taxAgent);
  return {
    ...textsOf(client, clientTexts),
    businessStructure: client.businessStructure ?? '',
    taxAgent: client.taxAgent ?? '',
    isProspect: client.isProspect ?? false,
    prepareGst: client.prepareGst ?? false,
    gstRegistered: client.gstRegistered ?? false,
    signedTaxAuthority: client.signedTaxAuthority ?? false,
    prepareActivityStatement: client.prepareActivityStatement ?? false,
    prepareTaxReturn: client.prepareTaxReturn ?? false,
    accountManager: await book.resolve('staff', client.accountManager),
    jobManager: await book.resolve('staff', client.jobManager),
    billingClient: await book.resolve('client', client.billingClient),
    type: await book.resolve('clientType', client.type),
  };
}

async function seedContacts(book: Book, clients: readonly Client[]): Promise<void> {
  const given = owned(clients, ({ contacts }) => contacts);
  const primaries = new Map(
    given.filter(({ isPrimary }) => isPrimary).map((contact) => [contact.owner, contact]),
  );
  const marked = given.map((contact) => ({
    ...contact,
    isPrimary: primaries.get(contact.owner) === contact,
  }));
  const written: NewRecord<'contact'>[] = [];
  for (const contact of await book.identify('contact', marked, ({ name }) => name)) {
    const texts = textsOf(contact, ['mobile', 'email', 'phone', 'position', 'salutation', 'addressee']);
    written.push({
      ...contact.identity,
      name: contact.name,
      owner: contact.owner,
      fields: { ...blankContact, ...texts, isPrimary: contact.isPrimary },
      customValues: await book.customValues('Contact', contact.customFields),
    });
  }
  await book.write('contact', written);
}

async function seedMembers(book: Book, clients: readonly Client[]): Promise<void> {
  const given: readonly (Ids & { readonly group: SeedReference; readonly client: string })[] =
    clients.flatMap(({ identity, groups }) =>
      (groups ?? []).map((group) => ({ group, client: identity.uuid })),
    );
  const written: NewRecord<'groupMember'>[] = [];
  for (const { identity, group, client } of await book.identify('groupMember', given, () => ''))
    written.push({
      ...identity,
      name: '',
      fields: {},
      owner: client,
      other: await book.resolve('group', group),
    });
  await book.write('groupMember', written);
}

async function seedRelationships(book: Book, clients: readonly Client[]): Promise<void> {
  const written: NewRecord<'relationship'>[] = [];
  const given = owned(clients, ({ relationships }) => relationships);
  for (const relationship of await book.identify('relationship', given, ({ type }) => type)) {
    written.push({
      ...relationship.identity,
      name: relationship.type,
      owner: relationship.owner,
      other: await book.resolve('client', relationship.relatedClient),
      fields: {
        ...textsOf(relationship, ['startDate', 'endDate']),
        numberOfShares: relationship.numberOfShares?.toString() ?? '',
        percentage: twoOrNone(relationship.percentage),
      },
    });
  }
  await book.write('relationship', written);
}
