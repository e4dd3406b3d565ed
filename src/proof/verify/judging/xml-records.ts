/**
 * Compares records of V1 or V3 with the rows of the mapping: which elements have a value, under which names,
 * of which type.
 *
 * If an element is missing although the other API shows it, and an element without a row has the same values
 * or nearly the same name, the element goes by that name.
 */
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { RecordRow, RecordTable } from '../../../mapping/compile/model.ts';
import type { Edit } from '../model.ts';
import { childrenOf, comparable, namesOf } from './reference.ts';
import { DEEPEST, rowAt, type Scope } from './scope.ts';
import { isSimilar, NEARLY } from './similar.ts';
import { typeWords, unreadTexts } from '../../../mapping/value-types.ts';

/** A scope on a surface with XML. */
type XmlScope = Scope & { readonly surface: 'v1' | 'v3' };

const hasContent = ({ text, children }: XmlElement): boolean => text.trim() !== '' || children.length > 0;

/** Compares records of one table, and the records within them. */
export function compareXml(
  scope: XmlScope,
  table: RecordTable,
  records: readonly XmlElement[],
  path: string,
  depth = 0,
): void {
  if (records.length === 0 || depth > DEEPEST) return;
  const unknown = unknownNames(scope, table, records);
  for (const row of table.rows) {
    if (row.holds === 'value' && row.isAttribute) continue;
    const at = `${path}/${row.element}`;
    const found = records
      .flatMap((record) => childrenOf(record, namesOf(row, scope.surface)))
      .filter(hasContent);
    if (found.length === 0) absentRow(scope, { table, row, at, records, unknown });
    else {
      scope.seen.add(at);
      compareRow(scope, { table, row, at, found, depth });
    }
  }
  for (const name of unknown)
    scope.remark({ row: `${path}/${name}`, words: 'the service shows it, and no row of the mapping has it' });
}

interface FoundRow {
  readonly table: RecordTable;
  readonly row: RecordRow;
  readonly at: string;
  readonly found: readonly XmlElement[];
  readonly depth: number;
}

function compareRow(scope: XmlScope, { row, at, found, depth }: FoundRow): void {
  if (row.holds === 'value') {
    const [strange] = unreadTexts(
      row.format,
      found.map(({ text }) => text),
    );
    if (strange !== undefined)
      scope.found({
        ...{ kind: 'type', row: at, expected: row.format, found: typeWords(strange) },
        ...{ because: 'the format of the row does not read it', edits: [] },
      });
    return;
  }
  const inside = row.holds === 'list' ? found.flatMap((one) => childrenOf(one, [row.child])) : found;
  const [other] = row.holds === 'list' ? found.flatMap(({ children }) => children) : [];
  if (inside.length === 0 && other !== undefined && row.holds === 'list')
    scope.found({
      ...{ kind: 'name', row: `${at}/${row.child}`, expected: row.child, found: other.name },
      ...{ because: 'the list has records of that name only', edits: [] },
    });
  compareXml(scope, row.of, inside, at, depth + 1);
}

interface AbsentRow {
  readonly table: RecordTable;
  readonly row: RecordRow;
  readonly at: string;
  readonly records: readonly XmlElement[];
  readonly unknown: Set<string>;
}

/** Handles a row for which no record has a value. */
function absentRow(scope: XmlScope, { table, row, at, records, unknown }: AbsentRow): void {
  const { surface, reference, method } = scope;
  const other = surface === 'v1' ? 'v3' : 'v1';
  const [expected = row.element] = namesOf(row, surface);
  const candidate = renamed(scope, { table, row, at, records, unknown });
  if (candidate !== undefined) {
    unknown.delete(candidate.name);
    scope.found({
      ...{ kind: 'name', row: at, expected, found: candidate.name, because: candidate.because },
      edits: renamingEdits(scope, table, row, candidate.name),
    });
    return;
  }
  scope.unseen.add(at);
  if (surface === 'v3' && reference.hasInShared({ method: method.id, surface, other }, table, row))
    scope.found({
      ...{ kind: 'missing', row: at, expected, found: undefined, edits: [] },
      because: 'V1 shows it with a value in the same call',
    });
}

function renamingEdits(
  { surface, file, settled }: XmlScope,
  table: RecordTable,
  row: RecordRow,
  to: string,
): readonly Edit[] {
  const at = rowAt(table.name, row.element);
  if (surface === 'v3') return [{ file, at, change: 'set', key: 'v3', to }];
  return [
    ...(row.v3 === row.element ? [{ file, at, change: 'set', key: 'v3', to: row.v3 } as const] : []),
    { file, at, change: 'key', to },
    ...settled({ table, from: row.element, to }),
  ];
}

const NO_VALUES: ReadonlySet<string> = new Set();

/** The element without a row that replaces the row's element. */
function renamed(
  scope: XmlScope,
  absent: AbsentRow,
): { readonly name: string; readonly because: string } | undefined {
  for (const name of absent.unknown) {
    const found = absent.records.flatMap((record) => childrenOf(record, [name])).filter(hasContent);
    const because = found.length === 0 ? undefined : reason(scope, absent, name, found);
    if (because !== undefined) return { name, because };
  }
  return undefined;
}

/**
 * Why the elements are those of the row; undefined if they are not. Identifiers are never the same on V1 and
 * V3.
 */
function reason(
  { surface, reference }: XmlScope,
  { table, row }: AbsentRow,
  name: string,
  found: readonly XmlElement[],
): string | undefined {
  const isNumbered = row.holds === 'value' && row.kind !== undefined;
  const known = isNumbered ? NO_VALUES : reference.of(surface === 'v1' ? 'v3' : 'v1', table, row);
  // Records and values never replace each other.
  if (found.some(({ children }) => children.length > 0) !== (row.holds !== 'value')) return undefined;
  const similar = isSimilar(name, surface === 'v3' ? row.v3 : row.element);
  return agreement(found, known, similar) ?? (similar && known.size === 0 ? NEARLY : undefined);
}

/**
 * Whether the texts are those of the other API: nearly all agree, and there are several or the name is
 * similar.
 */
function agreement(
  found: readonly XmlElement[],
  known: ReadonlySet<string>,
  similar: boolean,
): string | undefined {
  const texts = new Set(found.map(({ text }) => comparable(text)));
  const alike = Array.from(texts).filter((text) => known.has(text)).length;
  const agrees = alike > 0 && alike >= texts.size * 0.9 && (similar || alike > 1);
  return agrees ? `${alike} of ${texts.size} different values are those of the other API` : undefined;
}

/** Names without a row on either API: a row that is lost on one is still known. */
function unknownNames(
  { surface }: XmlScope,
  { rows }: RecordTable,
  records: readonly XmlElement[],
): Set<string> {
  const known = new Set(rows.flatMap((row) => namesOf(row, surface)).map((name) => name.toLowerCase()));
  const names = records.flatMap(({ children }) => children.filter(hasContent).map(({ name }) => name));
  return new Set(names.filter((name) => !known.has(name.toLowerCase())));
}
