import { isSlashedNumber } from '../../lib/text/slashed-number.ts';
import type { SandboxCaller } from '../identity/organisation.ts';
import type { Operation } from './call.ts';
import { categoryOperations } from './methods/catalogue/categories.ts';
import { costOperations } from './methods/catalogue/costs.ts';
import { taskOperations } from './methods/catalogue/tasks.ts';
import { templateOperations } from './methods/catalogue/templates.ts';
import { clientContacts } from './methods/client/contacts.ts';
import { clientDocuments } from './methods/client/documents.ts';
import { clientReads } from './methods/client/read.ts';
import { clientRelationships } from './methods/client/relationships.ts';
import { clientWrites } from './methods/client/write.ts';
import { groupOperations } from './methods/clientgroup/groups.ts';
import { customFieldOperations } from './methods/customfield/operations.ts';
import { invoiceOperations } from './methods/invoice/invoices.ts';
import { jobAssignments } from './methods/job/assign.ts';
import { jobAttachments } from './methods/job/attachments.ts';
import { jobCosts } from './methods/job/costs.ts';
import { jobReads } from './methods/job/read.ts';
import { jobTasks } from './methods/job/tasks.ts';
import { jobWrites } from './methods/job/write.ts';
import { leadOperations } from './methods/lead/leads.ts';
import { mapOperations } from './http/maps.ts';
import { orderOperations } from './methods/purchaseorder/orders.ts';
import { quoteOperations } from './methods/quote/quotes.ts';
import { staffOperations } from './methods/staff/staff.ts';
import { supplierContacts } from './methods/supplier/contacts.ts';
import { supplierOperations } from './methods/supplier/suppliers.ts';
import { timeOperations } from './methods/time/times.ts';

/** Every method of the XML surfaces. The router, the names of faults and the tests are built on it. */
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

/** All methods with this path, whatever their verb. `segments` are decoded, without a trailing slash. */
function onPath(segments: readonly string[]): readonly Found[] {
  const found = exactlyOn(segments);
  return found.length === 0 ? exactlyOn(withNumber(segments)) : found;
}

/** Kinds whose numbers are free text, which may contain slashes: `Q25008/2`. */
const numbered = new Set(['job.api', 'invoice.api', 'quote.api', 'purchaseorder.api']);

/** `quote.api/get/Q25008/2`: everything after the method is the number. */
const withNumber = ([family = '', method = '', ...number]: readonly string[]): readonly string[] =>
  numbered.has(family.toLowerCase()) && isSlashedNumber(number.join('/'))
    ? [family, method, number.join('/')]
    : [];

function exactlyOn(segments: readonly string[]): readonly Found[] {
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

/** Finds the caller's method for this verb and path. */
export function matchOf(
  { surface, organisation }: SandboxCaller,
  verb: string,
  segments: readonly string[],
): Match {
  const form = surface === 'v1' ? 'v1' : 'v3';
  const isPractice = form === 'v3' && organisation.switches.practice !== false;
  const is31 = isPractice && organisation.switches.practiceVersion === '3.1';
  const verbsOf = ({ verbs, verbsInPractice31 }: Operation): readonly string[] =>
    (is31 ? verbsInPractice31 : undefined) ?? verbs;
  const found = onPath(segments).filter(
    ({ operation }) =>
      (operation.surfaces?.includes(form) ?? true) && !(isPractice && operation.isAbsentInPractice),
  );
  const match = found.find(({ operation }) => verbsOf(operation).includes(verb));
  if (match) return { match: 'method', ...match };
  if (found.length === 0) return { match: 'none' };
  return { match: 'verb', allowed: found.flatMap(({ operation }) => verbsOf(operation)) };
}

/**
 * `client.list`, `customfield.client.put`, …; undefined if the path names no method. `segments` are decoded.
 */
export function operationOf(verb: string, segments: readonly string[]): string | undefined {
  const path = segments.at(-1) === '' ? segments.slice(0, -1) : segments;
  return onPath(path).find(({ operation }) => operation.verbs.includes(verb))?.operation.id;
}
