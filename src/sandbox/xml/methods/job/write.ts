import { nextCode } from '../../../records/codes.ts';
import { firstState } from '../../../records/current.ts';
import { applyTemplate, completedDateIn, deleteJob } from '../../../records/job-rules.ts';
import type { StoredRecord } from '../../../records/kinds.ts';
import { jobRows } from '../../../tables/jobs/job.ts';
import { blank } from '../../../tables/table.ts';
import { type Answer, methods, type Operation, type XmlCall } from '../../call.ts';
import { required } from '../../record/elements.ts';
import { contactOfClient, ofCode, ofElement, reference, requireId } from '../../record/identify.ts';
import { ofRoot, type Message } from '../../http/message.ts';
import { valuesAfter } from '../../record/record.ts';
import { invalidValue, Refusal } from '../../refusal.ts';
import { isoDate } from '../../../tables/values.ts';
import { jobAnswer } from './read.ts';

type Job = StoredRecord<'job'>;

async function add(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Job');
  const name = required(message, 'Job', 'Name');
  requireId(call, message, ['Job'], 'Client');
  const client = await ofElement(call, 'client', message, 'Client');
  const beginning = {
    ...blank(jobRows),
    state: await firstState(call.records, 'jobStatus', 'planned'),
    startDate: isoDate(call.now),
    contact: await contactOfClient(call, message, client.uuid),
  };
  const record = { name, owner: client.uuid, fields: beginning };
  const made = await valuesAfter<'job'>(call, jobRows, 'Job', message, record);
  const template = await templateOf(call, message);
  const code = await codeOf(call, message);
  const job = await call.records.insert('job', { ...record, fields: made.fields, code }, call.now);
  if (template) await applyTemplate(call.records, job, template, call.now);
  return jobAnswer(call, job);
}

async function templateOf(
  call: XmlCall,
  message: Message | undefined,
): Promise<StoredRecord<'template'> | undefined> {
  const uuid = await reference(call, 'template', message, 'Template');
  return uuid ? call.records.byUuid('template', uuid) : undefined;
}

/** Keeps a given number if no job has ever had it. */
async function codeOf(call: XmlCall, message: Message | undefined): Promise<string> {
  const given = message?.text('ID')?.trim() ?? '';
  // A serialiser sends the empty identifier of a new record as 0.
  if (given === '' || given === '0') return nextCode(call.records, 'job');
  if (await call.records.isCodeTaken('job', given))
    throw new Refusal(`The job number ${given} is already in use`);
  return given;
}

async function update(call: XmlCall): Promise<Answer> {
  const { message, job } = await givenJob(call);
  const { name = '', fields } = await valuesAfter<'job'>(call, jobRows, 'Job', message, job);
  await call.records.update(job, { name, fields }, call.now);
  return jobAnswer(call, { ...job, name, fields });
}

/** Each organisation chooses the names of its states; programs send them in any case. */
async function state(call: XmlCall): Promise<Answer> {
  const { message, job } = await givenJob(call);
  const given = required(message, 'Job', 'State');
  const status = await call.records.byNameInAnyCase('jobStatus', given.trim());
  if (!status) throw invalidValue('State');
  const completedDate = completedDateIn(status, job.fields.completedDate, isoDate(call.now));
  await call.records.update(job, { fields: { ...job.fields, state: status.name, completedDate } }, call.now);
  return { answer: 'status' };
}

async function remove(call: XmlCall): Promise<Answer> {
  const { job } = await givenJob(call);
  await deleteJob(call.records, job, call.now);
  return { answer: 'status' };
}

/** `TaskMode` has no known values, so the contents are always merged. */
async function template(call: XmlCall): Promise<Answer> {
  const { message, job } = await givenJob(call);
  requireId(call, message, ['Job'], 'Template');
  const chosen = await ofElement(call, 'template', message, 'Template');
  await applyTemplate(call.records, job, chosen, call.now);
  return { answer: 'status' };
}

/** Returns the message, and the job whose number it names. Throws `Refusal`. */
export async function givenJob(
  call: XmlCall,
): Promise<{ readonly message: Message | undefined; readonly job: Job }> {
  const message = ofRoot(call.message, 'Job');
  return { message, job: await ofCode(call, 'job', message, ['Job', 'ID']) };
}

export const jobWrites: readonly Operation[] = methods([
  ['POST', 'job.add', 'job.api/add', add],
  ['PUT', 'job.update', 'job.api/update', update],
  ['PUT', 'job.state', 'job.api/state', state],
  ['POST', 'job.delete', 'job.api/delete', remove],
  ['POST', 'job.applytemplate', 'job.api/applytemplate', template],
]);
