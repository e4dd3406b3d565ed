import { z } from 'zod';
import type { TaskFields } from '../../records/kinds/jobs.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { freshView, ofBody, referenceAfter } from '../find.ts';
import { area, list, one, shape } from '../operation.ts';
import { pageOf, shown } from '../page.ts';
import { byUuids, deleted, messageShape } from '../refs.ts';
import {
  amount,
  amountOrNull,
  count,
  dayOrNull,
  flag,
  flagAfter,
  flagOptional,
  id,
  idIn,
  idOptional,
  minutesOptional,
  moment,
  numberOf,
  numberOrNull,
  orNull,
  rateOptional,
  requiredText,
  text,
  textAfter,
  textIn,
  textOrNull,
  times,
  timesOf,
  twoAfter,
} from '../values.ts';

const common = {
  uuid: id,
  name: text,
  description: textOrNull,
  baseRate: amountOrNull,
  billableRate: amountOrNull,
  incomeAccount: textOrNull,
  exportCode: textOrNull,
  customClientRates: z.array(z.strictObject({ clientUUID: id, billableRate: amount })),
  customStaffRates: z.array(
    z.strictObject({ staffUUID: id, baseRate: amountOrNull, billableRate: amountOrNull }),
  ),
  historicRates: z.array(z.strictObject({ appliedUpTo: dayOrNull, billableRate: amountOrNull })),
  ...times,
  deletedAt: moment.nullable(),
  estimatedMinutes: count,
  billable: flag,
};
const taxes = z.array(z.strictObject({ name: text, rate: amount }));
/** The taxes are called `salesTax` when read and `taxes` after a write. */
const task = shape('Task', z.strictObject({ ...common, salesTax: taxes }));
const taskSaved = shape('TaskSaved', z.strictObject({ ...common, taxes }));

const changes = z.object({
  name: requiredText.optional(),
  description: textIn,
  baseRate: rateOptional,
  billableRate: rateOptional,
  estimatedMinutes: minutesOptional,
  billable: flagOptional,
  exportCode: textIn,
  incomeAccount: idOptional,
  taxUUIDs: z.array(idIn).nullish(),
});
const write = changes.extend({ name: requiredText });
type Changes = z.infer<typeof changes>;
type Task = StoredRecord<'task'>;

interface View {
  readonly common: Omit<z.infer<typeof task.schema>, 'salesTax'>;
  readonly taxes: z.infer<typeof taxes>;
}

async function views(call: JsonCall, tasks: readonly Task[]): Promise<readonly View[]> {
  const rates = await call.records.ownedBy(
    'customRate',
    tasks.map(({ uuid }) => uuid),
  );
  const knownTaxes = await byUuids(
    call,
    'tax',
    tasks.flatMap(({ fields }) => fields.taxes ?? []),
  );
  const accounts = await byUuids(
    call,
    'account',
    tasks.map(({ fields }) => fields.incomeAccount),
  );
  return tasks.map((one) => {
    const { fields } = one;
    return {
      common: {
        uuid: one.uuid,
        name: one.name,
        description: orNull(fields.description),
        baseRate: numberOrNull(fields.baseRate),
        billableRate: numberOrNull(fields.billableRate),
        incomeAccount: accounts.get(fields.incomeAccount ?? '')?.code ?? null,
        exportCode: orNull(fields.exportCode),
        ...ratesOf(rates.get(one.uuid) ?? []),
        ...timesOf(one),
        deletedAt: null,
        estimatedMinutes: fields.estimatedMinutes ?? 0,
        billable: fields.billable ?? true,
      },
      taxes: (fields.taxes ?? []).flatMap((uuid) => {
        const tax = knownTaxes.get(uuid);
        return tax ? [{ name: tax.name, rate: numberOf(tax.fields.rate) }] : [];
      }),
    };
  });
}

