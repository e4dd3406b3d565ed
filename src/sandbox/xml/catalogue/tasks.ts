import { taskRows } from '../../tables/task.ts';
import type { Answer, Operation, XmlCall } from '../call.ts';
import { xmlResource } from '../resource.ts';

const { written, get } = xmlResource({ kind: 'task', rows: taskRows, root: 'Task' });

async function list(call: XmlCall): Promise<Answer> {
  const all = await call.records.all('task');
  return { answer: 'list', container: 'TaskList', records: await written(call, all) };
}

export const taskOperations: readonly Operation[] = [
  { id: 'task.list', verbs: ['GET'], path: 'task.api/list', serve: list },
  { id: 'task.get', verbs: ['GET'], path: 'task.api/get/{id}', serve: get },
];
