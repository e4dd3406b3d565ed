import type { KindTable, Method, RecordRow, RecordTable } from '../../../mapping/compile/model.ts';
import type { Path } from '../../../mapping/compile/path.ts';
import type { Given } from '../lookups/given.ts';

/** An element of a legacy request that a message of V2 is about. */
export interface RequestElement {
  readonly name: string;
  /** From the root: `['Job', 'Name']`. */
  readonly path: readonly string[];
  /** V2's name for it, in lower case. */
  readonly field: string;
  /** V1's message for an unknown identifier in it. */
  readonly unknown?: string | undefined;
  /** Its text in the request. */
  readonly text?: string | undefined;
}

/** Names of a field of V2's JSON, in lower case: `costs[0].unitCost` is `costs`, `unitcost`. */
const namesIn = (field: string): readonly string[] =>
  field
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((name) => name !== '');

/** Whether the text contains no name of a field. */
export const isNoFieldName = (field: string): boolean => namesIn(field).length === 0;

/** An element without a row, spelled as V1 would spell the field. */
export function spelledElement(field: string): RequestElement {
  const last = field.split(/[^A-Za-z]+/).findLast((part) => part !== '') ?? '';
  const name = (last.charAt(0).toUpperCase() + last.slice(1)).replace(/(?:UUID|Uuid)$/, 'ID');
  return { name, path: [name], field: last.toLowerCase() };
}

/** The element of a request for a field; without a row, the field spelled as V1 would. */
export function requestElement(
  field: string,
  body: Method['body'],
  given: Given | undefined,
  kinds: ReadonlyMap<string, KindTable>,
): RequestElement {
  const names = namesIn(field);
  const found = body && (rowAt(names, body) ?? rowAt(names.slice(-1), body));
  if (found === undefined) return spelledElement(field);
  const { row, path } = found;
  const { kind, unknown } = row;
  const text = path.length === 2 ? given?.[row.element] : undefined;
  return {
    name: row.element,
    path,
    field: names.at(-1) ?? '',
    unknown: unknown ?? (kind === undefined ? undefined : kinds.get(kind)?.error),
    text: typeof text === 'string' ? text : undefined,
  };
}

interface Found {
  readonly row: RecordRow & { readonly holds: 'value' };
  readonly path: readonly string[];
}

/** The row with the field; of several, the one that is an identifier. */
function rowAt(names: readonly string[], { of, root }: NonNullable<Method['body']>): Found | undefined {
  const all = [...rowsAt(names, of, [root])];
  return all.find(({ row }) => row.kind !== undefined) ?? all[0];
}

/** A record may contain itself. */
const DEEPEST = 8;

function* rowsAt(names: readonly string[], table: RecordTable, path: readonly string[]): Generator<Found> {
  if (path.length > DEEPEST) return;
  for (const row of table.rows)
    for (const keys of placesOf(row)) {
      if (!keys.every((key, at) => names[at] === key)) continue;
      const [rest, at] = [names.slice(keys.length), [...path, row.element]];
      if (row.holds !== 'value') yield* rowsAt(rest, row.of, row.holds === 'list' ? [...at, row.child] : at);
      else if (rest.length === 0) yield { row, path: at };
    }
}

/** The keys of each path of a row; nested elements without a path are in the same place. */
function placesOf({ v2, holds }: RecordRow): readonly (readonly string[])[] {
  const paths = v2?.paths ?? [];
  return paths.length === 0 && holds !== 'value' ? [[]] : paths.map(keysOf);
}

const keysOf = (path: Path): readonly string[] =>
  path.flatMap((step) => (step.step === 'key' ? [step.name.toLowerCase()] : []));
