import { Canaries, type CanariesParts } from '../../features/canary/canaries.ts';
import type { Services } from './services.ts';

/** The trials of routes on single accounts. `ended` is called at the end of each. */
export function canariesOf({ store, clock, log }: Services, ended?: CanariesParts['ended']): Canaries {
  const { canaries: repository, routes, calls, audit } = store;
  return new Canaries({ repository, routes, calls, audit, clock, log, ended });
}
