/**
 * Rewrites records of V3 in the legacy form: reads them by the table of the record, replaces identifiers by numbers,
 * and writes them in row order. Handles everything that the scanner (`scanner.ts`) does not accept.
 */
import type { FieldValue, RecordValue, Row, Shape } from '../../lib/xml/shape.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { writeContent } from '../../lib/xml/document.ts';
import { compileWriter } from '../../lib/xml/writer.ts';
import { formatOf } from '../../mapping/formats.ts';
import type { RecordRow, RecordTable } from '../../mapping/compile/model.ts';
import { isOwnIdentifier } from '../../mapping/crosswalk/identifier.ts';
import type { DocumentLink, MovedCall } from '../call/call.ts';
import { settle, type Pending } from '../identifiers.ts';

/** The writer's table of a record; replies are written in row order, in the legacy form. */
export function shapeOf(
  table: RecordTable,
  known = new Map<RecordTable, Shape>(),
  isUncertain: (row: RecordRow) => boolean = () => false,
): Shape {
  const made = known.get(table);
  if (made) return made;
  const rows: Row[] = [];
  const shape: Shape = { rows };
  known.set(table, shape);
  for (const row of table.rows) rows.push(rowOf(row, known, isUncertain));
  return shape;
}

function rowOf(
  row: RecordRow,
  known: Map<RecordTable, Shape>,
  isUncertain: (row: RecordRow) => boolean,
): Row {
  switch (row.holds) {
    case 'one':
      return { element: row.element, record: shapeOf(row.of, known, isUncertain) };
    case 'list':
      return {
        element: row.element,
        list: { element: row.child, of: shapeOf(row.of, known, isUncertain) },
        // Only the service knows whether an answer is detailed.
        empty: row.unset === 'empty' && row.v2?.detailedOnly !== true ? 'present' : 'whenSet',
      };
    case 'many':
      return { element: row.element, text: 'whenSet' }; // requests only
    case 'value':
      if (isUncertain(row)) return { element: row.element, text: 'asGiven' };
      return {
        element: row.element,
        text: { empty: 'always', omit: 'whenSet', asGiven: 'asGiven' }[row.unset] as 'always',
      };
  }
}

/** Whether a record has a value in one of these elements. */
export function isIdentified({ children }: XmlElement, names: readonly string[]): boolean {
  for (const { name, text } of children) if (names.includes(name) && text.trim() !== '') return true;
  return false;
}

/**
 * The identifiers of the records the service has just created: the record's own, and those of the lists that were sent
 * with it or belong only to it. Records that it merely refers to (its groups) existed before.
 */
export function createdIn(
  element: XmlElement,
  table: RecordTable,
  sent: RecordTable | undefined,
): Set<string> {
  const created = new Set<string>();
  for (const row of table.rows) {
    const child = element.children.find((candidate) => candidate.name === row.v3);
    if (!child) continue;
    if (row.holds === 'value' && isOwnIdentifier(row)) created.add(child.text.trim().toLowerCase());
    if (row.holds !== 'list') continue;
    const given = sent?.byLegacyName.get(row.element.toLowerCase());
    const inner = given?.holds === 'list' ? given.of : undefined;
    if (inner === undefined && !row.isOwn) continue;
    for (const entry of child.children) for (const uuid of createdIn(entry, row.of, inner)) created.add(uuid);
  }
  return created;
}

/**
 * Reads records of one table into the values a legacy writer needs. Created once per table; each record is
 * read once, and identifiers are collected on the way, to be requested together.
 */
class RecordReader {
  readonly #rows: readonly RecordRow[];
  /** The rows that read a child with a given name, by V3's name for it. */
  readonly #places = new Map<string, number[]>();
  readonly #inner = new Map<RecordTable, RecordReader>();
  /** For rows whose values V3 writes in another form. */
  readonly #formats = new Map<RecordRow, (text: string) => string>();

  private constructor(table: RecordTable, known: Map<RecordTable, RecordReader>) {
    this.#rows = table.rows;
    known.set(table, this); // before the rows are read: a record may contain itself
    for (const [index, row] of table.rows.entries()) {
      this.#places.set(row.v3, [...(this.#places.get(row.v3) ?? []), index]);
      const fromV3 = row.holds === 'value' ? formatOf(row.format).fromV3 : undefined;
      if (fromV3 !== undefined) this.#formats.set(row, fromV3);
      if (row.holds === 'one' || row.holds === 'list')
        this.#inner.set(row.of, known.get(row.of) ?? new RecordReader(row.of, known));
    }
  }

