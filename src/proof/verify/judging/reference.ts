/**
 * The values that each surface showed for the elements of the mapping. They identify a name that was found
 * elsewhere. Kept in memory for one run only.
 */
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { RecordRow, RecordTable } from '../../../mapping/compile/model.ts';
import type { Surface } from '../model.ts';

const MOST_VALUES = 2_000;

/** The records of one label that a surface has shown for a method. */
interface ShownRecords {
  readonly count: number;
  /** The label is a name, not an identifier. */
  readonly isNamed: boolean;
  /** The elements with a value in any of them. */
  readonly shown: Set<string>;
}

/** Where an element is shown. */
interface Shown {
  readonly method: string;
  readonly surface: Surface;
  readonly shown: Set<string>;
}

/** Values by surface, record and element; identifiers of V3 and V2 are UUIDs, those of V1 numbers. */
export class Reference {
  readonly #values = new Map<string, Set<string>>();
  readonly #shown = new Set<string>();
  /** The records of a method by their labels, by method and surface. */
  readonly #records = new Map<string, Map<string, ShownRecords>>();

  /** Adds the values of a record and the records in it, as V1 or V3 names them. */
  add(method: string, surface: 'v1' | 'v3', table: RecordTable, record: XmlElement): void {
    const shown = this.#shownIn(method, surface, record);
    this.#add({ method, surface, shown }, table, record, (row) => namesOf(row, surface));
  }

  /** Notes which elements the legacy reply from V2 shows. */
  shown(method: string, table: RecordTable, record: XmlElement): void {
    const shown = this.#shownIn(method, 'v2', record);
    this.#add({ method, surface: 'v2', shown }, table, record, (row) => namesOf(row, 'v1'));
  }

  /** Whether an answer to the method showed the element with a value. */
  isShown(method: string, surface: Surface, table: RecordTable, row: RecordRow): boolean {
    return this.#shown.has(`${method} ${keyOf(surface, table, row)}`);
  }

  /**
   * Whether the other surface shows an element with a value in a record that both have shown for the method, judging by its
   * name. Lists may differ: V1 has deleted records, too, and V3 leaves out what the person must not see.
   */
  hasInShared(
    {
      method,
      surface,
      other,
    }: { readonly method: string; readonly surface: Surface; readonly other: Surface },
    table: RecordTable,
    row: RecordRow,
  ): boolean {
    const [own, others] = [this.#of(method, surface), this.#of(method, other)];
    const isSame = own.size === others.size && [...own.keys()].every((label) => others.has(label));
    return Array.from(others).some(([label, { count, shown }]) => {
      // Of several records of one name, the one with the value may be hidden.
      const isShared = isSame || (label !== '' && (own.get(label)?.count ?? 0) >= count);
      return isShared && shown.has(keyOf(other, table, row));
    });
  }

  /** The names of a method's records on a surface; records without a name are left out. */
  namesOf(method: string, surface: Surface): ReadonlySet<string> {
    const records = Array.from(this.#of(method, surface));
    return new Set(records.flatMap(([label, { isNamed }]) => (isNamed ? [label] : [])));
  }

  #of(method: string, surface: Surface): ReadonlyMap<string, ShownRecords> {
    return this.#records.get(`${method} ${surface}`) ?? NO_RECORDS;
  }

  /** What the records with the label of this one have shown. */
  #shownIn(method: string, surface: Surface, record: XmlElement): Set<string> {
    const key = `${method} ${surface}`;
    const records = this.#records.get(key) ?? new Map<string, ShownRecords>();
    this.#records.set(key, records);
    const label = labelOf(record);
    const same = records.get(label) ?? { count: 0, isNamed: nameOf(record) !== '', shown: new Set<string>() };
    records.set(label, { ...same, count: same.count + 1 });
    return same.shown;
  }

  #add(
    { method, surface, shown }: Shown,
    table: RecordTable,
    record: XmlElement,
    names: (row: RecordRow) => readonly string[],
  ): void {
    for (const row of table.rows)
      for (const child of childrenOf(record, names(row))) {
        if (row.holds === 'value') this.#note(surface, table, row, child.text);
        else
          for (const one of row.holds === 'list' ? child.children : [child])
            this.#add({ method, surface, shown }, row.of, one, names);
        if (child.text.trim() === '' && child.children.length === 0) continue;
        this.#shown.add(`${method} ${keyOf(surface, table, row)}`);
        shown.add(keyOf(surface, table, row));
      }
  }

  #note(surface: Surface, table: RecordTable, row: RecordRow, text: string): void {
    const value = comparable(text);
    if (value === '') return;
    const key = keyOf(surface, table, row);
    const known = this.#values.get(key) ?? new Set<string>();
    if (known.size < MOST_VALUES) known.add(value);
    this.#values.set(key, known);
  }

  /** In lower case. Empty if no record had a value. */
  of(surface: Surface, table: RecordTable, row: RecordRow): ReadonlySet<string> {
    return this.#values.get(keyOf(surface, table, row)) ?? NONE;
  }
}

const NONE: ReadonlySet<string> = new Set();
const NO_RECORDS: ReadonlyMap<string, ShownRecords> = new Map();

const keyOf = (surface: Surface, table: RecordTable, row: RecordRow): string =>
  `${surface} ${table.name} ${row.element}`;

/** The names that a surface may use for a row. */
export const namesOf = (row: RecordRow, surface: 'v1' | 'v3'): readonly string[] =>
  surface === 'v3' ? [row.v3] : [row.element, ...row.also];

/** Children with one of the names, in any case. */
export function childrenOf(record: XmlElement, names: readonly string[]): readonly XmlElement[] {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  return record.children.filter(({ name }) => wanted.has(name.toLowerCase()));
}

const labels = ['Name', 'Title', 'Description', 'Text'];

/** The name by which a person would know a record; empty if it has none. */
export const nameOf = (record: XmlElement): string => firstText(record, labels);

/** The name of a record, or its identifier, which V1, V3 and V2 may each have in another form. */
export const labelOf = (record: XmlElement): string => firstText(record, [...labels, 'ID']);

function firstText(record: XmlElement, names: readonly string[]): string {
  for (const name of names) {
    const text = childrenOf(record, [name])[0]?.text.trim() ?? '';
    if (text !== '') return text;
  }
  return '';
}

/**
 * Normalises a text for comparison: V1, V3 and V2 differ in white space, in case, and in characters that XML
 * cannot contain.
 */
export const comparable = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s\p{C}\uFFFD]+/gu, ' ')
    .trim();
