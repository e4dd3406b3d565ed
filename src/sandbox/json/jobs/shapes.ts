import { z } from 'zod';
import { customValue } from '../customValues.ts';
import { comment, documentCommon } from '../documentShapes.ts';
import { shape } from '../operation.ts';
import { phase, phaseRef } from '../phases.ts';
import { clientRef, contactRef, staffRef, supplierRef } from '../refs.ts';
import {
  amount,
  amountOrNull,
  count,
  dayOrNull,
  flag,
  id,
  idOrNull,
  moment,
  text,
  textOrNull,
  times,
} from '../values.ts';

export const priorities = ['Low', 'Normal', 'High', 'Immediate'] as const;
export const costTypes = ['Service', 'Stock'] as const;

const base = {
  uuid: id,
  jobNumber: text,
  name: text,
  description: textOrNull,
  clientOrderNumber: textOrNull,
  priority: z.enum(priorities),
  startDate: dayOrNull,
  dueDate: dayOrNull,
  completedDate: dayOrNull,
  budget: amountOrNull,
  estimatedBillings: amountOrNull,
  excludeEstimatedBillings: flag,
  taskInvoiceRate: z.enum(['staff', 'task']),
  capacityReducing: flag,
  ...times,
};

const customFields = z.array(customValue);

const task = {
  uuid: id,
  taskUUID: idOrNull,
  name: text,
  label: textOrNull,
  description: textOrNull,
  phaseUUID: idOrNull,
  startDate: dayOrNull,
  dueDate: dayOrNull,
  estimatedMinutes: count,
  actualMinutes: count,
  billable: flag,
  completed: flag,
  customBillableRate: amountOrNull,
  customFields,
  ...times,
};

const cost = {
  uuid: id,
  costUUID: idOrNull,
  costCode: textOrNull,
  name: text,
  note: textOrNull,
  date: dayOrNull,
  phaseUUID: idOrNull,
  type: z.enum(costTypes),
  actual: flag,
  billable: flag,
  quantity: amount,
  unitCost: amount,
  unitPrice: amount,
  customFields,
  ...times,
};

const milestone = { name: text, date: dayOrNull, phaseUUID: idOrNull };
const note = {
  uuid: id,
  title: textOrNull,
  description: text,
  date: dayOrNull,
  phaseUUID: idOrNull,
  ...times,
};
const document = { ...documentCommon, phaseUUID: idOrNull };
const quote = {
  uuid: id,
  number: textOrNull,
  name: text,
  type: z.enum(['quote', 'estimate']),
  status: z.enum(['draft', 'issued', 'accepted', 'declined', 'revised']),
  clientUUID: idOrNull,
  contactUUID: idOrNull,
  budget: amountOrNull,
  amountExTax: amount,
  amountIncTax: amount,
  isMasterQuote: flag,
  validFrom: dayOrNull,
  validTo: dayOrNull,
  customFields,
  ...times,
};
const invoice = z.strictObject({
  uuid: id,
  number: textOrNull,
  status: text,
  clientUUID: idOrNull,
  contactUUID: idOrNull,
  clientOrderNumber: textOrNull,
  date: dayOrNull,
  dueDate: dayOrNull,
  datePaid: dayOrNull,
  amountExTax: amount,
  amountIncTax: amount,
  amountPaid: amount,
  ...times,
});
const progress = z.enum(['awaiting', 'partial', 'full']);
const purchaseOrder = {
  uuid: id,
  status: z.enum(['draft', 'issued', 'cancelled']),
  billingStatus: progress,
  receivingStatus: progress,
  date: dayOrNull,
  amountExTax: amount,
  amountIncTax: amount,
  ...times,
};

export const timeEmbedded = {
  uuid: id,
  staff: staffRef.nullable(),
  date: dayOrNull,
  minutes: count,
  startTime: text.optional(),
  finishTime: text.optional(),
  note: textOrNull,
  billable: flag,
  customFields,
  ...times,
};
const timesheet = z.strictObject({ ...timeEmbedded, jobTaskUUID: idOrNull });

/** Groups that were not asked for are absent. */
export const jobListItem = shape(
  'JobListItem',
  z.strictObject({
    ...base,
    deletedAt: moment.nullable(),
    clientUUID: idOrNull,
    clientContactUUID: idOrNull,
    clientManagerUUID: idOrNull,
    jobManagerUUID: idOrNull,
    jobStatusUUID: idOrNull,
    jobCategoryUUID: idOrNull,
    staffAssigned: z.array(z.strictObject({ uuid: id, customBillableRate: amountOrNull })).optional(),
    tasks: z
      .array(z.strictObject({ ...task, staff: z.array(z.strictObject({ uuid: id, allocatedTime: count })) }))
      .optional(),
    costs: z.array(z.strictObject({ ...cost, supplierUUID: idOrNull })).optional(),
    milestones: z.array(z.strictObject({ ...milestone, completed: flag })).optional(),
    phases: z.array(phase).optional(),
    notes: z.array(z.strictObject({ ...note, createdByUUID: idOrNull })).optional(),
    documents: z.array(z.strictObject({ ...document, uploadedByUUID: idOrNull })).optional(),
    customFields: customFields.optional(),
    quotes: z.array(z.strictObject({ ...quote, salesPersonUUID: idOrNull })).optional(),
    invoices: z.array(invoice).optional(),
    purchaseOrders: z.array(z.strictObject({ ...purchaseOrder, supplierUUID: idOrNull })).optional(),
    timesheets: z.array(timesheet).optional(),
  }),
);

