import type { RecordValue, Row, Shape } from '../../lib/xml/shape.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { compileWriter } from '../../lib/xml/writer.ts';
import type { RecordRow, RecordTable } from '../../mapping/compile/model.ts';
import type { MovedCall } from '../call.ts';
import { settle, type Pending } from '../identifiers.ts';
import { RecordReader } from './record-reader.ts';

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

/**
 * The identifiers of the records the service has just made: the record's own, and those of the lists that were sent
 * with it or belong to it alone. What it only refers to (its groups) was there before.
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

/** `InternalID` of a job is the number of what V3 knows by the job's UUID. */
const isOwnIdentifier = ({ element, v3, kind }: RecordRow & { readonly holds: 'value' }): boolean =>
  kind !== undefined && (element === 'ID' || v3 === 'UUID');

/** Compiled once per method: V3 records in, legacy XML out. */
export class RecordWriter {
  readonly #table: RecordTable;
  readonly #reader: RecordReader;
  readonly #write: (value: RecordValue) => string;

  constructor(element: string, table: RecordTable) {
    this.#table = table;
    this.#reader = RecordReader.of(table);
    this.#write = compileWriter(element, shapeOf(table));
  }

  /** The records in the legacy form. `created`: UUIDs the service has just made for this very call. */
  async text(
    records: readonly XmlElement[],
    { ids, link }: Pick<MovedCall, 'ids' | 'link'>,
    created?: ReadonlySet<string>,
  ): Promise<string> {
    const pending: Pending[] = [];
    const values: RecordValue[] = [];
    for (const record of records) values.push(this.#reader.read(record, link, pending));
    await settle(pending, ids, created);
    let written = '';
    for (const value of values) written += this.#write(value);
    return written;
  }

  created(record: XmlElement, sent: RecordTable | undefined): ReadonlySet<string> {
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
