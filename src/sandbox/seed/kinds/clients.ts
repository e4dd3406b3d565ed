import { z } from 'zod';
import { relationshipTypes } from '../../records/kinds/clients.ts';
import { clientRows } from '../../tables/clients/client.ts';
import { clientTypeRows } from '../../tables/clients/client-type.ts';
import { contactRows } from '../../tables/clients/contact.ts';
import { groupRows } from '../../tables/clients/group.ts';
import { relationshipRows } from '../../tables/clients/relationship.ts';
import { reference } from '../../tables/form.ts';
import { rowsOf } from '../../tables/table.ts';
import { searchText } from '../../xml/methods/client/search-text.ts';
import { millis } from '../forms.ts';
import type { SeedTable } from '../table.ts';
import { flag, reference as seedReference, times } from '../values.ts';
import { documents, notes } from './attachments.ts';

export const clientTypes = {
  kind: 'clientType',
  rows: clientTypeRows,
  takes: { paymentDay: z.int().positive().optional() },
} as const satisfies SeedTable;

export const groups = { kind: 'group', rows: groupRows } as const satisfies SeedTable;

const contacts = { kind: 'contact', rows: contactRows, use: 'Contact' } as const satisfies SeedTable;

/** The groups of a client, which the client names. */
const memberships = {
  kind: 'groupMember',
  rows: rowsOf({ at: 'other', form: reference('group'), seed: 'group' }),
  item: seedReference,
  read: (group: string | number) => ({ group }),
} as const satisfies SeedTable;

const relationships = {
  kind: 'relationship',
  rows: relationshipRows,
  takes: { type: z.enum(relationshipTypes), numberOfShares: z.int().nonnegative().optional() },
  further: ({ numberOfShares = '' }) => ({ fields: { numberOfShares: String(numberOfShares) } }),
} as const satisfies SeedTable;

interface GivenClient {
  readonly name: string;
  readonly email?: string;
  readonly phone?: string;
  readonly exportCode?: string;
  readonly isArchived?: boolean;
  readonly isDeleted?: boolean;
  readonly createdAt?: string;
  readonly modifiedAt?: string;
  readonly contacts?: readonly { readonly name: string }[];
}

/** Clients with everything that belongs to them; clients that refer to one another may be in any order. */
export const clients = {
  kind: 'client',
  rows: clientRows,
  use: 'Client',
  takes: { isArchived: flag, isDeleted: flag, ...times },
  owns: { contacts, notes, groups: memberships, relationships, documents },
  further: (given) => {
    const client = given as unknown as GivenClient;
    const { name, email = '', phone = '', exportCode = '', isArchived, isDeleted, modifiedAt } = client;
    return {
      isArchived,
      isDeleted,
      createdAt: millis(client.createdAt) ?? millis(modifiedAt),
      modifiedAt: millis(modifiedAt),
      search: searchText(name, { email, phone, exportCode }, client.contacts ?? []),
    };
  },
} as const satisfies SeedTable;

/** If several contacts are marked as primary, keeps only the last mark. */
export const withOnePrimary = <
  C extends { readonly contacts?: readonly { readonly isPrimary?: boolean | undefined }[] | undefined },
>(
  client: C,
) => {
  const primary = client.contacts?.findLast(({ isPrimary }) => isPrimary);
  const contacts = client.contacts?.map((contact) => ({ ...contact, isPrimary: contact === primary }));
  return { ...client, contacts };
};
