import { Canaries } from '../../features/canary/canaries.ts';
import type { Services } from './services.ts';

/** The trials of routes on single accounts. */
export function canariesOf({ store, clock, log }: Services): Canaries {
  const { canaries: repository, routes, calls, audit } = store;
  return new Canaries({ repository, routes, calls, audit, clock, log });
}
