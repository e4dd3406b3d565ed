import type { StoredRecord } from '../../../records/kinds.ts';
import { jobTaskRows } from '../../../tables/jobs/job-task.ts';
import { type Dialect, idElement } from '../../dialect.ts';
import { type Fields, identified, list, type Named, text } from '../../record/fields.ts';
import { elementsOf } from '../../record/record.ts';
import { filled } from '../../../tables/values.ts';

interface AllocatedStaff extends Named {
  readonly allocatedMinutes: number;
}

export interface TaskView extends StoredRecord<'jobTask'> {
  /** The catalogue task, which may have been deleted. */
  readonly catalogueTask: Named | undefined;
  readonly actualMinutes: number;
  readonly assigned: readonly AllocatedStaff[];
}

/** The label of a task, or its name if it has none. */
export const taskName = ({ name, fields }: Pick<StoredRecord<'jobTask'>, 'name' | 'fields'>): string =>
  filled(fields.label) ?? name;

/** A task in a job: its own identifier, and that of the catalogue task as `TaskID` or `TaskUUID`. */
export const taskFields = ({ ids }: Dialect): Fields<TaskView> =>
  identified<TaskView>(ids, [
    text('Name', taskName),
    text(idElement(ids, 'Task'), ({ catalogueTask }) => identifierOf(catalogueTask, ids === 'uuid')),
    ...elementsOf<'jobTask', TaskView>(jobTaskRows, ids, {
      behind: { EstimatedMinutes: [text('ActualMinutes', ({ actualMinutes }) => String(actualMinutes))] },
    }),
    list('Assigned', 'Staff', staffFields(ids), ({ assigned }) => assigned),
  ]);

const identifierOf = (record: Named | undefined, isUuid: boolean): string =>
  record ? (isUuid ? record.uuid : String(record.number)) : '';

const staffFields = (ids: Dialect['ids']): Fields<AllocatedStaff> => {
  const minutes = text<AllocatedStaff>('AllocatedMinutes', ({ allocatedMinutes }) =>
    String(allocatedMinutes),
  );
  return identified<AllocatedStaff>(ids, [text('Name', ({ name }) => name), minutes]);
};
