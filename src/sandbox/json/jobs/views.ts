/**
 * A job in its three forms: a row of a list, alone, and after a write.
 *
 * The columns that all three share come first, then the groups of related data, which are absent unless
 * `includes` asks for them or the single form always has them.
 */
import { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import { jobCostRows } from '../../tables/jobs/job-cost.ts';
import { timeRows } from '../../tables/jobs/time.ts';
import { purchaseOrderRows } from '../../tables/money/purchase-order.ts';
import { jobRows } from '../../tables/jobs/job.ts';
import { milestoneRows, toDoRows } from '../../tables/jobs/job-parts.ts';
import { jobAttachments } from '../record/attachments.ts';
import {
  always,
  asked,
  column,
  type ColumnsOf,
  customColumn,
  joinedColumn,
  loaded,
  ownedColumn,
  refColumn,
  settingColumn,
  tableOf,
  timeColumns,
  uuidColumn,
} from '../record/columns.ts';
import { phase, phaseNames, phasesShown } from '../record/phases.ts';
import { renamedColumns, rowColumns } from '../record/record.ts';
import { clientRefs, contactRefs, staffRef, staffNamed, staffRefs, supplierRefs } from '../record/refs.ts';
import {
  amountOrNull,
  dayOrNull,
  id,
  idOrNull,
  moment,
  numberOrNull,
  orNull,
  text,
} from '../record/values.ts';
import { costEmbedded } from './cost-views.ts';
import { invoiceEmbedded, orderEmbedded, quoteEmbedded } from './money-views.ts';
import { inOrder, taskOfDetail, taskOfList, timeEmbedded } from './task-views.ts';

type Job = StoredRecord<'job'>;

const base: ColumnsOf<'job'> = {
  uuid: uuidColumn,
  jobNumber: column(text, ({ code, number }) => code ?? String(number)),
  ...rowColumns(jobRows),
  taskInvoiceRate: column(z.enum(['staff', 'task']), ({ fields }) => fields.taskInvoiceRate ?? 'staff'),
  ...timeColumns,
};

/** Statuses are stored by name. */
const statusUUID = settingColumn<'job'>('jobStatus', ({ fields }) => fields.state);

const deletedAt = always(moment.nullable(), null);

export const assignedStaff = z.strictObject({ ...staffRef.shape, customBillableRate: amountOrNull });

/** The members of a job, each with the rate of the assignment. */
export const staffAssigned = joinedColumn({
  by: 'jobStaff',
  as: 'owner',
  kind: 'staff',
  schema: assignedStaff,
  of: (member, { fields }) => ({
    ...staffNamed(member),
    customBillableRate: numberOrNull(fields.billableRate),
  }),
});

const references: ColumnsOf<'job'> = {
  client: refColumn(clientRefs, ({ owner }) => owner),
  contact: refColumn(contactRefs, ({ fields }) => fields.contact),
  clientManager: refColumn(staffRefs, ({ fields }) => fields.clientManager),
  jobManager: refColumn(staffRefs, ({ fields }) => fields.manager),
  jobStatus: loaded(z.strictObject({ uuid: idOrNull, jobStatus: text }), async (call, jobs) => {
    const uuid = await statusUUID.load(call, jobs);
    return (job) => ({ uuid: uuid(job) as string | null, jobStatus: job.fields.state });
  }),
  jobCategory: refColumn(
    {
      kind: 'category',
      schema: z.strictObject({ uuid: id, jobCategory: text }).nullable(),
      of: (found) => (found ? { uuid: found.uuid, jobCategory: found.name } : null),
    },
    ({ fields }) => fields.category,
  ),
  staffAssigned,
};

const milestone: ColumnsOf<'milestone'> = rowColumns(milestoneRows);

/** A to-do item from a template belongs to no task; a task list shows only the items of its tasks. */
const toDo: ColumnsOf<'toDo'> = {
  uuid: uuidColumn,
  ...rowColumns(toDoRows),
  jobTaskUUID: column(idOrNull, ({ fields }) => orNull(fields.task)),
  order: column(z.int(), (_toDo, at) => at + 1),
  completedBy: always(staffRef.nullable(), null),
  ...timeColumns,
};

/** The groups that both forms share; absent unless requested. */
const groups: ColumnsOf<'job'> = {
  phases: asked(
    'phases',
    loaded(z.array(phase), async (call, jobs) => {
      const names = await phaseNames(
        call,
        jobs.map(({ uuid }) => uuid),
      );
      return (job: Job) => phasesShown(job, names(job.uuid));
    }),
  ),
  customFields: asked('custom-fields', customColumn('Job')),
  invoices: asked('invoices', ownedColumn('invoice', invoiceEmbedded, { by: 'joinedTo' })),
  timesheets: asked(
    'timesheets',
    ownedColumn('time', {
      ...timeEmbedded,
      ...renamedColumns(timeRows, { jobTaskUUID: 'task' }),
    }),
  ),
};

export const jobListed = tableOf('job', 'JobListItem', {
  ...base,
  deletedAt,
  ...renamedColumns(jobRows, {
    clientUUID: 'owner',
    clientContactUUID: 'contact',
    clientManagerUUID: 'clientManager',
    jobManagerUUID: 'manager',
    jobStatusUUID: 'state',
    jobCategoryUUID: 'category',
  }),
  staffAssigned: asked(
    'staff',
    ownedColumn('jobStaff', {
      uuid: column(id, ({ other }) => other ?? ''),
      customBillableRate: column(amountOrNull, ({ fields }) => numberOrNull(fields.billableRate)),
    }),
  ),
  tasks: asked('tasks', ownedColumn('jobTask', taskOfList, { listed: inOrder })),
  costs: asked(
    'costs',
    ownedColumn('jobCost', { ...costEmbedded, ...renamedColumns(jobCostRows, { supplierUUID: 'other' }) }),
  ),
  milestones: asked(
    'milestones',
    ownedColumn('milestone', {
      ...milestone,
      ...renamedColumns(milestoneRows, { completed: 'completed' }),
    }),
  ),
  notes: asked('notes', jobAttachments.list.notes),
  documents: asked('documents', jobAttachments.list.documents),
  ...groups,
  quotes: asked(
    'quotes',
    ownedColumn('quote', { ...quoteEmbedded, salesPersonUUID: always(idOrNull, null) }, { by: 'joinedTo' }),
  ),
  purchaseOrders: asked(
    'purchase-orders',
    ownedColumn(
      'purchaseOrder',
      { ...orderEmbedded, ...renamedColumns(purchaseOrderRows, { supplierUUID: 'owner' }) },
      { by: 'joinedTo' },
    ),
  ),
});

/** An object, although the name suggests a text. */
const salesPerson = z.strictObject({ UUID: id, firstName: text, lastName: text }).nullable();

/** Always has tasks, costs, milestones, staff and billing settings; the other groups if requested. */
export const jobShown = tableOf('job', 'JobDetail', {
  ...base,
  deletedAt,
  ...references,
  tasks: ownedColumn('jobTask', taskOfDetail, { listed: inOrder }),
  costs: ownedColumn('jobCost', { ...costEmbedded, supplier: refColumn(supplierRefs, ({ other }) => other) }),
  milestones: ownedColumn('milestone', {
    ...milestone,
    completedDate: column(dayOrNull, ({ fields, modifiedAt }) =>
      fields.completed
        ? (orNull(fields.completedDate) ?? new Date(modifiedAt).toISOString().slice(0, 10))
        : null,
    ),
    completedBy: always(staffRef.nullable(), null),
  }),
  'to-dos': ownedColumn('toDo', toDo),
  notes: asked('notes', jobAttachments.detail.notes),
  documents: asked('documents', jobAttachments.detail.documents),
  ...groups,
  quotes: asked(
    'quotes',
    ownedColumn(
      'quote',
      { ...quoteEmbedded, salesPersonUUID: always(salesPerson, null) },
      { by: 'joinedTo' },
    ),
  ),
  purchaseOrders: asked(
    'purchase-orders',
    ownedColumn(
      'purchaseOrder',
      { ...orderEmbedded, supplier: refColumn(supplierRefs, ({ owner }) => owner) },
      { by: 'joinedTo' },
    ),
  ),
});

export const jobSaved = tableOf('job', 'JobSaved', {
  ...base,
  ...references,
  customFields: customColumn('Job'),
});
