/**
 * The path to a value in V2's JSON, as mappings write it:
 *
 * | written | meaning |
 * |---|---|
 * | `name`, `contactDetails.email` | key, and nested key |
 * | `.` | the record itself |
 * | `jobs[0].jobNumber` | an entry by its index |
 * | `addresses[type=postal].city`, `addresses[type!=postal].city` | the first entry that matches; absent counts as empty |
 * | `staffAssigned[].uuid` | of every entry |
 * | `costs[*optional=true]`, `costs[*optional!=true]` | every entry that matches |
 * | `clientUUID@clients.name` | the identifier looked up in a table of `v2.yaml`, continued from the entry found |
 */
export type Step =
  | { readonly step: 'key'; readonly name: string }
  | { readonly step: 'place'; readonly at: number }
  | { readonly step: 'which'; readonly key: string; readonly is: boolean; readonly value: string }
  | { readonly step: 'each' }
  | { readonly step: 'those'; readonly key: string; readonly is: boolean; readonly value: string }
  | { readonly step: 'lookup'; readonly table: string };

/** The steps to a value, in order; empty for the record itself. */
export type Path = readonly Step[];

const KEY = /^[^.@[\]]+/;
const PLACE = /^\[(\d+)\]/;
const WHICH = /^\[(\*?)([^.@[\]=!]+)(!?=)([^[\]]*)\]/;
const EACH = /^\[\]/;
const LOOKUP = /^@([a-z][A-Za-z]*)/;
/** Never a key of a record: a value put below it would appear in every object. */
const PROTOTYPE = '__proto__';

/** Returns undefined if the text is not a path. */
export function parsePath(text: string): Path | undefined {
  if (text === '.') return [];
  const steps: Step[] = [];
  let rest = text;
  while (rest !== '') {
    const [step, length] = stepAt(rest, steps.length === 0) ?? [];
    if (step === undefined || length === undefined) return undefined;
    steps.push(step);
    rest = rest.slice(length);
  }
  return steps.length === 0 ? undefined : steps;
}

function stepAt(text: string, first: boolean): readonly [Step, number] | undefined {
  const each = EACH.exec(text);
  if (each) return [{ step: 'each' }, each[0].length];
  const place = PLACE.exec(text);
  if (place) return [{ step: 'place', at: Number(place[1]) }, place[0].length];
  const which = WHICH.exec(text);
  if (which && which[2] !== PROTOTYPE) {
    const [all, every, key = '', sign, value = ''] = which;
    return [{ step: every === '*' ? 'those' : 'which', key, is: sign === '=', value }, all.length];
  }
  const lookup = LOOKUP.exec(text);
  if (lookup) return [{ step: 'lookup', table: lookup[1] ?? '' }, lookup[0].length];
  const dot = text.startsWith('.') ? 1 : 0;
  if (dot === 0 && !first) return undefined;
  const [key] = KEY.exec(text.slice(dot)) ?? [];
  return key === undefined || key === PROTOTYPE ? undefined : [{ step: 'key', name: key }, dot + key.length];
}

/** A path as mappings write it. */
export const writtenPath = (path: Path): string =>
  path.length === 0 ? '.' : path.map(writtenStep).join('').replace(/^\./, '');

function writtenStep(step: Step): string {
  switch (step.step) {
    case 'key':
      return `.${step.name}`;
    case 'place':
      return `[${step.at}]`;
    case 'each':
      return '[]';
    case 'which':
    case 'those':
      return `[${step.step === 'those' ? '*' : ''}${step.key}${step.is ? '=' : '!='}${step.value}]`;
    case 'lookup':
      return `@${step.table}`;
  }
}

/** The look-up tables a path goes through. */
export const tablesIn = (path: Path): readonly string[] =>
  path.flatMap((step) => (step.step === 'lookup' ? [step.table] : []));

/** The keys on a path, without indexes, conditions and look-ups. */
export const keysIn = (path: Path): readonly string[] =>
  path.flatMap((step) => (step.step === 'key' ? [step.name] : []));

/** Finds the record of an identifier in a table; undefined if the table does not have it (yet). */
export type Find = (table: string, key: string) => unknown;

type Json = Readonly<Record<string, unknown>>;

