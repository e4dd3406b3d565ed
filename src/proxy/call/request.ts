/**
 * Checks the bodies of legacy calls and rewrites them for V3.
 *
 * `checkRequired` refuses what the legacy service would have refused, with its message and before anything is looked up.
 * `toV3Element` then rewrites the element: only known elements, in the order of the table, identifiers translated. Unknown
 * elements are left out and counted. So is a tax number in its masked form, which would overwrite the real one (XML
 * specification, "Practice management module fields": TaxNumber is returned masked).
 */
import { Failure } from '../../lib/failure.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { isMasked } from '../../mapping/formats.ts';
import type { ToV3 } from '../identifiers.ts';
import type { RecordRow, RecordTable } from '../../mapping/compile/model.ts';
import { isIdentifier, type ValueRow } from '../../mapping/compile/records.ts';

/** Reports an element left out of a request, for the log: its name, never its value. */
export type Dropped = (element: string) => void;

/**
 * The legacy service's refusal of a message without an element, named by its path. `isOfCall`: V1 and V3 require it,
 * too.
 */
export function missing(path: readonly string[], isOfCall = false): Failure {
  return new Failure('refused', {
    isOfCall,
    text: `Message not in expected format. The following required element was missing - /${path.join('/')}`,
  });
}

const plain = (name: string, text: string): XmlElement => ({
  name,
  attributes: [],
  children: [],
  text,
  selfClosing: false,
});
const parent = (
  name: string,
  children: readonly XmlElement[],
  attributes: XmlElement['attributes'] = [],
): XmlElement => ({
  name,
  attributes,
  children,
  text: '',
  selfClosing: children.length === 0,
});

/** The refusal of an element that cannot be passed on as a value, because it contains markup. */
export const invalidValue = (element: string): Failure =>
  new Failure('refused', { isOfCall: true, text: `Invalid value for ${element}` });

/**
 * Sorts the children of an element by the rows of its record; a repeated single element is an error, as is a value with
 * elements in it, which would be passed on as empty.
 */
export function sortedChildren(
  element: XmlElement,
  table: RecordTable,
  path: readonly string[],
  dropped: Dropped,
): Map<RecordRow, XmlElement[]> {
  const given = new Map<RecordRow, XmlElement[]>();
  for (const child of element.children) {
    const row = rowOf(table, child.name);
    if (!row) {
      dropped([...path, child.name].join('/'));
      continue;
    }
    if (row.holds === 'value' && child.children.length > 0) throw invalidValue(child.name);
    const same = given.get(row);
    if (!same) given.set(row, [child]);
    else if (row.holds === 'many') same.push(child);
    else if (isOtherForm(child, same[0], row)) given.set(row, bothForms([...same, child], row));
    else
      throw new Failure('refused', {
        isOfCall: true,
        text: `Message not in expected format. The element ${row.element} was found twice`,
      });
  }
  return given;
}

/** In transition mode a request may name a record by both its number and its UUID. */
const isOtherForm = (child: XmlElement, first: XmlElement | undefined, row: RecordRow): row is ValueRow =>
  isIdentifier(row) && first?.name.toLowerCase() !== child.name.toLowerCase();

/** Both must agree. A number that is text takes precedence alone, because its UUID cannot be checked here. */
function bothForms(children: XmlElement[], { kind, element }: ValueRow): XmlElement[] {
  if (kind !== undefined) return children;
  const isNumber = ({ name, text }: XmlElement): boolean =>
    name.toLowerCase() === element.toLowerCase() && text.trim() !== '';
  return [children.find(isNumber) ?? children.findLast(({ text }) => text.trim() !== '') ?? children].flat();
}

/** Throws if an element that the legacy service requires is missing or empty, before any identifier is looked up. */
export function checkRequired(
  element: XmlElement | undefined,
  table: RecordTable,
  path: readonly string[],
): void {
  for (const row of table.rows) {
    if (row.holds === 'value') checkValue(element, row, table, path);
    else checkRecords(element, row, table, path);
  }
}

function checkValue(
  element: XmlElement | undefined,
  row: ValueRow,
  table: RecordTable,
  path: readonly string[],
): void {
  if (!row.isRequired || valueOf(element, row, table).trim() !== '') return;
  throw absent(row, [...path, row.isAttribute ? `@${row.element}` : row.element]);
}

function checkRecords(
  element: XmlElement | undefined,
  row: Exclude<RecordRow, ValueRow>,
  table: RecordTable,
  path: readonly string[],
): void {
  const at = row.holds === 'list' ? [...path, row.element, row.child] : [...path, row.element];
  const records = recordsOf(element, row, table);
  for (const record of records) checkRequired(record, row.of, at);
  if (!row.isRequired || records.length > 0) return;
  if (row.holds === 'one') checkRequired(undefined, row.of, at);
  else throw absent(row, at);
}

