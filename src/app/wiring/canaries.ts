import { Canaries, type CanariesParts } from '../../features/canary/canaries.ts';
import type { Services } from './services.ts';

/** The trials of routes on single accounts. `ended` is called at the end of each. */
export function canariesOf(
  { store, mapping, clock, log }: Services,
  ended?: CanariesParts['ended'],
): Canaries {
  const { canaries: repository, routes, calls, audit } = store;
  const defaultRoute: CanariesParts['defaultRoute'] = (method) =>
    mapping.methods.find(({ id }) => id === method)?.route;
  return new Canaries({ repository, routes, defaultRoute, calls, audit, clock, log, ended });
}
