import type { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { customValuesShown } from '../customValues.ts';
import { phaseUuidOrNull } from '../phases.ts';
import { byUuids, staffRefOf } from '../refs.ts';
import { numberOrNull, orNull, timesOf } from '../values.ts';
import { inOrder, taskParts } from './related.ts';
import type { jobDetail, jobListItem } from './shapes.ts';

type ListTask = NonNullable<z.infer<typeof jobListItem.schema>['tasks']>[number];
type DetailTask = z.infer<typeof jobDetail.schema>['tasks'][number];

/** The tasks of jobs, in the two forms they have in a list of jobs and in a single one. */
export async function tasksShown(
  call: JsonCall,
  jobs: readonly string[],
): Promise<(job: string) => { readonly list: ListTask[]; readonly detail: DetailTask[] }> {
  const owned = await call.records.ownedBy('jobTask', jobs);
  const all = [...owned.values()].flat();
  const { allocations, actualMinutes } = await taskParts(call, all);
  const staff = await byUuids(
    call,
    'staff',
    [...allocations.values()].flat().map(({ other }) => other),
  );
  const customFields = await customValuesShown(call, 'JobTask');
  const common = (task: StoredRecord<'jobTask'>) => ({
    uuid: task.uuid,
    taskUUID: task.other ?? null,
    name: task.name,
    label: orNull(task.fields.label),
    description: orNull(task.fields.description),
    phaseUUID: phaseUuidOrNull(task.owner ?? '', task.fields.folder),
    startDate: orNull(task.fields.startDate),
    dueDate: orNull(task.fields.dueDate),
    estimatedMinutes: task.fields.estimatedMinutes,
    actualMinutes: actualMinutes(task.uuid),
    billable: task.fields.billable,
    completed: task.fields.completed,
    customBillableRate: numberOrNull(task.fields.customBillableRate),
    customFields: customFields(task),
    ...timesOf(task),
  });
  return (job) => {
    const tasks = inOrder(owned.get(job) ?? []);
    const of = (task: StoredRecord<'jobTask'>) => allocations.get(task.uuid) ?? [];
    return {
      list: tasks.map((task) => ({
        ...common(task),
        staff: of(task).map(({ other, fields }) => ({
          uuid: other ?? '',
          allocatedTime: fields.allocatedMinutes,
        })),
      })),
      detail: tasks.map((task) => ({
        ...common(task),
        staffs: of(task).flatMap(({ other, fields }) => {
          const ref = staffRefOf(staff.get(other ?? ''));
          return ref ? [{ ...ref, allocatedTime: fields.allocatedMinutes }] : [];
        }),
      })),
    };
  };
}
