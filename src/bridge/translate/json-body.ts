import { Failure } from '../../domain/failure.ts';
import { formatOf } from '../formats.ts';
import type { RecordRow, RecordTable } from '../mapping/model.ts';
import { isObject, putAt, valueAt, type Path } from '../mapping/path.ts';
import type { RowWay } from '../mapping/v2-model.ts';
import type { Dropped } from '../request.ts';
import type { Given, GivenValue } from './given.ts';

type Json = Record<string, unknown>;

/** What a request is written to JSON with. */
export interface Writing {
  /** What becomes of an element that is empty. */
  readonly empty: 'null' | 'omit' | 'text';
  /** The key of a look-up entry by the text of a field; undefined while it is not known yet. */
  readonly keyOf: (table: string, field: string, text: string) => string | undefined;
  /** Told what has no place in V2. */
  readonly dropped: Dropped;
}

/** The JSON of a legacy request, by the ways of its rows. Throws `Failure` refused for a value that has not its form. */
export function toJson(given: Given, table: RecordTable, writing: Writing, path: string): Json {
  const json: Json = {};
  for (const row of table.rows) {
    const value = given[row.element];
    if (value === undefined) continue;
    const at = `${path}/${row.element}`;
    if (row.v2 === undefined || row.v2.paths.length === 0) writing.dropped(at);
    else put(json, value, row, row.v2, writing, at);
  }
  return json;
}

function put(json: Json, value: GivenValue, row: RecordRow, way: RowWay, writing: Writing, at: string): void {
  if (typeof value === 'string') {
    if (row.holds === 'value') putText(json, value, row, way, writing, at);
    return;
  }
  if (row.holds === 'value') return;
  const [path] = way.paths;
  if (path === undefined) return;
  if (!Array.isArray(value)) putAt(json, path, toJson(value as Given, row.of, writing, at));
  else
    putAt(
      json,
      path,
      (value as readonly Given[]).map((entry) => toJson(entry, row.of, writing, at)),
    );
}

function putText(
  json: Json,
  text: string,
  row: RecordRow & { readonly holds: 'value' },
  way: RowWay,
  writing: Writing,
  at: string,
): void {
  const values = jsonOf(text, row, way, writing, at);
  if (values === undefined) return;
  for (const [index, path] of (way.take === 'all' ? way.paths : way.paths.slice(0, 1)).entries())
    putOnce(json, path, values[index], row);
}

/** Two legacy elements can have one place (`ID` and `UUID` of a custom field): both are taken when they agree. */
function putOnce(json: Json, path: Path, value: unknown, row: RecordRow): void {
  const other = valueAt(json, path, () => undefined);
  const isSaid = other !== undefined && other !== null && other !== '';
  if (isSaid && (value === null || value === '')) return;
  if (isSaid && !isObject(other) && String(other).toLowerCase() !== String(value).toLowerCase())
    throw new Failure('refused', { text: `The values given for ${row.element} do not agree` });
  putAt(json, path, value);
}

/** One value for each way; undefined when nothing is sent. */
function jsonOf(
  text: string,
  row: RecordRow & { readonly holds: 'value' },
  way: RowWay,
  writing: Writing,
  at: string,
): readonly unknown[] | undefined {
  if (text.trim() === '' && row.format !== 'personName') {
    if (writing.empty === 'omit') return undefined;
    return way.paths.map(() => (writing.empty === 'null' ? null : ''));
  }
  if (row.kind !== undefined) return [text];
  if (way.via !== undefined) return [writing.keyOf(way.via.table, way.via.field, text)];
  const word = way.toV2.get(text.trim().toLowerCase());
  if (word !== undefined) return [word];
  const values = formatOf(row.format).toV2?.(text);
  if (values !== undefined) return values;
  throw new Failure('refused', {
    text: `Message not in expected format. The value of /${at} could not be read`,
  });
}
