import { actualMinutes } from '../../../records/job-rules.ts';
import type { StoredRecord } from '../../../records/kinds.ts';
import type { Records } from '../../../records/records.ts';
import { type Referring, withReferred } from '../../../records/referred.ts';
import { milestoneRows } from '../../../tables/jobs/job-parts.ts';
import { jobRows } from '../../../tables/jobs/job.ts';
import { commentRows, noteRows } from '../../../tables/clients/note.ts';
import type { XmlCall } from '../../call.ts';
import type { Dialect } from '../../dialect.ts';
import {
  type Fields,
  identified,
  identifiedByCode,
  list,
  type Named,
  namedFields,
  recordWriter,
  text,
} from '../../record/fields.ts';
import { elementsOf, isInXml } from '../../record/record.ts';
import { taskFields, type TaskView } from './task-view.ts';

type Job = StoredRecord<'job'>;
type Note = StoredRecord<'note'>;

/** The level of detail of a job in an answer. */
export type Extent = 'short' | 'tasks' | 'detailed';

interface NoteView extends Note {
  readonly comments: readonly StoredRecord<'comment'>[];
}

export interface JobView extends Referring<'job'> {
  readonly assigned: readonly Named[];
  readonly tasks: readonly TaskView[];
  readonly milestones: readonly StoredRecord<'milestone'>[];
  readonly notes: readonly NoteView[];
}

/** Jobs with the records that their answers name, loaded for a whole batch at once. */
export async function viewJobs(
  records: Records,
  jobs: readonly Job[],
  extent: Extent,
): Promise<readonly JobView[]> {
  const uuids = jobs.map(({ uuid }) => uuid);
  const isDetailed = extent === 'detailed';
  const assignments = await records.ownedBy('jobStaff', uuids);
  const staff = await records.referred('staff', [...assignments.values()].flat(), ({ other }) => other);
  const tasks = extent === 'short' ? new Map<string, readonly TaskView[]>() : await viewTasks(records, uuids);
  const milestones = await records.ownedBy('milestone', isDetailed ? uuids : []);
  const notes = await viewNotes(records, isDetailed ? uuids : []);
  return (await withReferred(records, jobRows, jobs, isInXml)).map((job) => ({
    ...job,
    assigned: (assignments.get(job.uuid) ?? []).flatMap(({ other }) => staff.get(other ?? '') ?? []),
    tasks: tasks.get(job.uuid) ?? [],
    milestones: milestones.get(job.uuid) ?? [],
    notes: notes.get(job.uuid) ?? [],
  }));
}

/** In the order set by a reorder, or by number; new tasks come last. */
async function viewTasks(
  records: Records,
  jobs: readonly string[],
): Promise<ReadonlyMap<string, readonly TaskView[]>> {
  const tasks = await records.ownedBy('jobTask', jobs);
  const all = [...tasks.values()].flat();
  const minutes = await actualMinutes(records, jobs);
  const catalogue = await records.referred('task', all, ({ other }) => other);
  const assignments = await records.ownedBy('jobTaskStaff', all);
  const staff = await records.referred('staff', [...assignments.values()].flat(), ({ other }) => other);
  const view = (task: StoredRecord<'jobTask'>): TaskView => ({
    ...task,
    catalogueTask: catalogue.get(task.other ?? ''),
    actualMinutes: minutes.get(task.uuid) ?? 0,
    assigned: (assignments.get(task.uuid) ?? []).flatMap(({ other, fields }) => {
      const member = staff.get(other ?? '');
      return member ? [{ ...member, allocatedMinutes: fields.allocatedMinutes }] : [];
    }),
  });
  const place = ({ fields }: TaskView): number => fields.position ?? Number.MAX_SAFE_INTEGER;
  return mapped(tasks, (ofJob) => ofJob.map(view).sort((a, b) => place(a) - place(b)));
}

async function viewNotes(
  records: Records,
  jobs: readonly string[],
): Promise<ReadonlyMap<string, readonly NoteView[]>> {
  const notes = await records.ownedBy('note', jobs);
  const comments = await records.ownedBy('comment', [...notes.values()].flat());
  return mapped(notes, (ofJob) =>
    ofJob.map((note) => ({ ...note, comments: comments.get(note.uuid) ?? [] })),
  );
}

const mapped = <A, B>(groups: ReadonlyMap<string, A>, change: (of: A) => B): ReadonlyMap<string, B> =>
  new Map([...groups].map(([key, group]) => [key, change(group)]));

const milestoneFields: Fields<StoredRecord<'milestone'>> = elementsOf<'milestone'>(milestoneRows, 'id');

const commentFields = ({ ids }: Dialect): Fields<StoredRecord<'comment'>> =>
  identified<StoredRecord<'comment'>>(ids, elementsOf<'comment'>(commentRows, ids));

const noteFields = (dialect: Dialect): Fields<NoteView> =>
  identified<NoteView>(dialect.ids, [
    ...elementsOf<'note', NoteView>(noteRows, dialect.ids),
    list('Comments', 'Comment', commentFields(dialect), ({ comments }) => comments),
  ]);

/** Job in the order of its elements. */
export function jobWriter(call: XmlCall, extent: Extent): (job: JobView) => string {
  const { dialect } = call;
  const names = namedFields(dialect.ids);
  return recordWriter<JobView>(
    'Job',
    identifiedByCode<JobView>(dialect.ids, [
      ...elementsOf<'job', JobView>(jobRows, dialect.ids),
      // Absent from the newer form, which has UUIDs.
      ...(call.surface === 'v1' || dialect.ids === 'id'
        ? [text<JobView>('InternalID', ({ number }) => String(number))]
        : []),
      list('Assigned', 'Staff', names, ({ assigned }) => assigned),
      ...further(dialect, extent),
      ...webUrl(call),
    ]),
  );
}

function further(dialect: Dialect, extent: Extent): Fields<JobView> {
  if (extent === 'short') return [];
  const tasks = list('Tasks', 'Task', taskFields(dialect), (job: JobView) => job.tasks);
  if (extent === 'tasks') return [tasks];
  return [
    tasks,
    list('Milestones', 'Milestone', milestoneFields, ({ milestones }: JobView) => milestones),
    list('Notes', 'Note', noteFields(dialect), ({ notes }: JobView) => notes),
  ];
}

function webUrl({ dialect: { webUrl: form }, publicUrl }: XmlCall): Fields<JobView> {
  if (form === 'off') return [];
  return [text('WebUrl', ({ number, uuid }) => `${publicUrl}/Job?id=${form === 'uuid' ? uuid : number}`)];
}
