import { checkName } from './name.ts';
import type { FieldValue, RecordValue, Row, Shape } from './shape.ts';
import { escapeText } from './text.ts';

/** A row of a shape with its tags, compiled once, because lists have 100,000 records. */
export interface Field {
  readonly element: string;
  readonly holds: 'text' | 'record' | 'list';
  readonly begin: string;
  readonly end: string;
  /** Written if there is no value, or an empty one. */
  readonly absent: string;
  readonly empty: string;
  /** The fields of the record, or of the records in the list. */
  readonly of: readonly Field[];
  /** The tags of each record in a list. */
  readonly each: { readonly begin: string; readonly end: string };
}

/**
 * A writer of one record in the legacy form, on one line without white space. A shape may contain itself.
 *
 * Throws `RangeError` for an invalid name; the writer throws `TypeError` for a value that does not fit its
 * row.
 */
export function compileWriter(element: string, shape: Shape): (value: RecordValue) => string {
  const { begin, end } = tagsOf(element);
  const fields = fieldsOf(shape);
  return (value) => begin + written(value, fields) + end;
}

/** The tags of an element. Throws `RangeError` for an invalid name. */
export const tagsOf = (element: string): Field['each'] => ({
  begin: `<${checkName(element)}>`,
  end: `</${element}>`,
});

/**
 * The fields of a shape, in its order. `known` has those already begun, so that a shape that contains itself finds its
 * own. Throws `RangeError` for an invalid name.
 */
export function fieldsOf(shape: Shape, known = new Map<Shape, Field[]>()): readonly Field[] {
  const found = known.get(shape);
  if (found !== undefined) return found;
  const fields: Field[] = [];
  known.set(shape, fields);
  for (const row of shape.rows) fields.push(fieldOf(row, known));
  return fields;
}

function fieldOf(row: Row, known: Map<Shape, Field[]>): Field {
  const { element } = row;
  const tags = tagsOf(element);
  const blank = tags.begin + tags.end;
  const common = { element, ...tags, absent: '', empty: '', of: [], each: tags };
  if ('text' in row)
    return {
      ...common,
      holds: 'text',
      absent: row.text === 'always' ? blank : '',
      empty: row.text === 'whenSet' ? '' : blank,
    };
  if ('record' in row) return { ...common, holds: 'record', of: fieldsOf(row.record, known) };
  const empty = `<${element} />`;
  return {
    ...common,
    holds: 'list',
    absent: row.empty === 'present' ? empty : '',
    empty,
    of: fieldsOf(row.list.of, known),
    each: tagsOf(row.list.element),
  };
}

/** Throws `TypeError` unless it is markup and the row holds text. */
function markupIn(value: FieldValue & {}, element: string, holds: Field['holds']): string {
  if (holds === 'text' && typeof value === 'object' && 'xml' in value) return value.xml;
  throw new TypeError(`${element} takes ${holds === 'text' ? 'text' : `a ${holds}`}`);
}

/** The fields of one record, without its own tags. */
function written(record: RecordValue, fields: readonly Field[]): string {
  if (record.length > fields.length) throw new TypeError('more values than the shape has rows');
  let text = '';
  let row = 0;
  for (const { element, holds, begin, end, absent, empty, of, each } of fields) {
    const value = record[row++];
    if (value === undefined) text += absent;
    else if ((typeof value === 'string') !== (holds === 'text'))
      text += begin + markupIn(value, element, holds) + end;
    else if (typeof value === 'string') text += value === '' ? empty : begin + escapeText(value) + end;
    else if (holds === 'record') text += begin + written(value as RecordValue, of) + end;
    else if ((value as readonly RecordValue[]).length === 0) text += empty;
    else {
      text += begin;
      for (const one of value as readonly RecordValue[]) text += each.begin + written(one, of) + each.end;
      text += end;
    }
  }
  return text;
}
