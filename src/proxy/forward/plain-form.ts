/**
 * The plain form of a record of V3, compiled once from its table: the form that `scanner.ts` accepts.
 *
 * Elements come in the order of the rows, without attributes; only a record's UUID may come right after its number, and
 * elements without a row at the end. Neighbouring rows whose elements are the same in the legacy form become one
 * regular expression, which checks names, order and texts at once; every other row is an element of its own.
 */
import type { RecordRow, RecordTable } from '../../mapping/compile/model.ts';
import type { Kind } from '../../mapping/crosswalk/identifier.ts';
import { formatOf } from '../../mapping/formats.ts';

/** A record in plain form. */
export interface PlainForm {
  readonly tags: Tags;
  /** In the order of the rows. */
  readonly parts: readonly Part[];
  /** The names that rows read: these elements cannot be left out. */
  readonly names: ReadonlySet<string>;
}

/** An element, or several that are usually copied as they are. */
export type Part = PlainElement | Run;

/** Neighbouring elements. */
export interface Run {
  readonly elements: readonly PlainElement[];
  /** Sticky; matches the elements if all can be copied. */
  readonly pattern: RegExp;
}

/** Start and end tag. */
export interface Tags {
  readonly begin: string;
  readonly end: string;
}

/** How one row writes its element in the legacy form. */
export interface Written extends Tags {
  /** Written if the element is empty, a list has no entries, or a record is not set. */
  readonly empty: string;
  readonly kind: Kind | undefined;
  readonly format: ((text: string) => string) | undefined;
  /** Only the strict reader can write its text. */
  readonly isForeign: boolean;
}

/** An element of V3 and everything it becomes in the legacy form. */
export interface PlainElement {
  readonly name: 'UUID' | 'ID' | 'other';
  /** V3's tags. */
  readonly tags: Tags;
  /** V3's forms of the empty element. */
  readonly emptyTags: readonly string[];
  /** The legacy text if V3 left the element out; undefined: only the strict reader can tell. */
  readonly absent: string | undefined;
  /** The legacy text if the element is empty. */
  readonly empty: string;
  /** Whether it has another name in the legacy form. */
  readonly isRenamed: boolean;
  /** Whether its text is always the same in the legacy form as in V3. */
  readonly isCopied: boolean;
  /** Neighbouring rows that read the same element; only one for a record or list. */
  readonly written: readonly Written[];
  /** `early`: a value that is written further on, at the `late` element. */
  readonly holds: 'value' | 'one' | 'list' | 'early' | 'late';
  /** The form of the record, or of each entry of the list. */
  readonly of: PlainForm | undefined;
}

/** Text that the strict reader would neither refuse nor change, with references to three characters only. */
const PLAIN = '[^<>&\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\ufffe\\uffff]*';
const TEXT = `${PLAIN}(?:&(?:amp|lt|gt);${PLAIN})*`;
/** Text at the position asked for; always matches. */
export const PLAIN_TEXT = new RegExp(TEXT, 'y');
/** An element that contains only text. */
export const PLAIN_LEAF = new RegExp(`<([A-Za-z]+)>(${TEXT})</\\1>`, 'y');

type Known = WeakMap<RecordTable, Map<string, PlainForm>>;

/** Many methods return the same records, and forms and tables never change. */
const all: Known = new WeakMap();

/** The plain form of a record whose element has this name. */
export function plainForm(element: string, table: RecordTable): PlainForm {
  return formOf(element, table, all);
}

/** `known` holds the forms already begun, because a record may contain itself. */
function formOf(element: string, table: RecordTable, known: Known): PlainForm {
  const forms = known.get(table) ?? new Map<string, PlainForm>();
  known.set(table, forms);
  const begun = forms.get(element);
  if (begun !== undefined) return begun;
  const parts: Part[] = [];
  const names = new Set(['UUID', 'ID', ...table.rows.flatMap(({ v3, also }) => [v3, ...also])]);
  const form = { tags: tagsOf(element), parts, names };
  forms.set(element, form);
  parts.push(...inRuns(elementsOf(table, known)));
  return form;
}

/** The elements in the order of the rows, with the UUID after a number. */
function elementsOf(table: RecordTable, known: Known): readonly PlainElement[] {
  const groups = byElement(table.rows);
  const own = groups.findIndex(([{ v3 }]) => v3 === 'UUID');
  const hasEarly = groups[0]?.[0].v3 === 'ID' && own !== 1;
  return groups.flatMap((rows, place) => {
    const element = elementOf(rows, isOnlyHere(rows, groups), known);
    if (place === own && hasEarly) return [{ ...element, holds: 'late' }];
    return place === 0 && hasEarly ? [element, EARLY] : [element];
  });
}

