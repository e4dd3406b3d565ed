import type { RecordTable } from '../mapping/model.ts';
import { entries, isObject, own, textOf } from '../mapping/path.ts';
import type { Draft } from './draft.ts';
import type { Costly } from './json-reader.ts';
import { sourceOf, type helperNames } from './record-source.ts';

/** Writes one record of V2 behind a text; what stands before a gap has been put aside by the draft. */
export type RecordCode = (json: unknown, draft: Draft, text: string) => string;

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze({});

/** What generated programs are written against. */
const helpers: Readonly<Record<(typeof helperNames)[number], unknown>> = {
  own,
  entries,
  isObject,
  text: textOf,
  object: (value: unknown) => (isObject(value) ? value : NOTHING),
  shown: (text: string | undefined, draft: Draft) =>
    text === undefined || text === '' ? '' : draft.escaped(text),
  look: (draft: Draft, table: string, value: unknown) => {
    const key = textOf(value);
    return key === undefined || key === '' ? undefined : draft.find(table, key);
  },
  some: (values: readonly unknown[]) =>
    values.some((value) => value !== undefined && value !== null && value !== ''),
};

/**
 * The writer of a record, made to code of its own from the rows of the mapping: lists have 100,000 records, and ways and
 * forms that are walked as data cost several times as much (docs/decisions/0008-replies-as-code.md). Undefined where the
 * engine was told to make no code from text. Throws `RangeError` for a name that is none.
 */
export function codeOf(element: string, table: RecordTable, costly: Costly): RecordCode | undefined {
  const { source, things } = sourceOf(element, table, costly);
  try {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- of literals only: see `RecordSource`
    const make = new Function('H', 'T', source) as (given: object, things: readonly unknown[]) => RecordCode;
    return make(helpers, things);
  } catch (error) {
    if (error instanceof EvalError) return undefined;
    throw error;
  }
}
