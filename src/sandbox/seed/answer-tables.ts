/**
 * Where the answers of V1 show the records of a seed. The tables of the kinds define the names of the values;
 * this file adds the enclosing elements, and what no row can express.
 */
import type { XmlElement } from '../../lib/xml/element.ts';
import { commentRows, noteRows } from '../tables/clients/note.ts';
import { contactRows } from '../tables/clients/contact.ts';
import { documentRows } from '../tables/clients/document.ts';
import { relationshipRows } from '../tables/clients/relationship.ts';
import { jobCostRows } from '../tables/jobs/job-cost.ts';
import { milestoneRows } from '../tables/jobs/job-parts.ts';
import { jobTaskRows } from '../tables/jobs/job-task.ts';
import { costLineRows, invoiceTaskRows, paymentRows } from '../tables/money/invoice.ts';
import { purchaseOrderCostRows } from '../tables/money/purchase-order.ts';
import { quoteCostRows, quoteTaskRows } from '../tables/money/quote.ts';
import { supplierContactRows } from '../tables/people/supplier.ts';
import type { Rows } from '../tables/table.ts';
import { childOf, childrenIn, membersOf, numberIn, textIn } from './answer-elements.ts';
import { clients, clientTypes, groups } from './kinds/clients.ts';
import { jobs, times } from './kinds/jobs.ts';
import { invoices, purchaseOrders, quotes } from './kinds/money.ts';
import { leads, staff, suppliers } from './kinds/people.ts';
import { categories, costs, leadCategories, tasks, templates } from './kinds/settings.ts';
import type { SeedTable } from './table.ts';

/** A record of a seed under construction. */
export type SeedRecord = Record<string, unknown>;

/** A list within a record. */
export interface AnsweredPart {
  readonly container: string;
  readonly element: string;
  readonly list: string;
  readonly rows: Rows;
  readonly holds?: readonly AnsweredPart[];
  /** The list's entries have no number in a seed. */
  readonly isNumberless?: true;
  readonly further?: (element: XmlElement) => SeedRecord;
}

/** A kind of record that V1 answers with. */
export interface AnsweredKind {
  readonly list: string;
  readonly element: string;
  /** First segment of the calls that answer with it. */
  readonly family: string;
  readonly table: SeedTable;
  /** `ID` is the number as text. */
  readonly isCoded?: true;
  readonly holds?: readonly AnsweredPart[];
  readonly further?: (element: XmlElement) => SeedRecord;
}

/** Calculates the rate in percent, because V1 shows only the amount of tax. */
function taxOf(element: XmlElement): SeedRecord {
  const [amount, tax] = [Number(textIn(element, 'Amount')), Number(textIn(element, 'AmountTax'))];
  return amount > 0 && tax >= 0 ? { taxRate: ((tax / amount) * 100).toFixed(2) } : {};
}

/** Comments, shown below each note. */
const comments: AnsweredPart = {
  container: 'Comments',
  element: 'Comment',
  list: 'comments',
  rows: commentRows,
};
/** Notes of clients, suppliers and jobs; those of jobs have numbers. */
const notes: AnsweredPart = {
  ...{ container: 'Notes', element: 'Note', list: 'notes', rows: noteRows },
  holds: [comments],
};

/** `client.api/documents` and `job.api/documents`, with the owner in the path. Files are never read. */
export const documentPart: AnsweredPart = {
  ...{ container: 'Documents', element: 'Document', list: 'documents', rows: documentRows },
  further: (element) => ({
    fileName: textIn(element, 'FileName') || textIn(element, 'Title') || 'document',
    content: '',
  }),
};

/** `job.api/costs`, with the job in the path. */
export const jobCostPart: AnsweredPart = {
  ...{ container: 'Costs', element: 'Cost', list: 'costs', rows: jobCostRows },
};

/** `invoice.api/payments`, with the invoice in the path. */
export const paymentPart: AnsweredPart = {
  ...{ container: 'Payments', element: 'Payment', list: 'payments', rows: paymentRows },
  isNumberless: true,
};

