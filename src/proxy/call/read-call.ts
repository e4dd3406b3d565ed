/**
 * Reads a legacy call: its query, with the two keys apart and everything else decoded once, and the parameters and
 * elements that its method knows.
 */
import { Failure } from '../../lib/failure.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import type { Method } from '../../mapping/compile/model.ts';
import type { LegacyCall } from './call.ts';
import type { BodyReader } from './body-reader.ts';
import { checkRequired, missing } from './request.ts';
import { decoded } from '../../lib/text/address-text.ts';

/** Longest query in characters, with keys: far more than any known legacy program sends. */
const LONGEST_QUERY = 2_048;
/** Captured, so that `split` keeps them. */
const unicodeEscapes = /((?:%u[0-9a-fA-F]{4})+)/;
const unescaped = /%(?![0-9a-f]{2})/gi;

/** The refusal of an unreadable address. */
export const unreadable = (text: string): Failure => new Failure('badRequest', { text });

/** The parameters in order, and every key in the query. Throws `Failure` badRequest. */
export function readQuery(query: string): {
  readonly query: LegacyCall['query'];
  readonly apiKeys: readonly string[];
  readonly accountKeys: readonly string[];
} {
  if (query.length > LONGEST_QUERY) throw unreadable('The query is too long');
  const pairs: (readonly [string, string])[] = [];
  const apiKeys: string[] = [];
  const accountKeys: string[] = [];
  for (const piece of query.split('&')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const name = queryText(equals < 0 ? piece : piece.slice(0, equals));
    const value = equals < 0 ? '' : queryText(piece.slice(equals + 1));
    const folded = name.toLowerCase();
    if (folded === 'apikey') apiKeys.push(value);
    else if (folded === 'accountkey') accountKeys.push(value);
    else pairs.push([name, value]);
  }
  return { query: pairs, apiKeys, accountKeys };
}

/**
 * `+` is a space. Bytes that are not UTF-8 are read as Windows-1252, as old programs encode, and `%u2019` as the
 * character U+2019, as `escape` of JavaScript writes it (ECMA-262, B.2.1). A `%` that begins no escape stands for itself:
 * not every program escapes what it searches for. What V1 makes of these is not documented.
 */
function queryText(raw: string): string {
  const spaced = raw.includes('+') ? raw.replaceAll('+', ' ') : raw;
  if (!spaced.includes('%')) return spaced;
  // Apart, because `escape` writes é as %E9, which is no UTF-8.
  const text = spaced.split(unicodeEscapes).map(unescapedText).join('');
  if (text.includes('\0')) throw unreadable('The query could not be read');
  return text;
}

/** Every second part consists of escapes of the form `%u2019`. */
function unescapedText(part: string, index: number): string {
  if (index % 2 === 1) {
    const units = part.split('%u').slice(1);
    return String.fromCharCode(...units.map((digits) => Number.parseInt(digits, 16))).toWellFormed();
  }
  const escaped = part.replace(unescaped, '%25');
  return decoded(escaped) ?? westernText(escaped);
}

function westernText(raw: string): string {
  const bytes = raw.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return new TextDecoder('windows-1252').decode(Buffer.from(bytes, 'latin1'));
}

/** The parameters the mapping knows, under its names for them; V1 ignored the others. */
export function knownQuery(call: Pick<LegacyCall, 'query'>, method: Method): LegacyCall['query'] {
  const query: (readonly [string, string])[] = [];
  for (const [name, value] of call.query) {
    const known = method.query.get(name.toLowerCase());
    if (known !== undefined) query.push([known, value]);
  }
  return query;
}

/** `uuidMode=transition`: the program wants UUIDs beside the numbers, and may send them. */
export function isTransition({ query }: Pick<LegacyCall, 'query'>): boolean {
  for (const [name, value] of query)
    if (name.toLowerCase() === 'uuidmode') return value.toLowerCase() === 'transition';
  return false;
}

/** The contents of a legacy call, whichever route serves it. */
export interface AskedFor {
  /** Only known parameters, under the names of the mapping: V1 ignored the others. */
  readonly query: readonly (readonly [string, string])[];
  readonly element: XmlElement | undefined;
}

/** Throws `Failure` if a required parameter or element is missing, or the body cannot be read. */
export async function readCall(call: LegacyCall, method: Method, reader: BodyReader): Promise<AskedFor> {
  const query = knownQuery(call, method);
  const absent = method.requires.length === 0 ? undefined : absentIn(query, method.requires);
  if (absent !== undefined) throw missingParameter(absent);
  const element = method.body && (await reader.read(call, method.body));
  if (method.body) checkBody(element, method.body);
  return { query, element };
}

/** The first of the parameters that has no value, in whatever case its name is written. */
export function absentIn(query: AskedFor['query'], names: readonly string[]): string | undefined {
  const isGiven = (wanted: string): boolean =>
    (query.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '').trim() !== '';
  return names.find((name) => !isGiven(name.toLowerCase()));
}

/** The values of a query by lower-case parameter name. If a parameter is repeated, its first value counts on every route. */
export const byName = (query: AskedFor['query']): ReadonlyMap<string, string> =>
  new Map(query.toReversed().map(([name, value]) => [name.toLowerCase(), value]));

/** The legacy service's message for the first missing one. */
export const missingParameter = (name: string): Failure =>
  new Failure('missingRange', { text: `The parameter ${name} is required` });

type RequestBody = NonNullable<Method['body']>;

/** Whether the root of a message is one the method expects. Programs may send the name that the service documents. */
export const isBody = ({ name }: XmlElement, { anyRoot, root, otherRoot }: RequestBody): boolean =>
  anyRoot || [root, otherRoot].some((one) => one?.toLowerCase() === name.toLowerCase());

function checkBody(element: XmlElement | undefined, body: RequestBody): void {
  const asked = element !== undefined && isBody(element, body) ? element : undefined;
  // With another root, or none, every required element is missing.
  checkRequired(asked, body.of, [body.root]);
  if (asked === undefined) throw missing([body.root], true);
}
