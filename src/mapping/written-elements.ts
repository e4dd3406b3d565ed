import type { Mapping, RecordRow } from './compile/model.ts';

/** Whether a request of any method may contain the element, such as `Client/DateOfBirth`, as losses name it. */
export function isWritten({ methods }: Mapping, element: string): boolean {
  const [root = '', ...path] = element.toLowerCase().split('/');
  return methods.some(({ body, v2 }) => {
    if (body?.root.toLowerCase() !== root) return false;
    const lost =
      v2?.way === 'steps'
        ? v2.toV3.flatMap((row) => ('element' in row ? (row.loses ?? row.element) : []))
        : [];
    return (
      reaches(body.of.rows, path) ||
      lost.some((one) => `${one.toLowerCase()}/`.startsWith(`${path.join('/')}/`))
    );
  });
}

/** The record of a list has a name of its own. */
function reaches(rows: readonly RecordRow[], [wanted, ...rest]: readonly string[]): boolean {
  if (wanted === undefined) return true;
  return rows.some((row) => {
    if (row.element.toLowerCase() !== wanted) return false;
    if (rest.length === 0) return true;
    if (row.holds === 'value') return false;
    if (row.holds !== 'list') return reaches(row.of.rows, rest);
    return row.child.toLowerCase() === rest[0] && reaches(row.of.rows, rest.slice(1));
  });
}
