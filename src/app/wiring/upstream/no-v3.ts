import { Failure } from '../../../lib/failure.ts';
import type { Upstream } from '../../../upstream/model.ts';

const refuse = async (): Promise<never> => {
  throw new Failure('upstreamUnavailable', { text: 'This bridge is not connected to V3' });
};

/** With only pass-through configured, an account that moved earlier cannot be served, and is told so. */
export const noV3: Upstream = { send: refuse, fetch: refuse };
