import { staffRows } from '../../../tables/people/staff.ts';
import { type Answer, methods, type Operation, type XmlCall } from '../../call.ts';
import { text, type Field, type Identified } from '../../record/fields.ts';
import { Refusal } from '../../refusal.ts';
import { xmlResource } from '../../record/resource.ts';

const { written, named, get, add, update, remove } = xmlResource({
  kind: 'staff',
  rows: staffRows,
  root: 'Staff',
  further: webUrl,
});

function webUrl({ dialect: { webUrl: form }, publicUrl }: XmlCall): readonly Field<Identified>[] {
  if (form === 'off') return [];
  return [text('WebUrl', ({ number, uuid }) => `${publicUrl}/Staff?id=${form === 'uuid' ? uuid : number}`)];
}

/** Includes disabled members: they may not log in, but their work remains. */
async function list(call: XmlCall): Promise<Answer> {
  const all = await call.records.all('staff');
  return { answer: 'list', container: 'StaffList', records: await written(call, all) };
}

async function enable(call: XmlCall): Promise<Answer> {
  const { message, record } = await named(call);
  const security = message?.text('Security') ?? record.fields.security ?? '';
  await call.records.update(record, { fields: { ...record.fields, active: true, security } }, call.now);
  return { answer: 'status' };
}

async function disable(call: XmlCall): Promise<Answer> {
  const { record } = await named(call);
  await call.records.update(record, { fields: { ...record.fields, active: false } }, call.now);
  return { answer: 'status' };
}

/** The sandbox sends no e-mail; it refuses where the real service could send none. */
async function forgottenPassword(call: XmlCall): Promise<Answer> {
  const { record } = await named(call);
  if (record.fields.email.trim() === '') throw new Refusal('The staff member has no email address');
  return { answer: 'status' };
}

export const staffOperations: readonly Operation[] = methods([
  ['GET', 'staff.list', 'staff.api/list', list],
  ['GET', 'staff.get', 'staff.api/get/{id}', get],
  ['POST', 'staff.add', 'staff.api/add', add],
  ['PUT', 'staff.update', 'staff.api/update', update],
  // Records that name the member keep the name.
  ['POST', 'staff.delete', 'staff.api/delete', remove],
  ['POST', 'staff.enable', 'staff.api/enable', enable],
  ['POST', 'staff.disable', 'staff.api/disable', disable],
  ['POST', 'staff.forgottenpassword', 'staff.api/forgottenpassword', forgottenPassword],
]);
