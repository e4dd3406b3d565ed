/**
 * A client in its three forms: a row of a list, alone, and after a write.
 *
 * The columns that all three share come first. Groups of related data are absent unless `includes` asks for
 * them; the names of these groups are the ones that the operation accepts.
 */
import { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import { clientRows } from '../../tables/clients/client.ts';
import { contactRows } from '../../tables/clients/contact.ts';
import { groupRows } from '../../tables/clients/group.ts';
import { relationshipRows } from '../../tables/clients/relationship.ts';
import { some } from '../../tables/table.ts';
import { clientAttachments } from '../record/attachments.ts';
import {
  asked,
  column,
  type ColumnsOf,
  customColumn,
  grouped,
  joinedColumn,
  loaded,
  nameColumns,
  ownedColumn,
  refColumn,
  tableOf,
  timeColumns,
  uuidColumn,
} from '../record/columns.ts';
import { customValue } from '../record/custom-values.ts';
import { renamedColumns, rowColumns } from '../record/record.ts';
import { namedRef, staffRefs } from '../record/refs.ts';
import {
  amountOrNull,
  flag,
  id,
  moment,
  numberOrNull,
  orNull,
  text,
  textOrNull,
  timesOf,
} from '../record/values.ts';
import { billing, billingOfList, billingSaved } from './billing.ts';

type Client = StoredRecord<'client'>;

const address = z.strictObject({
  type: z.enum(['postal', 'billing']),
  default: flag,
  address: textOrNull,
  city: textOrNull,
  state: textOrNull,
  postalCode: textOrNull,
  country: textOrNull,
});

/** The postal and the physical address, if they have content. */
function addressesOf({ fields }: Client): z.infer<typeof address>[] {
  const billingAddress = {
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
  return [billingAddress, postal].filter(({ address: line, city, state, postalCode, country }) =>
    [line, city, state, postalCode, country].some((part) => part !== null),
  );
}

const relationship: ColumnsOf<'relationship'> = {
  uuid: uuidColumn,
  ...renamedColumns(relationshipRows, {
    relatedClientUUID: 'other',
    type: 'name',
    startDate: 'startDate',
    endDate: 'endDate',
  }),
};

const base: ColumnsOf<'client'> = {
  uuid: uuidColumn,
  archived: column(flag, ({ isArchived }) => isArchived),
  ...rowColumns(clientRows),
};

const managers: ColumnsOf<'client'> = {
  clientManager: refColumn(staffRefs, ({ fields }) => fields.accountManager),
  jobManager: refColumn(staffRefs, ({ fields }) => fields.jobManager),
};

const addresses = column<StoredRecord<'client'>, z.infer<typeof address>[]>(z.array(address), addressesOf);
const details = grouped<StoredRecord<'client'>>(
  renamedColumns(clientRows, { email: 'email', phone: 'phone', fax: 'fax', website: 'website' }),
);
const contacts = ownedColumn('contact', {
  uuid: uuidColumn,
  ...nameColumns,
  ...rowColumns(some(contactRows, 'salutation', 'position', 'isPrimary', 'includeInEmails')),
});
const clientGroups = joinedColumn({
  by: 'groupMember',
  as: 'owner',
  kind: 'group',
  schema: z.strictObject({ uuid: id, name: text, taxable: flag }),
  of: ({ uuid, name, isDeleted, fields: { taxable } }) => (isDeleted ? undefined : { uuid, name, taxable }),
});

/** Groups of related data; absent unless requested, in lists and in a single client. */
const groups: ColumnsOf<'client'> = {
  addresses: asked('addresses', addresses),
  contactDetails: asked('contact-details', details),
  contacts: asked('contacts', contacts),
  clientGroups: asked('client-groups', clientGroups),
  clientRelationships: asked('client-relationships', ownedColumn('relationship', relationship)),
  customFields: asked('custom-fields', customColumn('Client')),
};

const { list, detail } = clientAttachments;

export const clientListed = tableOf('client', 'ClientListItem', {
  ...base,
  ...renamedColumns(clientRows, { clientManagerUUID: 'accountManager', jobManagerUUID: 'jobManager' }),
  ...groups,
  billingDetails: asked('billing-details', billingOfList),
  notes: asked('notes', list.notes),
  documents: asked('documents', list.documents),
  ...timeColumns,
});

/** Only this form calls the time of the last change `modifiedAt`. */
export const clientShown = tableOf('client', 'ClientDetail', {
  ...base,
  ...managers,
  ...groups,
  billingDetails: asked('billing-details', billing),
  notes: asked('notes', detail.notes),
  documents: asked('documents', detail.documents),
  createdAt: column(moment, (client) => timesOf(client).createdAt),
  modifiedAt: column(moment, (client) => timesOf(client).updatedAt),
});

export const clientSaved = tableOf('client', 'ClientSaved', {
  ...base,
  ...managers,
  addresses,
  contactDetails: details,
  contacts,
  clientGroups,
  clientRelationships: ownedColumn('relationship', {
    ...relationship,
    numberOfShare: column(amountOrNull, ({ fields }) => numberOrNull(fields.numberOfShares)),
  }),
  billingDetails: billingSaved,
  customFields: customColumn('Client'),
  ...timeColumns,
});

/** Names of the groups of related data of a client (`includes`). */
export const clientGroupNames: ReadonlySet<string> = new Set([
  ...Object.values(groups).flatMap(({ group }) => group ?? []),
  'billing-details',
  'notes',
  'documents',
]);

const alone: ColumnsOf<'contact'> = {
  uuid: uuidColumn,
  ...nameColumns,
  ...rowColumns(some(contactRows, 'salutation', 'addressee', 'phone', 'mobile', 'email', 'favourite')),
  archived: column(flag, ({ isArchived }) => isArchived),
  customFields: loaded(z.array(customValue.omit({ name: true })), async (call, all) => {
    const values = await customColumn('Contact').load(call, all);
    return (contact) =>
      (values(contact) as z.infer<typeof customValue>[]).map(({ uuid, value }) => ({ uuid, value }));
  }),
};

export const contactShown = tableOf('contact', 'ClientContact', alone);
export const contactLinked = tableOf('contact', 'ClientContactLinked', {
  ...alone,
  ...rowColumns(some(contactRows, 'position', 'isPrimary', 'includeInEmails')),
});

export const groupShown = tableOf('group', 'ClientGroup', {
  uuid: uuidColumn,
  ...rowColumns(groupRows),
  clients: joinedColumn({
    by: 'groupMember',
    as: 'other',
    kind: 'client',
    schema: namedRef,
    of: ({ uuid, name, isDeleted }) => (isDeleted ? undefined : { uuid, name }),
  }),
});
