/** Texts with placeholders, filled with what is known at this point of a call to V2. */
import { formatOf, type FormatName } from '../../../../../mapping/formats.ts';
import { textOf, valueAt } from '../../../../../mapping/compile/path.ts';
import {
  parseTemplate,
  type Placeholder,
  type Template,
} from '../../../../../mapping/compile/generic/template.ts';
import type { Call } from './call.ts';
import type { RecordValue } from '../../../../../proof/client/client-tables.ts';
import type { Lookups } from './v2-lookups.ts';

/** What placeholders can refer to. */
export interface Context {
  readonly call: Call;
  readonly query: ReadonlyMap<string, string>;
  readonly body: RecordValue | undefined;
  /** Of the steps so far, by name. */
  readonly answers: ReadonlyMap<string, unknown>;
  readonly item: unknown;
  readonly lookups: Lookups;
}

const DAY = 86_400_000;
const templates = new Map<string, Template>();

function partsOf(text: string): Template {
  const known = templates.get(text);
  if (known !== undefined) return known;
  const template = parseTemplate(text);
  if (template === undefined) throw new Error(`not a template: ${text}`);
  templates.set(text, template);
  return template;
}

/** Of a single placeholder its value unchanged, otherwise text. Throws `InvalidCall`. */
export function filled(template: string, context: Context): unknown {
  const [only, ...rest] = partsOf(template);
  return rest.length === 0 && typeof only === 'object' ? placed(only, context) : textFor(template, context);
}

/** A placeholder without a value is empty. Throws `InvalidCall`. */
export const textFor = (template: string, context: Context): string =>
  partsOf(template)
    .map((part) => (typeof part === 'string' ? part : (textOf(placed(part, context)) ?? '')))
    .join('');

function placed(placeholder: Placeholder, context: Context): unknown {
  const value = raw(placeholder, context);
  const { format, root, path } = placeholder;
  if (format === undefined) return value;
  const text = textOf(value) ?? '';
  if (text === '') return undefined;
  const [formatted] = formatOf(format as FormatName).toV2?.(text) ?? [];
  const [first] = path;
  if (formatted === undefined && root === 'query' && first?.step === 'key')
    throw context.call.invalid(`Invalid value for ${first.name}`);
  return formatted;
}

function raw({ root, path }: Placeholder, context: Context): unknown {
  const { call, lookups } = context;
  const [first, ...rest] = path;
  const name = first?.step === 'key' ? first.name : '';
  if (call.input.path !== undefined && Object.hasOwn(call.input.path, root)) return call.placed(root);
  switch (root) {
    case 'query':
      return context.query.get(name.toLowerCase());
    case 'body':
      return valueAt(context.body, path, lookups.finder(undefined));
    case 'item':
      return valueAt(context.item, path, lookups.finder(undefined));
    case 'default':
      return call.around.shared.defaults[name];
    case 'first': {
      const all = lookups.all(name);
      return valueAt(rest[0]?.step === 'which' ? all : all[0], rest, lookups.finder(undefined));
    }
    default: {
      const answer = context.answers.get(root);
      return dayOf(root, call.around.now()) ?? valueAt(answer, path, lookups.finder(answer));
    }
  }
}

/** `today`, `today+30`; undefined for anything else. */
function dayOf(root: string, now: number): string | undefined {
  const today = /^today(?:\+(\d+))?$/.exec(root);
  return today === null ? undefined : new Date(now + Number(today[1] ?? 0) * DAY).toISOString().slice(0, 10);
}

/** Nothing, in any form a value can have. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);
