import type { Kind, StoredRecord } from '../../../records/kinds.ts';
import { type Referring, withReferred } from '../../../records/referred.ts';
import { clientRows } from '../../../tables/clients/client.ts';
import { clientTypeRows } from '../../../tables/clients/client-type.ts';
import { contactRows } from '../../../tables/clients/contact.ts';
import { noteRows } from '../../../tables/clients/note.ts';
import { relationshipRows } from '../../../tables/clients/relationship.ts';
import type { XmlCall } from '../../call.ts';
import type { Dialect } from '../../dialect.ts';
import {
  type Fields,
  identified,
  list,
  type Named,
  namedFields,
  nested,
  optional,
  optionalList,
  text,
} from '../../record/fields.ts';
import { elementsOf, isInXml } from '../../record/record.ts';
import { xmlResource } from '../../record/resource.ts';
import { yesNo } from '../../../tables/values.ts';

/** A client with the records that its answer names, loaded for a whole batch at once. */
export interface ClientView extends Referring<'client'> {
  readonly type: StoredRecord<'clientType'> | undefined;
  readonly contacts: readonly StoredRecord<'contact'>[];
  /** In detailed answers only. */
  readonly notes: readonly StoredRecord<'note'>[];
  readonly groups: readonly Named[];
  readonly relationships: readonly Referring<'relationship'>[];
}

async function load(
  { records }: XmlCall,
  clients: readonly Referring<'client'>[],
  isDetailed: boolean,
): Promise<readonly ClientView[]> {
  const uuids = clients.map(({ uuid }) => uuid);
  const owned = async <K extends Kind>(kind: K, wanted: boolean) =>
    records.ownedBy(kind, wanted ? uuids : []);
  const contacts = await owned('contact', true);
  const notes = await owned('note', isDetailed);
  const members = await owned('groupMember', isDetailed);
  const relationships = [...(await owned('relationship', isDetailed)).values()].flat();
  const types = await records.referred('clientType', clients, ({ fields }) => fields.type);
  const groups = await records.referred('group', [...members.values()].flat(), ({ other = '' }) => other);
  const related = await withReferred(records, relationshipRows, relationships, isInXml);
  return clients.map((client) => ({
    ...client,
    type: types.get(client.fields.type),
    contacts: contacts.get(client.uuid) ?? [],
    notes: notes.get(client.uuid) ?? [],
    groups: (members.get(client.uuid) ?? []).flatMap(({ other = '' }) => groups.get(other) ?? []),
    relationships: related.filter(({ owner }) => owner === client.uuid),
  }));
}

/** The elements of a contact. */
export const contactFields = ({ ids }: Dialect): Fields<StoredRecord<'contact'>> =>
  identified<StoredRecord<'contact'>>(ids, elementsOf<'contact'>(contactRows, ids));

export const noteFields: Fields<StoredRecord<'note'>> = elementsOf<'note'>(noteRows, 'id');

const relationshipFields = ({ ids }: Dialect): Fields<Referring<'relationship'>> =>
  identified<Referring<'relationship'>>(
    ids,
    elementsOf<'relationship'>(relationshipRows, ids, {
      behind: { RelatedClient: [optional('NumberOfShares', ({ fields }) => fields.numberOfShares)] },
    }),
  );

/** Client in the order of its elements; `detailed` adds notes, groups and relationships ("Client methods", rule 1). */
export const clients = xmlResource<'client', ClientView>({
  kind: 'client',
  rows: clientRows,
  root: 'Client',
  load,
  behind: ({ dialect }, isDetailed) => ({
    IsProspect: [
      text('IsArchived', ({ isArchived }) => yesNo(isArchived)),
      text('IsDeleted', ({ isDeleted }) => yesNo(isDeleted)),
    ],
    AccountManager: [
      nested('Type', elementsOf<'clientType'>(clientTypeRows, dialect.ids), ({ type }) => type),
      list('Contacts', 'Contact', contactFields(dialect), ({ contacts }) => contacts),
      ...(isDetailed ? [list('Notes', 'Note', noteFields, ({ notes }: ClientView) => notes)] : []),
    ],
  }),
  further: ({ dialect, publicUrl }, isDetailed) => [
    ...(isDetailed ? detailedFields(dialect) : []),
    ...webUrl(dialect, publicUrl),
  ],
});

function detailedFields(dialect: Dialect): Fields<ClientView> {
  const groups = optionalList<ClientView, Named>(
    'Groups',
    'Group',
    namedFields(dialect.ids),
    (client) => client.groups,
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
    text('WebUrl', ({ number, uuid }) => `${publicUrl}/Client/${form === 'uuid' ? uuid : number}/Detail`),
  ];
}
