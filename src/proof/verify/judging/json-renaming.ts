/**
 * Finds the key that stands in the place of one that no object of V2 has: of those that no row of the mapping uses there, one
 * that holds the values V3 or V1 shows for the row, or has nearly the same name.
 */
import { formatOf } from '../../../mapping/formats.ts';
import type { RecordRow, RecordTable } from '../../../mapping/compile/model.ts';
import { entries, isObject, own, tablesIn, valueAt, type Path } from '../../../mapping/compile/path.ts';
import type { Lookup } from '../../../mapping/compile/v2/v2-model.ts';
import type { Edit } from '../model.ts';
import { comparable } from './reference.ts';
import type { Scope } from './scope.ts';
import { isSimilar, NEARLY } from './similar.ts';
import { oddValues, unreadValues } from '../../../mapping/value-types.ts';

/** What comparing with V2 needs besides. */
export interface JsonScope extends Scope {
  readonly surface: 'v2';
  readonly lookups: ReadonlyMap<string, Lookup>;
}

/** A row without a value, with the objects that should have one; `stems`: its paths up to the first look-up. */
export interface AbsentRow {
  readonly table: RecordTable;
  readonly row: RecordRow;
  readonly at: string;
  readonly objects: readonly unknown[];
  readonly stems: readonly Path[];
}

/** A key in the place of a missing one, and why it is taken for that. */
export interface Candidate {
  readonly name: string;
  readonly because: string;
}

/** No table is looked into. */
export const nothing = (): undefined => undefined;
/** Whether there is a value. */
export const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The keys of a path, without places and conditions. */
export const keysOf = (path: Path): readonly string[] =>
  path.flatMap((step) => (step.step === 'key' ? [step.name] : []));
/** As people write it. */
export const keyText = (behind: readonly string[], name: string): string => [...behind, name].join('.');

/** The key with which the whole row gives the texts of V3 or V1. */
export function besides(
  { reference }: JsonScope,
  { table, row, objects }: AbsentRow,
  stem: Path,
  { parents, behind, name }: MissingKey,
): Candidate | undefined {
  if (row.holds !== 'value') return undefined;
  const known = new Set([...reference.of('v3', table, row), ...reference.of('v1', table, row)]);
  const paths = row.v2?.paths ?? [];
  for (const candidate of unusedKeys(table, parents, behind)) {
    const changed = stem.map((step) =>
      step.step === 'key' && step.name === name ? { ...step, name: candidate } : step,
    );
    const texts = new Set(
      objects.map((object) => {
        const values = paths.map((path) => valueAt(object, path === stem ? changed : path, nothing));
        return comparable(formatOf(row.format).fromV2(values, nothing) ?? '');
      }),
    );
    texts.delete('');
    const alike = alikeIn(texts, known);
    if (alike > 0 && alike >= texts.size * 0.9 && (alike > 2 || isSimilar(candidate, name)))
      return { name: candidate, because: agreement(alike, texts.size) };
  }
  return undefined;
}

const FLAG = /^(?:yes|no|true|false|)$/;

/** Of the different texts those that the other API showed as well; flags have only two, which say nothing. */
const alikeIn = (texts: ReadonlySet<string>, known: ReadonlySet<string>): number =>
  [...texts].every((text) => FLAG.test(text)) ? 0 : [...texts].filter((text) => known.has(text)).length;

const agreement = (alike: number, all: number): string =>
  `${alike} of ${all} different values are those of V3 or V1`;

/** Keys of the objects that no row of the table uses there. */
function unusedKeys(
  table: RecordTable,
  parents: readonly unknown[],
  behind: readonly string[],
): ReadonlySet<string> {
  const used = usedKeys(table, behind);
  return new Set(parents.flatMap((parent) => Object.keys(parent as object)).filter((key) => !used.has(key)));
}

/** What makes the mapping say the other name, wherever it names the key. */
export function renamingEdits(
  { file, beside }: JsonScope,
  table: RecordTable,
  renaming: { readonly behind: readonly string[]; readonly from: string; readonly to: string },
): readonly Edit[] {
  const methods = beside.filter(
    ({ reply, v2 }) =>
      'of' in reply && reply.of.name === table.name && v2?.way === 'steps' && v2.reply.where.length > 0,
  );
  return [
    { file, at: ['records', table.name], change: 'path', ...renaming },
    ...methods.map(({ id }): Edit => ({
      file,
      at: ['methods', id, 'v2', 'reply', 'where'],
      change: 'path',
      ...renaming,
    })),
  ];
}

/** Where a path leads to nothing: the objects there, and the key that none of them has. */
export interface MissingKey {
  readonly parents: readonly unknown[];
  readonly behind: readonly string[];
  readonly name: string;
  /** From that key on. */
  readonly rest: Path;
}

