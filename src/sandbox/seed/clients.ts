import type { Files } from '../records/files.ts';
import { clientRows } from '../tables/clients/client.ts';
import { contactRows } from '../tables/clients/contact.ts';
import { reference } from '../tables/form.ts';
import { relationshipRows } from '../tables/clients/relationship.ts';
import { rowsOf } from '../tables/table.ts';
import { searchText } from '../xml/methods/client/search-text.ts';
import { documents, notes } from './attachments.ts';
import type { IdBook } from './id-book.ts';
import { millis } from './forms.ts';
import type { SeedClient, SeedOrganisation } from './schema.ts';
import { seedKind, type SeedTable } from './table.ts';

/** Clients with what belongs to them; those that name one another may stand in any order. */
export const seedClients = (
  repository: IdBook,
  files: Files,
  organisationId: string,
  seed: SeedOrganisation,
): Promise<void> =>
  seedKind(
    repository,
    {
      kind: 'client',
      rows: clientRows,
      use: 'Client',
      owns: {
        contacts: { kind: 'contact', rows: contactRows, use: 'Contact' },
        notes,
        groups: { kind: 'groupMember', rows: memberRows },
        relationships: { kind: 'relationship', rows: relationshipRows, further: shares },
        documents: documents(files, organisationId),
      },
      further: (given) => recordOf(given as unknown as SeedClient),
    },
    seed.clients?.map((client) => ({
      ...client,
      contacts: withOnePrimary(client.contacts),
      groups: client.groups?.map((group) => ({ group })),
    })),
  );

const memberRows = rowsOf({ at: 'other', form: reference('group'), seed: 'group' });

const shares: NonNullable<SeedTable['further']> = ({ numberOfShares = '' }) => ({
  fields: { numberOfShares: String(numberOfShares) },
});

/** The last of those that are marked. */
function withOnePrimary(contacts: SeedClient['contacts']): SeedClient['contacts'] {
  const primary = contacts?.findLast(({ isPrimary }) => isPrimary);
  return contacts?.map((contact) => ({ ...contact, isPrimary: contact === primary }));
}

function recordOf(client: SeedClient) {
  const { name, email = '', phone = '', exportCode = '', isArchived, isDeleted, modifiedAt } = client;
  return {
    isArchived,
    isDeleted,
    createdAt: millis(client.createdAt) ?? millis(modifiedAt),
    modifiedAt: millis(modifiedAt),
    search: searchText(name, { email, phone, exportCode }, client.contacts ?? []),
  };
}
