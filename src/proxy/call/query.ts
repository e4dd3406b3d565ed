/** Reads the query of a legacy address: the two keys apart, everything else decoded once. */
import { Failure } from '../../lib/failure.ts';
import type { Method } from '../../mapping/compile/model.ts';
import type { LegacyCall } from './call.ts';

/** Longest query in characters, with keys: far more than any known legacy program sends. */
const LONGEST_QUERY = 2_048;
const brokenPercent = /%(?![0-9a-f]{2})/i;

/** A refusal of an address. */
export const unreadable = (text: string): Failure => new Failure('badRequest', { text });

/** The parameters in order, and every key that was given. Throws `Failure` badRequest. */
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
 * `+` is a space. Bytes that are not UTF-8 are read as Windows-1252, as old programs encode. A broken `%` is
 * refused.
 */
function queryText(raw: string): string {
  const spaced = raw.includes('+') ? raw.replaceAll('+', ' ') : raw;
  if (!spaced.includes('%')) return spaced;
  if (brokenPercent.test(spaced)) throw unreadable('The query could not be read');
  const text = decoded(spaced) ?? westernText(spaced);
  if (text.includes('\0')) throw unreadable('The query could not be read');
  return text;
}

function westernText(raw: string): string {
  const bytes = raw.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return new TextDecoder('windows-1252').decode(Buffer.from(bytes, 'latin1'));
}

/** Decodes `%` escapes; undefined if they are not UTF-8. */
export function decoded(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
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
