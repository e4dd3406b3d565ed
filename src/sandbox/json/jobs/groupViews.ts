import type { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { customValuesShown } from '../customValues.ts';
import { documentsShown, notesShown } from '../documentShapes.ts';
import { moneyOfInvoices, moneyOfOrders, moneyOfQuotes } from '../money.ts';
import { phaseNames, phasesShown, phaseUuidOrNull } from '../phases.ts';
import { byUuids, namedRefOf, staffRefOf } from '../refs.ts';
import { dayOf, numberOf, numberOrNull, orNull, timesOf } from '../values.ts';
import type { JobGroup } from './related.ts';
import type { jobDetail, jobListItem } from './shapes.ts';
import { tasksShown } from './taskViews.ts';
import { startAndFinish } from './times.ts';

type Job = StoredRecord<'job'>;
type ListGroups = Pick<
  z.infer<typeof jobListItem.schema>,
  | 'staffAssigned'
  | 'tasks'
  | 'costs'
  | 'milestones'
  | 'phases'
  | 'notes'
  | 'documents'
  | 'customFields'
  | 'quotes'
  | 'invoices'
  | 'purchaseOrders'
  | 'timesheets'
>;
type DetailGroups = Partial<Omit<Pick<z.infer<typeof jobDetail.schema>, keyof ListGroups>, 'staffAssigned'>>;

/** The groups in the two forms they have: in a list of jobs, and in a single one. */
export interface ShownGroups {
  readonly list: ListGroups;
  readonly detail: DetailGroups;
}

type Part = (job: Job) => ShownGroups;
type Loader = (call: JsonCall, jobs: readonly Job[]) => Promise<Part>;

/** What was asked for is read for all jobs at once. */
export async function groupsShown(
  call: JsonCall,
  jobs: readonly Job[],
  groups: ReadonlySet<JobGroup>,
): Promise<Part> {
  const parts: Part[] = [];
  for (const [group, load] of Object.entries(loaders))
    if (groups.has(group as JobGroup)) parts.push(await load(call, jobs));
  return (job) => {
    const shown = parts.map((part) => part(job));
    return {
      list: Object.assign({}, ...shown.map(({ list }) => list)) as ListGroups,
      detail: Object.assign({}, ...shown.map(({ detail }) => detail)) as DetailGroups,
    };
  };
}

const uuidsOf = (records: readonly { readonly uuid: string }[]): readonly string[] =>
  records.map(({ uuid }) => uuid);

const tasks: Loader = async (call, jobs) => {
  const shown = await tasksShown(call, uuidsOf(jobs));
  return ({ uuid }) => {
    const { list, detail } = shown(uuid);
    return { list: { tasks: list }, detail: { tasks: detail } };
  };
};

const staff: Loader = async (call, jobs) => {
  const assigned = await call.records.ownedBy('jobStaff', uuidsOf(jobs));
  return ({ uuid }) => ({
    list: {
      staffAssigned: (assigned.get(uuid) ?? []).map(({ other, fields }) => ({
        uuid: other ?? '',
        customBillableRate: numberOrNull(fields.billableRate),
      })),
    },
    detail: {},
  });
};

const costs: Loader = async (call, jobs) => {
  const owned = await call.records.ownedBy('jobCost', uuidsOf(jobs));
  const suppliers = await byUuids(
    call,
    'supplier',
    [...owned.values()].flat().map(({ other }) => other),
  );
  const customFields = await customValuesShown(call, 'JobCost');
  const common = (cost: StoredRecord<'jobCost'>) => ({
    uuid: cost.uuid,
    costUUID: orNull(cost.fields.cost),
    costCode: orNull(cost.fields.code),
    name: cost.name,
    note: orNull(cost.fields.note),
    date: orNull(cost.fields.date),
    phaseUUID: phaseUuidOrNull(cost.owner ?? '', cost.fields.folder),
    type: cost.fields.type ?? 'Service',
    actual: cost.fields.actual ?? true,
    billable: cost.fields.billable,
    quantity: numberOf(cost.fields.quantity),
    unitCost: numberOf(cost.fields.unitCost),
    unitPrice: numberOf(cost.fields.unitPrice),
    customFields: customFields(cost),
    ...timesOf(cost),
  });
  return ({ uuid }) => {
    const all = owned.get(uuid) ?? [];
    return {
      list: { costs: all.map((cost) => ({ ...common(cost), supplierUUID: cost.other ?? null })) },
      detail: {
        costs: all.map((cost) => ({
          ...common(cost),
          supplier: namedRefOf(suppliers.get(cost.other ?? '')),
        })),
      },
    };
  };
};

const milestones: Loader = async (call, jobs) => {
  const owned = await call.records.ownedBy('milestone', uuidsOf(jobs));
  return ({ uuid }) => {
    const all = owned.get(uuid) ?? [];
    const common = ({ name, fields }: StoredRecord<'milestone'>) => ({
      name,
      date: orNull(fields.date),
      phaseUUID: phaseUuidOrNull(uuid, fields.folder),
    });
    return {
      list: { milestones: all.map((one) => ({ ...common(one), completed: one.fields.completed })) },
      detail: {
        milestones: all.map((one) => ({
          ...common(one),
          completedDate: one.fields.completed
            ? (orNull(one.fields.completedDate) ?? new Date(one.modifiedAt).toISOString().slice(0, 10))
            : null,
          completedBy: null,
        })),
      },
    };
  };
};

const phases: Loader = async (call, jobs) => {
  const names = await phaseNames(call, uuidsOf(jobs));
  return (job) => {
    const shown = phasesShown(job, names(job.uuid));
    return { list: { phases: shown }, detail: { phases: shown } };
  };
};

const notes: Loader = async (call, jobs) => {
  const owned = await call.records.ownedBy('note', uuidsOf(jobs));
  const all = await notesShown(call, [...owned.values()].flat());
  return (job) => {
    const shown = all
      .filter(({ note }) => note.owner === job.uuid)
      .map(({ note, createdBy, comments }) => ({
        common: {
          uuid: note.uuid,
          title: orNull(note.name),
          description: note.fields.text,
          date: dayOf(note.fields.date),
          phaseUUID: phaseUuidOrNull(job.uuid, note.fields.folder),
          ...timesOf(note),
        },
        createdBy,
        comments,
      }));
    return {
      list: {
        notes: shown.map(({ common, createdBy }) => ({ ...common, createdByUUID: createdBy?.uuid ?? null })),
      },
      detail: {
        notes: shown.map(({ common, createdBy, comments }) => ({ ...common, createdBy, comments })),
      },
    };
  };
};

const documents: Loader = async (call, jobs) => {
  const owned = await call.records.ownedBy('document', uuidsOf(jobs));
  const shown = new Map<string, Awaited<ReturnType<typeof documentsShown>>>();
  for (const [job, all] of owned) shown.set(job, await documentsShown(call, all));
  return ({ uuid }) => {
    const all = (shown.get(uuid) ?? []).map(({ common, folder, uploadedBy }) => ({
      common: { ...common, phaseUUID: phaseUuidOrNull(uuid, folder) },
      uploadedBy,
    }));
    return {
      list: {
        documents: all.map(({ common, uploadedBy }) => ({
          ...common,
          uploadedByUUID: uploadedBy?.uuid ?? null,
        })),
      },
      detail: { documents: all.map(({ common, uploadedBy }) => ({ ...common, uploadedBy })) },
    };
  };
};

const customFields: Loader = async (call) => {
  const shown = await customValuesShown(call, 'Job');
  return (job) => ({ list: { customFields: shown(job) }, detail: { customFields: shown(job) } });
};

const lowered = <const Text extends string>(value: Text): Lowercase<Text> =>
  value.toLowerCase() as Lowercase<Text>;

const quotes: Loader = async (call, jobs) => {
  const joined = await call.records.joinedTo('quote', uuidsOf(jobs));
  const money = await moneyOfQuotes(call, [...joined.values()].flat());
  return ({ uuid }) => {
    const all = (joined.get(uuid) ?? []).map((quote, at) => {
      const { exTax, incTax } = money(quote.uuid);
      return {
        uuid: quote.uuid,
        number: orNull(quote.code),
        name: quote.name,
        type: lowered(quote.fields.type),
        status: lowered(quote.fields.state),
        clientUUID: quote.owner ?? null,
        contactUUID: orNull(quote.fields.contact),
        budget: numberOrNull(quote.fields.budget),
        amountExTax: exTax,
        amountIncTax: incTax,
        isMasterQuote: at === 0,
        validFrom: orNull(quote.fields.date),
        validTo: orNull(quote.fields.validDate),
        customFields: [],
        ...timesOf(quote),
        salesPersonUUID: null,
      };
    });
    return { list: { quotes: all }, detail: { quotes: all } };
  };
};

const invoices: Loader = async (call, jobs) => {
  const joined = await call.records.joinedTo('invoice', uuidsOf(jobs));
  const money = await moneyOfInvoices(call, [...joined.values()].flat());
  return (job) => {
    const all = (joined.get(job.uuid) ?? []).map((invoice) => {
      const { exTax, incTax, paid, datePaid } = money(invoice.uuid);
      return {
        uuid: invoice.uuid,
        number: orNull(invoice.code),
        status: lowered(invoice.fields.status),
        clientUUID: invoice.owner ?? null,
        contactUUID: orNull(invoice.fields.contact),
        clientOrderNumber: orNull(job.fields.clientOrderNumber),
        date: orNull(invoice.fields.date),
        dueDate: orNull(invoice.fields.dueDate),
        datePaid: orNull(datePaid),
        amountExTax: exTax,
        amountIncTax: incTax,
        amountPaid: paid,
        ...timesOf(invoice),
      };
    });
    return { list: { invoices: all }, detail: { invoices: all } };
  };
};

const purchaseOrders: Loader = async (call, jobs) => {
  const joined = await call.records.joinedTo('purchaseOrder', uuidsOf(jobs));
  const orders = [...joined.values()].flat();
  const money = await moneyOfOrders(call, orders);
  const suppliers = await byUuids(
    call,
    'supplier',
    orders.map(({ owner }) => owner),
  );
  const common = (order: StoredRecord<'purchaseOrder'>) => {
    const { exTax, incTax, billing, receiving } = money(order.uuid);
    return {
      uuid: order.uuid,
      status: lowered(order.fields.state),
      billingStatus: billing,
      receivingStatus: receiving,
      date: orNull(order.fields.date),
      amountExTax: exTax,
      amountIncTax: incTax,
      ...timesOf(order),
    };
  };
  return ({ uuid }) => {
    const all = joined.get(uuid) ?? [];
    return {
      list: {
        purchaseOrders: all.map((order) => ({ ...common(order), supplierUUID: order.owner ?? null })),
      },
      detail: {
        purchaseOrders: all.map((order) => ({
          ...common(order),
          supplier: namedRefOf(suppliers.get(order.owner ?? '')),
        })),
      },
    };
  };
};

const timesheets: Loader = async (call, jobs) => {
  const owned = await call.records.ownedBy('time', uuidsOf(jobs));
  const members = await byUuids(
    call,
    'staff',
    [...owned.values()].flat().map(({ other }) => other),
  );
  const values = await customValuesShown(call, 'JobTime');
  return ({ uuid }) => {
    const all = (owned.get(uuid) ?? []).map((time) => ({
      uuid: time.uuid,
      jobTaskUUID: orNull(time.fields.task),
      staff: staffRefOf(members.get(time.other ?? '')),
      date: orNull(time.fields.date),
      minutes: time.fields.minutes,
      ...startAndFinish(time.fields),
      note: orNull(time.fields.note),
      billable: time.fields.billable,
      customFields: values(time),
      ...timesOf(time),
    }));
    return { list: { timesheets: all }, detail: { timesheets: all } };
  };
};

const loaders: Readonly<Record<JobGroup, Loader>> = {
  tasks,
  staff,
  costs,
  notes,
  'custom-fields': customFields,
  documents,
  milestones,
  phases,
  quotes,
  invoices,
  'purchase-orders': purchaseOrders,
  timesheets,
};
