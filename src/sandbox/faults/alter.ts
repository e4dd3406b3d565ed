/**
 * Alters answers by rule, to simulate a service that differs from the one a program was written for.
 *
 * `replace` works on any text, `rename` on the names of elements and keys. The others work on XML elements by
 * name: every element of that name in the answer, or the one at a given position. `header` and `status`
 * change what precedes the body. `path` and `parameter` change which requests the service recognises: it no
 * longer knows the old address or name, and the new one takes over its meaning.
 */
import { z } from 'zod';

const element = z.string().regex(/^[A-Za-z_][\w.-]{0,63}$/);
const place = z.string().regex(/^[\w.-]+(\/[\w.-]+)*$/);
const keys = z.string().regex(/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/);
const parameter = z.string().regex(/^[\w-]+$/);
const at = z.int().nonnegative().optional();

/** One change of an answer. `at`: only the element at this position, from 0. */
export const alterSchema = z.discriminatedUnion('change', [
  z.strictObject({
    change: z.literal('replace'),
    pattern: z.string().min(1).max(500),
    with: z.string().max(500),
  }),
  z.strictObject({ change: z.literal('value'), element, at, to: z.string().max(500) }),
  /** Removes the element; given the name of a record, removes the record. */
  z.strictObject({ change: z.literal('remove'), element, at, count: z.int().positive().default(1) }),
  z.strictObject({ change: z.literal('repeat'), element, at, count: z.int().positive().default(1) }),
  /** Adds an element with this text after each match. */
  z.strictObject({ change: z.literal('add'), element, at, name: element, to: z.string().max(500) }),
  /** Reverses the order of the elements with this name. */
  z.strictObject({ change: z.literal('reverse'), element }),
  z.strictObject({ change: z.literal('round'), element, at, places: z.int().min(0).max(6) }),
  /** Moves a date and time by hours. */
  z.strictObject({ change: z.literal('shift'), element, at, hours: z.number().min(-14).max(14) }),
  /** Replaces the text by a different one at every call. */
  z.strictObject({ change: z.literal('count'), element, at }),
  z.strictObject({ change: z.literal('rename'), name: element, to: element }),
  /** Moves a JSON value to other keys: `contactDetails.fax` becomes `fax`. */
  z.strictObject({ change: z.literal('move'), from: keys, to: keys }),
  /** Removes the field if neither `as` nor `to` is given. */
  z.strictObject({
    change: z.literal('header'),
    name: z.string().min(1),
    as: z.string().min(1).optional(),
    to: z.string().optional(),
  }),
  z.strictObject({ change: z.literal('status'), to: z.int().min(200).max(599) }),
  /** Parts of the address below the root: `job-status`, `client.api/documents`. */
  z.strictObject({ change: z.literal('path'), from: place, to: place }),
  z.strictObject({ change: z.literal('parameter'), from: parameter, to: parameter }),
]);

/** One rule of an `alter` fault. */
export type Alteration = z.infer<typeof alterSchema>;

/** A rule that changes which requests the service recognises. */
export type RequestAlteration = Extract<Alteration, { readonly change: 'path' | 'parameter' }>;

/** Whether the rule applies to requests rather than answers. */
export const isOnRequests = (rule: Alteration): rule is RequestAlteration =>
  rule.change === 'path' || rule.change === 'parameter';

/** Replaces an address that is no longer recognised. */
const NOWHERE = 'gone';

/** Returns the address of a request as a service under this rule interprets it. */
export function understood(url: string, rule: RequestAlteration): string {
  const [path = '', query] = url.split('?', 2);
  if (rule.change === 'path') {
    const isThere = (place: string): boolean => `${path}/`.includes(`/${place}/`);
    const meant = (place: string): string =>
      `${path}/`.replace(`/${place}/`, () => `/${place === rule.to ? rule.from : NOWHERE}/`).slice(0, -1);
    const changed = isThere(rule.to) ? meant(rule.to) : isThere(rule.from) ? meant(rule.from) : path;
    return query === undefined ? changed : `${changed}?${query}`;
  }
  if (query === undefined) return url;
  const pairs = query.split('&').flatMap((pair) => {
    const [name = ''] = pair.split('=', 1);
    if (name.toLowerCase() === rule.to.toLowerCase()) return [rule.from + pair.slice(name.length)];
    return name.toLowerCase() === rule.from.toLowerCase() ? [] : [pair];
  });
  return `${path}?${pairs.join('&')}`;
}

/**
 * Returns the altered text. `call`: how many answers the rule has changed before. Rules that do not concern
 * the body leave it unchanged.
 */
export function altered(text: string, rule: Alteration, call: number): string {
  if (rule.change === 'replace') return text.replace(new RegExp(rule.pattern, 'g'), rule.with);
  if (rule.change === 'rename') return renamed(text, rule.name, rule.to);
  if (rule.change === 'move') return movedIn(text, rule);
  return 'element' in rule ? alteredElements(text, rule, call) : text;
}

