import type { XmlElement } from '../../../lib/xml/element.ts';
import { isNoValue } from '../../../mapping/formats.ts';
import type { ToV3 } from '../../identifiers.ts';
import type { RecordRow, RecordTable } from '../../../mapping/compile/model.ts';
import { attributeOf, sortedChildren, type Dropped } from '../../call/request.ts';

/**
 * A legacy request as data: the values of its rows by element name, identifiers translated to UUIDs, lists as
 * lists. An absent element has no entry, an empty one is `''`.
 */
export interface Given {
  readonly [element: string]: GivenValue;
}
/** The content of a request for one row: a text, a record, or records. */
export type GivenValue = string | Given | readonly Given[];

/**
 * Reads a request by the rows of its record. Throws `Failure` for a repeated element or an unknown
 * identifier.
 */
export function readGiven(
  element: XmlElement,
  table: RecordTable,
  toUuid: ToV3,
  dropped: Dropped,
  path: readonly string[],
): Given {
  const given: Record<string, GivenValue> = Object.create(null) as Record<string, GivenValue>;
  const children = sortedChildren(element, table, path, dropped);
  for (const row of table.rows) {
    const value = valueOf(element, children.get(row) ?? [], row, table, toUuid, dropped, [
      ...path,
      row.element,
    ]);
    if (value !== undefined) given[row.element] = value;
  }
  return given;
}

function valueOf(
  element: XmlElement,
  children: readonly XmlElement[],
  row: RecordRow,
  table: RecordTable,
  toUuid: ToV3,
  dropped: Dropped,
  path: readonly string[],
): GivenValue | undefined {
  const [child] = children;
  switch (row.holds) {
    case 'value': {
      const text = row.isAttribute ? attributeOf(element, row, table) : child?.text;
      if (text === undefined) return undefined;
      if (isNoValue(row.format, text)) {
        dropped(path.join('/'));
        return undefined;
      }
      return row.kind === undefined ? text : uuidOf(children, text, { ...row, kind: row.kind }, toUuid);
    }
    case 'one':
      return child && readGiven(child, row.of, toUuid, dropped, path);
    case 'many':
      return children.length === 0
        ? undefined
        : children.map((entry) => readGiven(entry, row.of, toUuid, dropped, path));
    case 'list':
      return child?.children
        .filter((entry) => entry.name.toLowerCase() === row.child.toLowerCase())
        .map((entry) => readGiven(entry, row.of, toUuid, dropped, [...path, row.child]));
  }
}

/** Number and UUID together must name one record. */
function uuidOf(
  children: readonly XmlElement[],
  text: string,
  { kind, unknown }: { readonly kind: string; readonly unknown: string | undefined },
  toUuid: ToV3,
): string {
  const texts = children.length < 2 ? [text] : children.map((child) => child.text);
  const uuids = texts.flatMap((one) => (one.trim() === '' ? [] : [toUuid(kind, one.trim(), unknown)]));
  const [uuid = ''] = uuids;
  const isOne = uuids.every((one) => one.toLowerCase() === uuid.toLowerCase());
  return isOne ? uuid : toUuid(kind, uuids.join(' '), unknown);
}

/** Whether a value is a record of the request. */
export const isGiven = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