/** The legacy service's refusal of a message without the row's element, in its own words for it if it has any. */
export const absent = ({ required }: RecordRow, path: readonly string[]): Failure =>
  required === undefined ? missing(path, true) : new Failure('refused', { text: required, isOfCall: true });

/** The attribute of a row; undefined if it is not given. */
export const attributeOf = (
  element: XmlElement | undefined,
  row: RecordRow,
  table: RecordTable,
): string | undefined => element?.attributes.find(([name]) => rowOf(table, `@${name}`) === row)?.[1];

/** The value of a row, '' if it is not given. */
function valueOf(element: XmlElement | undefined, row: ValueRow, table: RecordTable): string {
  const text = row.isAttribute
    ? attributeOf(element, row, table)
    : element?.children.find(({ name, text: held }) => rowOf(table, name) === row && held.trim() !== '')
        ?.text;
  return text ?? '';
}

/** The records given for a row; for a list, those inside its container. */
function recordsOf(
  element: XmlElement | undefined,
  row: RecordRow,
  table: RecordTable,
): readonly XmlElement[] {
  const given = element?.children.filter(({ name }) => rowOf(table, name) === row) ?? [];
  return row.holds === 'list' ? given.flatMap((container) => entriesOf(container, row.child)) : given;
}

const rowOf = (table: RecordTable, name: string): RecordRow | undefined =>
  table.byLegacyName.get(name.toLowerCase());

const entriesOf = (container: XmlElement, name: string): readonly XmlElement[] =>
  container.children.filter((entry) => entry.name.toLowerCase() === name.toLowerCase());

/** Rewrites a legacy element in the form of V3: only known elements, in the table's order, identifiers translated. */
export function toV3Element(
  element: XmlElement,
  name: string,
  table: RecordTable,
  toV3: ToV3,
  dropped: Dropped,
  path: readonly string[] = [name],
): XmlElement {
  const given = sortedChildren(element, table, path, dropped);
  const children: XmlElement[] = [];
  for (const row of table.rows) {
    for (const child of given.get(row) ?? []) {
      const written = toV3Row(child, row, toV3, dropped, [...path, row.element]);
      if (written) addOnce(children, written, row, toV3);
    }
  }
  return parent(name, children, attributesOf(element, table, toV3));
}

/** The attributes that the record knows, in the table's order; an empty one is left out. */
function attributesOf(element: XmlElement, table: RecordTable, toV3: ToV3): XmlElement['attributes'] {
  if (element.attributes.length === 0) return [];
  return table.rows.flatMap((row) => {
    if (row.holds !== 'value' || !row.isAttribute) return [];
    const text = valueOf(element, row, table).trim();
    return text === '' ? [] : [[row.v3, row.kind === undefined ? text : toV3(row.kind, text)] as const];
  });
}

/**
 * Two legacy elements may have one V3 name (`ID` and `UUID` of a custom field): both are accepted if they agree.
 * Identifiers that contradict each other identify nothing and are refused with that message.
 */
function addOnce(children: XmlElement[], written: XmlElement, row: RecordRow, toV3: ToV3): void {
  const index = row.holds === 'value' ? children.findIndex((child) => child.name === written.name) : -1;
  const other = children[index];
  if (!other || other.text === '') {
    if (other) children.splice(index, 1, written);
    else children.push(written);
    return;
  }
  if (written.text === '' || written.text.toLowerCase() === other.text.toLowerCase()) return;
  if (row.holds === 'value' && row.kind !== undefined) toV3(row.kind, `${other.text} ${written.text}`);
  throw new Failure('refused', {
    text: `The identifiers given for ${written.name} do not agree`,
    isOfCall: true,
  });
}

function toV3Row(
  child: XmlElement,
  row: RecordRow,
  toV3: ToV3,
  dropped: Dropped,
  path: readonly string[],
): XmlElement | undefined {
  switch (row.holds) {
    case 'one':
    case 'many':
      return toV3Element(child, row.v3, row.of, toV3, dropped, path);
    case 'list': {
      const entries = entriesOf(child, row.child);
      return parent(
        row.v3,
        entries.map((entry) => toV3Element(entry, row.child, row.of, toV3, dropped, [...path, row.child])),
      );
    }
    case 'value': {
      if (row.format === 'maskedTail' && isMasked(child.text)) {
        // The masked form that the service once returned would overwrite the real number.
        dropped(path.join('/'));
        return undefined;
      }
      return plain(
        row.v3,
        row.kind === undefined ? child.text : toV3(row.kind, child.text.trim(), row.unknown),
      );
    }
  }
}
