import type { ClientTypeFields, ContactFields } from '../../records/kinds/clients.ts';
import type { Kind, StoredRecord } from '../../records/kinds.ts';
import type { Records } from '../../records/records.ts';
import type { Dialect } from '../dialect.ts';
import {
  type Field,
  type Fields,
  identified,
  list,
  type Named,
  namedFields,
  nested,
  optional,
  optionalList,
  recordWriter,
  text,
} from '../fields.ts';
import { masked, yesNo } from '../values.ts';

type Client = StoredRecord<'client'>;

/** A client with what its answer names, found for a whole batch at once. */
export interface ClientView extends Client {
  readonly accountManager: Named | undefined;
  readonly jobManager: Named | undefined;
  readonly billingClient: Named | undefined;
  readonly type: StoredRecord<'clientType'> | undefined;
  readonly contacts: readonly StoredRecord<'contact'>[];
  /** Of detailed answers only. */
  readonly notes: readonly StoredRecord<'note'>[];
  readonly groups: readonly Named[];
  readonly relationships: readonly RelationshipView[];
}

interface RelationshipView extends StoredRecord<'relationship'> {
  readonly relatedClient: Named | undefined;
}

const all = <T>(groups: ReadonlyMap<string, readonly T[]>): readonly T[] => [...groups.values()].flat();
const others = (records: readonly StoredRecord[]): readonly string[] =>
  records.map(({ other }) => other ?? '');

export async function viewClients(
  records: Records,
  clients: readonly Client[],
  isDetailed: boolean,
): Promise<readonly ClientView[]> {
  const uuids = clients.map(({ uuid }) => uuid);
  const owned = async <K extends Kind>(kind: K, wanted: boolean) =>
    records.ownedBy(kind, wanted ? uuids : []);
  const contacts = await owned('contact', true);
  const notes = await owned('note', isDetailed);
  const members = await owned('groupMember', isDetailed);
  const relationships = await owned('relationship', isDetailed);
  const staff = await records.byUuids(
    'staff',
    clients.flatMap(({ fields }) => [fields.accountManager, fields.jobManager]),
  );
  const types = await records.byUuids(
    'clientType',
    clients.map(({ fields }) => fields.type),
  );
  const groups = await records.byUuids('group', others(all(members)));
  const related = await records.byUuids('client', [
    ...clients.map(({ fields }) => fields.billingClient),
    ...others(all(relationships)),
  ]);
  return clients.map((client) => ({
    ...client,
    accountManager: staff.get(client.fields.accountManager),
    jobManager: staff.get(client.fields.jobManager),
    billingClient: related.get(client.fields.billingClient),
    type: types.get(client.fields.type),
    contacts: contacts.get(client.uuid) ?? [],
    notes: notes.get(client.uuid) ?? [],
    groups: (members.get(client.uuid) ?? []).flatMap(({ other }) => groups.get(other ?? '') ?? []),
    relationships: (relationships.get(client.uuid) ?? []).map((relationship) => ({
      ...relationship,
      relatedClient: related.get(relationship.other ?? ''),
    })),
  }));
}

export const contactFields = (dialect: Dialect): Fields<StoredRecord<'contact'>> =>
  identified<StoredRecord<'contact'>>(dialect.ids, [
    text('Name', ({ name }) => name),
    ...(
      [
        ['Mobile', 'mobile'],
        ['Email', 'email'],
        ['Phone', 'phone'],
        ['Position', 'position'],
        ['Salutation', 'salutation'],
        ['Addressee', 'addressee'],
      ] as const satisfies readonly (readonly [string, keyof ContactFields])[]
    ).map(([element, field]) => text<StoredRecord<'contact'>>(element, ({ fields }) => fields[field])),
    text('IsPrimary', ({ fields }) => yesNo(fields.isPrimary)),
  ]);

export const noteFields: Fields<StoredRecord<'note'>> = [
  text('Title', ({ name }) => name),
  text('Text', ({ fields }) => fields.text),
  text('Folder', ({ fields }) => fields.folder),
  text('Date', ({ fields }) => fields.date),
  text('CreatedBy', ({ fields }) => fields.createdBy),
];

const typeFields: Fields<StoredRecord<'clientType'>> = [
  text('Name', ({ name }) => name),
  text('CostMarkup', ({ fields }: { fields: ClientTypeFields }) => fields.costMarkup),
  text('PaymentTerm', ({ fields }) => fields.paymentTerm),
  text('PaymentDay', ({ fields }) => String(fields.paymentDay)),
];

const relationshipFields = (dialect: Dialect): Fields<RelationshipView> =>
  identified<RelationshipView>(dialect.ids, [
    text('Type', ({ name }) => name),
    nested('RelatedClient', namedFields(dialect.ids), ({ relatedClient }) => relatedClient),
    optional('NumberOfShares', ({ fields }) => fields.numberOfShares),
    optional('Percentage', ({ fields }) => fields.percentage),
    text('StartDate', ({ fields }) => fields.startDate),
    text('EndDate', ({ fields }) => fields.endDate),
  ]);