function ratesOf(rates: readonly StoredRecord<'customRate'>[]) {
  const of = (type: string) => rates.filter(({ fields }) => fields.type === type);
  return {
    customClientRates: of('client-task').map(({ other, fields }) => ({
      clientUUID: other ?? '',
      billableRate: numberOf(fields.billableRate),
    })),
    customStaffRates: of('staff-task').map(({ other, fields }) => ({
      staffUUID: other ?? '',
      baseRate: numberOrNull(fields.baseRate),
      billableRate: numberOrNull(fields.billableRate),
    })),
    historicRates: of('historic').map(({ fields }) => ({
      appliedUpTo: orNull(fields.appliedUpTo),
      billableRate: numberOrNull(fields.billableRate),
    })),
  };
}

const viewOf = (call: JsonCall, uuid: string) => freshView(call, 'task', uuid, views);

async function fieldsAfter(call: JsonCall, body: Changes, before?: TaskFields): Promise<TaskFields> {
  return {
    ...before,
    description: textAfter(body.description, before?.description),
    baseRate: twoAfter(body.baseRate, before?.baseRate),
    billableRate: twoAfter(body.billableRate, before?.billableRate),
    estimatedMinutes:
      body.estimatedMinutes === undefined ? (before?.estimatedMinutes ?? 0) : (body.estimatedMinutes ?? 0),
    billable: flagAfter(body.billable, before?.billable ?? true),
    exportCode: textAfter(body.exportCode, before?.exportCode),
    incomeAccount: await referenceAfter(
      call,
      'account',
      body.incomeAccount,
      'incomeAccount',
      before?.incomeAccount,
    ),
    taxes: await taxesAfter(call, body.taxUUIDs, before?.taxes),
  };
}

async function taxesAfter(
  call: JsonCall,
  given: readonly string[] | null | undefined,
  before: readonly string[] = [],
): Promise<readonly string[]> {
  if (given === undefined) return before;
  const after: string[] = [];
  for (const [at, uuid] of (given ?? []).entries())
    after.push((await ofBody(call, 'tax', uuid, `taxUUIDs[${at}]`)).uuid);
  return after;
}

const saved = ({ common: view, taxes: of }: View) => ({ ...view, taxes: of });
const read = ({ common: view, taxes: of }: View) => ({ ...view, salesTax: of });

export const tasks = area('Tasks (catalogue)', [
  list({
    id: 'v2.tasks.list',
    path: '/tasks',
    summary: 'List tasks',
    query: ['sort', 'order', 'updatedSince', 'lastModified'],
    response: task,
    serve: (call) => shown(pageOf(call, 'task'), async (rows) => (await views(call, rows)).map(read)),
  }),
  one({
    id: 'v2.tasks.get',
    method: 'GET',
    path: '/tasks/{UUID}',
    summary: 'Get a task',
    on: { UUID: 'task' },
    response: task,
    serve: async (call, on) => read(await viewOf(call, on.UUID.uuid)),
  }),
  one({
    id: 'v2.tasks.create',
    method: 'POST',
    path: '/tasks',
    summary: 'Create a task',
    body: write,
    example: { name: 'Survey', billableRate: 150, estimatedMinutes: 60, taxUUIDs: ['{tax}'] },
    response: taskSaved,
    serve: async (call, _on, body) => {
      const fields = await fieldsAfter(call, body);
      const made = await call.records.insert('task', { name: body.name, fields }, call.now);
      return saved(await viewOf(call, made.uuid));
    },
  }),
  one({
    id: 'v2.tasks.update',
    method: 'PUT',
    path: '/tasks/{UUID}',
    summary: 'Update a task',
    on: { UUID: 'task' },
    body: changes,
    example: { billableRate: 160 },
    response: taskSaved,
    serve: async (call, { UUID: before }, body) => {
      const fields = await fieldsAfter(call, body, before.fields);
      await call.records.update(before, { name: body.name ?? before.name, fields }, call.now);
      return saved(await viewOf(call, before.uuid));
    },
  }),
  one({
    id: 'v2.tasks.delete',
    method: 'DELETE',
    path: '/tasks/{UUID}',
    summary: 'Delete a task',
    notes: 'Jobs that use it stay as they are.',
    on: { UUID: 'task' },
    response: messageShape,
    serve: async (call, { UUID: before }) => {
      await call.records.update(before, { isDeleted: true }, call.now);
      return deleted('task');
    },
  }),
]);
