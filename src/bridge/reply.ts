import type { RecordValue, Row, Shape } from '../xml/shape.ts';
import type { XmlElement } from '../xml/element.ts';
import { compileWriter } from '../xml/writer.ts';
import { twoPlaces } from './dialect.ts';
import type { ToLegacy } from './identifiers.ts';
import type { RecordRow, RecordTable } from './mapping/model.ts';

/** Makes the address of a document one that a legacy program can fetch. */
export type DocumentLink = (url: string) => string;

/** The writer's table of a record: replies are written in row order, in the legacy form. */
export function shapeOf(table: RecordTable, known = new Map<RecordTable, Shape>()): Shape {
  const made = known.get(table);
  if (made) return made;
  const rows: Row[] = [];
  const shape: Shape = { rows };
  known.set(table, shape);
  for (const row of table.rows) rows.push(rowOf(row, known));
  return shape;
}

function rowOf(row: RecordRow, known: Map<RecordTable, Shape>): Row {
  switch (row.holds) {
    case 'one':
      return { element: row.element, record: shapeOf(row.of, known) };
    case 'list':
      return {
        element: row.element,
        list: { element: row.child, of: shapeOf(row.of, known) },
        empty: row.unset === 'empty' ? 'present' : 'whenSet',
      };
    case 'many':
      return { element: row.element, text: 'whenSet' }; // requests only
    case 'value':
      return {
        element: row.element,
        text: { empty: 'always', omit: 'whenSet', asGiven: 'asGiven' }[row.unset] as 'always',
      };
  }
}

/** One record of V3, element by element, in the values a legacy writer takes. Unknown elements have no row: left out. */
export function readRecord(
  element: XmlElement,
  table: RecordTable,
  toLegacy: ToLegacy,
  link: DocumentLink,
): RecordValue {
  const children = new Map(element.children.map((child) => [child.name, child]));
  return table.rows.map((row) => {
    const child = children.get(row.v3) ?? row.also.map((name) => children.get(name)).find((found) => found);
    if (!child) return undefined;
    switch (row.holds) {
      case 'one':
        return isUnset(child) ? undefined : readRecord(child, row.of, toLegacy, link);
      case 'list':
        return child.children
          .filter((entry) => entry.name === row.child)
          .map((entry) => readRecord(entry, row.of, toLegacy, link));
      case 'many':
        return undefined;
      case 'value':
        return readValue(child.text, row, toLegacy, link);
    }
  });
}

/** A nested record nobody has chosen is left out in the legacy form; V3 may write it empty. */
const isUnset = (record: XmlElement): boolean =>
  record.children.every((child) => child.children.length === 0 && child.text.trim() === '');

function readValue(
  text: string,
  row: RecordRow & { readonly holds: 'value' },
  toLegacy: ToLegacy,
  link: DocumentLink,
): string | undefined {
  // A number that nobody knows is left empty, never guessed: the store has counted it as unlearned.
  if (row.kind !== undefined) return toLegacy(row.kind, text.trim()) ?? (isNumber(text) ? text.trim() : '');
  if (text === '') return '';
  switch (row.format) {
    case 'money':
      return twoPlaces(text);
    case 'documentLink':
      return link(text);
    case 'text':
    case 'maskedTail':
      return text;
  }
}

/** A profile whose V3 uses numbers. */
const isNumber = (text: string): boolean => /^\d{1,10}$/.test(text.trim());

/**
 * The identifiers of the records the service has just made: the record's own, and those of the lists that were sent
 * with it. What it only refers to (its groups) was there before.
 */
export function createdIn(element: XmlElement, table: RecordTable, sent: RecordTable): Set<string> {
  const created = new Set<string>();
  for (const row of table.rows) {
    const child = element.children.find((candidate) => candidate.name === row.v3);
    if (!child) continue;
    if (row.holds === 'value' && row.element === 'ID' && row.kind !== undefined)
      created.add(child.text.trim().toLowerCase());
    const given = sent.byLegacyName.get(row.element.toLowerCase());
    if (row.holds !== 'list' || given?.holds !== 'list') continue;
    for (const entry of child.children)
      for (const uuid of createdIn(entry, row.of, given.of)) created.add(uuid);
  }
  return created;
}

/** Compiled once per method: V3 records in, legacy XML out. */
export class RecordWriter {
  readonly #table: RecordTable;
  readonly #write: (value: RecordValue) => string;

  constructor(element: string, table: RecordTable) {
    this.#table = table;
    this.#write = compileWriter(element, shapeOf(table));
  }

  read(records: readonly XmlElement[], toLegacy: ToLegacy, link: DocumentLink): RecordValue[] {
    return records.map((record) => readRecord(record, this.#table, toLegacy, link));
  }

  write(values: readonly RecordValue[]): string {
    return values.map(this.#write).join('');
  }

  created(record: XmlElement, sent: RecordTable): ReadonlySet<string> {
    return createdIn(record, this.#table, sent);
  }
}

/** Does a reply of this record hold addresses of documents? */
export function holdsLinks(table: RecordTable, seen = new Set<RecordTable>()): boolean {
  if (seen.has(table)) return false;
  seen.add(table);
  return table.rows.some((row) =>
    row.holds === 'value' ? row.format === 'documentLink' : holdsLinks(row.of, seen),
  );
}
