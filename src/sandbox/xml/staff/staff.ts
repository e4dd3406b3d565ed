import type { StaffFields } from '../../records/kinds/people.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { Answer, Operation, XmlCall } from '../call.ts';
import type { Dialect } from '../dialect.ts';
import { required, textsAfter } from '../elements.ts';
import { type Fields, identified, recordWriter, text } from '../fields.ts';
import { ofElement, ofPath, requireId } from '../identify.ts';
import { ofRoot, type Message } from '../message.ts';
import { missing, Refusal } from '../refusal.ts';

type Staff = StoredRecord<'staff'>;

const elements = {
  Email: 'email',
  Phone: 'phone',
  Mobile: 'mobile',
  Address: 'address',
  PayrollCode: 'payrollCode',
} as const;

const staffFields = (dialect: Dialect, publicUrl: string): Fields<Staff> =>
  identified<Staff>(dialect.ids, [
    text('Name', ({ name }) => name),
    ...Object.entries(elements).map(([element, field]) =>
      text<Staff>(element, ({ fields }) => fields[field]),
    ),
    ...webUrl(dialect, publicUrl),
  ]);

function webUrl({ webUrl: form }: Dialect, publicUrl: string): Fields<Staff> {
  if (form === 'off') return [];
  return [text('WebUrl', ({ number, uuid }) => `${publicUrl}/Staff?id=${form === 'uuid' ? uuid : number}`)];
}

const writer = (call: XmlCall) => recordWriter('Staff', staffFields(call.dialect, call.publicUrl));

const staffAnswer = (call: XmlCall, staff: Staff): Answer => ({
  answer: 'record',
  xml: writer(call)(staff),
});

/** Disabled members too: they may not log in, but their work is still theirs. */
async function list(call: XmlCall): Promise<Answer> {
  const all = await call.records.all('staff');
  return { answer: 'list', container: 'StaffList', records: all.map(writer(call)) };
}

async function get(call: XmlCall): Promise<Answer> {
  return staffAnswer(call, await ofPath(call, 'staff'));
}

const blank: StaffFields = { email: '', phone: '', mobile: '', address: '', payrollCode: '' };

async function add(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Staff');
  const name = required(message, 'Staff', 'Name');
  const fields = textsAfter(message, elements, blank);
  return staffAnswer(call, await call.records.insert('staff', { name, fields }, call.now));
}

async function update(call: XmlCall): Promise<Answer> {
  const { message, staff } = await givenStaff(call);
  const name = message?.text('Name') ?? staff.name;
  if (name.trim() === '') throw missing('Staff', 'Name');
  const fields = textsAfter(message, elements, staff.fields);
  await call.records.update(staff, { name, fields }, call.now);
  return staffAnswer(call, { ...staff, name, fields });
}

/** What names the member goes on naming it. */
async function remove(call: XmlCall): Promise<Answer> {
  const { staff } = await givenStaff(call);
  await call.records.update(staff, { isDeleted: true }, call.now);
  return { answer: 'status' };
}

async function enable(call: XmlCall): Promise<Answer> {
  const { message, staff } = await givenStaff(call);
  const security = message?.text('Security') ?? staff.fields.security ?? '';
  await call.records.update(staff, { fields: { ...staff.fields, active: true, security } }, call.now);
  return { answer: 'status' };
}

async function disable(call: XmlCall): Promise<Answer> {
  const { staff } = await givenStaff(call);
  await call.records.update(staff, { fields: { ...staff.fields, active: false } }, call.now);
  return { answer: 'status' };
}

/** The played service sends no mail; it refuses where the real one could send none. */
async function forgottenPassword(call: XmlCall): Promise<Answer> {
  const { staff } = await givenStaff(call);
  if (staff.fields.email.trim() === '') throw new Refusal('The staff member has no email address');
  return { answer: 'status' };
}

async function givenStaff(
  call: XmlCall,
): Promise<{ readonly message: Message | undefined; readonly staff: Staff }> {
  const message = ofRoot(call.message, 'Staff');
  requireId(call, message, ['Staff']);
  return { message, staff: await ofElement(call, 'staff', message) };
}

export const staffOperations: readonly Operation[] = [
  { id: 'staff.list', verbs: ['GET'], path: 'staff.api/list', serve: list },
  { id: 'staff.get', verbs: ['GET'], path: 'staff.api/get/{id}', serve: get },
  { id: 'staff.add', verbs: ['POST'], path: 'staff.api/add', serve: add },
  { id: 'staff.update', verbs: ['PUT'], path: 'staff.api/update', serve: update },
  { id: 'staff.delete', verbs: ['POST'], path: 'staff.api/delete', serve: remove },
  { id: 'staff.enable', verbs: ['POST'], path: 'staff.api/enable', serve: enable },
  { id: 'staff.disable', verbs: ['POST'], path: 'staff.api/disable', serve: disable },
  {
    id: 'staff.forgottenpassword',
    verbs: ['POST'],
    path: 'staff.api/forgottenpassword',
    serve: forgottenPassword,
  },
];
