import { staffRows } from '../../tables/people/staff.ts';
import type { JsonCall } from '../operation/call.ts';
import { type ColumnsOf, nameColumns, refColumn } from '../record/columns.ts';
import { area } from '../operation/operation.ts';
import { conflict } from '../operation/refusal.ts';
import type { Body } from '../record/record.ts';
import { resource, type Taken } from '../operation/resource.ts';
import { joinedName, partsOfName, requiredText, textAfter, textIn, textOrNull } from '../record/values.ts';

const computed: ColumnsOf<'staff'> = {
  ...nameColumns,
  role: refColumn(
    { kind: 'role', schema: textOrNull, of: (role) => role?.name ?? null },
    ({ fields }) => fields.role,
  ),
};

const taken: Taken<'staff'> = {
  shape: { firstName: requiredText, lastName: requiredText, role: textIn },
  changed: { firstName: requiredText.optional(), lastName: textIn },
  async take(call, body, before) {
    const parts = before ? partsOfName(before) : { firstName: '', lastName: '' };
    const firstName = textAfter(body.firstName as string | undefined, parts.firstName);
    const lastName = textAfter(body.lastName as string | null | undefined, parts.lastName);
    await requireFreeEmail(
      call,
      textAfter(body.email as string | undefined, before?.fields.email),
      before?.uuid,
    );
    return {
      name: joinedName(firstName, lastName),
      fields: { firstName, ...(await roleByName(call, body)) },
    };
  },
};

/** A role may be named instead of its UUID; an unknown name changes nothing. */
async function roleByName(call: JsonCall, { role, roleUUID }: Body): Promise<{ readonly role?: string }> {
  if (roleUUID !== undefined || typeof role !== 'string') return {};
  const found = await call.records.byNameInAnyCase('role', role);
  return found ? { role: found.uuid } : {};
}

async function requireFreeEmail(call: JsonCall, email: string, own: string | undefined): Promise<void> {
  const rival = (await call.records.all('staff')).find(
    ({ uuid, fields }) => uuid !== own && fields.email.toLowerCase() === email.toLowerCase(),
  );
  if (email !== '' && rival) throw conflict('email', 'email is used by another staff member');
}

export const staff = area(
  'Staff',
  resource({
    kind: 'staff',
    rows: staffRows,
    schema: 'Staff',
    path: '/staff',
    alias: '/staffs',
    writePath: '/staffs',
    word: 'staff member',
    words: 'staff',
    summaries: { create: 'Create a staff member (details, roles and permissions, rates)' },
    examples: {
      create: { firstName: 'Mara', lastName: 'Vega', email: 'mara@studio.example', billableRate: 120 },
      update: { jobTitle: 'Partner', baseRate: 60 },
    },
    computed,
    taken,
  }),
);
