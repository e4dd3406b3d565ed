/**
 * The document for trying a write: what the mapping requires, plus plain texts and numbers. Words of which
 * the service accepts only some (states, types, folders) are omitted if possible.
 */
import { escapeText } from '../../../lib/xml/text.ts';
import type { RecordRow, RecordTable } from '../../../mapping/compile/model.ts';
import type { FormatName } from '../../../mapping/formats.ts';

/** The input for building the document. */
export interface BodyParts {
  /** Part of every value, so that a later document of the same record has others. In three digits. */
  readonly number: number;
  /** Part of all texts, so that people can tell where a record comes from. */
  readonly time: string;
  /** The date in all of them, `YYYY-MM-DD`. */
  readonly day: string;
  /** Returns an identifier for a reference; undefined if none may be used. */
  readonly idFor: (kind: string) => string | undefined;
  /** The ID of the record itself, which must be one that this run created. */
  readonly own: string | undefined;
  readonly isNew: boolean;
}

/** The document of a table, and its texts by element. */
export interface Body {
  readonly xml: string;
  readonly sent: ReadonlyMap<string, string>;
}

const DEEPEST = 3;

/** Returns undefined if a required value cannot be given. */
export function writeBody(root: string, table: RecordTable, parts: BodyParts): Body | undefined {
  const sent = new Map<string, string>();
  const inside = rowsOf(table, parts, sent, 0);
  return inside === undefined ? undefined : { xml: `<${root}>${inside}</${root}>`, sent };
}

function rowsOf(
  table: RecordTable,
  parts: BodyParts,
  sent: Map<string, string>,
  depth: number,
): string | undefined {
  let xml = '';
  for (const row of table.rows) {
    const text = rowText(row, parts, sent, depth);
    if (text === undefined && row.isRequired) return undefined;
    xml += text ?? '';
  }
  return xml;
}

function rowText(
  row: RecordRow,
  parts: BodyParts,
  sent: Map<string, string>,
  depth: number,
): string | undefined {
  if (row.holds === 'value') return valueText(row, parts, sent, depth);
  if (!row.isRequired || depth >= DEEPEST) return undefined;
  const inside = rowsOf(row.of, { ...parts, isNew: true, own: undefined }, sent, depth + 1);
  // A required record of which nothing can be given would only be refused.
  if (inside === undefined || inside === '') return undefined;
  const content = row.holds === 'list' ? `<${row.child}>${inside}</${row.child}>` : inside;
  return `<${row.element}>${content}</${row.element}>`;
}

type ValueRow = RecordRow & { readonly holds: 'value' };

/** Within nested records, gives only what is required. */
function valueText(
  row: ValueRow,
  parts: BodyParts,
  sent: Map<string, string>,
  depth: number,
): string | undefined {
  const { element, isRequired, isAttribute, kind } = row;
  if (isAttribute || (depth > 0 && !isRequired)) return undefined;
  const value = identifierOf(row, parts, depth) ?? plainValue(row, parts);
  if (value === undefined) return undefined;
  if (depth === 0 && kind === undefined) sent.set(element, value);
  return `<${element}>${escapeText(value)}</${element}>`;
}

/** The record's own identifier, or a reference; undefined if the row is neither, or has to be omitted. */
function identifierOf(
  { element, kind, isRequired }: ValueRow,
  parts: BodyParts,
  depth: number,
): string | undefined {
  if (element === 'ID' && depth === 0) return parts.isNew && !isRequired ? undefined : parts.own;
  if (element === 'ID') return parts.idFor(kind ?? '#Job');
  if (/^Job(?:ID|Number)?$/.test(element)) return parts.idFor('#Job');
  return kind !== undefined && isRequired ? parts.idFor(kind) : undefined;
}

function plainValue(row: ValueRow, parts: BodyParts): string | undefined {
  const { element, kind, format, isRequired } = row;
  if (kind !== undefined || element === 'ID' || !(isRequired || isPlain(row))) return undefined;
  const byName = texts.find(([pattern]) => pattern.test(element))?.[1];
  return byName === undefined ? byFormat[format]?.(parts) : byName(parts);
}

/** Whether the row has a place in V2 that accepts any text. */
const isPlain = ({ v2 }: ValueRow): boolean =>
  v2?.toV2.size === 0 && v2.via === undefined && v2.lost === undefined;

type Make = (parts: BodyParts) => string;

const compactDay: Make = ({ day }) => day.replaceAll('-', '');

/** Texts by the name of an element. */
const texts: readonly (readonly [RegExp, Make])[] = [
  [/^(?:Name|Title|Description|Text|Addressee)$/, ({ number, time }) => `Causeway verify ${number}, ${time}`],
  [/Email$/, ({ number }) => `verify${number}@example.com`],
  [/^(?:Phone|Mobile|Fax)$/, ({ number }) => `000 000 ${number}`],
  [/^FileName$/, () => 'verify.txt'],
  [/^Content$/, () => Buffer.from('verify').toString('base64')],
  [/^(?:City|PostalCity)$/, ({ number }) => `Example ${number}`],
  [/^Date$/, compactDay],
];

const byFormat: Readonly<Partial<Record<FormatName, Make>>> = {
  money: ({ number }) => `${number}.50`,
  decimal: ({ number }) => String(number),
  integer: ({ number }) => String(number),
  minutes: ({ number }) => String(number),
  yesNo: () => 'No',
  trueFalse: () => 'false',
  date: compactDay,
  plainDate: ({ day }) => day,
  compactDate: compactDay,
};
