/**
 * The values that each surface showed for the elements of the mapping. They identify a name that was found
 * elsewhere. Kept in memory for one run only.
 */
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { RecordRow, RecordTable } from '../../../mapping/compile/model.ts';
import type { Surface } from '../model.ts';

const MOST_VALUES = 2_000;

/** Values by surface, record and element; identifiers of V3 and V2 are UUIDs, those of V1 numbers. */
export class Reference {
  readonly #values = new Map<string, Set<string>>();
  readonly #shown = new Set<string>();
  /** The names of a method's records, by method and surface. */
  readonly #labels = new Map<string, Set<string>>();

  /** Adds the values of a record and the records in it, as V1 or V3 names them. */
  add(method: string, surface: 'v1' | 'v3', table: RecordTable, record: XmlElement): void {
    this.#label(method, surface, record);
    this.#add(method, surface, table, record, (row) => namesOf(row, surface));
  }

  /** Notes which elements the legacy reply from V2 shows. */
  shown(method: string, table: RecordTable, record: XmlElement): void {
    this.#label(method, 'v2', record);
    this.#add(method, 'v2', table, record, (row) => namesOf(row, 'v1'));
  }

  /** Whether two surfaces answered a method with the same records, judging by their names. */
  isAlike(method: string, one: Surface, other: Surface): boolean {
    const labelsOf = (surface: Surface): ReadonlySet<string> =>
      this.#labels.get(`${method} ${surface}`) ?? NONE;
    const [a, b] = [labelsOf(one), labelsOf(other)];
    return a.size === b.size && [...a].every((label) => b.has(label));
  }

  #label(method: string, surface: Surface, record: XmlElement): void {
    const key = `${method} ${surface}`;
    const known = this.#labels.get(key) ?? new Set<string>();
    this.#labels.set(key, known.add(labelOf(record)));
  }

  /** Whether an answer to the method showed the element with a value. */
  isShown(method: string, surface: Surface, table: RecordTable, row: RecordRow): boolean {
    return this.#shown.has(`${method} ${keyOf(surface, table, row)}`);
  }

  #add(
    method: string,
    surface: Surface,
    table: RecordTable,
    record: XmlElement,
    names: (row: RecordRow) => readonly string[],
  ): void {
    for (const row of table.rows)
      for (const child of childrenOf(record, names(row))) {
        if (row.holds === 'value') this.#note(surface, table, row, child.text);
        else
          for (const one of row.holds === 'list' ? child.children : [child])
            this.#add(method, surface, row.of, one, names);
        if (child.text.trim() !== '' || child.children.length > 0)
          this.#shown.add(`${method} ${keyOf(surface, table, row)}`);
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
