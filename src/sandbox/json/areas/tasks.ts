import { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import { customRateRows } from '../../tables/catalogue/rates.ts';
import { taskRows } from '../../tables/catalogue/task.ts';
import { some } from '../../tables/table.ts';
import type { CustomRateType } from '../../records/kinds/rates.ts';
import type { JsonCall } from '../operation/call.ts';
import { always, type Column, column, type ColumnsOf, loaded, ownedColumn } from '../record/columns.ts';
import { renamedColumns, rowColumns } from '../record/record.ts';
import { ofBody } from '../record/find.ts';
import { area } from '../operation/operation.ts';
import { resource, type Taken } from '../operation/resource.ts';
import { amount, id, idIn, moment, numberOf, text } from '../record/values.ts';

const taxes = z.array(z.strictObject({ name: text, rate: amount }));

const ratesOf = (type: CustomRateType, columns: ColumnsOf<'customRate'>) =>
  ownedColumn('customRate', columns, { listed: (all) => all.filter(({ fields }) => fields.type === type) });

const taxColumn: Column<StoredRecord<'task'>> = loaded(taxes, async (call, tasks) => {
  const known = await call.records.byUuids(
    'tax',
    tasks.flatMap(({ fields }) => fields.taxes ?? []),
  );
  return ({ fields }) =>
    (fields.taxes ?? []).flatMap((tax) => {
      const found = known.get(tax);
      return found ? [{ name: found.name, rate: numberOf(found.fields.rate) }] : [];
    });
});

/** The rates for a client, for a member and for earlier work, and the taxes by name. */
const computed: ColumnsOf<'task'> = {
  customClientRates: ratesOf('client-task', {
    clientUUID: column(id, ({ other = '' }) => other),
    billableRate: column(amount, ({ fields }) => numberOf(fields.billableRate)),
  }),
  customStaffRates: ratesOf('staff-task', {
    staffUUID: column(id, ({ other = '' }) => other),
    ...rowColumns(some(customRateRows, 'baseRate', 'billableRate')),
  }),
  historicRates: ratesOf(
    'historic',
    renamedColumns(customRateRows, { appliedUpTo: 'appliedUpTo', billableRate: 'billableRate' }),
  ),
  deletedAt: always(moment.nullable(), null),
  salesTax: taxColumn,
};

const taxUUIDs = z.array(idIn).nullish();

const taken: Taken<'task'> = {
  shape: { taxUUIDs },
  take: async (call, body, before) => ({
    fields: { taxes: await taxesAfter(call, taxUUIDs.parse(body.taxUUIDs), before?.fields.taxes) },
  }),
};

async function taxesAfter(
  call: JsonCall,
  given: z.infer<typeof taxUUIDs>,
  before: readonly string[] = [],
): Promise<readonly string[]> {
  if (given === undefined) return before;
  const after: string[] = [];
  for (const [at, uuid] of (given ?? []).entries())
    after.push((await ofBody(call, 'tax', uuid, `taxUUIDs[${at}]`)).uuid);
  return after;
}

export const tasks = area(
  'Tasks (catalogue)',
  resource({
    kind: 'task',
    rows: taskRows,
    schema: 'Task',
    path: '/tasks',
    word: 'task',
    examples: {
      create: { name: 'Survey', billableRate: 150, estimatedMinutes: 60, taxUUIDs: ['{tax}'] },
      update: { billableRate: 160 },
    },
    deletion: 'Jobs that use it stay as they are.',
    computed,
    taken,
    // The taxes are called `salesTax` when read and `taxes` after a write.
    saved: {
      schema: 'TaskSaved',
      columns: ({ salesTax, ...others }) => ({ ...others, taxes: salesTax ?? taxColumn }),
    },
  }),
);
