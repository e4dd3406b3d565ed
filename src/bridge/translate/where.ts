import { formatOf } from '../formats.ts';
import { textOf, valueAt, type Find } from '../mapping/path.ts';
import type { Where } from '../mapping/v2-model.ts';
import { textIn, type Context } from './context.ts';

/** Whether a row of the answer goes on. */
export type Filter = (row: unknown, find: Find) => boolean;

/** V2 has few filters: what the legacy call asked for is held against each row. `deletedAt` is the service's own mark. */
export function filterOf(conditions: readonly Where[], context: Context): Filter {
  const tests = conditions.map((condition) => testOf(condition, context));
  return (row, find) => tests.every((test) => test(row, find));
}

function testOf({ paths, format, is, not, from, to, contains }: Where, context: Context): Filter {
  const words = (templates: Where['is']): ReadonlySet<string> | undefined =>
    templates && new Set(templates.map((template) => textIn(template, context).toLowerCase()));
  const [wanted, unwanted] = [words(is), words(not)];
  // A parameter the caller left out filters nothing.
  const [lowest, highest] = [limit(from, context), limit(to, context)];
  const part = contains && textIn(contains, context).trim().toLowerCase();
  return (row, find) => {
    const values = paths.map((path) => valueAt(row, path, find));
    const value = format === undefined ? values[0] : formatOf(format).fromV2(values, () => undefined);
    const texts = textsOf(value).map((text) => text.toLowerCase());
    if (wanted !== undefined && !texts.some((text) => wanted.has(text))) return false;
    if (unwanted !== undefined && texts.some((text) => unwanted.has(text))) return false;
    if (part !== undefined && part !== '' && !texts.some((text) => text.includes(part))) return false;
    if (lowest === undefined && highest === undefined) return true;
    return texts.some((text) => isWithin(text, lowest, highest));
  };
}

function limit(template: Where['from'], context: Context): string | undefined {
  const text = template && textIn(template, context);
  return text === undefined || text === '' ? undefined : text.toLowerCase();
}

/** ISO days and moments order as text; a day ends with its last moment. */
function isWithin(text: string, lowest: string | undefined, highest: string | undefined): boolean {
  if (text === '') return false;
  if (lowest !== undefined && text < lowest) return false;
  return highest === undefined || text.slice(0, highest.length) <= highest;
}

/** Of nothing at all the empty text, so that a condition can speak of it. */
function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => textOf(entry) ?? []);
  return [textOf(value) ?? ''];
}