/** Joins neighbours that are copied. */
function inRuns(elements: readonly PlainElement[]): readonly Part[] {
  const parts: Part[] = [];
  let run: PlainElement[] = [];
  const endRun = (): void => {
    if (run.length > 0) parts.push({ elements: run, pattern: new RegExp(run.map(patternOf).join(''), 'y') });
    run = [];
  };
  for (const element of elements)
    if (element.isCopied) run.push(element);
    else {
      endRun();
      parts.push(element);
    }
  endRun();
  return parts;
}

const patternOf = ({ tags: { begin, end }, absent }: PlainElement): string =>
  `(?:${begin}${TEXT}${end})${absent === '' ? '?' : ''}`;

const tagsOf = (name: string): Tags => ({ begin: `<${name}>`, end: `</${name}>` });

/** The UUID at the place where V3 prints it for a record that also has a number. */
const EARLY: PlainElement = {
  name: 'UUID',
  tags: tagsOf('UUID'),
  emptyTags: [],
  absent: '',
  empty: '',
  isRenamed: false,
  isCopied: false,
  written: [],
  holds: 'early',
  of: undefined,
};

type Rows = readonly [RecordRow, ...RecordRow[]];

/** Whether no other rows read the same elements. */
function isOnlyHere(rows: Rows, groups: readonly Rows[]): boolean {
  const names = new Set(rows.flatMap(({ v3, also }) => [v3, ...also]));
  return groups.every((others) => others === rows || !names.has(others[0].v3));
}

/** Groups neighbouring rows that read the same element. */
function byElement(rows: readonly RecordRow[]): readonly Rows[] {
  const groups: [RecordRow, ...RecordRow[]][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.[0].v3 === row.v3) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** Whether the element can be copied; `UUID` and `ID` cannot, because they may have to identify the record. */
const isCopied = (row: RecordRow): boolean =>
  row.holds === 'value' &&
  row.kind === undefined &&
  row.element === row.v3 &&
  row.also.length === 0 &&
  row.unset !== 'omit' &&
  row.format !== 'documentLink' &&
  formatOf(row.format).fromV3 === undefined &&
  row.v3 !== 'UUID' &&
  row.v3 !== 'ID';

/** `isKnown`: no other rows read the element. */
function elementOf(rows: Rows, isKnown: boolean, known: Known): PlainElement {
  const [row] = rows;
  const isAlone = rows.length === 1;
  return {
    name: row.v3 === 'UUID' || row.v3 === 'ID' ? row.v3 : 'other',
    tags: tagsOf(row.v3),
    emptyTags: [`<${row.v3} />`, `<${row.v3}/>`],
    absent: isKnown ? rows.map(absentOf).join('') : undefined,
    empty: rows.map(emptyOf).join(''),
    isRenamed: row.element !== row.v3,
    isCopied: isKnown && isAlone && isCopied(row),
    written: rows.map(writtenOf),
    ...(isAlone ? nestedIn(row, known) : NOT_NESTED),
  };
}

const NOT_NESTED = { holds: 'value', of: undefined } as const;

function nestedIn(row: RecordRow, known: Known): Pick<PlainElement, 'holds' | 'of'> {
  if (row.holds === 'one') return { holds: 'one', of: formOf(row.v3, row.of, known) };
  return row.holds === 'list' ? { holds: 'list', of: formOf(row.child, row.of, known) } : NOT_NESTED;
}

const writtenOf = (row: RecordRow): Written => ({
  ...tagsOf(row.element),
  empty: emptyOf(row),
  kind: row.holds === 'value' ? row.kind : undefined,
  format: row.holds === 'value' ? formatOf(row.format).fromV3 : undefined,
  isForeign: row.holds !== 'value' || row.format === 'documentLink',
});

function emptyOf(row: RecordRow): string {
  if (row.holds === 'list') return `<${row.element} />`;
  return row.holds === 'value' && row.unset !== 'omit' ? `<${row.element}></${row.element}>` : '';
}

function absentOf(row: RecordRow): string {
  if (row.holds === 'list')
    return row.unset === 'empty' && row.v2?.detailedOnly !== true ? `<${row.element} />` : '';
  return row.holds === 'value' && row.unset === 'empty' ? `<${row.element}></${row.element}>` : '';
}
