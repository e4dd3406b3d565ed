/**
 * Compares records of V2 with the paths of the mapping: which keys have a value, and of which type.
 *
 * If a row has no value although V1 or V3 shows one in the same call, and a key without a row holds the same
 * values or has nearly the same name, the row's key goes by that name.
 */
import { formatOf } from '../../../mapping/formats.ts';
import type { RecordRow, RecordTable } from '../../../mapping/compile/model.ts';
import { isObject, keysIn, tablesIn, valueAt, type Path } from '../../../mapping/compile/path.ts';
import {
  besides,
  isLookedUp,
  keyText,
  nothing,
  renamed,
  renamingEdits,
  type AbsentRow,
  type Candidate,
  type JsonScope,
} from './json-renaming.ts';
import { isSet, missingKey, type MissingKey } from './missing-key.ts';
import { DEEPEST } from './scope.ts';
import { oddValues, typeWords, unreadValues } from '../../../mapping/value-types.ts';

/** Compares objects of one table, and the objects within them. */
export function compareJson(
  scope: JsonScope,
  table: RecordTable,
  objects: readonly unknown[],
  path: string,
  place: readonly string[],
  depth = 0,
): void {
  if (objects.length === 0 || depth > DEEPEST) return;
  for (const row of table.rows) {
    const stems = stemsOf(scope, row);
    if (stems.length === 0) continue;
    const at = `${path}/${row.element}`;
    const found = stems.flatMap((stem) => objects.map((one) => valueAt(one, stem, nothing))).filter(isSet);
    const isShown = scope.reference.isShown(scope.method.id, 'v2', table, row);
    if (found.length === 0 && !isShown) absentRow(scope, { table, row, at, objects, stems, place });
    else {
      note(scope, at, isShown || isThere(row, stems, objects));
      partlyAbsent(scope, { table, row, at, objects, stems, place });
    }
    if (row.holds !== 'value')
      compareJson(scope, row.of, objectsIn(found), at, [...place, ...shownIn(objects, stems)], depth + 1);
    else if (isPlain(row)) compareTypes(scope, row, at, found);
  }
}

const note = ({ seen, unseen }: JsonScope, at: string, isSeen: boolean): void => {
  (isSeen ? seen : unseen).add(at);
};

/** Whether an object has the value itself: an identifier without an entry in its look-up table shows nothing. */
const isThere = (row: RecordRow, stems: readonly Path[], objects: readonly unknown[]): boolean =>
  stems.some((stem) => !isLookedUp(row, stem) && hasValue(objects, stem));

const hasValue = (objects: readonly unknown[], stem: Path): boolean =>
  objects.some((one) => isSet(valueAt(one, stem, nothing)));

/** The keys that lead to the objects, by the first path that finds one. */
function shownIn(objects: readonly unknown[], stems: readonly Path[]): readonly string[] {
  const isThere = (stem: Path): boolean =>
    objectsIn(objects.map((one) => valueAt(one, stem, nothing))).length > 0;
  return keysIn(stems.find(isThere) ?? []);
}

const objectsIn = (found: readonly unknown[]): readonly unknown[] =>
  found.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value])).filter(isObject);

/** Whether the row has one path that leads straight to a value. */
const isPlain = ({ v2 }: RecordRow): boolean =>
  v2?.take === 'first' &&
  v2.toV2.size === 0 &&
  v2.conditions.length === 0 &&
  v2.paths.every((path) => tablesIn(path).length === 0);

function compareTypes(
  scope: JsonScope,
  row: RecordRow & { readonly holds: 'value' },
  at: string,
  found: readonly unknown[],
): void {
  const values = found.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]));
  const [strange] = unreadValues(row.format, values);
  const [odd] = oddValues(row.format, values);
  if (strange !== undefined)
    scope.found({
      ...{ kind: 'type', row: at, expected: row.format, found: typeWords(strange) },
      ...{ because: 'the format of the row does not read it', edits: [] },
    });
  else if (odd !== undefined)
    scope.remark({ row: at, words: `V2 sends ${typeWords(odd)}, which ${row.format} reads all the same` });
}

/**
 * The paths up to the first look-up, except values read from V1 before the move and look-ups that cost a call
 * each.
 */
function stemsOf({ lookups }: JsonScope, { v2 }: RecordRow): readonly Path[] {
  const paths = v2?.paths ?? [];
  return paths.flatMap((path) => {
    const [table] = tablesIn(path);
    const form = table === undefined ? undefined : lookups.get(table)?.form;
    if (form === 'kept' || form === 'record') return [];
    const end = path.findIndex(({ step }) => step === 'lookup');
    const stem = end < 0 ? path : path.slice(0, end);
    return stem.length === 0 ? [] : [stem];
  });
}

/** Handles a row for which no object has a value. */
function absentRow(scope: JsonScope, absent: AbsentRow): void {
  const { table, row, at, stems } = absent;
  const { reference, method } = scope;
  for (const stem of stems) {
    const missing = missingKey(absent.objects, stem);
    const candidate = missing && renamed(scope, absent, missing, isLookedUp(row, stem));
    if (missing === undefined || candidate === undefined) continue;
    foundRenamed(scope, absent, missing, candidate);
    return;
  }
  scope.unseen.add(at);
  const other = (['v3', 'v1'] as const).find((one) =>
    reference.hasInShared({ method: method.id, surface: 'v2', other: one }, table, row),
  );
  if (other !== undefined && !isDeclared(scope, row, at) && row.snapshot === undefined)
    scope.found({
      ...{
        kind: 'missing',
        row: at,
        expected: stems.map(stemText).join(' or '),
        found: undefined,
        edits: [],
      },
      because: `${other.toUpperCase()} shows it with a value in the same call`,
    });
}

/** Records a key found under another name or at another place. */
function foundRenamed(
  scope: JsonScope,
  absent: AbsentRow,
  { behind, name }: MissingKey,
  { name: to, because, moved }: Candidate,
): void {
  const found = keyText(moved ?? behind, to);
  scope.found({
    ...{ kind: 'name', row: absent.at, expected: keyText(behind, name), found, because },
    edits: renamingEdits(scope, absent, { behind, from: name, to, moved }),
  });
}

/** Whether the mapping declares that V2 does not have it, by its row or in a sentence. */
function isDeclared({ absent, method: { v2 } }: JsonScope, { element }: RecordRow, at: string): boolean {
  const sentences = v2?.way === 'steps' ? [...v2.loss, ...v2.toV3.map(({ why }) => why)] : [];
  return (
    [...absent].some((lost) => lost.toLowerCase() === at.toLowerCase()) ||
    sentences.some((text) => text.toLowerCase().includes(element.toLowerCase()))
  );
}

/** Handles a row of several values of which one is missing while another is present. */
function partlyAbsent(scope: JsonScope, absent: AbsentRow): void {
  const { row, objects, stems } = absent;
  if (row.holds !== 'value' || row.v2?.take !== 'all') return;
  const size = formatOf(row.format).group ?? stems.length;
  for (const [index, stem] of stems.entries()) {
    const group = stems.slice(index - (index % size), index - (index % size) + size);
    const isBeside = group.some((one) => hasValue(objects, one));
    const missing = isBeside ? missingKey(objects, stem) : undefined;
    const candidate = missing && besides(scope, absent, stem, missing);
    if (missing === undefined || candidate === undefined) continue;
    foundRenamed(scope, absent, missing, candidate);
  }
}

const stemText = (stem: Path): string => keysIn(stem).join('.');
