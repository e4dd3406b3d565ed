import type { Operation } from '../operation/operation.ts';

interface Way {
  readonly pattern: readonly string[];
  readonly operation: Operation;
}

export type Match =
  | { readonly match: 'operation'; readonly operation: Operation; readonly path: ReadonlyMap<string, string> }
  | { readonly match: 'verb'; readonly allowed: readonly string[] }
  | { readonly match: 'none' };

const isParameter = (part: string): boolean => part.startsWith('{');

/**
 * Finds operations by path, in any case, with or without a trailing slash; literal segments take precedence
 * over parameters.
 */
export class Matcher {
  readonly #ways: readonly Way[];

  /** `areAliasesServed`: also answers alternative spellings of the paths. */
  constructor(operations: readonly Operation[], areAliasesServed = true) {
    this.#ways = operations.flatMap((operation) =>
      [operation.path, ...(areAliasesServed ? (operation.aliases ?? []) : [])].map((path) => ({
        pattern: path.slice(1).split('/'),
        operation,
      })),
    );
  }

  /** `segments` are decoded, without empty ones at the ends. */
  match(verb: string, segments: readonly string[]): Match {
    const ways = nearest(
      this.#ways.filter(({ pattern }) => fits(pattern, segments)),
      segments.length,
    );
    if (ways.length === 0) return { match: 'none' };
    const way = ways.find(({ operation }) => operation.method === verb);
    if (way === undefined)
      return { match: 'verb', allowed: [...new Set(ways.map(({ operation }) => operation.method))] };
    return { match: 'operation', operation: way.operation, path: parameters(way.pattern, segments) };
  }
}

const fits = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, at) => isParameter(part) || part.toLowerCase() === segments[at]?.toLowerCase());

/** `/jobs/tasks` is never the job with the number `tasks`. */
function nearest(ways: readonly Way[], length: number): readonly Way[] {
  let left = ways;
  for (let at = 0; at < length; at++) {
    const fixed = left.filter(({ pattern }) => !isParameter(pattern[at] ?? ''));
    if (fixed.length > 0) left = fixed;
  }
  return left;
}

const parameters = (pattern: readonly string[], segments: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    pattern.flatMap((part, at) =>
      isParameter(part) ? [[part.slice(1, -1), segments[at] ?? ''] as const] : [],
    ),
  );
