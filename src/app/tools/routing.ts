import { callsToV3, losses } from '../../mapping/compile/describe.ts';
import type { Mapping, Method } from '../../mapping/compile/model.ts';
import type { RoutedMethod } from '../../mapping/routes/routes.ts';

/**
 * The methods of the mapping with the facts about their routes, computed on first use and kept. `standsIn`: V3 serves
 * calls that V2 cannot serve whole.
 */
export function routedMethods(mapping: Mapping, standsIn = true): () => readonly RoutedMethod[] {
  let methods: readonly RoutedMethod[] | undefined;
  return () => (methods ??= mapping.methods.map((method) => routed(method, standsIn)));
}

const routed = (method: Method, standsIn: boolean): RoutedMethod => ({
  id: method.id,
  route: method.route,
  v2: method.v2?.way === 'steps' ? method.v2.grade : 'none',
  why: method.v2?.way === 'none' ? method.v2.why : undefined,
  losses: losses(method),
  toV3: callsToV3(method),
  staysOnV3: standsIn && method.v2?.way === 'steps' && method.v2.toV3.some(({ on }) => on === 'always'),
  evidence: method.evidence,
  isWrite:
    method.settle !== undefined || method.legacy.some(({ verbs }) => verbs.some((verb) => verb !== 'GET')),
  assumed: method.assumed,
});