/** Client in the order of its elements; `detailed` adds notes, groups and relationships ("Client methods", rule 1). */
export function clientWriter(
  dialect: Dialect,
  publicUrl: string,
  isDetailed: boolean,
): (client: ClientView) => string {
  const names = namedFields(dialect.ids);
  return recordWriter<ClientView>(
    'Client',
    identified<ClientView>(dialect.ids, [
      text('Name', ({ name }) => name),
      optional('Email', ({ fields }) => fields.email),
      optional('DateOfBirth', ({ fields }) => fields.dateOfBirth),
      ...plainFields,
      nested('AccountManager', names, ({ accountManager }) => accountManager),
      nested('Type', typeFields, ({ type }) => type),
      list('Contacts', 'Contact', contactFields(dialect), ({ contacts }) => contacts),
      ...(isDetailed ? [list('Notes', 'Note', noteFields, ({ notes }: ClientView) => notes)] : []),
      nested('BillingClient', names, ({ billingClient }) => billingClient),
      ...practiceFields(dialect),
      ...(isDetailed ? detailedFields(dialect) : []),
      ...webUrl(dialect, publicUrl),
    ]),
  );
}

const field = (element: string, value: (client: Client) => string): Field<ClientView> => text(element, value);

const plainFields: Fields<ClientView> = [
  field('Address', ({ fields }) => fields.address),
  field('City', ({ fields }) => fields.city),
  field('Region', ({ fields }) => fields.region),
  field('PostCode', ({ fields }) => fields.postCode),
  field('Country', ({ fields }) => fields.country),
  field('PostalAddress', ({ fields }) => fields.postalAddress),
  field('PostalCity', ({ fields }) => fields.postalCity),
  field('PostalRegion', ({ fields }) => fields.postalRegion),
  field('PostalPostCode', ({ fields }) => fields.postalPostCode),
  field('PostalCountry', ({ fields }) => fields.postalCountry),
  field('Phone', ({ fields }) => fields.phone),
  field('Fax', ({ fields }) => fields.fax),
  field('Website', ({ fields }) => fields.website),
  field('ReferralSource', ({ fields }) => fields.referralSource),
  field('ExportCode', ({ fields }) => fields.exportCode),
  field('IsProspect', ({ fields }) => yesNo(fields.isProspect)),
  field('IsArchived', ({ isArchived }) => yesNo(isArchived)),
  field('IsDeleted', ({ isDeleted }) => yesNo(isDeleted)),
];

/** Present only where the practice management module is on; some in one country only. */
function practiceFields({ ids, practice }: Dialect): Fields<ClientView> {
  if (!practice) return [];
  return [
    nested('JobManager', namedFields(ids), ({ jobManager }) => jobManager),
    field('FirstName', ({ fields }) => fields.firstName),
    field('LastName', ({ fields }) => fields.lastName),
    field('OtherName', ({ fields }) => fields.otherName),
    field('TaxNumber', ({ fields }) => masked(fields.taxNumber)),
    field('CompanyNumber', ({ fields }) => fields.companyNumber),
    field('BusinessNumber', ({ fields }) => fields.businessNumber),
    field('BusinessStructure', ({ fields }) => fields.businessStructure),
    field('BalanceMonth', ({ fields }) => fields.balanceMonth),
    field('PrepareGST', ({ fields }) => yesNo(fields.prepareGst)),
    field('GSTRegistered', ({ fields }) => yesNo(fields.gstRegistered)),
    field('GSTPeriod', ({ fields }) => fields.gstPeriod),
    field('GSTBasis', ({ fields }) => fields.gstBasis),
    field('ProvisionalTaxBasis', ({ fields }) => fields.provisionalTaxBasis),
    field('ProvisionalTaxRatio', ({ fields }) => fields.provisionalTaxRatio),
    ...(practice === 'NZ' ? newZealandFields : australianFields),
  ];
}

const newZealandFields: Fields<ClientView> = [
  field('SignedTaxAuthority', ({ fields }) => yesNo(fields.signedTaxAuthority)),
  field('TaxAgent', ({ fields }) => fields.taxAgent),
  field('AgencyStatus', ({ fields }) => fields.agencyStatus),
  field('ReturnType', ({ fields }) => fields.returnType),
];

const australianFields: Fields<ClientView> = [
  field('PrepareActivityStatement', ({ fields }) => yesNo(fields.prepareActivityStatement)),
  field('PrepareTaxReturn', ({ fields }) => yesNo(fields.prepareTaxReturn)),
];

function detailedFields(dialect: Dialect): Fields<ClientView> {
  const groups = optionalList(
    'Groups',
    'Group',
    namedFields(dialect.ids),
    ({ groups }: ClientView) => groups,
  );
  if (!dialect.practice) return [groups];
  return [
    groups,
    optionalList(
      'Relationships',
      'Relationship',
      relationshipFields(dialect),
      ({ relationships }: ClientView) => relationships,
    ),
  ];
}

function webUrl({ webUrl: form }: Dialect, publicUrl: string): Fields<ClientView> {
  if (form === 'off') return [];
  return [
    field('WebUrl', ({ number, uuid }) => `${publicUrl}/Client/${form === 'uuid' ? uuid : number}/Detail`),
  ];
}
