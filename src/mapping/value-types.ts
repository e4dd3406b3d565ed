/**
 * Whether values have the type that a format of the mapping reads. V1 and V3 write texts, V2 has JSON values;
 * a value that is readable although it has another type is only worth a remark.
 */
import { UUID } from '../lib/text/uuid.ts';
import type { FormatName } from './formats.ts';
import { textOf } from './compile/path.ts';

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const WHOLE = /^-?\d+(?:\.0+)?$/;
const FLAG = /^(?:yes|no|true|false|0|1)$/i;
const DAY = /^\d{4}-?\d{2}-?\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const TIME = /^(?:\d{1,2}:\d{2}(?::\d{2})?|\d{1,4})$/;

/** By format: the texts it reads, and its type in V2. */
const types: Readonly<Partial<Record<FormatName, { readonly reads: RegExp; readonly json: string }>>> = {
  money: { reads: NUMBER, json: 'number' },
  decimal: { reads: NUMBER, json: 'number' },
  integer: { reads: NUMBER, json: 'number' },
  minutes: { reads: WHOLE, json: 'number' },
  yesNo: { reads: FLAG, json: 'boolean' },
  trueFalse: { reads: FLAG, json: 'boolean' },
  date: { reads: DAY, json: 'string' },
  plainDate: { reads: DAY, json: 'string' },
  compactDate: { reads: DAY, json: 'string' },
  utcDateTime: { reads: DAY, json: 'string' },
  timeOfDay: { reads: TIME, json: 'string' },
};

/** Texts of V1 or V3 that the format cannot read; V1's empty elements do not count as values. */
export const unreadTexts = (format: FormatName, texts: Iterable<string>): readonly string[] =>
  Array.from(texts).filter((text) => text.trim() !== '' && types[format]?.reads.test(text.trim()) === false);

/** Values of V2 that the format cannot read. */
export const unreadValues = (format: FormatName, values: readonly unknown[]): readonly unknown[] =>
  values.filter((value) => isSet(value) && !reads(format, value));

/** Values of V2 that the format reads although they have another type. */
export const oddValues = (format: FormatName, values: readonly unknown[]): readonly unknown[] => {
  const json = types[format]?.json;
  return json === undefined
    ? []
    : values.filter((value) => isSet(value) && typeof value !== json && reads(format, value));
};

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function reads(format: FormatName, value: unknown): boolean {
  const type = types[format];
  const text = textOf(value);
  if (type === undefined) return format !== 'text' || text !== undefined;
  return text !== undefined && type.reads.test(text.trim());
}

/** The type of a value, without the value: `number`, `text`, `date and time with milliseconds`. */
export function typeWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object') return 'object';
  if (typeof value !== 'string') return typeof value;
  const text = value.length > LONGEST ? '' : value.trim();
  const [, words] = textTypes.find(([pattern]) => pattern.test(text)) ?? [];
  return words ?? 'text';
}

/** In characters: longer texts have none of the types below. */
const LONGEST = 64;

/** By `typeWords`, a text that has only this type; undefined: it has every type. */
export const specimens: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['number', 1.5],
  ['boolean', true],
  ['list', ['a']],
  ['object', { a: 'a' }],
  ['text', 'some text'],
  ['UUID', '00000000-0000-4000-8000-000000000000'],
  ['date and time with milliseconds and a zone', '2026-01-31T12:30:00.123Z'],
  ['date and time with milliseconds', '2026-01-31T12:30:00.123'],
  ['date and time with a zone', '2026-01-31T12:30:00Z'],
  ['date and time', '2026-01-31T12:30:00'],
  ['date', '2026-01-31'],
  ['Yes or No', 'Yes'],
  ['true or false as text', 'true'],
  ['whole number as text', '12'],
  ['decimal number as text', '12.5'],
]);

const textTypes: readonly (readonly [RegExp, string])[] = [
  [UUID, 'UUID'],
  [/^\d{4}-\d{2}-\d{2}T[\d:]+\.\d+(?:Z|[+-]\d{2}:?\d{2})$/, 'date and time with milliseconds and a zone'],
  [/^\d{4}-\d{2}-\d{2}T[\d:]+\.\d+$/, 'date and time with milliseconds'],
  [/^\d{4}-\d{2}-\d{2}T[\d:]+(?:Z|[+-]\d{2}:?\d{2})$/, 'date and time with a zone'],
  [/^\d{4}-\d{2}-\d{2}T[\d:]+$/, 'date and time'],
  [/^\d{4}-\d{2}-\d{2}$/, 'date'],
  [/^(?:yes|no)$/i, 'Yes or No'],
  [/^(?:true|false)$/i, 'true or false as text'],
  [/^-?\d+$/, 'whole number as text'],
  [/^-?\d+\.\d+$/, 'decimal number as text'],
];
