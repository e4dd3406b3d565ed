import { formatOf } from '../../mapping/formats.ts';
import {
  entries,
  isObject,
  putAt,
  textOf,
  valueAt,
  walkOf,
  type Find,
  type Path,
} from '../../mapping/compile/path.ts';
import type { V2Row, Where } from '../../mapping/compile/v2/v2-model.ts';
import type { Context } from './context.ts';
import { dayIn, textIn, zoneOf } from './template-values.ts';

type Test = (row: unknown, find: Find) => boolean;
/**
 * Returns the row as it is passed on: whole, without the unwanted entries of a list, or undefined if it is left out.
 */
export type Filter = (row: unknown, find: Find) => unknown;

/**
 * The call parameters, in lower case, that the conditions refer to; a call with none of them asks for all rows.
 * Undefined: some rows are left out in any case.
 */
export function parametersIn(conditions: readonly Where[]): readonly string[] | undefined {
  const names: string[] = [];
  for (const { of, is = [], not = [], from, to, contains } of conditions)
    for (const template of [...is, ...not, from, to, contains]) {
      const [part, ...rest] = template ?? [];
      const first = typeof part === 'object' && part.root === 'query' ? part.path[0] : undefined;
      if (template === undefined) continue;
      if (of !== undefined || rest.length > 0 || first?.step !== 'key') return undefined;
      names.push(first.name.toLowerCase());
    }
  return names;
}

/**
 * Compares each row with the values that the legacy call asked for, because V2 has few filters. `deletedAt` is the
 * service's own mark. Undefined: this call asked for all rows.
 */
export function filterOf(conditions: readonly Where[], context: Context): Filter | undefined {
  const tests = conditions.flatMap((one) => (one.of === undefined ? (testOf(one, context) ?? []) : []));
  const lists = new Map<string, { readonly of: Path; readonly tests: Test[] }>();
  for (const condition of conditions) {
    if (condition.of === undefined) continue;
    const key = JSON.stringify(condition.of);
    const list = lists.get(key) ?? { of: condition.of, tests: [] };
    lists.set(key, list);
    list.tests.push(testOf(condition, context) ?? everything);
  }
  if (tests.length === 0 && lists.size === 0) return undefined;
  return (row, find) => {
    if (!tests.every((test) => test(row, find))) return undefined;
    let left = row;
    for (const list of lists.values()) left = left === undefined ? undefined : sifted(left, list, find);
    return left;
  };
}

/** The row with the entries of a list that pass; undefined if none passes. */
function sifted(
  row: unknown,
  { of, tests }: { readonly of: Path; readonly tests: readonly Test[] },
  find: Find,
): unknown {
  const wanted = entries(valueAt(row, of, find)).filter((entry) => tests.every((test) => test(entry, find)));
  if (wanted.length === 0 || !isObject(row)) return undefined;
  const copy = structuredClone(row) as Record<string, unknown>;
  putAt(copy, of, wanted);
  return copy;
}

const everything: Test = () => true;

/** Undefined: the call has no value for the condition. */
function testOf({ paths, format, is, not, from, to, contains }: Where, context: Context): Test | undefined {
  const words = (templates: Where['is']): ReadonlySet<string> | undefined => {
    const texts = templates?.flatMap((template) => {
      const text = textIn(template, context).toLowerCase();
      return text === '' && template.length > 0 ? [] : [text];
    });
    return texts === undefined || texts.length === 0 ? undefined : new Set(texts);
  };
  const [wanted, unwanted] = [words(is), words(not)];
  // A parameter that the caller left out does not filter.
  const [lowest, highest] = [limit(from, context), limit(to, context)];
  const part = limit(contains, context)?.trim();
  if ([wanted, unwanted, lowest, highest, part ?? ''].every((one) => one === undefined || one === ''))
    return undefined;
  const zone = zoneOf(lowest ?? highest, context.zone);
  const walks = paths.map((path) => walkOf(path));
  return (row, find) => {
    const values = walks.map((walk) => walk(row, find));
    const value = format === undefined ? values[0] : formatOf(format).fromV2(values, () => undefined);
    const texts = textsOf(value).map((text) => text.toLowerCase());
    if (wanted !== undefined && !texts.some((text) => wanted.has(text))) return false;
    if (unwanted !== undefined && texts.some((text) => unwanted.has(text))) return false;
    if (part !== undefined && part !== '' && !texts.some((text) => text.includes(part))) return false;
    if (lowest === undefined && highest === undefined) return true;
    return texts.some((text) => isWithin(dayIn(zone, text), lowest, highest));
  };
}

function limit(template: Where['from'], context: Context): string | undefined {
  const text = template && textIn(template, context);
  return text === undefined || text === '' ? undefined : withoutZone(text);
}

/** Times are UTC; without the trailing Z, a fraction of a second sorts after the whole second. */
const withoutZone = (text: string): string => text.toLowerCase().replace(/z$/, '');

/** ISO dates and times sort as text; a date includes its last moment. */
function isWithin(given: string, lowest: string | undefined, highest: string | undefined): boolean {
  const text = withoutZone(given);
  if (text === '') return false;
  if (lowest !== undefined && text < lowest) return false;
  return highest === undefined || text.slice(0, highest.length) <= highest;
}

/** An empty text for no value, so that a condition can refer to it. */
function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => textOf(entry) ?? []);
  return [textOf(value) ?? ''];
}

/** Records of a held list that are written at once. */
const ROWS = 100;

/** The rows in portions of this size, as if they had come in pages. */
export async function* inBatches(rows: readonly unknown[]): AsyncGenerator<readonly unknown[]> {
  for (let at = 0; at < rows.length; at += ROWS) yield rows.slice(at, at + ROWS);
}

/** A page of V1, if the call names one; anything but a number counts as the first page. */
export function cutOut(
  rows: readonly unknown[],
  page: V2Row['reply']['page'],
  context: Context,
): readonly unknown[] {
  const text = page && textIn(page.number, context).trim();
  if (page === undefined || text === undefined || text === '') return rows;
  const number = /^0*[1-9]\d{0,8}$/.test(text) ? Number(text) : 1;
  return rows.slice((number - 1) * page.size, number * page.size);
}
