import { taskRows } from '../../../tables/catalogue/task.ts';
import { type Answer, methods, type Operation, type XmlCall } from '../../call.ts';
import { xmlResource } from '../../record/resource.ts';

const { written, get } = xmlResource({ kind: 'task', rows: taskRows, root: 'Task' });

async function list(call: XmlCall): Promise<Answer> {
  const all = await call.records.all('task');
  return { answer: 'list', container: 'TaskList', records: await written(call, all) };
}

export const taskOperations: readonly Operation[] = methods([
  ['GET', 'task.list', 'task.api/list', list],
  ['GET', 'task.get', 'task.api/get/{id}', get],
]);