/** A task of a job is based on one of the catalogue, which it names as `TaskID`. */
const jobTasks: AnsweredPart = {
  ...{ container: 'Tasks', element: 'Task', list: 'tasks', rows: jobTaskRows },
  further: (element) => ({
    name: textIn(element, 'Name'),
    ...(Number(textIn(element, 'TaskID')) > 0 && { task: Number(textIn(element, 'TaskID')) }),
    assigned: membersOf(element).map((member) => ({
      staff: numberIn(member) ?? 0,
      allocatedMinutes: Number(textIn(member, 'AllocatedMinutes')) || 0,
    })),
  }),
};

/** The lines of an invoice for time. */
const invoiceTasks: AnsweredPart = {
  ...{ container: 'Tasks', element: 'Task', list: 'tasks', rows: invoiceTaskRows },
  further: taxOf,
};
/** The lines of an invoice for costs, which have no number. */
const invoiceCosts: AnsweredPart = {
  ...{ container: 'Costs', element: 'Cost', list: 'costs', rows: costLineRows },
  ...{ isNumberless: true, further: taxOf },
};

/** The lines of an invoice, which are listed under its jobs. */
export const invoiceParts: readonly AnsweredPart[] = [invoiceTasks, invoiceCosts];

/** Options are costs offered in addition to the quote. */
const quoteCosts = (container: string, element: string, optional: boolean): AnsweredPart => ({
  ...{ container, element, list: 'costs', rows: quoteCostRows, isNumberless: true },
  further: (line) => ({ ...taxOf(line), optional }),
});

/** Derives the hourly cost of the tasks: V1 shows only the cost of all lines together. */
function baseRateOf(quote: XmlElement): SeedRecord {
  const lines = (name: string): readonly XmlElement[] => childrenIn(quote, name);
  const minutes = lines('Tasks').reduce((sum, task) => sum + Number(textIn(task, 'EstimatedMinutes')), 0);
  const costs = lines('Costs').reduce(
    (sum, cost) => sum + Number(textIn(cost, 'UnitCost')) * Number(textIn(cost, 'Quantity')),
    0,
  );
  const rest = Number(textIn(quote, 'EstimatedCost')) - costs;
  return minutes > 0 && rest > 0 ? { baseRate: ((rest / minutes) * 60).toFixed(2) } : {};
}

/** The table of client types. */
export const clientTypeTable: SeedTable = clientTypes;

/** A kind whose records appear in answers, whole or in a list. */
const named = (list: string, element: string, family: string, table: SeedTable): AnsweredKind => ({
  ...{ list, element, family, table },
});

