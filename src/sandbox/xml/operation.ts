import type { SandboxCaller } from '../organisation.ts';
import type { Operation } from './call.ts';
import { categoryOperations } from './catalogue/categories.ts';
import { costOperations } from './catalogue/costs.ts';
import { taskOperations } from './catalogue/tasks.ts';
import { templateOperations } from './catalogue/templates.ts';
import { clientContacts } from './client/contacts.ts';
import { clientDocuments } from './client/documents.ts';
import { clientReads } from './client/read.ts';
import { clientRelationships } from './client/relationships.ts';
import { clientWrites } from './client/write.ts';
import { groupOperations } from './clientgroup/groups.ts';
import { customFieldOperations } from './customfield/operations.ts';
import { invoiceOperations } from './invoice/invoices.ts';
import { jobAssignments } from './job/assign.ts';
import { jobAttachments } from './job/attachments.ts';
import { jobCosts } from './job/costs.ts';
import { jobReads } from './job/read.ts';
import { jobTasks } from './job/tasks.ts';
import { jobWrites } from './job/write.ts';
import { leadOperations } from './lead/leads.ts';
import { mapOperations } from './maps.ts';
import { orderOperations } from './purchaseorder/orders.ts';
import { quoteOperations } from './quote/quotes.ts';
import { staffOperations } from './staff/staff.ts';
import { supplierContacts } from './supplier/contacts.ts';
import { supplierOperations } from './supplier/suppliers.ts';
import { timeOperations } from './time/times.ts';

/** Every method of the XML surfaces: it drives the router, the names of faults, and the tests. */
export const operations: readonly Operation[] = [
  ...clientReads,
  ...clientWrites,
  ...clientContacts,
  ...clientDocuments,
  ...clientRelationships,
  ...customFieldOperations,
  ...mapOperations,
  ...categoryOperations,
  ...groupOperations,
  ...costOperations,
  ...jobReads,
  ...jobWrites,
  ...jobAssignments,
  ...jobTasks,
  ...jobCosts,
  ...jobAttachments,
  ...invoiceOperations,
  ...leadOperations,
  ...orderOperations,
  ...quoteOperations,
  ...staffOperations,
  ...supplierOperations,
  ...supplierContacts,
  ...taskOperations,
  ...templateOperations,
  ...timeOperations,
];

export interface Found {
  readonly operation: Operation;
  readonly identifier: string;
}

const paths = operations.map((operation) => ({ operation, pattern: operation.path.split('/') }));

/** All methods under this path, whatever their verb. Segments are decoded; a trailing slash is already gone. */
function onPath(segments: readonly string[]): readonly Found[] {
  return paths.flatMap(({ operation, pattern }) => {
    if (pattern.length !== segments.length) return [];
    const fits = pattern.every((part, at) => part === '{id}' || part === segments[at]?.toLowerCase());
    return fits ? [{ operation, identifier: segments[pattern.indexOf('{id}')] ?? '' }] : [];
  });
}

export type Match =
  | ({ readonly match: 'method' } & Found)
  | { readonly match: 'verb'; readonly allowed: readonly string[] }
  | { readonly match: 'none' };

export function matchOf(
  { surface, organisation }: SandboxCaller,
  verb: string,
  segments: readonly string[],
): Match {
  const form = surface === 'v1' ? 'v1' : 'v3';
  const isPractice = form === 'v3' && organisation.switches.practice !== false;
  const found = onPath(segments).filter(
    ({ operation }) =>
      (operation.surfaces?.includes(form) ?? true) && !(isPractice && operation.isAbsentInPractice),
  );
  const match = found.find(({ operation }) => operation.verbs.includes(verb));
  if (match) return { match: 'method', ...match };
  if (found.length === 0) return { match: 'none' };
  return { match: 'verb', allowed: found.flatMap(({ operation }) => operation.verbs) };
}

/** `client.list`, `customfield.client.put`, …; undefined for what is no method. Segments are decoded. */
export function operationOf(verb: string, segments: readonly string[]): string | undefined {
  const path = segments.at(-1) === '' ? segments.slice(0, -1) : segments;
  return onPath(path).find(({ operation }) => operation.verbs.includes(verb))?.operation.id;
}
