import { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import { taskRows } from '../../tables/task.ts';
import type { JsonCall } from '../call.ts';
import { ofBody } from '../find.ts';
import { area } from '../operation.ts';
import { byUuids } from '../refs.ts';
import { type Computed, resource, type Taken } from '../resource.ts';
import {
  amount,
  amountOrNull,
  dayOrNull,
  id,
  idIn,
  moment,
  numberOf,
  numberOrNull,
  orNull,
  text,
} from '../values.ts';

const taxes = z.array(z.strictObject({ name: text, rate: amount }));

/** Rates for one client, one member, or the time before a change; and the taxes by name. */
const computed: Computed<'task'> = {
  shape: {
    customClientRates: z.array(z.strictObject({ clientUUID: id, billableRate: amount })),
    customStaffRates: z.array(
      z.strictObject({ staffUUID: id, baseRate: amountOrNull, billableRate: amountOrNull }),
    ),
    historicRates: z.array(z.strictObject({ appliedUpTo: dayOrNull, billableRate: amountOrNull })),
    deletedAt: moment.nullable(),
    salesTax: taxes,
  },
  async load(call, tasks) {
    const rates = await call.records.ownedBy(
      'customRate',
      tasks.map(({ uuid }) => uuid),
    );
    const known = await byUuids(
      call,
      'tax',
      tasks.flatMap(({ fields }) => fields.taxes ?? []),
    );
    return ({ uuid, fields }) => ({
      ...ratesOf(rates.get(uuid) ?? []),
      deletedAt: null,
      salesTax: (fields.taxes ?? []).flatMap((tax) => {
        const found = known.get(tax);
        return found ? [{ name: found.name, rate: numberOf(found.fields.rate) }] : [];
      }),
    });
  },
};

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

const { operations } = resource({
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
    shape: (read) => read.omit({ salesTax: true }).extend({ taxes }),
    view: ({ salesTax, ...others }) => ({ ...others, taxes: salesTax }),
  },
});

export const tasks = area('Tasks (catalogue)', operations);
