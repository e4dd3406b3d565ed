import { costRows } from '../../../tables/catalogue/cost.ts';
import { type Answer, methods, type Operation, type XmlCall } from '../../call.ts';
import { ofRoot } from '../../http/message.ts';
import { countPage } from '../../http/page.ts';
import { missing } from '../../refusal.ts';
import { xmlResource } from '../../record/resource.ts';

const { written, get, add, update, remove } = xmlResource({ kind: 'cost', rows: costRows, root: 'Cost' });

const COSTS_PER_PAGE = 100;

/** Differs from the other lists: `page` works on V1 too, and the total is called `Records`. */
async function list(call: XmlCall): Promise<Answer> {
  const selection = { withDeleted: false };
  const total = await call.records.count('cost', selection);
  const page = countPage(call, COSTS_PER_PAGE);
  async function* records(): AsyncGenerator<string> {
    for await (const batch of call.records.select('cost', selection, page))
      yield (await written(call, batch)).join('');
  }
  return {
    answer: 'list',
    container: 'Costs',
    scalars: [['Records', String(total)]],
    records: records(),
  };
}

async function removeAll(call: XmlCall): Promise<Answer> {
  if (!ofRoot(call.message, 'DeleteAll')) throw missing('DeleteAll');
  for (const cost of await call.records.all('cost'))
    await call.records.update(cost, { isDeleted: true }, call.now);
  return { answer: 'status' };
}

export const costOperations: readonly Operation[] = methods([
  ['GET', 'cost.list', 'cost.api/list', list],
  ['GET', 'cost.get', 'cost.api/get/{id}', get],
  ['POST', 'cost.add', 'cost.api/add', add],
  ['PUT', 'cost.update', 'cost.api/update', update],
  // Jobs keep the values they copied from a deleted item.
  ['POST', 'cost.delete', 'cost.api/delete', remove],
  ['POST', 'cost.deleteall', 'cost.api/deleteall', removeAll],
]);