/** Whether it is a JSON object: neither null nor an array. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of the record's own key, never an inherited one. */
export function own(record: unknown, name: string): unknown {
  return isObject(record) && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A copy of a record with only these fields. `called`: alternative names of some fields in the record. */
export function picked(
  record: unknown,
  names: readonly string[],
  called: Readonly<Record<string, string>> = {},
): Json {
  const fields: Record<string, unknown> = {};
  for (const name of names) {
    const other = called[name];
    fields[name] = (other === undefined ? undefined : own(record, other)) ?? own(record, name);
  }
  return fields;
}

/** Entries of a list. Some answers contain an object with numeric keys instead of a list. */
export function entries(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return [];
  const keys = Object.keys(value);
  return keys.every((key) => /^\d+$/.test(key)) ? keys.map((key) => value[key]) : [];
}

/** The value at a path; undefined if there is none. After `[]`, a list of the values found. */
export type Walk = (value: unknown, find: Find) => unknown;

/** The value at `path`. For repeated use, create a `Walk` once. */
export const valueAt = (value: unknown, path: Path, find: Find): unknown => walkOf(path)(value, find);

/** The path as a closure: a list has 100,000 records, and some forty paths are read in each. */
export function walkOf(path: Path): Walk {
  const each = path.findIndex(({ step }) => step === 'each');
  if (each >= 0) return ofEach(walkOf(path.slice(0, each)), walkOf(path.slice(each + 1)));
  const [first = itself, ...rest] = path.map(stepOf);
  if (rest.length === 0) return first;
  return (value, find) => {
    let found = first(value, find);
    for (const go of rest) {
      if (found === undefined || found === null) return undefined;
      found = go(found, find);
    }
    return found;
  };
}

/** To the record itself. */
export const itself: Walk = (value) => value;

/** Applies `rest` to each entry of the list at `list`. Missing values are left out, and lists are joined. */
const ofEach =
  (list: Walk, rest: Walk): Walk =>
  (value, find) => {
    const all = list(value, find);
    if (list !== itself && (all === undefined || all === null)) return undefined;
    return entries(all).flatMap((entry) => {
      const found = entry === undefined || entry === null ? undefined : rest(entry, find);
      if (found === undefined || found === null) return [];
      return Array.isArray(found) ? (found as unknown[]) : [found];
    });
  };

/** An empty text if there is a record at the path. */
export function blankAt(path: Path): Walk {
  const record = walkOf(path);
  return (value, find) => (isObject(record(value, find)) ? '' : undefined);
}

/** Reads the first of several paths that has a value. */
export function firstOf(walks: readonly Walk[]): Walk {
  const [only] = walks;
  if (only !== undefined && walks.length === 1) return only;
  return (value, find) => {
    for (const walk of walks) {
      const found = walk(value, find);
      if (found !== undefined && found !== null) return found;
    }
    return undefined;
  };
}

function stepOf(step: Step): Walk {
  switch (step.step) {
    case 'key':
      return keyOf(step.name);
    case 'place':
      return (value) => entries(value)[step.at];
    case 'which': {
      const isSo = matcherOf(step);
      return (value) => {
        for (const entry of entries(value)) if (isSo(entry)) return entry;
        return undefined;
      };
    }
    case 'those': {
      const isSo = matcherOf(step);
      return (value) => entries(value).filter(isSo);
    }
    case 'lookup':
      return (value, find) => {
        const key = textOf(value);
        return key === undefined || key === '' ? undefined : find(step.table, key);
      };
    case 'each':
      return entries;
  }
}

/** Only the few names that every object inherits need the slower check. */
function keyOf(name: string): Walk {
  if (name in Object.prototype) return (value) => own(value, name);
  return (value) => (isObject(value) ? value[name] : undefined);
}

/** Whether an entry has the value, a word of V2 in any case; with `is` false, whether it has another one. */
function matcherOf({
  key,
  is,
  value,
}: Step & { readonly step: 'which' | 'those' }): (entry: unknown) => boolean {
  const [find, word] = [keyOf(key), value.toLowerCase()];
  return (entry) => ((textOf(find(entry, nobody)) ?? '').toLowerCase() === word) === is;
}

const nobody: Find = () => undefined;

/** Text of a scalar value; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** A JSON object under construction. */
export type Growing = Record<string, unknown>;

/**
 * Puts a value at `path` and creates what is missing on the way: `addresses[type=postal].city` creates the
 * address.
 */
export function putAt(target: Growing, path: Path, value: unknown): void {
  if (path.length === 0) {
    if (isObject(value)) Object.assign(target, value);
    return;
  }
  let here: Growing = target;
  for (let index = 0; index < path.length; index += 1) {
    const step = path[index];
    if (step?.step !== 'key') return;
    const next = path[index + 1];
    if (next === undefined) {
      here[step.name] = value;
      return;
    }
    if (next.step === 'key') {
      here = grown(here, step.name);
      continue;
    }
    if (next.step === 'place' && index + 2 === path.length) {
      const list = Array.isArray(here[step.name]) ? here[step.name] : (here[step.name] = []);
      (list as unknown[])[next.at] = value;
      return;
    }
    const entry = entryFor(here, step.name, next);
    if (entry === undefined || index + 2 === path.length) return;
    here = entry;
    index += 1;
  }
}

/** Where a path with `[]` leads: to each existing entry, with the rest of the path. */
export function spread(target: Growing, path: Path): readonly (readonly [Growing, Path])[] {
  const at = path.findIndex(({ step }) => step === 'each');
  if (at < 0) return [[target, path]];
  const list = valueAt(target, path.slice(0, at), () => undefined);
  return entries(list).flatMap((entry) => (isObject(entry) ? spread(entry, path.slice(at + 1)) : []));
}

function grown(target: Growing, name: string): Growing {
  const found = target[name];
  if (isObject(found)) return found;
  const made: Growing = {};
  target[name] = made;
  return made;
}

function entryFor(target: Growing, name: string, which: Step): Growing | undefined {
  const list = (Array.isArray(target[name]) ? target[name] : (target[name] = [])) as Growing[];
  if (which.step === 'place') return (list[which.at] ??= {});
  if (which.step !== 'which' || !which.is) return undefined;
  const found = list.find(matcherOf(which));
  if (found) return found;
  const made: Growing = { [which.key]: which.value };
  list.push(made);
  return made;
}
