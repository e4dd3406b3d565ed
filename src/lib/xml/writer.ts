import { checkName } from './name.ts';
import type { FieldValue, RecordValue, Row, Shape } from './shape.ts';
import { escapeText } from './text.ts';

type FieldWriter = (value: FieldValue) => string;
type TextForm = Extract<Row, { text: unknown }>['text'];
type BodyWriter = (value: RecordValue) => string;

/**
 * A writer of one record in the legacy form, on one line without white space: closures created once from the
 * table, because lists have 100,000 records. A shape may contain itself.
 *
 * Throws `RangeError` for an invalid name; the writer throws `TypeError` for a value that does not fit its
 * row.
 */
export function compileWriter(element: string, shape: Shape): (value: RecordValue) => string {
  return wrapped(element, bodyOf(shape, new Map()));
}

function wrapped(element: string, body: BodyWriter): BodyWriter {
  const begin = `<${checkName(element)}>`;
  const end = `</${element}>`;
  return (value) => begin + body(value) + end;
}

/** `known` has the bodies already begun, so that a shape that contains itself finds its own. */
function bodyOf(shape: Shape, known: Map<Shape, BodyWriter>): BodyWriter {
  const found = known.get(shape);
  if (found !== undefined) return found;
  const fields: FieldWriter[] = [];
  const body: BodyWriter = (value) => {
    if (value.length > fields.length) throw new TypeError('more values than the shape has rows');
    let written = '';
    let row = 0;
    for (const field of fields) written += field(value[row++]);
    return written;
  };
  known.set(shape, body);
  for (const row of shape.rows) fields.push(fieldOf(row, known));
  return body;
}

function fieldOf(row: Row, known: Map<Shape, BodyWriter>): FieldWriter {
  checkName(row.element);
  if ('text' in row) return textField(row.element, row.text);
  if ('record' in row) return recordField(row.element, bodyOf(row.record, known));
  return listField(row.element, wrapped(row.list.element, bodyOf(row.list.of, known)), row.empty);
}

function textField(element: string, form: TextForm): FieldWriter {
  const begin = `<${element}>`;
  const end = `</${element}>`;
  const empty = form === 'whenSet' ? '' : begin + end;
  const absent = form === 'always' ? begin + end : '';
  return (value) => {
    if (value === undefined) return absent;
    if (value === '') return empty;
    if (typeof value !== 'string') throw new TypeError(`${element} takes text`);
    return begin + escapeText(value) + end;
  };
}

function recordField(element: string, body: BodyWriter): FieldWriter {
  const write = wrapped(element, body);
  return (value) => {
    if (value === undefined) return '';
    if (typeof value === 'string') throw new TypeError(`${element} takes a record`);
    return write(value as RecordValue);
  };
}

function listField(element: string, write: BodyWriter, empty: 'present' | 'whenSet'): FieldWriter {
  const begin = `<${element}>`;
  const end = `</${element}>`;
  const none = `<${element} />`;
  const absent = empty === 'present' ? none : '';
  return (value) => {
    if (value === undefined) return absent;
    if (typeof value === 'string') throw new TypeError(`${element} takes a list`);
    if (value.length === 0) return none;
    let written = begin;
    for (const record of value as readonly RecordValue[]) written += write(record);
    return written + end;
  };
}
