import { Refusal } from '../../lib/log/terminal.ts';
import { nearest } from '../../lib/text/nearest.ts';
import type { RoutedMethod } from './routes.ts';

const EVERY = '*';
const LOSSLESS = 'lossless';
const grades = ['A', 'B', 'C'] as const;

/**
 * The methods that a pattern matches: a method (`client.list`), a family (`client.*`), all (`*`), those of a
 * grade on V2 (`grade:A`), or those that lose nothing there (`lossless`; a call that V3 answers in place of
 * V2 loses nothing). Throws `Refusal` if it matches none.
 */
export function methodsOf(pattern: string, methods: readonly RoutedMethod[]): readonly RoutedMethod[] {
  const found = methods.filter(matcherOf(pattern));
  if (found.length > 0) return found;
  throw new Refusal(`there is no method ${JSON.stringify(pattern)}; ${hintFor(pattern, methods)}`);
}

function matcherOf(pattern: string): (method: RoutedMethod) => boolean {
  if (pattern === EVERY) return () => true;
  if (pattern === LOSSLESS) return ({ v2, losses }) => v2 !== 'none' && losses.length === 0;
  const grade = /^grade:(\w)$/i.exec(pattern)?.[1]?.toUpperCase();
  if (grade !== undefined) return ({ v2 }) => v2 === grade;
  if (pattern.endsWith('.*')) return ({ id }) => id.startsWith(pattern.slice(0, -1));
  return ({ id }) => id === pattern;
}

function hintFor(pattern: string, methods: readonly RoutedMethod[]): string {
  if (pattern.toLowerCase().startsWith('grade:')) return `the grades of V2 are ${grades.join(', ')}`;
  const families = new Set(methods.map(({ id }) => `${id.slice(0, id.indexOf('.'))}.*`));
  const near = nearest(pattern, [...methods.map(({ id }) => id), ...families]);
  return near.length === 0 ? 'causeway route list shows all' : `did you mean ${near.join(' or ')}?`;
}
