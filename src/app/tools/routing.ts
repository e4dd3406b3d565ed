import { callsToV3, losses } from '../../mapping/compile/describe.ts';
import type { Method } from '../../mapping/compile/model.ts';
import type { Routing } from './model.ts';
import type { RoutedMethod } from '../../mapping/routes/routes.ts';
import type { Services } from '../wiring/services.ts';

/** Mapping and overrides, for the route commands. */
export function routingOf({ mapping, store, oauth }: Services): Routing {
  return {
    hasV2: oauth?.v2Endpoint !== undefined,
    list: () => store.routes.list(),
    set: (methods, account, route, actor) => store.routes.set(methods, account, route, actor),
    methods: () => mapping.methods.map(routed),
  };
}

/** What the mapping says about a method's routes. */
export const routed = (method: Method): RoutedMethod => ({
  id: method.id,
  route: method.route,
  v2: method.v2?.way === 'steps' ? method.v2.grade : 'none',
  why: method.v2?.way === 'none' ? method.v2.why : undefined,
  losses: losses(method),
  toV3: callsToV3(method),
  assumed: method.assumed,
});
