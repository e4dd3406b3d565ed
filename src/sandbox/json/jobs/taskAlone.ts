import type { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { customValuesShown } from '../customValues.ts';
import { notesShown } from '../documentShapes.ts';
import { fresh } from '../find.ts';
import { phaseRefOf } from '../phases.ts';
import { byUuids, staffRefOf } from '../refs.ts';
import { dayOf, numberOrNull, orNull, timesOf } from '../values.ts';
import { inOrder, taskParts } from './related.ts';
import type { jobTaskListItem, jobTaskSaved } from './shapes.ts';
import { startAndFinish } from './times.ts';

type JobTask = StoredRecord<'jobTask'>;

/** What a single job task and a row of the list of all tasks have in common. */
async function commonOf(call: JsonCall, tasks: readonly JobTask[]) {
  const owners = tasks.map(({ owner }) => owner ?? '');
  const jobs = await call.records.byUuids('job', owners);
  const siblings = await call.records.ownedBy('jobTask', [...new Set(owners)]);
  const { allocations, actualMinutes } = await taskParts(call, tasks);
  const staff = await byUuids(
    call,
    'staff',
    [...allocations.values()].flat().map(({ other }) => other),
  );
  const customFields = await customValuesShown(call, 'JobTask');
  return (task: JobTask) => {
    const owner = task.owner ?? '';
    const job = jobs.get(owner);
    const order = inOrder(siblings.get(owner) ?? []).findIndex(({ uuid }) => uuid === task.uuid);
    return {
      uuid: task.uuid,
      taskUUID: task.other ?? null,
      name: task.name,
      label: orNull(task.fields.label),
      description: orNull(task.fields.description),
      job: { uuid: owner, jobNumber: job?.code ?? '', jobName: job?.name ?? '' },
      phase: phaseRefOf(owner, task.fields.folder),
      startDate: orNull(task.fields.startDate),
      completedAt: task.fields.completed
        ? (orNull(task.fields.completedDate) ?? new Date(task.modifiedAt).toISOString().slice(0, 10))
        : null,
      estimatedMinutes: task.fields.estimatedMinutes,
      actualMinutes: actualMinutes(task.uuid),
      billable: task.fields.billable,
      customBillableRate: numberOrNull(task.fields.customBillableRate),
      order: order + 1,
      staff: (allocations.get(task.uuid) ?? []).flatMap(({ other, fields }) => {
        const ref = staffRefOf(staff.get(other ?? ''));
        return ref ? [{ ...ref, allocatedTime: fields.allocatedMinutes }] : [];
      }),
      customFields: customFields(task),
      ...timesOf(task),
    };
  };
}

export async function taskWritten(
  call: JsonCall,
  uuid: string,
): Promise<z.infer<typeof jobTaskSaved.schema>> {
  const task = await fresh(call, 'jobTask', uuid);
  return { ...(await commonOf(call, [task]))(task), endDate: orNull(task.fields.dueDate) };
}

export async function tasksListed(
  call: JsonCall,
  tasks: readonly JobTask[],
): Promise<z.infer<typeof jobTaskListItem.schema>[]> {
  const common = await commonOf(call, tasks);
  const jobs = [...new Set(tasks.map(({ owner }) => owner ?? ''))];
  const notes = await notesOf(call, jobs);
  const times = await timesheetsOf(call, jobs);
  const toDos = await toDosOf(call, jobs);
  return tasks.map((task) => ({
    ...common(task),
    dueDate: orNull(task.fields.dueDate),
    notes: notes(task.uuid),
    timesheets: times(task.uuid),
    'to-dos': toDos(task.uuid),
  }));
}

async function notesOf(call: JsonCall, jobs: readonly string[]) {
  const all = [...(await call.records.ownedBy('note', jobs)).values()].flat();
  const shown = await notesShown(
    call,
    all.filter(({ fields }) => fields.task),
  );
  return (task: string) =>
    shown
      .filter(({ note }) => note.fields.task === task)
      .map(({ note, createdBy, comments }) => ({
        uuid: note.uuid,
        title: orNull(note.name),
        description: note.fields.text,
        date: dayOf(note.fields.date),
        createdBy,
        comments,
        ...timesOf(note),
      }));
}

async function timesheetsOf(call: JsonCall, jobs: readonly string[]) {
  const all = [...(await call.records.ownedBy('time', jobs)).values()].flat();
  const staff = await byUuids(
    call,
    'staff',
    all.map(({ other }) => other),
  );
  const customFields = await customValuesShown(call, 'JobTime');
  return (task: string) =>
    all
      .filter(({ fields }) => fields.task === task)
      .map((time) => ({
        uuid: time.uuid,
        staff: staffRefOf(staff.get(time.other ?? '')),
        date: orNull(time.fields.date),
        minutes: time.fields.minutes,
        ...startAndFinish(time.fields),
        note: orNull(time.fields.note),
        billable: time.fields.billable,
        customFields: customFields(time),
        ...timesOf(time),
      }));
}

async function toDosOf(call: JsonCall, jobs: readonly string[]) {
  const all = [...(await call.records.ownedBy('toDo', jobs)).values()].flat();
  return (task: string) =>
    all
      .filter(({ fields }) => fields.task === task)
      .map((toDo, at) => ({
        uuid: toDo.uuid,
        name: toDo.name,
        order: at + 1,
        completed: toDo.fields.completed,
        completedDate: orNull(toDo.fields.completedDate),
        completedBy: null,
        ...timesOf(toDo),
      }));
}
