import { Failure } from '../lib/failure.ts';
import { isSlashedNumber } from '../lib/text/slashed-number.ts';
import { verbs, type Verb } from './transport/exchange.ts';

/** An upstream root as configured; every request to it must stay below it. */
export interface Root {
  readonly origin: string;
  /** Without a trailing slash; empty for a root without path. */
  readonly path: string;
}

/** Throws without quoting the address, which may contain credentials. */
export function rootOf(address: string): Root {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error('an upstream root is no http(s) address');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new Error('an upstream root holds more than an origin and a path');
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') };
}

const controls = /[\u0000-\u001f\u007f]/;
/** As a server would read the path after decoding once more. */
const dots = /^(?:\.|%2e){1,2}$/i;

/** Dots between slashes that only a second decoding would reveal. */
const climbing = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:$|[/\\;]|%2f|%5c|%3b)/i;

/** Needs no encoding and is not a dot segment: true of nearly every segment and value. */
const simple = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** Encodes the segments again; refuses what could leave the root or end up elsewhere. */
export function pathOf(
  root: Root,
  segments: readonly string[],
  query: readonly (readonly [string, string])[],
): string {
  if (segments.length === 0) throw refused();
  let path = root.path;
  for (const segment of segments) path += `/${simple.test(segment) ? segment : encodedSegment(segment)}`;
  let mark = '?';
  for (const [name, value] of query) {
    path += `${mark}${simple.test(name) ? name : encoded(name)}=${simple.test(value) ? value : encoded(value)}`;
    mark = '&';
  }
  return path;
}

function encodedSegment(segment: string): string {
  if (segment === '' || dots.test(segment) || segment.includes('\\') || controls.test(segment))
    throw refused();
  if (segment.includes('/') && !isSlashedNumber(segment)) throw refused();
  if (climbing.test(segment)) throw refused();
  return encoded(segment);
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw refused(); // a lone surrogate
  }
}

/** Needs no decoding and has no dot segment: true of nearly every call. */
const plain = /^(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)+\/?$/;

/**
 * A path and query below the root, exactly as received. Because it is not rewritten, its decoded form is
 * checked, and nothing may be left in it that a second decoding would turn into a way out.
 */
export function receivedPath(root: Root, target: string): string {
  if (!/^\/[\x21-\x22\x24-\x5b\x5d-\x7e]*$/.test(target)) throw refused();
  const end = target.indexOf('?');
  const path = end < 0 ? target : target.slice(0, end);
  if (plain.test(path)) return `${root.path}${target}`;
  const segments = path.slice(1).split('/');
  if (segments.at(-1) === '') segments.pop();
  for (const [index, segment] of segments.entries()) if (!isHarmless(segment, index)) throw refused();
  return `${root.path}${target}`;
}

/** After family and method, a number may contain slashes. */
function isHarmless(segment: string, index: number): boolean {
  if (segment === '') return false;
  try {
    const decoded = decodeURIComponent(segment);
    if (index > 1 && decoded.includes('/') && isSlashedNumber(decoded)) return true;
    return !dots.test(decoded) && !/[/\\]|%2f|%5c/i.test(decoded) && !controls.test(decoded);
  } catch {
    return false;
  }
}

/** Path and query of an address that the service named; refused unless it lies below the root. */
export function pathWithin(root: Root, address: string): string {
  const url = /[\\\s]/.test(address) || controls.test(address) ? null : URL.parse(address);
  if (url?.origin !== root.origin || url.username !== '' || url.password !== '') throw refused();
  if (!url.pathname.startsWith(`${root.path}/`)) throw refused();
  return `${url.pathname}${url.search}`;
}

/** A header value that cannot start another header. */
export function headerValue(value: string): string {
  if (!/^[\t\x20-\x7e]*$/.test(value)) throw refused();
  return value;
}

const known: ReadonlyMap<string, Verb> = new Map(verbs.map((verb) => [verb, verb]));

/** Throws `Failure` wrongVerb. */
export function verbOf(text: string): Verb {
  const verb = known.get(text.toUpperCase());
  if (verb === undefined) throw new Failure('wrongVerb');
  return verb;
}

const refused = (): Failure => new Failure('badRequest', { text: 'The address could not be used' });
