import type { Failure } from '../../lib/failure.ts';
import { formatOf, type FormatName } from '../../mapping/formats.ts';
import { isObject, textOf, valueAt } from '../../mapping/compile/path.ts';
import type { Placeholder, Template } from '../../mapping/compile/generic/template.ts';
import type { V2Step, V2Tables } from '../../mapping/compile/v2/v2-model.ts';
import type { Given } from './lookups/given.ts';
import type { Lookups } from './lookups/lookups.ts';

/** The values for the placeholders of a template at this point of a call. */
export interface Context {
  /** Placeholders of the legacy path by kind, identifiers translated. */
  readonly path: ReadonlyMap<string, string>;
  /** By name in lower case. */
  readonly query: ReadonlyMap<string, string>;
  readonly body: Given | undefined;
  /** Answers of the steps so far. */
  readonly answers: ReadonlyMap<string, unknown>;
  readonly item: unknown;
  readonly tables: V2Tables;
  readonly lookups: Lookups;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The failure if a parameter of the call does not have its form. */
  readonly unreadable: (parameter: string) => Failure;
}

const DAY = 86_400_000;

/** The value of a template: for a single placeholder unchanged, otherwise as text. */
export function valueOf(template: Template, context: Context): unknown {
  const [only, ...rest] = template;
  if (rest.length === 0 && typeof only === 'object') return placed(only, context);
  return textIn(template, context);
}

/** The text of a template; a placeholder without a value is empty. */
export function textIn(template: Template, context: Context): string {
  let text = '';
  for (const part of template)
    text += typeof part === 'string' ? part : (textOf(placed(part, context)) ?? '');
  return text;
}

function placed(placeholder: Placeholder, context: Context): unknown {
  const value = raw(placeholder, context);
  const { format } = placeholder;
  if (format === undefined) return value;
  const text = textOf(value) ?? '';
  if (text === '') return undefined;
  const [formatted] = formatOf(format as FormatName).toV2?.(text) ?? [];
  const [first] = placeholder.path;
  if (formatted === undefined && placeholder.root === 'query' && first?.step === 'key')
    throw context.unreadable(first.name);
  return formatted;
}

function raw({ root, path }: Placeholder, context: Context): unknown {
  const given = context.path.get(root);
  if (given !== undefined) return given;
  const [first, ...rest] = path;
  const name = first?.step === 'key' ? first.name : '';
  const { lookups } = context;
  switch (root) {
    case 'query':
      return context.query.get(name.toLowerCase());
    case 'body':
      return valueAt(context.body, path, lookups.finder(undefined));
    case 'item':
      return valueAt(context.item, path, lookups.finder(undefined));
    case 'default':
      return context.tables.defaults.get(name);
    case 'first':
      return rest[0]?.step === 'which'
        ? valueAt(lookups.all(name), rest, lookups.finder(undefined))
        : valueAt(lookups.first(name), rest, lookups.finder(undefined));
    default:
      return dayOf(root, context) ?? answerAt(root, path, context);
  }
}

/** `today`, `today+30`; undefined for anything else. */
function dayOf(root: string, { now }: Context): string | undefined {
  const today = /^today(?:\+(\d+))?$/.exec(root);
  return today === null ? undefined : new Date(now + Number(today[1] ?? 0) * DAY).toISOString().slice(0, 10);
}

function answerAt(name: string, path: Placeholder['path'], { answers, lookups }: Context): unknown {
  const answer = answers.get(name);
  return valueAt(answer, path, lookups.finder(answer));
}

/** Nothing, in any form a value can have: absent, null, an empty text, list or object. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

/** Whether there is anything for a step to do. */
export function isSo({ value, is }: NonNullable<V2Step['when']>, context: Context): boolean {
  const given = valueOf(value, context);
  if (isEmpty(given)) return false;
  return is === undefined || textOf(given)?.toLowerCase() === textIn(is, context).toLowerCase();
}
