import type { CostFields } from '../../records/kinds/jobs.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { Answer, Operation, XmlCall } from '../call.ts';
import type { IdForm } from '../dialect.ts';
import { required, setAfter, textAfter } from '../elements.ts';
import {
  type Fields,
  identified,
  type Named,
  namedFields,
  nested,
  optional,
  recordWriter,
  text,
} from '../fields.ts';
import { ofElement, ofPath, reference, requireId } from '../identify.ts';
import { ofRoot, type Message } from '../message.ts';
import { countPage } from '../page.ts';
import { missing } from '../refusal.ts';
import { filled, readDecimal } from '../values.ts';

type Cost = StoredRecord<'cost'>;

interface CostView extends Cost {
  readonly supplier: Named | undefined;
}

const costFields = (ids: IdForm): Fields<CostView> =>
  identified<CostView>(ids, [
    text('Description', ({ name }) => name),
    text('Code', ({ fields }) => fields.code),
    text('Note', ({ fields }) => fields.note),
    text('UnitCost', ({ fields }) => fields.unitCost),
    text('UnitPrice', ({ fields }) => fields.unitPrice),
    optional('IncomeAccount', ({ fields }) => fields.incomeAccount),
    optional('CostOfSaleAccount', ({ fields }) => fields.costOfSaleAccount),
    nested('Supplier', namedFields(ids), ({ supplier }) => supplier),
  ]);

async function written(call: XmlCall, costs: readonly Cost[]): Promise<readonly string[]> {
  const suppliers = await call.records.byUuids(
    'supplier',
    costs.map(({ other }) => other ?? ''),
  );
  const write = recordWriter('Cost', costFields(call.dialect.ids));
  return costs.map((cost) => write({ ...cost, supplier: suppliers.get(cost.other ?? '') }));
}

const COSTS_PER_PAGE = 100;

/** Of its own kind: `page` counts on V1 too, and the total is called `Records`. */
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

async function get(call: XmlCall): Promise<Answer> {
  return costAnswer(call, await ofPath(call, 'cost'));
}

const costAnswer = async (call: XmlCall, cost: Cost): Promise<Answer> => ({
  answer: 'record',
  xml: (await written(call, [cost])).join(''),
});

const blank: CostFields = { code: '', note: '', unitCost: '0.00', unitPrice: '0.00' };

const fieldsAfter = (message: Message | undefined, before: CostFields): CostFields => ({
  ...before,
  code: textAfter(message, 'Code', before.code),
  note: textAfter(message, 'Note', before.note),
  unitCost: setAfter(message, 'UnitCost', before.unitCost, '0.00', readDecimal),
  unitPrice: setAfter(message, 'UnitPrice', before.unitPrice, '0.00', readDecimal),
});

async function add(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Cost');
  const name = required(message, 'Cost', 'Description');
  const fields = fieldsAfter(message, blank);
  const other = filled(await reference(call, 'supplier', message, 'Supplier'));
  return costAnswer(call, await call.records.insert('cost', { name, fields, other }, call.now));
}

async function update(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Cost');
  requireId(call, message, ['Cost']);
  const cost = await ofElement(call, 'cost', message);
  const name = textAfter(message, 'Description', cost.name);
  if (name.trim() === '') throw missing('Cost', 'Description');
  const fields = fieldsAfter(message, cost.fields);
  const supplier = await reference(call, 'supplier', message, 'Supplier');
  const other = supplier === undefined ? cost.other : filled(supplier);
  await call.records.update(cost, { name, fields, other: other ?? null }, call.now);
  return costAnswer(call, { ...cost, name, fields, other });
}

/** Jobs that use it keep what they took from it. */
async function remove(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Cost');
  requireId(call, message, ['Cost']);
  const cost = await ofElement(call, 'cost', message);
  await call.records.update(cost, { isDeleted: true }, call.now);
  return { answer: 'status' };
}

async function removeAll(call: XmlCall): Promise<Answer> {
  if (!ofRoot(call.message, 'DeleteAll')) throw missing('DeleteAll');
  for (const cost of await call.records.all('cost'))
    await call.records.update(cost, { isDeleted: true }, call.now);
  return { answer: 'status' };
}

export const costOperations: readonly Operation[] = [
  { id: 'cost.list', verbs: ['GET'], path: 'cost.api/list', serve: list },
  { id: 'cost.get', verbs: ['GET'], path: 'cost.api/get/{id}', serve: get },
  { id: 'cost.add', verbs: ['POST'], path: 'cost.api/add', serve: add },
  { id: 'cost.update', verbs: ['PUT'], path: 'cost.api/update', serve: update },
  { id: 'cost.delete', verbs: ['POST'], path: 'cost.api/delete', serve: remove },
  { id: 'cost.deleteall', verbs: ['POST'], path: 'cost.api/deleteall', serve: removeAll },
];
