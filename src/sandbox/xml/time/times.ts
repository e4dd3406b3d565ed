import type { RecordFields, StoredRecord } from '../../records/kinds.ts';
import type { Selection } from '../../records/records.ts';
import { timeRows } from '../../tables/time.ts';
import { blank, some } from '../../tables/table.ts';
import type { Answer, Operation, XmlCall } from '../call.ts';
import { optionalDays, requiredDays } from '../days.ts';
import { ofCode, ofElement, ofPath, ofText, requireId, unknownRecord } from '../identify.ts';
import { ofRoot, type Message } from '../message.ts';
import { valuesAfter } from '../record.ts';
import { invalidValue, missing } from '../refusal.ts';
import { minutesOf } from '../values.ts';
import { writtenTimes } from './view.ts';

type Time = StoredRecord<'time'>;
type TimeFields = RecordFields['time'];

function timesAnswer(call: XmlCall, selection: Selection): Answer {
  async function* records(): AsyncGenerator<string> {
    for await (const batch of call.records.select('time', selection)) yield writtenTimes(call, batch);
  }
  return { answer: 'list', container: 'Times', records: records() };
}

async function list(call: XmlCall): Promise<Answer> {
  return timesAnswer(call, { withDeleted: false, dated: { field: 'date', ...requiredDays(call) } });
}

async function ofJob(call: XmlCall): Promise<Answer> {
  const job = await ofPath(call, 'job');
  const days = optionalDays(call);
  return timesAnswer(call, {
    withDeleted: false,
    owner: job.uuid,
    ...(days && { dated: { field: 'date', ...days } }),
  });
}

async function ofStaff(call: XmlCall): Promise<Answer> {
  const dated = { field: 'date', ...requiredDays(call) };
  const staff = await ofPath(call, 'staff');
  return timesAnswer(call, { withDeleted: false, other: staff.uuid, dated });
}

const timeAnswer = async (call: XmlCall, time: Time): Promise<Answer> => ({
  answer: 'record',
  xml: await writtenTimes(call, [time]),
});

async function get(call: XmlCall): Promise<Answer> {
  return timeAnswer(call, await ofPath(call, 'time'));
}

/** `Task` and `Staff` hold the identifier themselves; V3 calls them `TaskUUID` and `StaffUUID`. */
function named(call: XmlCall, message: Message | undefined, element: 'Task' | 'Staff'): string {
  const { ids } = call.dialect;
  const plain = ids === 'uuid' ? undefined : message?.text(element)?.trim();
  const uuid = ids === 'id' ? undefined : message?.text(`${element}UUID`)?.trim();
  return [plain, uuid].find((given) => given) ?? '';
}

function requiredName(call: XmlCall, message: Message | undefined, element: 'Task' | 'Staff'): string {
  const given = named(call, message, element);
  if (given === '') throw missing('Timesheet', call.dialect.ids === 'uuid' ? `${element}UUID` : element);
  return given;
}

async function add(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Timesheet');
  const job = await ofCode(call, 'job', message, ['Timesheet', 'Job']);
  const task = await taskOf(call, job, requiredName(call, message, 'Task'));
  const staff = await ofText(call, 'staff', requiredName(call, message, 'Staff'));
  if (!message?.text('Date')?.trim()) throw missing('Timesheet', 'Date');
  const hasMinutes = Boolean(message.text('Minutes')?.trim());
  if (!hasMinutes && !(message.text('Start')?.trim() && message.text('End')?.trim()))
    throw missing('Timesheet', 'Minutes');
  const beginning = { ...blank(timeRows), task: task.uuid, billable: task.fields.billable };
  const fields = await fieldsAfter(call, message, { fields: beginning });
  const time = { name: '', owner: job.uuid, other: staff.uuid, fields };
  return timeAnswer(call, await call.records.insert('time', time, call.now));
}

/** Throws `Refusal` for the task of another job. */
async function taskOf(
  call: XmlCall,
  job: StoredRecord<'job'>,
  given: string,
): Promise<StoredRecord<'jobTask'>> {
  const task = await ofText(call, 'jobTask', given);
  if (task.owner !== job.uuid) throw unknownRecord('jobTask');
  return task;
}

/** Without minutes, those between start and end; day and minutes are never empty. Throws `Refusal`. */
async function fieldsAfter(
  call: XmlCall,
  message: Message | undefined,
  before: { readonly fields: TimeFields },
): Promise<TimeFields> {
  const { fields } = await valuesAfter<'time'>(call, fieldRows, 'Timesheet', message, before);
  const { start, end, date, ...after } = fields;
  if (start !== '' && end !== '' && end < start) throw invalidValue('End');
  const isTimed = message?.text('Start') !== undefined || message?.text('End') !== undefined;
  const between = isTimed && start !== '' && end !== '' ? minutesOf(end) - minutesOf(start) : undefined;
  const minutes = message?.text('Minutes')?.trim() ? after.minutes : (between ?? before.fields.minutes);
  return { ...after, date: date || before.fields.date, minutes, start, end };
}

/** Who did it, and for what, the message names in its own way. */
const fieldRows = some(timeRows, 'date', 'minutes', 'note', 'start', 'end');

async function update(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Timesheet');
  requireId(call, message, ['Timesheet']);
  const time = await ofElement(call, 'time', message);
  const job = await jobAfter(call, message, time);
  const givenTask = named(call, message, 'Task');
  const task = await taskOf(call, job, givenTask === '' ? await present(call, time) : givenTask);
  const givenStaff = named(call, message, 'Staff');
  const other = givenStaff === '' ? time.other : (await ofText(call, 'staff', givenStaff)).uuid;
  const fields = { ...(await fieldsAfter(call, message, time)), task: task.uuid };
  // A time sheet may move to another job; its task is then one of that job.
  const moved = { ...time, owner: job.uuid, other, fields };
  await call.records.update(time, { owner: job.uuid, other: other ?? null, fields }, call.now);
  return timeAnswer(call, moved);
}

async function jobAfter(
  call: XmlCall,
  message: Message | undefined,
  time: Time,
): Promise<StoredRecord<'job'>> {
  if (message?.text('Job')?.trim()) return ofCode(call, 'job', message, ['Timesheet', 'Job']);
  const job = await call.records.byUuid('job', time.owner ?? '');
  if (!job) throw unknownRecord('job');
  return job;
}

/** The identifier of the task it has, in the form of the call. */
async function present(call: XmlCall, time: Time): Promise<string> {
  const task = await call.records.byUuid('jobTask', time.fields.task);
  if (!task) throw unknownRecord('jobTask');
  return call.dialect.ids === 'uuid' ? task.uuid : String(task.number);
}

async function remove(call: XmlCall): Promise<Answer> {
  const time = await ofPath(call, 'time');
  await call.records.update(time, { isDeleted: true }, call.now);
  return { answer: 'status' };
}

export const timeOperations: readonly Operation[] = [
  { id: 'time.list', verbs: ['GET'], path: 'time.api/list', serve: list },
  { id: 'time.job', verbs: ['GET'], path: 'time.api/job/{id}', serve: ofJob },
  { id: 'time.staff', verbs: ['GET'], path: 'time.api/staff/{id}', serve: ofStaff },
  { id: 'time.get', verbs: ['GET'], path: 'time.api/get/{id}', serve: get },
  // Printed as POST; programs confuse the two.
  { id: 'time.add', verbs: ['POST', 'PUT'], path: 'time.api/add', serve: add },
  { id: 'time.update', verbs: ['PUT'], path: 'time.api/update', serve: update },
  { id: 'time.delete', verbs: ['DELETE'], path: 'time.api/delete/{id}', serve: remove },
];
