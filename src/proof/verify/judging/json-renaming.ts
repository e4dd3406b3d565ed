/**
 * Finds the key that replaces one that no object of V2 has: among the keys without a row there, one that
 * holds the values V3 or V1 shows for the row, or has nearly the same name.
 */
import { formatOf } from '../../../mapping/formats.ts';
import type { RecordRow, RecordTable } from '../../../mapping/compile/model.ts';
import { isObject, keysIn, own, tablesIn, valueAt, type Path } from '../../../mapping/compile/path.ts';
import type { Lookup } from '../../../mapping/compile/v2/v2-model.ts';
import type { Edit, KeyRenaming } from '../model.ts';
import { comparable } from './reference.ts';
import { isSet, placesIn, type MissingKey } from './missing-key.ts';
import type { Scope } from './scope.ts';
import { isSimilar, NEARLY } from './similar.ts';
import { oddValues, unreadValues } from '../../../mapping/value-types.ts';

/** The scope of a comparison with V2. */
export interface JsonScope extends Scope {
  readonly surface: 'v2';
  readonly lookups: ReadonlyMap<string, Lookup>;
  /** Keys that have another name in other records, with that name. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Returns corrections of the mapping for a key of the answers, outside the rows of its record. */
  readonly elsewhere: (
    table: RecordTable,
    place: readonly string[],
    renaming: KeyRenaming,
  ) => readonly Edit[];
}

/** A row without a value, with the objects that should have one; `stems`: its paths up to the first look-up. */
export interface AbsentRow {
  readonly table: RecordTable;
  readonly row: RecordRow;
  readonly at: string;
  readonly objects: readonly unknown[];
  readonly stems: readonly Path[];
  /** The keys from the record at the address to the objects. */
  readonly place: readonly string[];
}

/** A key that may replace a missing one, and the reason. */
export interface Candidate {
  readonly name: string;
  readonly because: string;
  /** The keys that lead to it, if different. */
  readonly moved?: readonly string[] | undefined;
}

/** Looks into no table. */
export const nothing = (): undefined => undefined;

/** In the notation for people. */
export const keyText = (behind: readonly string[], name: string): string => [...behind, name].join('.');

/** The key with which the whole row gives the texts of V3 or V1. */
export function besides(
  scope: JsonScope,
  { table, row, objects }: AbsentRow,
  stem: Path,
  { parents, behind, name }: MissingKey,
): Candidate | undefined {
  if (row.holds !== 'value') return undefined;
  const { reference } = scope;
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
    if (alike > 0 && alike >= texts.size * 0.9 && (alike > 2 || mayBe(scope, candidate, name)))
      return { name: candidate, because: agreement(alike, texts.size) };
  }
  return undefined;
}

/** Whether the name is nearly the same, or the one that other records use in its place. */
const mayBe = ({ renamed: known }: JsonScope, candidate: string, name: string): boolean =>
  isSimilar(candidate, name) || known.get(name) === candidate;

const FLAG = /^(?:yes|no|true|false|)$/;

/**
 * Number of different texts that the other API also showed; zero for flags, whose two values prove nothing.
 */
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

/** Corrects the name wherever the mapping uses the key. */
export const renamingEdits = (
  { file, elsewhere }: JsonScope,
  { table, place }: AbsentRow,
  renaming: KeyRenaming,
): readonly Edit[] => [
  { file, at: ['records', table.name], change: 'path', ...renaming },
  ...elsewhere(table, place, renaming),
];

/** Whether a path of the row continues from there in a look-up table. */
export const isLookedUp = ({ v2 }: RecordRow, stem: Path): boolean =>
  v2?.paths.some((path) => path.length > stem.length && stem.every((step, index) => step === path[index])) ===
  true;

/**
 * Whether the values have the row's form: identifiers where names are looked up, objects for a list or a
 * record.
 */
function isOfForm(row: RecordRow, values: readonly unknown[], isIdentifier: boolean): boolean {
  if (isIdentifier) return values.every((value) => typeof value === 'string');
  return values.every(isObject) && (row.holds === 'list' || row.holds === 'many' || values.length > 0);
}

/**
 * The key that replaces the missing one: one that no row of the table uses there, or one at another place.
 */
export function renamed(
  scope: JsonScope,
  absent: AbsentRow,
  missing: MissingKey,
  isLookedUp: boolean,
): Candidate | undefined {
  if (missing.condition !== undefined) return chosenBy(absent.table, missing, missing.condition.value);
  const found = [...unusedKeys(absent.table, missing.parents, missing.behind)].flatMap((name) => {
    const why = because(scope, absent, { ...missing, candidate: name }, isLookedUp);
    return why === undefined ? [] : { name, because: why };
  });
  return found[0] ?? movedKey(scope, absent, missing);
}

/** The key whose values select entries of the list. */
function chosenBy(table: RecordTable, { parents, behind }: MissingKey, value: string): Candidate | undefined {
  const name = [...unusedKeys(table, parents, behind)].find((key) =>
    parents.some((parent) => own(parent, key) === value),
  );
  return name === undefined ? undefined : { name, because: `it has the value ${value}` };
}