/** What V1 shows in lists and alone, in the order that a seed needs. */
export const answered: readonly AnsweredKind[] = [
  named('staff', 'Staff', 'staff.api', staff),
  {
    ...named('suppliers', 'Supplier', 'supplier.api', suppliers),
    holds: [
      { container: 'Contacts', element: 'Contact', list: 'contacts', rows: supplierContactRows },
      notes,
    ],
  },
  named('tasks', 'Task', 'task.api', tasks),
  named('costs', 'Cost', 'cost.api', costs),
  named('categories', 'Category', 'category.api', categories),
  named('leadCategories', 'Category', 'lead.api', leadCategories),
  named('templates', 'Template', 'template.api', templates),
  named('groups', 'Group', 'clientgroup.api', groups),
  {
    ...named('clients', 'Client', 'client.api', clients),
    holds: [
      { container: 'Contacts', element: 'Contact', list: 'contacts', rows: contactRows },
      notes,
      {
        ...{
          container: 'Relationships',
          element: 'Relationship',
          list: 'relationships',
          rows: relationshipRows,
        },
        further: (element) => ({ numberOfShares: Number(textIn(element, 'NumberOfShares')) || 0 }),
      },
    ],
    further: (element) => {
      const members = childrenIn(element, 'Groups').flatMap((group) => numberIn(group) ?? []);
      return {
        isArchived: textIn(element, 'IsArchived') === 'Yes',
        isDeleted: textIn(element, 'IsDeleted') === 'Yes',
        ...(members.length > 0 && { groups: members }),
        ...(textIn(childOf(element, 'Type'), 'Name') !== '' && {
          type: textIn(childOf(element, 'Type'), 'Name'),
        }),
      };
    },
  },
  {
    ...named('jobs', 'Job', 'job.api', jobs),
    isCoded: true,
    holds: [
      jobTasks,
      {
        container: 'Milestones',
        element: 'Milestone',
        list: 'milestones',
        rows: milestoneRows,
        isNumberless: true,
      },
      notes,
    ],
    further: (element) => ({
      ...(textIn(element, 'Type') !== '' && { category: textIn(element, 'Type') }),
      ...(Number(textIn(element, 'InternalID')) > 0 && { internalId: Number(textIn(element, 'InternalID')) }),
      assigned: membersOf(element).map((member) => numberIn(member) ?? 0),
    }),
  },
  {
    ...named('times', 'Time', 'time.api', times),
    further: (element) => ({
      job: textIn(childOf(element, 'Job'), 'ID'),
      task: numberIn(childOf(element, 'Task')) ?? 0,
    }),
  },
  {
    ...named('leads', 'Lead', 'lead.api', leads),
    holds: [
      {
        ...{ container: 'Activities', element: 'Activity', list: 'activities', rows: [], isNumberless: true },
        further: (element) => ({
          subject: textIn(element, 'Subject') || 'Activity',
          date: textIn(element, 'Date').slice(0, 10),
          completed: textIn(element, 'Completed') === 'true',
          ...(numberIn(childOf(element, 'Responsible')) !== undefined && {
            responsible: numberIn(childOf(element, 'Responsible')),
          }),
        }),
      },
      {
        ...{ container: 'History', element: 'Item', list: 'history', rows: [], isNumberless: true },
        further: (element) => ({
          ...(textIn(element, 'Date') !== '' && { date: `${textIn(element, 'Date').slice(0, 19)}Z` }),
          ...{ type: textIn(element, 'Type'), staff: textIn(element, 'Staff') },
          detail: textIn(element, 'Detail'),
        }),
      },
    ],
    further: (element) => ({
      state: textIn(element, 'State') || 'Current',
      category: textIn(element, 'Category'),
    }),
  },
  {
    ...named('invoices', 'Invoice', 'invoice.api', invoices),
    isCoded: true,
    holds: invoiceParts,
    further: (element) => {
      const status = textIn(element, 'Status');
      const job = textIn(childOf(element, 'Jobs')?.children[0], 'ID');
      const paid = textIn(element, 'AmountPaid');
      return {
        status: status === 'Paid' ? 'Approved' : status || 'Approved',
        ...(job !== '' && { job }),
        // Replaced once an answer shows the payments themselves.
        ...(Number(paid) > 0 && { payments: [{ date: textIn(element, 'Date').slice(0, 10), amount: paid }] }),
      };
    },
  },
  {
    ...named('quotes', 'Quote', 'quote.api', quotes),
    isCoded: true,
    holds: [
      {
        ...{ container: 'Tasks', element: 'Task', list: 'tasks', rows: quoteTaskRows, isNumberless: true },
        further: taxOf,
      },
      quoteCosts('Costs', 'Cost', false),
      quoteCosts('Options', 'Option', true),
    ],
    further: baseRateOf,
  },
  {
    ...named('purchaseOrders', 'PurchaseOrder', 'purchaseorder.api', purchaseOrders),
    isCoded: true,
    holds: [
      {
        ...{
          container: 'Costs',
          element: 'Cost',
          list: 'costs',
          rows: purchaseOrderCostRows,
          isNumberless: true,
        },
        further: taxOf,
      },
    ],
  },
];

/** The list of a seed for each kind, for references. */
export const listsOfKinds: ReadonlyMap<string, string> = new Map(
  answered.map(({ list, table }) => [table.kind, list] as const),
);
