import { z } from 'zod';
import { customValue } from '../customValues.ts';
import { comment, documentCommon } from '../documentShapes.ts';
import { shape } from '../operation.ts';
import { namedRef, staffRef } from '../refs.ts';
import {
  amount,
  amountOrNull,
  dayOrNull,
  flag,
  id,
  idOrNull,
  moment,
  text,
  textOrNull,
  times,
} from '../values.ts';

const base = {
  uuid: id,
  name: text,
  archived: flag,
  prospect: flag,
  favorite: flag,
  exportCode: textOrNull,
  referralSource: textOrNull,
};

const managers = { clientManager: staffRef.nullable(), jobManager: staffRef.nullable() };

const address = z.strictObject({
  type: z.enum(['postal', 'billing']),
  default: flag,
  address: textOrNull,
  city: textOrNull,
  state: textOrNull,
  postalCode: textOrNull,
  country: textOrNull,
});
const contactDetails = z.strictObject({
  email: textOrNull,
  phone: textOrNull,
  fax: textOrNull,
  website: textOrNull,
});
const contact = z.strictObject({
  uuid: id,
  salutation: textOrNull,
  firstName: text,
  lastName: text,
  position: textOrNull,
  primary: flag,
  includeInEmails: flag,
});
const clientGroup = z.strictObject({ uuid: id, name: text, taxable: flag });
const relationship = {
  uuid: id,
  relatedClientUUID: idOrNull,
  type: text,
  startDate: dayOrNull,
  endDate: dayOrNull,
};
const billing = {
  customRates: z.array(z.strictObject({ taskUUID: id, billableRate: amount })),
  invoiceDueDate: textOrNull,
  markup: amountOrNull,
  balanceDate: textOrNull,
  taxNumbers: z.array(z.strictObject({ name: text, number: text })),
  zeroRatedTaxRate: z.strictObject({ taxName: text, rate: amount }).nullable(),
};
const note = {
  uuid: id,
  title: text,
  description: textOrNull,
  date: dayOrNull,
  phase: textOrNull,
  ...times,
};
const document = { ...documentCommon, phase: textOrNull };
const customFields = z.array(customValue);

/** Groups that were not asked for are absent, in lists and in a single client. */
const groups = {
  addresses: z.array(address).optional(),
  contactDetails: contactDetails.optional(),
  contacts: z.array(contact).optional(),
  clientGroups: z.array(clientGroup).optional(),
};

const billingRefs = z.strictObject({
  clientType: z.strictObject({ uuid: id, clientType: text }).nullable(),
  businessStructure: namedRef.nullable(),
  /** Left out where the client pays itself. */
  billingClient: namedRef.optional(),
  ...billing,
});

export const clientListItem = shape(
  'ClientListItem',
  z.strictObject({
    ...base,
    clientManagerUUID: idOrNull,
    jobManagerUUID: idOrNull,
    ...groups,
    clientRelationships: z.array(z.strictObject(relationship)).optional(),
    billingDetails: z
      .strictObject({
        clientTypeUUID: idOrNull,
        businessStructureUUID: idOrNull,
        billingClientUUID: id.optional(),
        ...billing,
      })
      .optional(),
    notes: z
      .array(z.strictObject({ ...note, createdByFirstName: textOrNull, createdByLastName: textOrNull }))
      .optional(),
    documents: z
      .array(z.strictObject({ ...document, uploadedByFirstName: textOrNull, uploadedByLastName: textOrNull }))
      .optional(),
    customFields: customFields.optional(),
    ...times,
  }),
);

/** The change timestamp is called `modifiedAt` here alone. */
export const clientDetail = shape(
  'ClientDetail',
  z.strictObject({
    ...base,
    ...managers,
    ...groups,
    clientRelationships: z.array(z.strictObject(relationship)).optional(),
    billingDetails: billingRefs.optional(),
    notes: z
      .array(z.strictObject({ ...note, createdBy: staffRef.nullable(), comments: z.array(comment) }))
      .optional(),
    documents: z.array(z.strictObject({ ...document, uploadedBy: staffRef.nullable() })).optional(),
    customFields: customFields.optional(),
    createdAt: moment,
    modifiedAt: moment,
  }),
);

export const clientSaved = shape(
  'ClientSaved',
  z.strictObject({
    ...base,
    ...managers,
    addresses: z.array(address),
    contactDetails,
    contacts: z.array(contact),
    clientGroups: z.array(clientGroup),
    clientRelationships: z.array(z.strictObject({ ...relationship, numberOfShare: amountOrNull })),
    billingDetails: billingRefs.extend({
      businessStructure: z.strictObject({ uuid: id, businessStructure: text }).nullable(),
    }),
    customFields,
    ...times,
  }),
);

const contactAlone = {
  uuid: id,
  salutation: textOrNull,
  firstName: text,
  lastName: text,
  addressee: textOrNull,
  phone: textOrNull,
  mobile: textOrNull,
  email: textOrNull,
  favourite: flag,
  archived: flag,
  customFields: z.array(customValue.omit({ name: true })),
};

export const clientContact = shape('ClientContact', z.strictObject(contactAlone));

export const clientContactLinked = shape(
  'ClientContactLinked',
  z.strictObject({ ...contactAlone, position: textOrNull, primary: flag, includeInEmails: flag }),
);

export const clientGroupShape = shape(
  'ClientGroup',
  z.strictObject({
    uuid: id,
    name: text,
    taxable: flag,
    favourite: flag,
    clients: z.array(namedRef),
  }),
);
