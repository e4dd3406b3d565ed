import type { StoredRecord } from '../../records/kinds.ts';
import type { Records } from '../../records/records.ts';
import type { XmlCall } from '../call.ts';
import type { IdForm } from '../dialect.ts';
import {
  type Coded,
  codedFields,
  type Fields,
  identified,
  type Named,
  namedFields,
  nested,
  optional,
  recordWriter,
  text,
} from '../fields.ts';
import { taskName } from '../job/taskView.ts';
import { dateTime, trueFalse } from '../values.ts';

type Time = StoredRecord<'time'>;

interface TimeView extends Time {
  readonly job: Coded | undefined;
  readonly task: Named | undefined;
  readonly staff: Named | undefined;
}

const timeFields = (ids: IdForm): Fields<TimeView> =>
  identified<TimeView>(ids, [
    nested('Job', codedFields, ({ job }) => job),
    nested('Task', namedFields(ids), ({ task }) => task),
    nested('Staff', namedFields(ids), ({ staff }) => staff),
    text('Date', ({ fields }) => dateTime(fields.date)),
    text('Minutes', ({ fields }) => String(fields.minutes)),
    text('Note', ({ fields }) => fields.note),
    text('Billable', ({ fields }) => trueFalse(fields.billable)),
    optional('Start', ({ fields }) => fields.start),
    optional('End', ({ fields }) => fields.end),
    optional('InvoiceTaskUUID', ({ fields }) => fields.invoiceTask),
  ]);

export async function writtenTimes(call: XmlCall, times: readonly Time[]): Promise<string> {
  const views = await viewTimes(call.records, times);
  return views.map(recordWriter('Time', timeFields(call.dialect.ids))).join('');
}

async function viewTimes(records: Records, times: readonly Time[]): Promise<readonly TimeView[]> {
  const jobs = await records.byUuids(
    'job',
    times.map(({ owner }) => owner ?? ''),
  );
  const tasks = await records.byUuids(
    'jobTask',
    times.map(({ fields }) => fields.task),
  );
  const staff = await records.byUuids(
    'staff',
    times.map(({ other }) => other ?? ''),
  );
  return times.map((time) => {
    const task = tasks.get(time.fields.task);
    return {
      ...time,
      job: jobs.get(time.owner ?? ''),
      task: task && { ...task, name: taskName(task) },
      staff: staff.get(time.other ?? ''),
    };
  });
}