  static of(table: RecordTable): RecordReader {
    return new RecordReader(table, new Map());
  }

  /** Elements without a row are left out. */
  read(element: XmlElement, link: DocumentLink, pending: Pending[]): RecordValue {
    const children = this.#sorted(element);
    const record: FieldValue[] = [];
    for (const [index, row] of this.#rows.entries()) {
      const child = children[index];
      record.push(child && this.#value(child, row, link, pending));
      if (child && row.holds === 'value' && row.kind !== undefined)
        pending.push({ kind: row.kind, text: child.text.trim(), record, row: index });
    }
    return record;
  }

  /** The child of each row; of several with one name, the last. */
  #sorted(element: XmlElement): readonly (XmlElement | undefined)[] {
    const children = new Array<XmlElement | undefined>(this.#rows.length).fill(undefined);
    for (const child of element.children)
      for (const index of this.#places.get(child.name) ?? []) children[index] = child;
    for (const [index, { also }] of this.#rows.entries())
      if (also.length > 0) children[index] ??= underOther(element, also);
    return children;
  }

  #value(child: XmlElement, row: RecordRow, link: DocumentLink, pending: Pending[]): FieldValue {
    switch (row.holds) {
      case 'one':
        return isUnset(child) ? undefined : this.#inner.get(row.of)?.read(child, link, pending);
      case 'list': {
        const reader = this.#inner.get(row.of);
        const records: RecordValue[] = [];
        for (const entry of child.children)
          if (reader !== undefined && entry.name === row.child)
            records.push(reader.read(entry, link, pending));
        return records;
      }
      case 'many':
        return undefined;
      case 'value':
        if (child.children.length > 0) return this.#nested(child, row);
        if (child.text === '' || row.kind !== undefined) return child.text;
        if (row.format === 'documentLink') return link(child.text);
        return this.#formats.get(row)?.(child.text) ?? child.text;
    }
  }

  /** Text with elements in it is passed on as it came; a record, a link or a text in another form is none. */
  #nested(child: XmlElement, row: RecordRow & { readonly holds: 'value' }): FieldValue {
    const isText = row.kind === undefined && row.format !== 'documentLink' && !this.#formats.has(row);
    const isRecord = child.children.some(({ name }) => name === 'UUID');
    return isText && !isRecord ? { xml: writeContent(child) } : child.text;
  }
}

function underOther(element: XmlElement, names: readonly string[]): XmlElement | undefined {
  for (const name of names) {
    const found = element.children.findLast((child) => child.name === name);
    if (found) return found;
  }
  return undefined;
}

/** The legacy form leaves out a nested record that is not set; V3 may write it empty. */
const isUnset = (record: XmlElement): boolean =>
  record.children.every((child) => child.children.length === 0 && child.text.trim() === '');

/** What a `RecordWriter` needs for its records. */
interface Compiled {
  readonly reader: RecordReader;
  readonly write: (value: RecordValue) => string;
}

/**
 * V3 records in, legacy XML out. Compiled once per method, with its first record: the scanner takes most replies, and all
 * methods together take 1.3 MB.
 */
export class RecordWriter {
  readonly #element: string;
  readonly #table: RecordTable;
  #compiled: Compiled | undefined;

  constructor(element: string, table: RecordTable) {
    this.#element = element;
    this.#table = table;
  }

  /** The records in the legacy form, one by one. `created`: UUIDs the service has just created for this call. */
  async texts(
    records: readonly XmlElement[],
    { ids, link }: Pick<MovedCall, 'ids' | 'link'>,
    created?: ReadonlySet<string>,
  ): Promise<readonly string[]> {
    const pending: Pending[] = [];
    const values: RecordValue[] = [];
    const { reader, write } = (this.#compiled ??= {
      reader: RecordReader.of(this.#table),
      write: compileWriter(this.#element, shapeOf(this.#table)),
    });
    for (const record of records) values.push(reader.read(record, link, pending));
    await settle(pending, ids, created);
    return values.map((value) => write(value));
  }

  created(record: XmlElement, sent: RecordTable | undefined): ReadonlySet<string> {
    return createdIn(record, this.#table, sent);
  }
}

/** Whether a reply with this record contains document addresses. */
export function holdsLinks(table: RecordTable, seen = new Set<RecordTable>()): boolean {
  if (seen.has(table)) return false;
  seen.add(table);
  return table.rows.some((row) =>
    row.holds === 'value' ? row.format === 'documentLink' : holdsLinks(row.of, seen),
  );
}
