import type { KindTable, Method, RecordRow, RecordTable } from '../../../mapping/compile/model.ts';
import type { Template } from '../../../mapping/compile/generic/template.ts';
import type { Path } from '../../../mapping/compile/path.ts';
import type { V2Step } from '../../../mapping/compile/v2/v2-model.ts';
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

/** The step that sent the JSON. */
type Sender = Pick<V2Step, 'body' | 'each'>;

/**
 * The element of a request for a field: the one that the step wrote there, or the one with that place in the mapping;
 * without a row, the field spelled as V1 would.
 */
export function requestElement(
  field: string,
  { body, step }: { readonly body: Method['body']; readonly step: Sender },
  given: Given | undefined,
  kinds: ReadonlyMap<string, KindTable>,
): RequestElement {
  const names = namesIn(field);
  const found = body && (writtenAt(names, step, body) ?? rowAt(names, body) ?? rowAt(names.slice(-1), body));
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

/** The row of the element whose value the step itself puts into the field. */
function writtenAt(
  names: readonly string[],
  { body: json, each }: Sender,
  { of, root }: NonNullable<Method['body']>,
): Found | undefined {
  const fixed = json?.set.find(([path]) => keysOf(path).join(' ') === names.join(' '))?.[1];
  const templates = fixed !== undefined && 'templates' in fixed ? fixed.templates : [];
  const [elements] = templates
    .map((template) => elementsIn(template, each))
    .filter(({ length }) => length > 0);
  const row = elements && rowBehind(elements, of);
  return row?.holds === 'value' ? { row, path: [root, ...(elements ?? [])] } : undefined;
}

function rowBehind([first, ...rest]: readonly string[], { rows }: RecordTable): RecordRow | undefined {
  const row = rows.find(({ element }) => element === first);
  if (rest.length === 0 || row === undefined) return row;
  return row.holds === 'value' ? undefined : rowBehind(rest, row.of);
}

/** The names of the elements that lead to the value of `{body.…}` or `{item.…}`; empty for anything else. */
function elementsIn(template: Template, each: Template | undefined): readonly string[] {
  const [only, ...rest] = template;
  if (typeof only !== 'object' || rest.length > 0) return [];
  const names = only.path.flatMap((step) => (step.step === 'key' ? [step.name] : []));
  if (only.root === 'body') return names;
  return only.root === 'item' && each !== undefined ? [...elementsIn(each, undefined), ...names] : [];
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
