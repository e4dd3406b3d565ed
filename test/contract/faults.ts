import type { Method, RecordTable } from '../../src/mapping/compile/model.ts';
import { xmlOf } from './requests.ts';
import type { Writing } from './writings.ts';

/** A wrong value for one element of a request, by its path; undefined: the element is left out. */
export interface Fault {
  readonly element: string;
  readonly is: 'missing' | 'bad' | 'unknown';
  readonly value: string | undefined;
}

const UNKNOWN = '999999999';
/** Texts that no form accepts. */
const BAD: Readonly<Record<string, string>> = {
  yesNo: 'perhaps',
  trueFalse: 'perhaps',
  date: '20260230',
  plainDate: '1980-02-30',
  money: 'much',
  decimal: 'much',
  minutes: 'long',
  timeOfDay: '25:61',
};

/** Elements that name a record by its number as text. */
const CODES: ReadonlySet<string> = new Set(['job.ID', 'Job', 'JobNumber']);

/** What can be wrong with the elements of a method's request, one at a time. */
export function faultsOf({ base }: Writing, { id, body }: Method): readonly Fault[] {
  const isCode = (element: string): boolean =>
    CODES.has(element) || CODES.has(`${id.split('.', 1)[0] ?? ''}.${element}`);
  const rows = rowsOf(body?.of ?? { rows: [] });
  const missing = Object.keys(base).map((element): Fault => ({ element, is: 'missing', value: undefined }));
  const wrong = rows.flatMap(({ element, kind, format }): readonly Fault[] => {
    if (kind !== undefined) return [{ element, is: 'unknown', value: UNKNOWN }];
    if (isCode(element) && id !== 'job.add') return [{ element, is: 'unknown', value: 'J999999' }];
    const bad = BAD[format];
    return bad === undefined ? [] : [{ element, is: 'bad', value: bad }];
  });
  return [...missing, ...wrong];
}

interface Row {
  readonly element: string;
  readonly kind: string | undefined;
  readonly format: string;
}

function rowsOf({ rows }: Pick<RecordTable, 'rows'>, under = ''): readonly Row[] {
  return rows.flatMap((row): readonly Row[] => {
    const element = `${under}${row.element}`;
    if (row.holds === 'value')
      return row.isAttribute ? [] : [{ element, kind: row.kind, format: row.format }];
    return rowsOf(row.of, row.holds === 'list' ? `${element}/${row.child}/` : `${element}/`);
  });
}

/** Each fault by itself, and each two of different elements. */
export function pairsOf(faults: readonly Fault[]): readonly (readonly Fault[])[] {
  const pairs = faults.flatMap((one, at) =>
    faults.slice(at + 1).flatMap((other) => (other.element === one.element ? [] : [[one, other]])),
  );
  return [...faults.map((one) => [one]), ...pairs];
}

/** The request with these faults; the rest of it is as it has to be. */
export function faulty({ base }: Writing, { body }: Method, faults: readonly Fault[]): string {
  const elements: Record<string, string | undefined> = { ...base };
  for (const { element, value } of faults) elements[element] = value;
  const root = body?.root ?? '';
  return `<${root}>${xmlOf(elements)}</${root}>`;
}

/** What a request is called by its faults. */
export const nameOf = (method: string, faults: readonly Fault[]): string =>
  `${method}: ${faults.map(({ is, element }) => `${is} ${element}`).join(', ')}`;
