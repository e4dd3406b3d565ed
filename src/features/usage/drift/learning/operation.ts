/**
 * Decides which answers are compared with one another: those of the same method, and for V2 those to the same request
 * without its identifiers. A word of an address is kept only if it occurs in the mapping, so that no value can be.
 */
import type { Mapping } from '../../../../mapping/compile/model.ts';
import type { Template } from '../../../../mapping/compile/generic/template.ts';
import type { V2Step } from '../../../../mapping/compile/v2/v2-model.ts';
import type { UpstreamRequest } from '../../../../upstream/model.ts';
import type { DriftUpstream } from './observation.ts';

/** The names that occur in the mapping. */
export interface OperationNames {
  readonly methods: ReadonlySet<string>;
  /** Words in addresses of V2. */
  readonly words: ReadonlySet<string>;
}

/** Replaces an identifier. */
export const ANY = '*';
const DETAILED = 'detailed';
const LONGEST = 200;

/** The steps of a method and those that precede them, once each. */
const stepsIn = (steps: readonly V2Step[]): readonly V2Step[] =>
  steps.flatMap((step) => [step, ...(step.before === undefined ? [] : [step.before])]);

/** A word for each fixed segment, `*` for the others. */
export const segmentsOf = (segments: readonly Template[]): readonly string[] =>
  segments.map(([only, ...rest]) => (typeof only === 'string' && rest.length === 0 ? only : ANY));

/** The names in the whole mapping. */
export function operationNames({ methods, v2 }: Mapping): OperationNames {
  const steps = methods.flatMap(({ v2: row }) => (row?.way === 'steps' ? stepsIn(row.steps) : []));
  const lookups = Array.from(v2.lookups.values()).flatMap((table) =>
    'segments' in table ? table.segments.filter((one) => !one.includes('{')) : [],
  );
  return {
    methods: new Set(methods.map(({ id }) => id)),
    words: new Set([...steps.flatMap(({ segments }) => segmentsOf(segments)), ...lookups]),
  };
}

type Request =
  | { readonly method: string; readonly address: string }
  | ({ readonly method: string } & Pick<UpstreamRequest, 'segments' | 'query'>);

/** Undefined: the method is not in the mapping. */
export function operationOf(
  { methods, words }: OperationNames,
  upstream: DriftUpstream,
  request: Request,
): string | undefined {
  if (!methods.has(request.method)) return undefined;
  if ('address' in request) return /[?&]detailed=true(?:&|$)/i.test(request.address) ? DETAILED : '';
  const { segments, query } = request;
  if (upstream !== 'v2') {
    const isDetailed = query.some(
      ([name, value]) => name.toLowerCase() === DETAILED && value.toLowerCase() === 'true',
    );
    return isDetailed ? DETAILED : '';
  }
  const place = segments.map((one) => (words.has(one) ? one : ANY)).join('/');
  // The form depends on the included records; the names of these come from the mapping.
  const includes = query.find(([name]) => name === 'includes')?.[1] ?? '';
  return (includes === '' ? place : `${place}?${includes}`).slice(0, LONGEST);
}
