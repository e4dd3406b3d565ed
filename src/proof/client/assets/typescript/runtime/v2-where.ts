/** Removes rows that the call did not ask for, because V2 has few filters. */
import { formatOf } from '../../../../../mapping/formats.ts';
import { entries, isObject, putAt, textOf, valueAt, type Find } from '../../../../../mapping/compile/path.ts';
import type { OnV2, Where } from '../../../../../proof/client/client-tables.ts';
import { dayIn, zoneOf } from '../../../../../proxy/translate/template-values.ts';
import { pathOf } from './v2-path.ts';
import { textFor, type Context } from './v2-template.ts';

type Test = (row: unknown, find: Find) => boolean;
/** Returns the row without unwanted entries, or undefined to drop it. */
export type Filter = (row: unknown, find: Find) => unknown;

/** Returns undefined if the call asks for all rows. */
export function filterOf(conditions: readonly Where[], context: Context): Filter | undefined {
  const tests = conditions.flatMap((one) => (one.of === undefined ? (testOf(one, context) ?? []) : []));
  const lists = Map.groupBy(
    conditions.filter(({ of }) => of !== undefined),
    ({ of }) => of ?? '',
  );
  if (tests.length === 0 && lists.size === 0) return undefined;
  return (row, find) => {
    if (!tests.every((test) => test(row, find))) return undefined;
    let left = row;
    for (const [of, all] of lists)
      left = left === undefined ? undefined : sifted(left, of, all, find, context);
    return left;
  };
}

function sifted(row: unknown, of: string, all: readonly Where[], find: Find, context: Context): unknown {
  const tests = all.map((one) => testOf(one, context) ?? everything);
  const wanted = entries(valueAt(row, pathOf(of), find)).filter((entry) =>
    tests.every((test) => test(entry, find)),
  );
  if (wanted.length === 0 || !isObject(row)) return undefined;
  const copy = structuredClone(row) as Record<string, unknown>;
  putAt(copy, pathOf(of), wanted);
  return copy;
}

const everything: Test = () => true;

/** Returns undefined if the call does not use this condition. */
function testOf({ paths, as, is, not, from, to, contains }: Where, context: Context): Test | undefined {
  const [wanted, unwanted] = [wordsIn(is, context), wordsIn(not, context)];
  const [lowest, highest] = [limitIn(from, context), limitIn(to, context)];
  const part = limitIn(contains, context)?.trim() ?? '';
  if (part === '' && [wanted, unwanted, lowest, highest].every((one) => one === undefined)) return undefined;
  const zone = zoneOf(lowest ?? highest, context.call.around.timeZone);
  return (row, find) => {
    const values = paths.map((path) => valueAt(row, pathOf(path), find));
    const value = as === undefined ? values[0] : formatOf(as).fromV2(values, () => undefined);
    const texts = (Array.isArray(value) ? value : [value]).map((one) => (textOf(one) ?? '').toLowerCase());
    if (wanted !== undefined && !texts.some((text) => wanted.has(text))) return false;
    if (unwanted !== undefined && texts.some((text) => unwanted.has(text))) return false;
    if (part !== '' && !texts.some((text) => text.includes(part))) return false;
    if (lowest === undefined && highest === undefined) return true;
    return texts.some((text) => isWithin(withoutZone(dayIn(zone, text)), lowest, highest));
  };
}

function wordsIn(templates: readonly string[] | undefined, context: Context): Set<string> | undefined {
  const texts = (templates ?? []).flatMap((template) => {
    const text = textFor(template, context).toLowerCase();
    return text === '' && template !== '' ? [] : [text];
  });
  return texts.length === 0 ? undefined : new Set(texts);
}

/** Returns undefined for an omitted parameter, which filters nothing. */
function limitIn(template: string | undefined, context: Context): string | undefined {
  const text = template === undefined ? '' : textFor(template, context);
  return text === '' ? undefined : withoutZone(text.toLowerCase());
}

/** Times are UTC. */
const withoutZone = (text: string): string => text.replace(/z$/, '');

/** ISO dates and times sort as text; a date includes its last moment. */
const isWithin = (text: string, lowest: string | undefined, highest: string | undefined): boolean =>
  text !== '' &&
  (lowest === undefined || text >= lowest) &&
  (highest === undefined || text.slice(0, highest.length) <= highest);

/** Returns the page of V1 that the call asks for, or all rows. */
export function cutOut(rows: readonly unknown[], page: OnV2['page'], context: Context): readonly unknown[] {
  const text = page === undefined ? '' : textFor(page[0], context).trim();
  if (page === undefined || text === '') return rows;
  const number = /^0*[1-9]\d{0,8}$/.test(text) ? Number(text) : 1;
  return rows.slice((number - 1) * page[1], number * page[1]);
}