function alteredElements(text: string, rule: Rule, call: number): string {
  switch (rule.change) {
    case 'reverse':
      return reversed(text, rule.element);
    case 'remove':
      return each(text, rule, (whole, _content, place) =>
        rule.at === undefined || place < rule.at + rule.count ? '' : whole,
      );
    case 'repeat':
      return each(text, rule, (whole, _content, place) =>
        rule.at === undefined || place < rule.at + rule.count ? whole + whole : whole,
      );
    case 'add':
      return each(text, rule, (whole) => `${whole}<${rule.name}>${rule.to}</${rule.name}>`);
    case 'value':
      return each(text, rule, (whole, content) => within(whole, content, rule.to));
    case 'round':
      return each(text, rule, (whole, content) =>
        within(whole, content, Number(Number(content).toFixed(rule.places)).toString()),
      );
    case 'shift':
      return each(text, rule, (whole, content) => within(whole, content, shifted(content, rule.hours)));
    case 'count':
      return each(text, rule, (whole, content) => within(whole, content, `altered ${call + 1}`));
  }
}

/** Renames XML elements and JSON keys wherever they occur. */
const renamed = (text: string, name: string, to: string): string =>
  text
    .replace(new RegExp(`(</?)${name}(?=[ />])`, 'g'), (_whole, opening: string) => opening + to)
    .replaceAll(`"${name}":`, () => `"${to}":`);

/** Moves the value in every JSON object that has it. */
function movedIn(text: string, { from, to }: Extract<Alteration, { readonly change: 'move' }>): string {
  const move = (_key: string, value: unknown): unknown => {
    const parent = parentOf(value, from);
    const [name = ''] = from.split('.').slice(-1);
    const there = parentOf(value, to);
    if (parent === undefined || there === undefined || !Object.hasOwn(parent, name)) return value;
    there[to.split('.').at(-1) ?? ''] = parent[name];
    Reflect.deleteProperty(parent, name);
    return value;
  };
  try {
    return JSON.stringify(JSON.parse(text, move));
  } catch {
    return text;
  }
}

/** Returns the object that contains the last key; undefined if there is none. */
function parentOf(value: unknown, path: string): Record<string, unknown> | undefined {
  let here: unknown = value;
  for (const key of path.split('.').slice(0, -1)) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  const isRecord = typeof here === 'object' && here !== null && !Array.isArray(here);
  return isRecord ? (here as Record<string, unknown>) : undefined;
}

type Rule = Extract<Alteration, { readonly element: string }>;

function each(
  text: string,
  rule: Rule,
  change: (whole: string, content: string, place: number) => string,
): string {
  const { element: name } = rule;
  const first = 'at' in rule ? rule.at : undefined;
  const last = first === undefined ? Infinity : first + ('count' in rule ? rule.count : 1);
  let place = -1;
  return text.replace(elementsOf(name), (whole: string, content: string | undefined) => {
    place += 1;
    return place < (first ?? 0) || place >= last ? whole : change(whole, content ?? '', place);
  });
}

/** A record never contains another of the same name. */
const elementsOf = (name: string): RegExp => new RegExp(`<${name}(?:>(.*?)</${name}>| ?/>)`, 'gs');

const within = (whole: string, content: string, to: string): string =>
  content === '' ? whole : whole.replace(content, () => to);

function reversed(text: string, name: string): string {
  const all = text.match(elementsOf(name)) ?? [];
  let place = all.length;
  return text.replace(elementsOf(name), () => all[(place -= 1)] ?? '');
}

function shifted(text: string, hours: number): string {
  const moment = Date.parse(`${text.replace(/Z$/, '')}Z`);
  if (Number.isNaN(moment)) return text;
  const moved = new Date(moment + hours * 3_600_000).toISOString().slice(0, 19);
  return text.endsWith('Z') ? `${moved}Z` : moved;
}

/** Status, header fields and body of an answer as it was written to a connection. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** Applies the rule to status and header fields. */
export function alteredHead(
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  rule: Alteration,
): Pick<Answer, 'status' | 'headers'> {
  if (rule.change === 'status') return { status: rule.to, headers };
  if (rule.change !== 'header') return { status, headers };
  const name = rule.name.toLowerCase();
  const isGone = rule.as === undefined && rule.to === undefined;
  return {
    status,
    headers: headers.flatMap((field) => {
      if (field[0] !== name) return [field];
      return isGone ? [] : [[rule.as ?? name, rule.to ?? field[1]] as const];
    }),
  };
}

/** Parses a complete HTTP/1.1 message. */
export function answerIn(message: Buffer): Answer {
  const end = message.indexOf('\r\n\r\n');
  const [first = '', ...lines] = message.toString('latin1', 0, end).split('\r\n');
  const headers = lines.map((line): readonly [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const rest = message.subarray(end + 4);
  const isChunked = headers.some(([name, value]) => name === 'transfer-encoding' && value === 'chunked');
  return { status: Number(first.split(' ')[1]), headers, body: isChunked ? joined(rest) : rest };
}

function joined(chunks: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = chunks.indexOf('\r\n', at);
    const length = Number.parseInt(chunks.toString('latin1', at, end), 16);
    if (end < 0 || !(length > 0)) return Buffer.concat(parts);
    parts.push(chunks.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
}
