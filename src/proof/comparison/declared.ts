import type { Difference } from '../../features/cutover/parity/difference.ts';
import { MethodNeeds } from '../../features/usage/readiness/method-needs.ts';
import type { Method, RecordTable } from '../../mapping/compile/model.ts';

/** Removes differences that the mapping declares as lost on V2. */
export function undeclared(
  differences: readonly Difference[],
  method: Method,
  source: string,
): readonly Difference[] {
  if (source !== 'v2') return differences;
  const needs = new MethodNeeds(method);
  return differences.filter(({ path, after, cause }) => {
    const isEmpty = cause === 'missing-element' || (cause === 'value' && after === '');
    const element = needs.received(belowRoot(path));
    return !isEmpty || element === undefined || needs.lost('reply', element.path) === undefined;
  });
}

/** Whether a record may have the element at some time and lack it at another, by the mapping. */
export function optionalIn(method: Method): (path: string) => boolean {
  const needs = new MethodNeeds(method);
  return (path) => needs.received(belowRoot(path))?.isOptional === true;
}

const belowRoot = (path: string): string => path.split('/').slice(1).join('/');

/** Names of elements in the replies whose values differ by design: addresses of documents. */
export function differingByDesign({ reply }: Method): ReadonlySet<string> {
  const names = new Set<string>();
  if ('of' in reply) collectLinks(reply.of, names, 0);
  return names;
}

const DEEPEST = 8;

function collectLinks({ rows }: RecordTable, names: Set<string>, depth: number): void {
  if (depth > DEEPEST) return;
  for (const row of rows)
    if (row.holds === 'value') {
      if (row.format === 'documentLink') names.add(row.element);
    } else collectLinks(row.of, names, depth + 1);
}
