import type { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { customValuesShown } from '../customValues.ts';
import { documentsShown, notesShown } from '../documentShapes.ts';
import { byUuids, staffRefOf } from '../refs.ts';
import { dayOf, numberOrNull, orNull, partsOfName, timesOf, utc } from '../values.ts';
import { billingOf, type Billing } from './billing.ts';
import type { clientDetail, clientListItem, clientSaved } from './shapes.ts';

type Client = StoredRecord<'client'>;
type ListItem = z.infer<typeof clientListItem.schema>;
type Detail = z.infer<typeof clientDetail.schema>;

/** Names of the groups of related data of a client (`includes`). */
export const clientGroups = [
  'addresses',
  'contacts',
  'contact-details',
  'billing-details',
  'client-groups',
  'client-relationships',
  'custom-fields',
  'notes',
  'documents',
] as const;
export type ClientGroup = (typeof clientGroups)[number];

const base = (client: Client) => ({
  uuid: client.uuid,
  name: client.name,
  archived: client.isArchived,
  prospect: client.fields.isProspect,
  favorite: client.fields.favorite ?? false,
  exportCode: orNull(client.fields.exportCode),
  referralSource: orNull(client.fields.referralSource),
});

interface Shown {
  readonly list: Partial<ListItem>;
  readonly detail: Partial<Detail>;
}
type Part = (client: Client) => Shown;
type Loader = (call: JsonCall, clients: readonly Client[]) => Promise<Part>;

const both = (groups: Partial<ListItem> & Partial<Detail>): Shown => ({ list: groups, detail: groups });
const uuidsOf = (clients: readonly Client[]): readonly string[] => clients.map(({ uuid }) => uuid);

/** Those that hold anything: the one where letters go, and the one where the client is. */
function addressesOf({ fields }: Client): NonNullable<ListItem['addresses']> {
  const billing = {
    type: 'billing' as const,
    default: true,
    address: orNull(fields.address),
    city: orNull(fields.city),
    state: orNull(fields.region),
    postalCode: orNull(fields.postCode),
    country: orNull(fields.country),
  };
  const postal = {
    type: 'postal' as const,
    default: false,
    address: orNull(fields.postalAddress),
    city: orNull(fields.postalCity),
    state: orNull(fields.postalRegion),
    postalCode: orNull(fields.postalPostCode),
    country: orNull(fields.postalCountry),
  };
  return [billing, postal].filter(({ address, city, state, postalCode, country }) =>
    [address, city, state, postalCode, country].some((part) => part !== null),
  );
}

const contactDetailsOf = ({ fields }: Client) => ({
  email: orNull(fields.email),
  phone: orNull(fields.phone),
  fax: orNull(fields.fax),
  website: orNull(fields.website),
});

const contactShown = (contact: StoredRecord<'contact'>) => ({
  uuid: contact.uuid,
  salutation: orNull(contact.fields.salutation),
  ...partsOfName(contact),
  position: orNull(contact.fields.position),
  primary: contact.fields.isPrimary,
  includeInEmails: contact.fields.includeInEmails ?? false,
});

async function groupsOf(call: JsonCall, clients: readonly Client[]) {
  const members = await call.records.ownedBy('groupMember', uuidsOf(clients));
  const groups = await byUuids(
    call,
    'group',
    [...members.values()].flat().map(({ other }) => other),
  );
  return (client: Client) =>
    (members.get(client.uuid) ?? []).flatMap(({ other }) => {
      const group = groups.get(other ?? '');
      return group && !group.isDeleted
        ? [{ uuid: group.uuid, name: group.name, taxable: group.fields.taxable }]
        : [];
    });
}

const relationshipShown = (one: StoredRecord<'relationship'>) => ({
  uuid: one.uuid,
  relatedClientUUID: one.other ?? null,
  type: one.name,
  startDate: orNull(one.fields.startDate),
  endDate: orNull(one.fields.endDate),
});

const billingRefs = ({ refs: { clientType, businessStructure, billingClient }, common }: Billing) => ({
  clientType: clientType ? { uuid: clientType.uuid, clientType: clientType.name } : null,
  businessStructure: businessStructure
    ? { uuid: businessStructure.uuid, name: businessStructure.name }
    : null,
  ...(billingClient && { billingClient: { uuid: billingClient.uuid, name: billingClient.name } }),
  ...common,
});

const loaders: Readonly<Record<ClientGroup, Loader>> = {
  addresses: async () => (client) => both({ addresses: addressesOf(client) }),
  'contact-details': async () => (client) => both({ contactDetails: contactDetailsOf(client) }),
  contacts: async (call, clients) => {
    const owned = await call.records.ownedBy('contact', uuidsOf(clients));
    return ({ uuid }) => both({ contacts: (owned.get(uuid) ?? []).map(contactShown) });
  },
  'client-groups': async (call, clients) => {
    const groups = await groupsOf(call, clients);
    return (client) => both({ clientGroups: groups(client) });
  },
  'client-relationships': async (call, clients) => {
    const owned = await call.records.ownedBy('relationship', uuidsOf(clients));
    return ({ uuid }) => both({ clientRelationships: (owned.get(uuid) ?? []).map(relationshipShown) });
  },
  'billing-details': async (call, clients) => {
    const billing = await billingOf(call, clients);
    return (client) => {
      const shown = billing(client);
      const { clientType, businessStructure, billingClient } = shown.refs;
      return {
        list: {
          billingDetails: {
            clientTypeUUID: clientType?.uuid ?? null,
            businessStructureUUID: businessStructure?.uuid ?? null,
            ...(billingClient && { billingClientUUID: billingClient.uuid }),
            ...shown.common,
          },
        },
        detail: { billingDetails: billingRefs(shown) },
      };
    };
  },
  'custom-fields': async (call) => {
    const values = await customValuesShown(call, 'Client');
    return (client) => both({ customFields: values(client) });
  },
  notes: async (call, clients) => {
    const owned = await call.records.ownedBy('note', uuidsOf(clients));
    const all = await notesShown(call, [...owned.values()].flat());
    return (client) => {
      const shown = all
        .filter(({ note }) => note.owner === client.uuid)
        .map(({ note, createdBy, comments }) => ({
          common: {
            uuid: note.uuid,
            title: note.name,
            description: orNull(note.fields.text),
            date: dayOf(note.fields.date),
            phase: orNull(note.fields.folder),
            ...timesOf(note),
          },
          createdBy,
          comments,
        }));
      return {
        list: {
          notes: shown.map(({ common, createdBy }) => ({
            ...common,
            createdByFirstName: createdBy?.firstName ?? null,
            createdByLastName: createdBy?.lastName ?? null,
          })),
        },
        detail: {
          notes: shown.map(({ common, createdBy, comments }) => ({ ...common, createdBy, comments })),
        },
      };
    };
  },
  documents: async (call, clients) => {
    const owned = await call.records.ownedBy('document', uuidsOf(clients));
    const shown = new Map<string, Awaited<ReturnType<typeof documentsShown>>>();
    for (const [client, all] of owned) shown.set(client, await documentsShown(call, all));
    return ({ uuid }) => {
      const all = shown.get(uuid) ?? [];
      return {
        list: {
          documents: all.map(({ common, folder, uploadedBy }) => ({
            ...common,
            phase: orNull(folder),
            uploadedByFirstName: uploadedBy?.firstName ?? null,
            uploadedByLastName: uploadedBy?.lastName ?? null,
          })),
        },
        detail: {
          documents: all.map(({ common, folder, uploadedBy }) => ({
            ...common,
            phase: orNull(folder),
            uploadedBy,
          })),
        },
      };
    };
  },
};

/** What was asked for is read for all clients at once. */
async function groupsShown(
  call: JsonCall,
  clients: readonly Client[],
  groups: ReadonlySet<ClientGroup>,
): Promise<Part> {
  const parts: Part[] = [];
  for (const group of clientGroups) if (groups.has(group)) parts.push(await loaders[group](call, clients));
  return (client) => {
    const shown = parts.map((part) => part(client));
    return {
      list: Object.assign({}, ...shown.map(({ list }) => list)) as Partial<ListItem>,
      detail: Object.assign({}, ...shown.map(({ detail }) => detail)) as Partial<Detail>,
    };
  };
}

export async function clientsListed(
  call: JsonCall,
  clients: readonly Client[],
  groups: ReadonlySet<ClientGroup>,
): Promise<ListItem[]> {
  const related = await groupsShown(call, clients, groups);
  return clients.map((client) => ({
    ...base(client),
    clientManagerUUID: orNull(client.fields.accountManager),
    jobManagerUUID: orNull(client.fields.jobManager),
    ...related(client).list,
    ...timesOf(client),
  }));
}

async function managersOf(call: JsonCall, { fields }: Client) {
  const staff = await byUuids(call, 'staff', [fields.accountManager, fields.jobManager]);
  return {
    clientManager: staffRefOf(staff.get(fields.accountManager)),
    jobManager: staffRefOf(staff.get(fields.jobManager)),
  };
}

export async function clientDetailed(
  call: JsonCall,
  client: Client,
  groups: ReadonlySet<ClientGroup>,
): Promise<Detail> {
  const related = await groupsShown(call, [client], groups);
  return {
    ...base(client),
    ...(await managersOf(call, client)),
    ...related(client).detail,
    createdAt: utc(client.createdAt),
    modifiedAt: utc(client.modifiedAt),
  };
}

export async function clientWritten(
  call: JsonCall,
  client: Client,
): Promise<z.infer<typeof clientSaved.schema>> {
  const owned = await call.records.ownedBy('contact', [client.uuid]);
  const relationships = await call.records.ownedBy('relationship', [client.uuid]);
  const billing = (await billingOf(call, [client]))(client);
  const structure = billing.refs.businessStructure;
  return {
    ...base(client),
    ...(await managersOf(call, client)),
    addresses: addressesOf(client),
    contactDetails: contactDetailsOf(client),
    contacts: (owned.get(client.uuid) ?? []).map(contactShown),
    clientGroups: (await groupsOf(call, [client]))(client),
    clientRelationships: (relationships.get(client.uuid) ?? []).map((one) => ({
      ...relationshipShown(one),
      numberOfShare: numberOrNull(one.fields.numberOfShares),
    })),
    billingDetails: {
      ...billingRefs(billing),
      businessStructure: structure ? { uuid: structure.uuid, businessStructure: structure.name } : null,
    },
    customFields: (await customValuesShown(call, 'Client'))(client),
    ...timesOf(client),
  };
}
