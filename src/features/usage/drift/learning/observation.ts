/**
 * The form of one answer of the service: the elements or keys of its records, and the types of their values. Names,
 * types and counts; no value leaves this file.
 *
 * A name is kept only if it is spelled as an API spells names and not too long, and the names of each record are
 * limited: an object whose keys are data (identifiers, addresses, names of people) is not a record, and a hostile
 * service may send names without end. Everything else is counted under one name.
 */
import { OTHER } from '../../names/account-use.ts';
import { typeWords } from '../../../../mapping/value-types.ts';

/** The API versions whose answers are learned. */
export const driftUpstreams = ['v1', 'v2', 'v3'] as const;
/** A member of `driftUpstreams`. */
export type DriftUpstream = (typeof driftUpstreams)[number];

/** The contents of an answer at one place. */
export interface Seen {
  /** Records with it. */
  present: number;
  /** Records that have it more than once. */
  many: number;
  /** How many of its values, or entries, are records: only those can hold places below it. */
  objects: number;
  /** Values by type; the types' texts are in `typeWords`. */
  readonly types: Map<string, number>;
}

/** By place: names from the root joined by `/`, with `[]` for the entries of a list. The root itself is empty. */
export type Observation = Map<string, Seen>;

/** Replaces the entries of a list. */
export const ENTRY = '[]';
/** Most places of one answer. */
const MOST_PLACES = 300;
/** Most names in one record. */
const MOST_NAMES = 100;
const DEEPEST = 12;
const LONGEST_NAME = 64;
const LONGEST_PLACE = 200;
const NAME = /^[A-Za-z_][\w-]*$/;
/** Long numbers and strings that look like identifiers are data. */
const DATA = /\d{4}|^[0-9a-f-]{16,}$/i;

/** The name as it is kept. */
export const keptName = (name: string): string =>
  name.length <= LONGEST_NAME && NAME.test(name) && !DATA.test(name) ? name : OTHER;

/** The place around this one. */
export const placeAround = (place: string): string => place.slice(0, Math.max(0, place.lastIndexOf('/')));

/** The place of a name within another. */
export const placeIn = (around: string, name: string): string => (around === '' ? name : `${around}/${name}`);

/** The counts of a place; undefined: there is no room for it. */
export function seenAt(observation: Observation, place: string): Seen | undefined {
  const known = observation.get(place);
  if (known !== undefined) return known;
  if (observation.size >= MOST_PLACES || place.length > LONGEST_PLACE) return undefined;
  const seen: Seen = { present: 0, many: 0, objects: 0, types: new Map() };
  observation.set(place, seen);
  return seen;
}

/** Counts a value of this type. */
export function addType({ types }: Seen, type: string): void {
  types.set(type, (types.get(type) ?? 0) + 1);
}

/**
 * The form of the beginning of an answer in JSON; undefined: it is not JSON, or contains no whole record. `isCut`:
 * the answer continues, and the records still open at the cut are not judged.
 */
export function jsonObservation(text: string, isCut: boolean): Observation | undefined {
  const closed = isCut ? closedJson(text) : { text, open: 0 };
  if (closed === undefined) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(closed.text);
  } catch {
    return undefined;
  }
  const observation: Observation = new Map();
  look(observation, { place: '', value: json, open: closed.open, depth: 0 });
  return observation.size === 0 ? undefined : observation;
}

/** A value to visit; `open`: how many records and lists from here inwards, always the last one, are incomplete. */
interface Looked {
  readonly place: string;
  readonly value: unknown;
  readonly open: number;
  readonly depth: number;
}

function look(observation: Observation, looked: Looked): void {
  const { value, depth } = looked;
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  const isList = Array.isArray(value) || (names.length > 0 && names.every((name) => /^\d+$/.test(name)));
  if (isList) lookIntoList(observation, looked, Object.values(value));
  else lookIntoRecord(observation, looked, Object.entries(value));
}

function lookIntoList(
  observation: Observation,
  { place, open, depth }: Looked,
  values: readonly unknown[],
): void {
  const within = placeIn(place, ENTRY);
  const seen = seenAt(observation, within);
  if (seen === undefined) return;
  for (const [index, value] of values.entries()) {
    // The last value may be incomplete; those within a list that was cut between two entries are whole.
    const isOpen = open > 1 && index === values.length - 1;
    if (!isOpen) addType(seen, typeWords(value));
    look(observation, { place: within, value, open: isOpen ? open - 1 : 0, depth: depth + 1 });
  }
}

function lookIntoRecord(
  observation: Observation,
  { place, open, depth }: Looked,
  fields: readonly (readonly [string, unknown])[],
): void {
  const last = fields.at(-1);
  if (open > 0) {
    if (last === undefined || open === 1) return;
    const within = placeIn(place, keptName(last[0]));
    look(observation, { place: within, value: last[1], open: open - 1, depth: depth + 1 });
    return;
  }
  const around = seenAt(observation, place);
  if (around === undefined) return;
  around.objects += 1;
  const names = new Set<string>();
  for (const [given, value] of fields) {
    const name = names.size < MOST_NAMES ? keptName(given) : OTHER;
    const within = placeIn(place, name);
    const seen = seenAt(observation, within);
    if (seen === undefined) continue;
    if (!names.has(name)) seen.present += 1;
    names.add(name);
    if (name === OTHER) continue;
    addType(seen, typeWords(value));
    look(observation, { place: within, value, open: 0, depth: depth + 1 });
  }
}

const CLOSERS: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/**
 * Cuts JSON after the last whole entry of a list and closes the records and lists that are open there. Undefined: no
 * list has a whole entry.
 */
function closedJson(text: string): { readonly text: string; readonly open: number } | undefined {
  const open: string[] = [];
  let [end, closers] = [-1, ''];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    const closer = CLOSERS[character];
    if (character === '"') at = endOfText(text, at);
    else if (closer !== undefined) open.push(closer);
    else if (/[}\]]/.test(character)) {
      open.pop();
      if (open.at(-1) === ']') [end, closers] = [at + 1, open.toReversed().join('')];
    }
    // No useful answer is nested deeper, and a text of brackets may have no end.
    if (open.length > 100) return undefined;
  }
  return end < 0 ? undefined : { text: text.slice(0, end) + closers, open: closers.length };
}

function endOfText(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
