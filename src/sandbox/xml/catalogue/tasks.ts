import type { StoredRecord } from '../../records/kinds.ts';
import type { Answer, Operation, XmlCall } from '../call.ts';
import type { IdForm } from '../dialect.ts';
import { type Fields, identified, recordWriter, text } from '../fields.ts';
import { ofPath } from '../identify.ts';

const taskFields = (ids: IdForm): Fields<StoredRecord<'task'>> =>
  identified<StoredRecord<'task'>>(ids, [
    text('Name', ({ name }) => name),
    text('Description', ({ fields }) => fields.description),
  ]);

async function list(call: XmlCall): Promise<Answer> {
  const all = await call.records.all('task');
  const write = recordWriter('Task', taskFields(call.dialect.ids));
  return { answer: 'list', container: 'TaskList', records: all.map(write) };
}

async function get(call: XmlCall): Promise<Answer> {
  const task = await ofPath(call, 'task');
  return { answer: 'record', xml: recordWriter('Task', taskFields(call.dialect.ids))(task) };
}

export const taskOperations: readonly Operation[] = [
  { id: 'task.list', verbs: ['GET'], path: 'task.api/list', serve: list },
  { id: 'task.get', verbs: ['GET'], path: 'task.api/get/{id}', serve: get },
];
