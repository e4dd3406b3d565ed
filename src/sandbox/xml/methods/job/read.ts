import { currentJobStates } from '../../../records/current.ts';
import type { StoredRecord } from '../../../records/kinds.ts';
import type { Selection } from '../../../records/selection.ts';
import { type Answer, methods, type Operation, type XmlCall } from '../../call.ts';
import { optionalDay, requiredDays } from '../../record/days.ts';
import { ofPath } from '../../record/identify.ts';
import { pageOf, pageScalars, type Page } from '../../http/page.ts';
import { invalidValue } from '../../refusal.ts';
import { readFlag, readMoment } from '../../../tables/values.ts';
import type { TaskView } from './task-view.ts';
import { type Extent, type JobView, jobWriter, viewJobs } from './view.ts';

/** Never paged, as seen in the field. */
async function current(call: XmlCall): Promise<Answer> {
  return jobsAnswer(call, { ...modified(call), ...(await currentOnes(call)) }, extentOf(call));
}

const currentOnes = async (call: XmlCall): Promise<Selection> => ({
  withDeleted: false,
  oneOf: { field: 'state', values: await currentJobStates(call.records) },
});

/** `from` and `to` are days of creation; the specification does not say which date they mean. */
async function list(call: XmlCall): Promise<Answer> {
  const selection = { withDeleted: false, created: requiredDays(call), ...modified(call) };
  const page = pageOf(call, JOBS_PER_PAGE);
  return {
    ...jobsAnswer(call, selection, extentOf(call), page),
    ...(page && { scalars: pageScalars(page, await call.records.count('job', selection)) }),
  };
}

const JOBS_PER_PAGE = 1_000;

const extentOf = (call: XmlCall): Extent =>
  (readFlag(call.query('detailed') ?? '') ?? false) ? 'detailed' : 'short';

function modified(call: XmlCall): Pick<Selection, 'modifiedSince'> {
  const since = call.query('modifiedsinceutc')?.trim();
  if (!since) return {};
  const modifiedSince = readMoment(since);
  if (modifiedSince === undefined) throw invalidValue('modifiedsinceutc');
  return { modifiedSince };
}

function jobsAnswer(
  call: XmlCall,
  selection: Selection,
  extent: Extent,
  page?: Page,
  keep: (job: JobView) => JobView | undefined = (job) => job,
): Extract<Answer, { answer: 'list' }> {
  async function* records(): AsyncGenerator<string> {
    const write = jobWriter(call, extent);
    for await (const batch of call.records.select('job', selection, page)) {
      const views = await viewJobs(call.records, batch, extent);
      yield views
        .flatMap((job) => keep(job) ?? [])
        .map(write)
        .join('');
    }
  }
  return { answer: 'list', container: 'Jobs', records: records() };
}

/** Answers with one job, always detailed. */
export async function jobAnswer(call: XmlCall, job: StoredRecord<'job'>): Promise<Answer> {
  const views = await viewJobs(call.records, [job], 'detailed');
  return { answer: 'record', xml: views.map(jobWriter(call, 'detailed')).join('') };
}

async function get(call: XmlCall): Promise<Answer> {
  return jobAnswer(call, await ofPath(call, 'job'));
}

/** Lists the current jobs that the member is assigned to. */
async function ofStaff(call: XmlCall): Promise<Answer> {
  const staff = await ofPath(call, 'staff');
  const assignments = await call.records.joined('jobStaff', staff);
  const jobs = await call.records.referred('job', assignments, ({ owner }) => owner);
  const states = new Set(await currentJobStates(call.records));
  const wanted = [...jobs.values()]
    .filter(({ isDeleted, fields }) => !isDeleted && states.has(fields.state))
    .sort((a, b) => a.number - b.number);
  const views = await viewJobs(call.records, wanted, 'short');
  return { answer: 'list', container: 'Jobs', records: views.map(jobWriter(call, 'short')) };
}

/** Lists all jobs of the client, in any state. */
async function ofClient(call: XmlCall): Promise<Answer> {
  const client = await ofPath(call, 'client');
  return jobsAnswer(call, { withDeleted: false, owner: client.uuid }, 'short');
}

/**
 * Lists current jobs with those of their tasks that match, without jobs that have none. `due`: due on or
 * before that day. `start`: started on or after that day.
 */
async function tasks(call: XmlCall): Promise<Answer> {
  const isWanted = taskFilter(call);
  return jobsAnswer(call, await currentOnes(call), 'tasks', undefined, (job) => {
    const wanted = job.tasks.filter(isWanted);
    return wanted.length === 0 ? undefined : { ...job, tasks: wanted };
  });
}

function taskFilter(call: XmlCall): (task: TaskView) => boolean {
  const given = call.query('complete')?.trim() ?? '';
  const complete = given === '' ? undefined : readFlag(given);
  if (given !== '' && complete === undefined) throw invalidValue('complete');
  const due = optionalDay(call, 'due');
  const start = optionalDay(call, 'start');
  return ({ fields: { completed, dueDate, startDate } }) =>
    (complete === undefined || completed === complete) &&
    (due === undefined || (dueDate !== '' && dueDate <= due)) &&
    (start === undefined || (startDate !== '' && startDate >= start));
}

export const jobReads: readonly Operation[] = methods([
  ['GET', 'job.current', 'job.api/current', current],
  ['GET', 'job.list', 'job.api/list', list],
  ['GET', 'job.get', 'job.api/get/{id}', get],
  ['GET', 'job.staff', 'job.api/staff/{id}', ofStaff],
  ['GET', 'job.client', 'job.api/client/{id}', ofClient],
  ['GET', 'job.tasks', 'job.api/tasks', tasks],
]);
