import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';

/** Names of the groups of related data of a job (`includes`). */
export const jobGroups = [
  'tasks',
  'staff',
  'costs',
  'notes',
  'custom-fields',
  'documents',
  'milestones',
  'phases',
  'quotes',
  'invoices',
  'purchase-orders',
  'timesheets',
] as const;
export type JobGroup = (typeof jobGroups)[number];

/** Tasks of jobs with who works on them, and the time that was entered for them. */
export interface TaskParts {
  readonly allocations: ReadonlyMap<string, readonly StoredRecord<'jobTaskStaff'>[]>;
  readonly actualMinutes: (task: string) => number;
}

export async function taskParts(
  call: JsonCall,
  tasks: readonly StoredRecord<'jobTask'>[],
): Promise<TaskParts> {
  const allocations = await call.records.ownedBy(
    'jobTaskStaff',
    tasks.map(({ uuid }) => uuid),
  );
  const jobs = [...new Set(tasks.map(({ owner }) => owner ?? ''))];
  const minutes = new Map<string, number>();
  for (const times of (await call.records.ownedBy('time', jobs)).values())
    for (const { fields } of times)
      minutes.set(fields.task, (minutes.get(fields.task) ?? 0) + fields.minutes);
  return { allocations, actualMinutes: (task) => minutes.get(task) ?? 0 };
}

const LAST = Number.MAX_SAFE_INTEGER;

/** As they are shown: the reordered ones by their place, the others in order of their numbers. */
export const inOrder = (tasks: readonly StoredRecord<'jobTask'>[]): readonly StoredRecord<'jobTask'>[] =>
  [...tasks].sort((a, b) => (a.fields.position ?? LAST) - (b.fields.position ?? LAST) || a.number - b.number);
