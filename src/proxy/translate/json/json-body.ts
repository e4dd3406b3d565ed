import { Failure } from '../../../lib/failure.ts';
import type { Kind } from '../../../mapping/crosswalk/identifier.ts';
import { formatOf } from '../../../mapping/formats.ts';
import type { RecordRow, RecordTable } from '../../../mapping/compile/model.ts';
import { putAt, type Find, type Path } from '../../../mapping/compile/path.ts';
import type { EmptyValue, RowTranslation } from '../../../mapping/compile/records.ts';
import { missing, type Dropped } from '../../call/request.ts';
import { checkConditions } from '../conditions.ts';
import type { Given, GivenValue } from '../lookups/given.ts';

/** A body for V2. */
export type Json = Record<string, unknown>;

/** What is needed to write a request as JSON. */
export interface Writing {
  /** How an empty element is written. */
  readonly empty: 'null' | 'omit' | 'text';
  /**
   * The key of the look-up entry whose field has the text; undefined while it is not known yet, null: there is none.
   */
  readonly keyOf: (table: string, field: string, text: string) => string | null | undefined;
  readonly find: Find;
  /** The legacy message for an unknown identifier. */
  readonly unknown: (kind: Kind) => string | undefined;
  /** Called with a text that is not an entry of its table within the record. */
  readonly dropped: Dropped;
}

type ValueRow = RecordRow & { readonly holds: 'value' };

/**
 * Writes a legacy request as JSON, by the paths of its rows; `into`: the JSON to add to. Throws `Failure` refused for a
 * value in the wrong form.
 */
export function toJson(
  given: Given,
  table: RecordTable,
  writing: Writing,
  path: string,
  into: Json = {},
): Json {
  const body = new Body(writing, into);
  for (const row of table.rows) {
    const value = given[row.element];
    if (value !== undefined) body.put(value, row, `${path}/${row.element}`);
  }
  checkConditions(table, given, into, writing.find, path);
  return into;
}

class Body {
  readonly #writing: Writing;
  readonly #json: Json;
  /** The value that the request has given for each place so far. */
  readonly #said = new Map<string, unknown>();

  constructor(writing: Writing, json: Json) {
    this.#writing = writing;
    this.#json = json;
  }

  /** `at`: the path of the element, for messages about it. */
  put(value: GivenValue, row: RecordRow, at: string): void {
    const translation = row.v2;
    const [first] = translation?.paths ?? [];
    if (translation === undefined || first === undefined) checkForm(value, row);
    else if (typeof value !== 'string') putAt(this.#json, first, this.#records(value, row, at));
    else if (row.holds === 'value') this.#putText(value, row, translation, at);
  }

  #records(value: Given | readonly Given[], row: RecordRow, at: string): Json | readonly Json[] {
    if (row.holds === 'value') return {};
    const { of } = row;
    const entryAt = row.holds === 'list' ? `${at}/${row.child}` : at;
    return Array.isArray(value)
      ? (value as readonly Given[]).map((entry) => toJson(entry, of, this.#writing, entryAt))
      : toJson(value as Given, of, this.#writing, at);
  }

  #putText(text: string, row: ValueRow, translation: RowTranslation, at: string): void {
    const values = this.#valuesOf(text, row, translation, at);
    const paths = translation.take === 'all' ? translation.paths : translation.paths.slice(0, 1);
    if (values === undefined) return;
    for (const [index, path] of paths.entries()) this.#putOnce(path, values[index], row);
  }

  /**
   * Two legacy elements may have one place (`ID` and `UUID` of a custom field): both are accepted if they
   * agree.
   */
  #putOnce(path: Path, value: unknown, row: ValueRow): void {
    const place = JSON.stringify(path);
    const other = this.#said.get(place);
    if (isSaid(other)) {
      if (!isSaid(value)) return;
      if (String(other).toLowerCase() !== String(value).toLowerCase()) throw this.#disagreeing(row);
    }
    this.#said.set(place, value);
    putAt(this.#json, path, value);
  }

  /** The refusal of identifiers that contradict each other: they identify nothing. */
  #disagreeing({ element, kind, unknown }: ValueRow): Failure {
    const words = kind === undefined ? undefined : (unknown ?? this.#writing.unknown(kind));
    return new Failure('refused', { text: words ?? `The values given for ${element} do not agree` });
  }

  /** One value for each path; undefined if nothing is sent. */
  #valuesOf(
    text: string,
    row: ValueRow,
    translation: RowTranslation,
    at: string,
  ): readonly unknown[] | undefined {
    const { keyOf } = this.#writing;
    const empty = translation.empty ?? this.#writing.empty;
    if (text.trim() === '' && translation.filled) throw missing(at.split('/'));
    if (text.trim() === '' && row.format !== 'personName')
      return empty === 'omit' ? undefined : translation.paths.map(() => emptied(empty));
    if (row.kind !== undefined) return [text];
    if (translation.via !== undefined) {
      const key = keyOf(translation.via.table, translation.via.field, text);
      if (key === null) this.#writing.dropped(at);
      return key === null ? undefined : [key];
    }
    const word = translation.toV2.size === 0 ? undefined : translation.toV2.get(text.trim().toLowerCase());
    if (word !== undefined) return [word];
    const values = formatOf(row.format).toV2?.(text);
    if (values !== undefined) return values;
    throw unreadable(row);
  }
}

/** Checks the form even of a value without a place: the legacy service refused invalid ones. */
function checkForm(value: GivenValue, row: RecordRow): void {
  if (row.holds !== 'value' || typeof value !== 'string' || value.trim() === '') return;
  const { toV2 } = formatOf(row.format);
  if (toV2 !== undefined && toV2(value) === undefined) throw unreadable(row);
}

const unreadable = ({ element }: RecordRow): Failure =>
  new Failure('refused', { text: `Invalid value for ${element}` });

const emptied = (empty: Exclude<Writing['empty'], 'omit'> | EmptyValue): unknown => {
  if (empty === 'null') return null;
  return empty === 'text' ? '' : empty;
};

const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
