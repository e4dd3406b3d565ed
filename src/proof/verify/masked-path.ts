import type { Mapping, Method } from '../../mapping/compile/model.ts';
import type { Exchange, Surface } from './model.ts';

/** The literals of an address; undefined where it has a placeholder. */
type Pattern = readonly (string | undefined)[];

/**
 * The parts of an exchange's address, with `{id}` where the mapping has a placeholder: job and quote numbers are free
 * text, so that the look of a part does not tell. What the mapping does not know is masked, too.
 */
export function maskedParts(
  { segments, insteadOf }: Pick<Exchange, 'segments' | 'insteadOf'>,
  method: Method,
  surface: Surface,
  mapping: Mapping,
): readonly string[] {
  const known = insteadOf ?? segments;
  const likeness = (pattern: Pattern): number => pattern.filter((part, at) => isPart(part, known[at])).length;
  const [best = []] = patternsOf(method, surface, mapping)
    .filter(({ length }) => length === known.length)
    .toSorted((one, other) => likeness(other) - likeness(one));
  // The first part names a family or a collection, also under another name than the mapping's.
  return segments.map((part, at) => (at === 0 || isPart(best[at], known[at]) ? part : '{id}'));
}

const isPart = (literal: string | undefined, part: string | undefined): boolean =>
  literal !== undefined && literal.toLowerCase() === part?.toLowerCase();

function patternsOf({ legacy, v3, v2 }: Method, surface: Surface, mapping: Mapping): readonly Pattern[] {
  if (surface !== 'v2')
    return [v3, ...legacy].map(({ segments }) =>
      segments.map((one) => ('literal' in one ? one.literal : undefined)),
    );
  const steps = v2?.way === 'steps' ? v2.steps.flatMap((step) => [step, step.before ?? step]) : [];
  const called = steps.map(({ segments }) =>
    segments.map((template) => {
      const [only] = template;
      return template.length === 1 && typeof only === 'string' ? only : undefined;
    }),
  );
  const lookups = Array.from(mapping.v2.lookups.values(), (lookup) =>
    'segments' in lookup ? lookup.segments.map((part) => (part === '{key}' ? undefined : part)) : [],
  );
  return [...called, ...lookups];
}