/** Why a key is the missing one; undefined if it is not. */
function because(
  scope: JsonScope,
  { table, row }: AbsentRow,
  { parents, name, rest, candidate }: MissingKey & { readonly candidate: string },
  isLookedUp: boolean,
): string | undefined {
  const similar = mayBe(scope, candidate, name);
  const values = parents
    .flatMap((parent) => {
      const value = valueAt(parent, [{ step: 'key', name: candidate }, ...rest], nothing);
      return Array.isArray(value) ? (value as unknown[]) : [value];
    })
    .filter(isSet);
  if (values.length === 0)
    return similar && row.holds === 'value' && parents.every((one) => own(one, candidate) !== undefined)
      ? `${NEARLY}; no record has a value`
      : undefined;
  const isFit = row.holds === 'value' ? !values.some(isObject) : isOfForm(row, values, isLookedUp);
  return isFit ? reason(scope, { table, row, values, similar }) : undefined;
}

/**
 * Finds the key at another place of the record with the values that V3 or V1 show: a similar name alone
 * proves too little there.
 */
function movedKey(
  scope: JsonScope,
  { table, row, objects }: AbsentRow,
  { behind, name, rest }: MissingKey,
): Candidate | undefined {
  if (row.holds !== 'value' || rest.length > 0) return undefined;
  for (const moved of placesIn(objects)) {
    if (moved.join('.') === behind.join('.')) continue;
    const parents = objects
      .map((one) =>
        valueAt(
          one,
          moved.map((key) => ({ step: 'key', name: key })),
          nothing,
        ),
      )
      .filter(isObject);
    if (!unusedKeys(table, parents, moved).has(name)) continue;
    const values = parents.map((parent) => own(parent, name)).filter(isSet);
    const why = agreeing(scope, { table, row, values, similar: true });
    if (why !== undefined) return { name, because: why, moved };
  }
  return undefined;
}

interface Compared {
  readonly table: RecordTable;
  readonly row: RecordRow;
  readonly values: readonly unknown[];
  readonly similar: boolean;
}

/** The same for records, by their keys. A key that leads to a look-up has no records, only identifiers. */
function recordsReason(of: RecordTable, values: readonly unknown[], similar: boolean): string | undefined {
  if (values.every((value) => typeof value === 'string')) return similar ? NEARLY : undefined;
  const expected = new Set(
    of.rows.flatMap(({ v2 }) => v2?.paths.flatMap((path) => keysIn(path).slice(0, 1)) ?? []),
  );
  const has = [...expected].filter((key) => values.some((value) => own(value, key) !== undefined)).length;
  return (similar && has > 0) || (has > 2 && has >= expected.size * 0.7)
    ? `${has} of ${expected.size} keys of its records are there`
    : undefined;
}

/** Why the values are those of the row; undefined if they are not. */
function reason(scope: JsonScope, compared: Compared): string | undefined {
  const { table, row, values, similar } = compared;
  if (row.holds !== 'value') return recordsReason(row.of, values, similar);
  const agreed = agreeing(scope, compared);
  if (agreed !== undefined) return agreed;
  const mayDiffer = knownTexts(scope, table, row).size === 0 || isReference(row);
  return similar && mayDiffer && isFitting(row, values) ? NEARLY : undefined;
}

const knownTexts = ({ reference }: JsonScope, table: RecordTable, row: RecordRow): ReadonlySet<string> =>
  new Set([...reference.of('v3', table, row), ...reference.of('v1', table, row)]);

/** Whether nearly all texts are those of V3 or V1: several texts, or one under a similar name. */
function agreeing(scope: JsonScope, { table, row, values, similar }: Compared): string | undefined {
  if (row.holds !== 'value') return undefined;
  const texts = new Set(
    values.map((value) => comparable(formatOf(row.format).fromV2([value], nothing) ?? '')),
  );
  texts.delete('');
  const alike = alikeIn(texts, knownTexts(scope, table, row));
  const isEnough = alike > 0 && alike >= texts.size * 0.9 && (alike > 1 || similar);
  return isEnough ? agreement(alike, texts.size) : undefined;
}

/** Whether the row holds identifiers or names looked up by them, so that its texts differ from V1's. */
const isReference = ({ v2, ...row }: RecordRow & { readonly holds: 'value' }): boolean =>
  row.kind !== undefined || v2?.paths.some((path) => tablesIn(path).length > 0) === true;

const isFitting = (
  { format }: RecordRow & { readonly holds: 'value' },
  values: readonly unknown[],
): boolean =>
  unreadValues(format, values).length === 0 &&
  oddValues(format, values).length === 0 &&
  values.every((value) => typeof value !== 'boolean');

/** The first keys of the table's paths after these keys. */
function usedKeys({ rows }: RecordTable, behind: readonly string[]): ReadonlySet<string> {
  const paths = rows.flatMap(({ v2 }) => v2?.paths ?? []).map(keysIn);
  return new Set(
    paths.flatMap((keys) =>
      behind.every((key, index) => keys[index] === key) ? [keys[behind.length] ?? ''] : [],
    ),
  );
}
