import type { Pending } from '../identifiers.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import type { FieldValue, RecordValue } from '../../lib/xml/shape.ts';
import { formatOf } from '../../mapping/formats.ts';
import type { RecordRow, RecordTable } from '../../mapping/compile/model.ts';

/** Makes the address of a document one that a legacy program can fetch. */
export type DocumentLink = (url: string) => string;

/**
 * Reads records of one table, in the values a legacy writer takes. Made once for each table, and each record is
 * walked once: identifiers are gathered on the way, to be asked for together.
 */
export class RecordReader {
  readonly #rows: readonly RecordRow[];
  /** The rows that read the child of a name, under the name V3 gives it. */
  readonly #places = new Map<string, number[]>();
  readonly #inner = new Map<RecordTable, RecordReader>();
  /** Of rows whose values V3 writes in another form. */
  readonly #formats = new Map<RecordRow, (text: string) => string>();

  private constructor(table: RecordTable, known: Map<RecordTable, RecordReader>) {
    this.#rows = table.rows;
    known.set(table, this); // before the rows: a record may contain itself
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

  /** The child of each row; of several with one name the last. */
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
      case 'list':
        return child.children.flatMap((entry) => {
          const record =
            entry.name === row.child ? this.#inner.get(row.of)?.read(entry, link, pending) : undefined;
          return record === undefined ? [] : [record];
        });
      case 'many':
        return undefined;
      case 'value':
        if (child.text === '' || row.kind !== undefined) return child.text;
        if (row.format === 'documentLink') return link(child.text);
        return this.#formats.get(row)?.(child.text) ?? child.text;
    }
  }
}

function underOther(element: XmlElement, names: readonly string[]): XmlElement | undefined {
  for (const name of names) {
    const found = element.children.findLast((child) => child.name === name);
    if (found) return found;
  }
  return undefined;
}

/** A nested record nobody has chosen is left out in the legacy form; V3 may write it empty. */
const isUnset = (record: XmlElement): boolean =>
  record.children.every((child) => child.children.length === 0 && child.text.trim() === '');