/** The first key of a path that no object has; undefined: some object has a value, or all are empty. */
export function missingKey(objects: readonly unknown[], stem: Path): MissingKey | undefined {
  let parents = objects;
  const behind: string[] = [];
  for (const [index, step] of stem.entries()) {
    if (step.step !== 'key') {
      parents = parents.flatMap((value) => entries(value));
      continue;
    }
    const found = parents.map((parent) => own(parent, step.name));
    if (found.every((value) => value === undefined))
      return { parents: parents.filter(isObject), behind, name: step.name, rest: stem.slice(index + 1) };
    parents = found.filter(isSet);
    behind.push(step.name);
  }
  return undefined;
}

/** Whether a path of the row goes on from there in a look-up table. */
export const isLookedUp = ({ v2 }: RecordRow, stem: Path): boolean =>
  v2?.paths.some((path) => path.length > stem.length && stem.every((step, index) => step === path[index])) ===
  true;

/** Identifiers where names are looked up, a list where the row is one, and otherwise a record. */
function isOfForm(row: RecordRow, values: readonly unknown[], isIdentifier: boolean): boolean {
  if (isIdentifier) return values.every((value) => typeof value === 'string');
  return values.every(isObject) && (row.holds === 'list' || row.holds === 'many' || values.length > 0);
}

/** The key in the place of the missing one, of those that no row of the table uses there. */
export function renamed(
  scope: JsonScope,
  { table, row }: AbsentRow,
  { parents, behind, name, rest }: MissingKey,
  isLookedUp: boolean,
): Candidate | undefined {
  for (const candidate of unusedKeys(table, parents, behind)) {
    const similar = isSimilar(candidate, name);
    const values = parents
      .flatMap((parent) => {
        const value = valueAt(parent, [{ step: 'key', name: candidate }, ...rest], nothing);
        return Array.isArray(value) ? (value as unknown[]) : [value];
      })
      .filter(isSet);
    const isFit = row.holds === 'value' ? !values.some(isObject) : isOfForm(row, values, isLookedUp);
    if (values.length === 0 || !isFit) continue;
    const because = reason(scope, { table, row, values, similar });
    if (because !== undefined) return { name: candidate, because };
  }
  return undefined;
}

interface Compared {
  readonly table: RecordTable;
  readonly row: RecordRow;
  readonly values: readonly unknown[];
  readonly similar: boolean;
}

/** The same for records: by their keys. A key that leads to a look-up has no records, only identifiers. */
function recordsReason(of: RecordTable, values: readonly unknown[], similar: boolean): string | undefined {
  if (values.every((value) => typeof value === 'string')) return similar ? NEARLY : undefined;
  const expected = new Set(
    of.rows.flatMap(({ v2 }) => v2?.paths.flatMap((path) => keysOf(path).slice(0, 1)) ?? []),
  );
  const has = [...expected].filter((key) => values.some((value) => own(value, key) !== undefined)).length;
  return (similar && has > 0) || (has > 2 && has >= expected.size * 0.7)
    ? `${has} of ${expected.size} keys of its records are there`
    : undefined;
}

/** Why the values are those of the row; undefined: they are not. */
function reason({ reference }: JsonScope, { table, row, values, similar }: Compared): string | undefined {
  if (row.holds !== 'value') return recordsReason(row.of, values, similar);
  const known = new Set([...reference.of('v3', table, row), ...reference.of('v1', table, row)]);
  const texts = new Set(
    values.map((value) => comparable(formatOf(row.format).fromV2([value], nothing) ?? '')),
  );
  texts.delete('');
  const alike = alikeIn(texts, known);
  if (alike > 0 && alike >= texts.size * 0.9 && (alike > 1 || similar)) return agreement(alike, texts.size);
  const mayDiffer = known.size === 0 || isReference(row);
  return similar && mayDiffer && isFitting(row, values) ? NEARLY : undefined;
}

/** A row of identifiers, or of what they stand for: its texts are not those of V1. */
const isReference = ({ v2, ...row }: RecordRow & { readonly holds: 'value' }): boolean =>
  row.kind !== undefined || v2?.paths.some((path) => tablesIn(path).length > 0) === true;

const isFitting = (
  { format }: RecordRow & { readonly holds: 'value' },
  values: readonly unknown[],
): boolean =>
  unreadValues(format, values).length === 0 &&
  oddValues(format, values).length === 0 &&
  values.every((value) => typeof value !== 'boolean');

/** First keys of the table's paths behind these keys. */
function usedKeys({ rows }: RecordTable, behind: readonly string[]): ReadonlySet<string> {
  const paths = rows.flatMap(({ v2 }) => v2?.paths ?? []).map(keysOf);
  return new Set(
    paths.flatMap((keys) =>
      behind.every((key, index) => keys[index] === key) ? [keys[behind.length] ?? ''] : [],
    ),
  );
}
