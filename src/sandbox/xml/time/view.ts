import type { StoredRecord } from '../../records/kinds.ts';
import type { Referring } from '../../records/referred.ts';
import { timeRows } from '../../tables/time.ts';
import type { XmlCall } from '../call.ts';
import type { IdForm } from '../dialect.ts';
import { type Fields, identified, namedFields, nested, type Named, recordWriter } from '../fields.ts';
import { taskName } from '../job/task-view.ts';
import { elementsOf, withReferred } from '../record.ts';

type Time = StoredRecord<'time'>;

type TimeView = Referring<'time'> & { readonly task: Named | undefined };

const timeFields = (ids: IdForm): Fields<TimeView> =>
  identified<TimeView>(
    ids,
    elementsOf<'time', TimeView>(timeRows, ids, {
      behind: { Job: [nested('Task', namedFields(ids), ({ task }) => task)] },
    }),
  );

export async function writtenTimes(call: XmlCall, times: readonly Time[]): Promise<string> {
  const tasks = await call.records.referred('jobTask', times, ({ fields }) => fields.task);
  const write = recordWriter('Time', timeFields(call.dialect.ids));
  return (await withReferred(call, timeRows, times))
    .map((time) => {
      const task = tasks.get(time.fields.task);
      return write({ ...time, task: task && { ...task, name: taskName(task) } });
    })
    .join('');
}
