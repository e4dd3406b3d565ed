import type { Mapping } from '../../../mapping/compile/model.ts';

/** The words of refusals that the mapping has itself. */
export function refusalsIn({
  kinds,
  methods,
  v2,
}: Pick<Mapping, 'kinds' | 'methods' | 'v2'>): ReadonlySet<string> {
  const steps = methods.flatMap((method) => (method.v2?.way === 'steps' ? method.v2.steps : []));
  const missing = steps.flatMap((step) => [step.missing, step.before?.missing]);
  const unknown = Array.from(v2.lookups.values(), (lookup) =>
    lookup.form === 'list' ? lookup.unknown : undefined,
  );
  const errors = Array.from(kinds.values(), ({ error }) => error);
  return new Set([...errors, ...missing, ...unknown].filter((text) => text !== undefined));
}
