import { z } from 'zod';
import type { Kind, StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../operation/call.ts';
import { shape } from '../operation/operation.ts';
import { id, idOrNull, orNull, partsOfName, text, textOrNull } from './values.ts';

/** A person whom XML knows only by name has a name here, and no identifier. */
export const staffRef = z.strictObject({ uuid: idOrNull, firstName: text, lastName: text });
export const clientRef = z.strictObject({ uuid: id, name: text, email: textOrNull, phoneNumber: textOrNull });
export const contactRef = z.strictObject({
  uuid: id,
  firstName: text,
  lastName: text,
  email: textOrNull,
  phoneNumber: textOrNull,
  mobileNumber: textOrNull,
});
export const namedRef = z.strictObject({ uuid: id, name: text });
export const messageShape = shape('Message', z.strictObject({ message: text }));

export type StaffRef = z.infer<typeof staffRef>;

/** The answer to a deletion. */
export const deleted = (what: string): { readonly message: string } => ({
  message: `The ${what} was deleted.`,
});

/** A staff member as other records show it. */
export const staffNamed = (staff: StoredRecord<'staff'>): StaffRef => ({
  uuid: staff.uuid,
  ...partsOfName(staff),
});

/** A staff member as other records show it, or null. */
export const staffRefOf = (staff: StoredRecord<'staff'> | undefined): StaffRef | null =>
  staff === undefined ? null : staffNamed(staff);

/** A client as other records show it, or null. */
export const clientRefOf = (client: StoredRecord<'client'> | undefined): z.infer<typeof clientRef> | null =>
  client === undefined
    ? null
    : {
        uuid: client.uuid,
        name: client.name,
        email: orNull(client.fields.email),
        phoneNumber: orNull(client.fields.phone),
      };

/** A contact as other records show it, or null. */
export const contactRefOf = (
  contact: StoredRecord<'contact'> | undefined,
): z.infer<typeof contactRef> | null =>
  contact === undefined
    ? null
    : {
        uuid: contact.uuid,
        ...partsOfName(contact),
        email: orNull(contact.fields.email),
        phoneNumber: orNull(contact.fields.phone),
        mobileNumber: orNull(contact.fields.mobile),
      };

/** UUID and name of a record, or null. */
export const namedRefOf = (
  record: Pick<StoredRecord, 'uuid' | 'name'> | undefined,
): z.infer<typeof namedRef> | null =>
  record === undefined ? null : { uuid: record.uuid, name: record.name };

/** How other records show a staff member, or null. */
export const staffRefs = { kind: 'staff', schema: staffRef.nullable(), of: staffRefOf } as const;
export const clientRefs = { kind: 'client', schema: clientRef.nullable(), of: clientRefOf } as const;
export const contactRefs = { kind: 'contact', schema: contactRef.nullable(), of: contactRefOf } as const;
/** How other records show a record by UUID and name alone, or null. */
export const namedRefs = <K extends Kind>(kind: K) =>
  ({ kind, schema: namedRef.nullable(), of: namedRefOf }) as const;
export const supplierRefs = namedRefs('supplier');

/** Finds authors by name, because records store only the name. */
export async function authorsOf(call: JsonCall): Promise<(name: string) => StaffRef | null> {
  const staff = new Map((await call.records.all('staff')).map((member) => [member.name, member]));
  return (name) => {
    if (name === '') return null;
    return staffRefOf(staff.get(name)) ?? { uuid: null, ...partsOfName({ name, fields: {} }) };
  };
}
