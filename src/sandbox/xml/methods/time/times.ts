/**
 * The XML methods for time sheets.
 *
 * `Task` and `Staff` contain an identifier themselves, which V3 calls `TaskUUID` and `StaffUUID`; the rows of
 * the table read everything else. A task of another job is refused.
 */
import type { RecordFields, StoredRecord } from '../../../records/kinds.ts';
import type { Referring } from '../../../records/referred.ts';
import { timeRows } from '../../../tables/jobs/time.ts';
import { blank, some } from '../../../tables/table.ts';
import { type Answer, methods, type Operation, type XmlCall } from '../../call.ts';
import { optionalDays, requiredDays } from '../../record/days.ts';
import { type Named, namedFields, nested } from '../../record/fields.ts';
import { ofCode, ofElement, ofPath, ofText, requireId, unknownRecord } from '../../record/identify.ts';
import { ofRoot, type Message } from '../../http/message.ts';
import { taskName } from '../job/task-view.ts';
import { valuesAfter } from '../../record/record.ts';
import { xmlResource } from '../../record/resource.ts';
import { invalidValue, missing } from '../../refusal.ts';
import { minutesOf } from '../../../tables/values.ts';

type Time = StoredRecord<'time'>;
type TimeFields = RecordFields['time'];

type TimeView = Referring<'time'> & { readonly task: Named | undefined };

const times = xmlResource<'time', TimeView>({
  kind: 'time',
  rows: timeRows,
  root: 'Time',
  async load({ records }, all) {
    const tasks = await records.referred('jobTask', all, ({ fields }) => fields.task);
    return all.map((time) => {
      const task = tasks.get(time.fields.task);
      return { ...time, task: task && { ...task, name: taskName(task) } };
    });
  },
  behind: ({ dialect: { ids } }) => ({ Job: [nested('Task', namedFields(ids), ({ task }) => task)] }),
});

async function list(call: XmlCall): Promise<Answer> {
  return times.list(call, { dated: { field: 'date', ...requiredDays(call) } });
}

async function ofJob(call: XmlCall): Promise<Answer> {
  const { uuid } = await ofPath(call, 'job');
  const days = optionalDays(call);
  return times.list(call, { owner: uuid, ...(days && { dated: { field: 'date', ...days } }) });
}

async function ofStaff(call: XmlCall): Promise<Answer> {
  const dated = { field: 'date', ...requiredDays(call) };
  return times.list(call, { other: (await ofPath(call, 'staff')).uuid, dated });
}

/** `Task` and `Staff` contain the identifier as text; V3 calls them `TaskUUID` and `StaffUUID`. */
function namedIn(call: XmlCall, message: Message | undefined, element: 'Task' | 'Staff'): string {
  const { ids } = call.dialect;
  const plain = ids === 'uuid' ? undefined : message?.text(element)?.trim();
  const uuid = ids === 'id' ? undefined : message?.text(`${element}UUID`)?.trim();
  return [plain, uuid].find((given) => given) ?? '';
}

function requiredName(call: XmlCall, message: Message | undefined, element: 'Task' | 'Staff'): string {
  const given = namedIn(call, message, element);
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
  return times.answer(call, await call.records.insert('time', time, call.now));
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

const minutesBetween = (start: string, end: string): number | undefined =>
  start !== '' && end !== '' ? minutesOf(end) - minutesOf(start) : undefined;

/** Minutes default to those between start and end; day and minutes are never empty. Throws `Refusal`. */
async function fieldsAfter(
  call: XmlCall,
  message: Message | undefined,
  before: { readonly fields: TimeFields },
): Promise<TimeFields> {
  const { fields } = await valuesAfter<'time'>(call, fieldRows, 'Timesheet', message, before);
  const { start, end, date, ...after } = fields;
  if (start !== '' && end !== '' && end < start) throw invalidValue('End');
  const isTimed = message?.text('Start') !== undefined || message?.text('End') !== undefined;
  const between = isTimed ? minutesBetween(start, end) : undefined;
  const minutes = message?.text('Minutes')?.trim() ? after.minutes : (between ?? before.fields.minutes);
  return { ...after, date: date || before.fields.date, minutes, start, end };
}

/** Without member and task, which the message names in its own way. */
const fieldRows = some(timeRows, 'date', 'minutes', 'note', 'start', 'end');

async function update(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Timesheet');
  requireId(call, message, ['Timesheet']);
  const time = await ofElement(call, 'time', message);
  const job = await jobAfter(call, message, time);
  const givenTask = namedIn(call, message, 'Task');
  const task = await taskOf(call, job, givenTask === '' ? await present(call, time) : givenTask);
  const givenStaff = namedIn(call, message, 'Staff');
  const other = givenStaff === '' ? time.other : (await ofText(call, 'staff', givenStaff)).uuid;
  const fields = { ...(await fieldsAfter(call, message, time)), task: task.uuid };
  // A time sheet may move to another job; its task must then belong to that job.
  const moved = { ...time, owner: job.uuid, other, fields };
  await call.records.update(time, { owner: job.uuid, other: other ?? null, fields }, call.now);
  return times.answer(call, moved);
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

/** The identifier of its current task, in the form of the call. */
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

export const timeOperations: readonly Operation[] = methods([
  ['GET', 'time.list', 'time.api/list', list],
  ['GET', 'time.job', 'time.api/job/{id}', ofJob],
  ['GET', 'time.staff', 'time.api/staff/{id}', ofStaff],
  ['GET', 'time.get', 'time.api/get/{id}', times.get],
  // Specified as POST; programs confuse the two.
  { id: 'time.add', verbs: ['POST', 'PUT'], path: 'time.api/add', serve: add },
  ['PUT', 'time.update', 'time.api/update', update],
  ['DELETE', 'time.delete', 'time.api/delete/{id}', remove],
]);
