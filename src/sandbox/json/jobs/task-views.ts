import { z } from 'zod';
import { actualMinutes } from '../../records/job-rules.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import { toDoRows } from '../../tables/jobs/job-parts.ts';
import { jobTaskRows } from '../../tables/jobs/job-task.ts';
import { timeRows } from '../../tables/jobs/time.ts';
import { some } from '../../tables/table.ts';
import { taskNote } from '../record/attachments.ts';
import type { JsonCall } from '../operation/call.ts';
import {
  always,
  column,
  type ColumnsOf,
  customColumn,
  joinedColumn,
  loaded,
  objectOf,
  ownedColumn,
  refColumn,
  tableOf,
  timeColumns,
  uuidColumn,
  viewer,
} from '../record/columns.ts';
import { phaseRef, phaseRefOf } from '../record/phases.ts';
import { rowColumns } from '../record/record.ts';
import { staffRef, staffNamed, staffRefs } from '../record/refs.ts';
import { count, dayOrNull, id, orNull } from '../record/values.ts';
import { jobColumn } from './cost-views.ts';

/** A task as part of its job, and a task on its own. */

type JobTask = StoredRecord<'jobTask'>;

const LAST = Number.MAX_SAFE_INTEGER;

/** Sorts into display order: reordered tasks by position, the others by number. */
export const inOrder = (tasks: readonly JobTask[]): readonly JobTask[] =>
  [...tasks].sort((a, b) => (a.fields.position ?? LAST) - (b.fields.position ?? LAST) || a.number - b.number);

const ownersOf = (tasks: readonly JobTask[]): readonly string[] => [
  ...new Set(tasks.map(({ owner = '' }) => owner)),
];

const minutesSpent = loaded<'jobTask', number>(count, async (call, tasks) => {
  const minutes = await actualMinutes(call.records, ownersOf(tasks));
  return ({ uuid }) => minutes.get(uuid) ?? 0;
});

/** The members to whom the task is allocated, if the service still knows them. */
const allocated = joinedColumn({
  by: 'jobTaskStaff',
  as: 'owner',
  kind: 'staff',
  schema: z.strictObject({ ...staffRef.shape, allocatedTime: count }),
  of: (member, { fields }) => ({ ...staffNamed(member), allocatedTime: fields.allocatedMinutes }),
});

const embedded: ColumnsOf<'jobTask'> = {
  uuid: uuidColumn,
  ...rowColumns(jobTaskRows),
  actualMinutes: minutesSpent,
  customFields: customColumn('JobTask'),
  ...timeColumns,
};

export const taskOfList: ColumnsOf<'jobTask'> = {
  ...embedded,
  staff: ownedColumn('jobTaskStaff', {
    uuid: column(id, ({ other }) => other ?? ''),
    allocatedTime: column(count, ({ fields }) => fields.allocatedMinutes),
  }),
};
export const taskOfDetail: ColumnsOf<'jobTask'> = { ...embedded, staffs: allocated };

const dueDate = column<StoredRecord<'jobTask'>, string | null>(dayOrNull, ({ fields }) =>
  orNull(fields.dueDate),
);

const alone: ColumnsOf<'jobTask'> = {
  uuid: uuidColumn,
  ...rowColumns(jobTaskRows.filter(({ at }) => !['folder', 'dueDate', 'completed'].includes(at))),
  job: jobColumn,
  phase: column(phaseRef.nullable(), ({ owner = '', fields }) => phaseRefOf(owner, fields.folder)),
  completedAt: column(dayOrNull, ({ fields, modifiedAt }) =>
    fields.completed
      ? (orNull(fields.completedDate) ?? new Date(modifiedAt).toISOString().slice(0, 10))
      : null,
  ),
  actualMinutes: minutesSpent,
  order: loaded(count, async (call, tasks) => {
    const siblings = await call.records.ownedBy('jobTask', ownersOf(tasks));
    return (task) =>
      inOrder(siblings.get(task.owner ?? '') ?? []).findIndex(({ uuid }) => uuid === task.uuid) + 1;
  }),
  staff: allocated,
  customFields: customColumn('JobTask'),
  ...timeColumns,
};

/** Omitted if it is empty, or if the organisation does not record it. */
export const timeOfDay = (at: 'start' | 'end') =>
  loaded<'time', string | undefined>(
    z.string().optional(),
    async ({ organisation }) =>
      ({ fields }) =>
        organisation.switches.startFinishEntry ? fields[at] || undefined : undefined,
  );

export const timeEmbedded: ColumnsOf<'time'> = {
  uuid: uuidColumn,
  staff: refColumn(staffRefs, ({ other }) => other),
  minutes: column(count, ({ fields }) => fields.minutes),
  startTime: timeOfDay('start'),
  finishTime: timeOfDay('end'),
  ...rowColumns(some(timeRows, 'date', 'note', 'billable')),
  customFields: customColumn('JobTime'),
  ...timeColumns,
};

/** Notes, times and to-do items that belong to the job and refer to the task. */
const aboutTask = <N extends 'note' | 'time' | 'toDo'>(kind: N, columns: ColumnsOf<N>) =>
  loaded<'jobTask', object[]>(z.array(objectOf(columns)), async (call, tasks) => {
    const all = [...(await call.records.ownedBy(kind, ownersOf(tasks))).values()].flat();
    const view = await viewer(call, columns, all);
    return ({ uuid }) => all.filter(({ fields }) => fields.task === uuid).map(view);
  });

export const jobTaskSaved = tableOf('jobTask', 'JobTaskSaved', { ...alone, endDate: dueDate });

export const jobTaskListed = tableOf('jobTask', 'JobTaskListItem', {
  ...alone,
  dueDate,
  notes: aboutTask('note', taskNote),
  timesheets: aboutTask('time', timeEmbedded),
  'to-dos': aboutTask('toDo', {
    uuid: uuidColumn,
    ...rowColumns(toDoRows),
    order: loaded(count, placeAmongItsLike),
    completedBy: always(staffRef.nullable(), null),
    ...timeColumns,
  }),
});

/** Position from 1 among the to-do items of the same task. */
async function placeAmongItsLike(_call: JsonCall, all: readonly StoredRecord<'toDo'>[]) {
  return ({ uuid, fields }: StoredRecord<'toDo'>): number =>
    all.filter((one) => one.fields.task === fields.task).findIndex((one) => one.uuid === uuid) + 1;
}