export const assignedStaff = z.strictObject({ ...staffRef.shape, customBillableRate: amountOrNull });

const detailRefs = {
  client: clientRef.nullable(),
  contact: contactRef.nullable(),
  clientManager: staffRef.nullable(),
  jobManager: staffRef.nullable(),
  jobStatus: z.strictObject({ uuid: idOrNull, jobStatus: text }),
  jobCategory: z.strictObject({ uuid: id, jobCategory: text }).nullable(),
  staffAssigned: z.array(assignedStaff),
};

const staffAllocated = z.strictObject({ ...staffRef.shape, allocatedTime: count });

export const jobDetail = shape(
  'JobDetail',
  z.strictObject({
    ...base,
    deletedAt: moment.nullable(),
    ...detailRefs,
    tasks: z.array(z.strictObject({ ...task, staffs: z.array(staffAllocated) })),
    costs: z.array(z.strictObject({ ...cost, supplier: supplierRef.nullable() })),
    milestones: z.array(
      z.strictObject({ ...milestone, completedDate: dayOrNull, completedBy: staffRef.nullable() }),
    ),
    phases: z.array(phase).optional(),
    notes: z
      .array(z.strictObject({ ...note, createdBy: staffRef.nullable(), comments: z.array(comment) }))
      .optional(),
    documents: z.array(z.strictObject({ ...document, uploadedBy: staffRef.nullable() })).optional(),
    customFields: customFields.optional(),
    /** An object despite its name. */
    quotes: z
      .array(
        z.strictObject({
          ...quote,
          salesPersonUUID: z.strictObject({ UUID: id, firstName: text, lastName: text }).nullable(),
        }),
      )
      .optional(),
    invoices: z.array(invoice).optional(),
    purchaseOrders: z
      .array(z.strictObject({ ...purchaseOrder, supplier: supplierRef.nullable() }))
      .optional(),
    timesheets: z.array(timesheet).optional(),
  }),
);

export const jobSaved = shape('JobSaved', z.strictObject({ ...base, ...detailRefs, customFields }));

const jobRef = z.strictObject({ uuid: id, jobNumber: text, jobName: text });

const taskAlone = {
  uuid: id,
  taskUUID: idOrNull,
  name: text,
  label: textOrNull,
  description: textOrNull,
  job: jobRef,
  phase: phaseRef.nullable(),
  startDate: dayOrNull,
  completedAt: dayOrNull,
  estimatedMinutes: count,
  actualMinutes: count,
  billable: flag,
  customBillableRate: amountOrNull,
  order: count,
  staff: z.array(staffAllocated),
  customFields,
  ...times,
};

export const jobTaskSaved = shape('JobTaskSaved', z.strictObject({ ...taskAlone, endDate: dayOrNull }));

export const jobTaskListItem = shape(
  'JobTaskListItem',
  z.strictObject({
    ...taskAlone,
    dueDate: dayOrNull,
    notes: z.array(
      z.strictObject({
        uuid: id,
        title: textOrNull,
        description: text,
        date: dayOrNull,
        createdBy: staffRef.nullable(),
        comments: z.array(comment),
        ...times,
      }),
    ),
    timesheets: z.array(z.strictObject(timeEmbedded)),
    'to-dos': z.array(
      z.strictObject({
        uuid: id,
        name: text,
        order: count,
        completed: flag,
        completedDate: dayOrNull,
        completedBy: staffRef.nullable(),
        ...times,
      }),
    ),
  }),
);

const costAlone = {
  uuid: id,
  costUUID: idOrNull,
  costCode: textOrNull,
  note: textOrNull,
  date: dayOrNull,
  type: z.enum(costTypes),
  actual: flag,
  billable: flag,
  quantity: amount,
  unitCost: amount,
  unitPrice: amount,
  supplier: supplierRef.nullable(),
  phase: phaseRef.nullable(),
  customFields,
  markup: amountOrNull,
  amount,
  ...times,
};

/** The label is `description` in lists, `costName` after a write. */
export const jobCostListItem = shape('JobCostListItem', z.strictObject({ ...costAlone, description: text }));
export const jobCostOfAll = shape(
  'JobCostOfOrganisation',
  z.strictObject({ ...costAlone, description: text, job: jobRef }),
);
export const jobCostSaved = shape(
  'JobCostSaved',
  z.strictObject({ ...costAlone, costName: text, order: count }),
);

export const jobNote = shape(
  'JobNote',
  z.strictObject({
    ...note,
    createdBy: staffRef.nullable(),
    jobUUID: id,
    jobTaskUUID: idOrNull,
  }),
);

export const recurringJob = shape(
  'RecurringJob',
  z.strictObject({
    uuid: id,
    name: text,
    clientUUID: idOrNull,
    jobTemplateUUID: idOrNull,
    frequency: text,
    interval: count,
    dates: z.array(z.iso.date()),
    startDate: dayOrNull,
    endDate: dayOrNull,
    nextRunDate: dayOrNull,
    ...times,
  }),
);
