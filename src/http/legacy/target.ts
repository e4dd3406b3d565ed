import { Failure } from '../../lib/failure.ts';
import { Secret } from '../../lib/secret.ts';
import { isSlashedNumber } from '../../lib/slashed-number.ts';

/** Longest query, in characters, keys included: far more than any known legacy program sends. */
const LONGEST_QUERY = 2_048;
const controls = /[\u0000-\u001f\u007f]/;
const brokenPercent = /%(?![0-9a-f]{2})/i;

/** The address of a legacy call: path decoded once, keys taken out of the query. */
export interface Target {
  readonly segments: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Values of each key as often as it was given. */
  readonly apiKeys: readonly Secret[];
  readonly accountKeys: readonly Secret[];
  /** Path and query as received. */
  readonly received: Secret;
}

const unreadable = (text: string): Failure => new Failure('badRequest', { text });

/** Only ASCII gets here: Node refuses raw bytes in an address. Throws `Failure` badRequest. */
export function readTarget(address: string): Target {
  if (!address.startsWith('/') || address.includes('#')) throw unreadable('The address could not be read');
  const mark = address.indexOf('?');
  const path = mark < 0 ? address : address.slice(0, mark);
  const query = mark < 0 ? '' : address.slice(mark + 1);
  const segments = readPath(path);
  return { segments, ...readQuery(query), received: new Secret(address) };
}

/**
 * Each segment decoded exactly once; one trailing slash is dropped, because some programs send it. What could climb
 * out of the root or be read twice is refused.
 */
function readPath(path: string): readonly string[] {
  const raw = path.slice(1).split('/');
  if (raw.length > 1 && raw.at(-1) === '') raw.pop();
  if (raw.length === 1 && raw[0] === '') return [];
  const [family = '', ...rest] = raw.map(readSegment);
  return [family.toLowerCase(), ...rest];
}

/** Behind family and method a number may hold slashes. */
function readSegment(raw: string, index: number): string {
  const text = decoded(raw);
  if (text === undefined || text === '' || text === '.' || text === '..')
    throw unreadable('The address could not be read');
  if (index > 1 && isSlashedNumber(text)) return text;
  if (/[\\/]/.test(text) || controls.test(text)) throw unreadable('The address could not be read');
  return text;
}

function decoded(raw: string): string | undefined {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}

function readQuery(query: string): Pick<Target, 'query' | 'apiKeys' | 'accountKeys'> {
  if (query.length > LONGEST_QUERY) throw unreadable('The query is too long');
  const pairs: (readonly [string, string])[] = [];
  const apiKeys: Secret[] = [];
  const accountKeys: Secret[] = [];
  for (const piece of query.split('&')) {
    if (piece === '') continue;
    const [name, value] = readPair(piece);
    const folded = name.toLowerCase();
    if (folded === 'apikey') apiKeys.push(new Secret(value));
    else if (folded === 'accountkey') accountKeys.push(new Secret(value));
    else pairs.push([name, value]);
  }
  return { query: pairs, apiKeys, accountKeys };
}

function readPair(piece: string): readonly [string, string] {
  const equals = piece.indexOf('=');
  const name = equals < 0 ? piece : piece.slice(0, equals);
  const value = equals < 0 ? '' : piece.slice(equals + 1);
  return [queryText(name), queryText(value)];
}

/** `+` is a space. What is no UTF-8 is read as Windows-1252: old programs encode so. A broken `%` is refused. */
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
