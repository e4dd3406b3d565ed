/**
 * What the V2 half of a method may refer to, and the check of its paths and templates.
 *
 * A template may name placeholders of the legacy path, query parameters, elements of the request, defaults
 * and look-up tables of `v2.yaml`, earlier steps, `{item}` in a step with `each`, and `{today}`. Each name is
 * checked when the mapping is compiled, so that no call fails on one that does not exist.
 */
import type { Kind } from '../../crosswalk/identifier.ts';
import { formatNames, formatOf } from '../../formats.ts';
import { parsePath, type Path } from '../path.ts';
import type { RecordRow, RecordTable } from '../records.ts';
import { parseTemplate, placeholdersIn, type Placeholder, type Template } from '../generic/template.ts';
import type { V2Tables } from './v2-model.ts';

/** The position of an entry in its file, from the outermost key. */
export type At = readonly (string | number)[];
/** Reports a fault in the file that is being compiled. */
export type Blame = (at: At, rule: string) => void;

/** Parses a path that has passed the schema, and therefore is valid. */
export const pathOf = (text: string): Path => parsePath(text) ?? [];
const templateOf = (text: string): Template => parseTemplate(text) ?? [];

/** What a method's V2 half may refer to. */
export interface RowScope {
  readonly at: At;
  readonly tables: V2Tables;
  /** Placeholders of the legacy path. */
  readonly kinds: ReadonlySet<Kind>;
  readonly query: ReadonlyMap<string, string>;
  readonly body: RecordTable | undefined;
  /** `counted`: a list has the number of its records beside it. */
  readonly reply: { readonly form: 'status' | 'one' | 'list' | 'id'; readonly counted: boolean };
  readonly table: (name: string, at: At) => RecordTable;
  readonly blame: Blame;
  /** Collects the elements of the request that templates contain, in lower case. */
  readonly uses: Set<string>;
}

/** What is wrong with a path: a missing table, or a field that a table does not keep. */
export function pathFault(path: Path, tables: V2Tables): string | undefined {
  for (const [index, step] of path.entries()) {
    if (step.step !== 'lookup') continue;
    const next = path[index + 1];
    const fault = tableFault(step.table, next?.step === 'key' ? next.name : undefined, tables);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** What is wrong with a look-up table that must provide `field`; undefined: nothing. */
export function tableFault(table: string, field: string | undefined, tables: V2Tables): string | undefined {
  const lookup = tables.lookups.get(table);
  if (lookup === undefined) return `the look-up table ${table} is not in v2.yaml`;
  if (field === undefined || lookup.form === 'within' || lookup.form === 'kept') return undefined;
  if (lookup.keep.includes(field)) return undefined;
  return `the look-up table ${table} keeps no ${field}`;
}

/** Parses a template and reports references that do not exist. */
export function checked(
  text: string,
  scope: RowScope,
  names: ReadonlySet<string>,
  item: boolean,
  ...key: readonly string[]
): Template {
  const template = templateOf(text);
  for (const placeholder of placeholdersIn(template)) {
    const [first] = placeholder.path;
    if (placeholder.root === 'body' && first?.step === 'key') scope.uses.add(first.name.toLowerCase());
    const fault =
      formatFault(placeholder) ??
      pathFault(placeholder.path, scope.tables) ??
      faultOf(placeholder, scope, names, item);
    if (fault !== undefined) scope.blame([...scope.at, ...key], `{${placeholder.text}}: ${fault}`);
  }
  return template;
}

function formatFault({ format }: Placeholder): string | undefined {
  if (format === undefined) return undefined;
  const name = formatNames.find((one) => one === format);
  if (name === undefined) return `${format} is no format`;
  return formatOf(name).toV2 === undefined ? `the format ${format} is for replies only` : undefined;
}

/** Whether a name has a meaning of its own in templates, so that no step may have it. */
export const isWord = (root: string): boolean =>
  ['query', 'body', 'default', 'first', 'item'].includes(root) || isDay(root);

/** `yesterday`, `today`, or a number of days after it: up to five digits, more than a hundred years. */
const isDay = (root: string): boolean => /^(?:yesterday|today(\+\d{1,5})?)$/.test(root);

function faultOf(
  { root, path }: Placeholder,
  scope: RowScope,
  names: ReadonlySet<string>,
  item: boolean,
): string | undefined {
  const first = path[0]?.step === 'key' ? path[0].name : undefined;
  if (isDay(root)) return undefined;
  switch (root) {
    case 'query':
      return first !== undefined && scope.query.has(first.toLowerCase()) ? undefined : 'no such parameter';
    case 'body':
      return isInRequest(path, scope.body) ? undefined : 'no such element in the request';
    case 'default':
      return first !== undefined && scope.tables.defaults.has(first)
        ? undefined
        : 'no such default in v2.yaml';
    case 'first':
      return firstFault(path, scope.tables);
    case 'item':
      return item ? undefined : 'the step has no each';
    default:
      if (scope.kinds.has(root))
        return path.length === 0 ? undefined : 'a part of the path holds nothing further';
      return names.has(root) ? undefined : 'neither part of the path nor an earlier step';
  }
}

function firstFault([table, ...rest]: Path, tables: V2Tables): string | undefined {
  const name = table?.step === 'key' ? table.name : '';
  const lookup = tables.lookups.get(name);
  if (lookup?.form !== 'list') return 'no such look-up list in v2.yaml';
  const field = rest.find(({ step }) => step === 'key');
  if (field?.step !== 'key' || field.name === lookup.key) return undefined;
  return tableFault(name, field.name, tables);
}

/** Whether a path leads to an element of the request, by the names in the rows. */
export function isInRequest(path: Path, table: RecordTable | undefined): boolean {
  let here: RecordTable | undefined = table;
  for (const step of path) {
    if (step.step !== 'key') continue;
    const row: RecordRow | undefined = here?.rows.find(({ element }) => element === step.name);
    if (row === undefined) return false;
    here = row.holds === 'value' ? undefined : row.of;
  }
  return table !== undefined;
}

/** The kind of the last identifier in a path. */
export function kindIn(segments: readonly Template[], scope: RowScope): Kind | undefined {
  const last = segments.flatMap(placeholdersIn).at(-1);
  if (last === undefined) return undefined;
  if (last.root !== 'body') return scope.kinds.has(last.root) ? last.root : undefined;
  let table = scope.body;
  let kind: Kind | undefined;
  for (const step of last.path) {
    const row = step.step === 'key' ? table?.byLegacyName.get(step.name.toLowerCase()) : undefined;
    if (row === undefined) return undefined;
    if (row.holds === 'value') kind = row.kind;
    else table = row.of;
  }
  return kind;
}
