import { z } from 'zod';
import type { StaffFields } from '../../records/kinds/people.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { freshView, referenceAfter } from '../find.ts';
import { area, list, one, shape } from '../operation.ts';
import { pageOf, shown } from '../page.ts';
import { byUuids } from '../refs.ts';
import { conflict } from '../refusal.ts';
import {
  amountOrNull,
  flag,
  flagAfter,
  flagOptional,
  id,
  idOptional,
  idOrNull,
  joinedName,
  numberOrNull,
  orNull,
  partsOfName,
  rateOptional,
  requiredText,
  text,
  textAfter,
  textIn,
  textOrNull,
  times,
  timesOf,
  twoAfter,
} from '../values.ts';

const staffShape = shape(
  'Staff',
  z.strictObject({
    uuid: id,
    firstName: text,
    lastName: text,
    email: textOrNull,
    phone: textOrNull,
    mobile: textOrNull,
    address: textOrNull,
    jobTitle: textOrNull,
    payrollCode: textOrNull,
    baseRate: amountOrNull,
    billableRate: amountOrNull,
    active: flag,
    role: textOrNull,
    roleUUID: idOrNull,
    ...times,
  }),
);

const changes = z.object({
  firstName: requiredText.optional(),
  lastName: textIn,
  email: requiredText.optional(),
  phone: textIn,
  mobile: textIn,
  address: textIn,
  jobTitle: textIn,
  payrollCode: textIn,
  baseRate: rateOptional,
  billableRate: rateOptional,
  active: flagOptional,
  role: textIn,
  roleUUID: idOptional,
});
const write = changes.extend({ firstName: requiredText, lastName: requiredText, email: requiredText });
type Changes = z.infer<typeof changes>;
type Staff = StoredRecord<'staff'>;

async function views(call: JsonCall, staff: readonly Staff[]) {
  const roles = await byUuids(
    call,
    'role',
    staff.map(({ fields }) => fields.role),
  );
  return staff.map((member): z.infer<typeof staffShape.schema> => {
    const { fields } = member;
    const role = roles.get(fields.role ?? '');
    return {
      uuid: member.uuid,
      ...partsOfName(member),
      email: orNull(fields.email),
      phone: orNull(fields.phone),
      mobile: orNull(fields.mobile),
      address: orNull(fields.address),
      jobTitle: orNull(fields.jobTitle),
      payrollCode: orNull(fields.payrollCode),
      baseRate: numberOrNull(fields.baseRate),
      billableRate: numberOrNull(fields.billableRate),
      active: fields.active ?? true,
      role: role?.name ?? null,
      roleUUID: role?.uuid ?? null,
      ...timesOf(member),
    };
  });
}

const viewOf = (call: JsonCall, uuid: string) => freshView(call, 'staff', uuid, views);

async function after(call: JsonCall, body: Changes, before: Staff | undefined) {
  const parts = before ? partsOfName(before) : { firstName: '', lastName: '' };
  const firstName = body.firstName ?? parts.firstName;
  const lastName = textAfter(body.lastName, parts.lastName);
  const known = before?.fields;
  const fields: StaffFields = {
    ...known,
    email: body.email ?? known?.email ?? '',
    phone: textAfter(body.phone, known?.phone),
    mobile: textAfter(body.mobile, known?.mobile),
    address: textAfter(body.address, known?.address),
    payrollCode: textAfter(body.payrollCode, known?.payrollCode),
    jobTitle: textAfter(body.jobTitle, known?.jobTitle),
    baseRate: twoAfter(body.baseRate, known?.baseRate),
    billableRate: twoAfter(body.billableRate, known?.billableRate),
    active: flagAfter(body.active, known?.active ?? true),
    role: await roleAfter(call, body, known?.role),
    firstName,
  };
  await requireFreeEmail(call, fields.email, before?.uuid);
  return { name: joinedName(firstName, lastName), fields };
}

/** By its UUID, or else by its name. */
async function roleAfter(call: JsonCall, body: Changes, before: string | undefined): Promise<string> {
  if (body.roleUUID !== undefined || typeof body.role !== 'string')
    return referenceAfter(call, 'role', body.roleUUID, 'roleUUID', before);
  const role = await call.records.byNameInAnyCase('role', body.role);
  return role?.uuid ?? before ?? '';
}

async function requireFreeEmail(call: JsonCall, email: string, own: string | undefined): Promise<void> {
  const rival = (await call.records.all('staff')).find(
    ({ uuid, fields }) => uuid !== own && fields.email.toLowerCase() === email.toLowerCase(),
  );
  if (email !== '' && rival) throw conflict('email', 'email is used by another staff member');
}

export const staff = area('Staff', [
  list({
    id: 'v2.staff.list',
    path: '/staff',
    aliases: ['/staffs'],
    summary: 'List staff',
    query: ['sort', 'order', 'updatedSince', 'lastModified'],
    response: staffShape,
    serve: (call) => shown(pageOf(call, 'staff'), (rows) => views(call, rows)),
  }),
  one({
    id: 'v2.staff.get',
    method: 'GET',
    path: '/staff/{UUID}',
    aliases: ['/staffs/{UUID}'],
    summary: 'Get a staff member',
    on: { UUID: 'staff' },
    response: staffShape,
    serve: (call, on) => viewOf(call, on.UUID.uuid),
  }),
  one({
    id: 'v2.staff.create',
    method: 'POST',
    path: '/staffs',
    aliases: ['/staff'],
    summary: 'Create a staff member (details, roles and permissions, rates)',
    body: write,
    example: { firstName: 'Mara', lastName: 'Vega', email: 'mara@studio.example', billableRate: 120 },
    response: staffShape,
    serve: async (call, _on, body) => {
      const member = await call.records.insert('staff', await after(call, body, undefined), call.now);
      return viewOf(call, member.uuid);
    },
  }),
  one({
    id: 'v2.staff.update',
    method: 'PUT',
    path: '/staffs/{UUID}',
    aliases: ['/staff/{UUID}'],
    summary: 'Update a staff member',
    on: { UUID: 'staff' },
    body: changes,
    example: { jobTitle: 'Partner', baseRate: 60 },
    response: staffShape,
    serve: async (call, { UUID: member }, body) => {
      await call.records.update(member, await after(call, body, member), call.now);
      return viewOf(call, member.uuid);
    },
  }),
]);
