import type { StoredRecord } from '../../records/kinds.ts';
import type { Records } from '../../records/records.ts';
import { DAY } from '../../../domain/clock.ts';

/**
 * Merges what a template holds into a job: tasks, milestones, costs and to-do items are added, nothing is removed
 * (000_ef2b8fc3580d6af3.txt, behaviour rule 7). Phases come with the tasks and milestones that lie in them.
 */
export async function mergeTemplate(
  records: Records,
  job: Pick<StoredRecord<'job'>, 'uuid' | 'fields'>,
  { fields }: StoredRecord<'template'>,
  now: number,
): Promise<void> {
  const owner = job.uuid;
  const today = new Date(now).toISOString().slice(0, 10);
  const start = job.fields.startDate || today;
  await records.insertAll(
    'jobTask',
    fields.tasks.map(({ name, task, description, estimatedMinutes, billable, folder }) => ({
      name,
      owner,
      other: task || undefined,
      fields: {
        description,
        estimatedMinutes,
        billable,
        folder,
        completed: false,
        startDate: '',
        dueDate: '',
      },
    })),
    now,
  );
  await records.insertAll(
    'milestone',
    fields.milestones.map(({ description, daysAfterStart, folder }) => ({
      name: description,
      owner,
      fields: { date: daysAfter(start, daysAfterStart), completed: false, folder },
    })),
    now,
  );
  await records.insertAll(
    'jobCost',
    fields.costs.map(({ description, supplier, ...cost }) => ({
      name: description,
      owner,
      other: supplier || undefined,
      fields: { ...cost, date: start, actual: false },
    })),
    now,
  );
  await records.insertAll(
    'toDo',
    fields.toDos.map((name) => ({ name, owner, fields: { completed: false, completedDate: '' } })),
    now,
  );
}

const daysAfter = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY).toISOString().slice(0, 10);
