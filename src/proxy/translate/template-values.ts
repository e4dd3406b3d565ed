/**
 * The values of templates (`mapping/compile/generic/template.ts`) at one point of a call. Clients written by `causeway
 * client` contain an exact copy of this module.
 */
import { isUuid } from '../../lib/text/uuid.ts';
import { formatOf, hasOffset, type FormatName } from '../../mapping/formats.ts';
import { isObject, textOf, valueAt, type Find } from '../../mapping/compile/path.ts';
import type { Placeholder, Template } from '../../mapping/compile/generic/template.ts';

/** What placeholders refer to. */
export interface TemplateContext {
  /** Placeholders of the legacy path by kind, in the service's form. */
  readonly path: { get(kind: string): string | undefined };
  /** By name in lower case. */
  readonly query: ReadonlyMap<string, string>;
  readonly body: unknown;
  /** Answers of the steps so far. */
  readonly answers: ReadonlyMap<string, unknown>;
  readonly item: unknown;
  readonly tables: { readonly defaults: { get(name: string): unknown } };
  readonly lookups: {
    finder(root: unknown): Find;
    /** The entries of a list in the service's order. */
    all(table: string): readonly unknown[];
  };
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whose day `{today}` is; undefined: UTC. */
  readonly zone?: string | undefined;
  /** The failure for a parameter of the call in the wrong form. */
  readonly unreadable: (parameter: string) => Error;
}

const DAY = 86_400_000;

/** The value of a template: for a single placeholder unchanged, otherwise as text. */
export function valueOf(template: Template, context: TemplateContext): unknown {
  const [only, ...rest] = template;
  if (rest.length === 0 && typeof only === 'object') return placed(only, context);
  return textIn(template, context);
}

/** The text of a template; a placeholder without a value becomes empty. */
export function textIn(template: Template, context: TemplateContext): string {
  let text = '';
  for (const part of template) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const given = part.format === undefined ? context.path.get(part.root) : undefined;
    text += given ?? textOf(placed(part, context)) ?? '';
  }
  return text;
}

function placed(placeholder: Placeholder, context: TemplateContext): unknown {
  const value = raw(placeholder, context);
  const { format } = placeholder;
  if (format === undefined) return value;
  const text = textOf(value) ?? '';
  if (text === '') return undefined;
  const formatted = formattedAs(format as FormatName, text, placeholder);
  const [first] = placeholder.path;
  if (formatted === undefined && placeholder.root === 'query' && first?.step === 'key')
    throw context.unreadable(first.name);
  return formatted;
}

/** Of a parameter with an offset nobody knows whether the day of its writer or that of UTC is meant. */
function formattedAs(format: FormatName, text: string, { root }: Placeholder): unknown {
  return root === 'query' && hasOffset(text) ? undefined : formatOf(format).toV2?.(text)?.[0];
}

function raw({ root, path }: Placeholder, context: TemplateContext): unknown {
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
      return firstOf(lookups.all(name), rest, lookups);
    case 'yesterday':
      // Of UTC: it has begun in every time zone, whichever the service compares in.
      return new Date(context.now - DAY).toISOString().slice(0, 10);
    default:
      return dayOf(root, context) ?? answerAt(root, path, context);
  }
}

/** A value of the first entry of a look-up list, or of the first that matches. */
function firstOf(
  all: readonly unknown[],
  path: Placeholder['path'],
  lookups: TemplateContext['lookups'],
): unknown {
  return valueAt(path[0]?.step === 'which' ? all : all[0], path, lookups.finder(undefined));
}

/** `today`, `today+30`; undefined for anything else. */
function dayOf(root: string, { now, zone = 'UTC' }: TemplateContext): string | undefined {
  const today = /^today(?:\+(\d+))?$/.exec(root);
  if (today === null) return undefined;
  // Swedish dates are those of ISO 8601. Days are added in UTC, where each has 24 hours.
  const day =
    zone === 'UTC' ? now : Date.parse(new Date(now).toLocaleDateString('sv-SE', { timeZone: zone }));
  return new Date(day + Number(today[1] ?? 0) * DAY).toISOString().slice(0, 10);
}

const MOMENT = /^\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?z$/i;
const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** The day of a moment of V2 in the zone of the account; any other text unchanged. */
export function dayIn(zone: string | undefined, text: string): string {
  if (zone === undefined || zone === 'UTC' || !MOMENT.test(text)) return text;
  const format = dayFormats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  dayFormats.set(zone, format);
  const at = Date.parse(text.toUpperCase());
  return Number.isNaN(at) ? text : format.format(at);
}

/** The zone of a limit that is a day, which is one of the account; a moment is UTC. */
export const zoneOf = (limit: string | undefined, zone: string | undefined): string | undefined =>
  limit?.length === 10 ? zone : undefined;

function answerAt(name: string, path: Placeholder['path'], { answers, lookups }: TemplateContext): unknown {
  const answer = answers.get(name);
  return valueAt(answer, path, lookups.finder(answer));
}

/** Whether a value is absent, null, or an empty text, list or object. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

/** A condition: there is a value or, with `is`, the same text in any case. */
export interface Condition {
  readonly value: Template;
  readonly is: Template | undefined;
}

/** Whether a condition holds. */
export function isSo({ value, is }: Condition, context: TemplateContext): boolean {
  const given = valueOf(value, context);
  // V1 takes a blank text for none.
  if (isEmpty(typeof given === 'string' ? given.trim() : given)) return false;
  return is === undefined || textOf(given)?.toLowerCase() === textIn(is, context).toLowerCase();
}

/** UUIDs in any case (RFC 9562, section 4); numbers are free text, and V1 tells their cases apart. */
export const isSameIdentifier = (one: string | undefined, other: string): boolean =>
  one === other || (isUuid(other) && one?.toLowerCase() === other.toLowerCase());
