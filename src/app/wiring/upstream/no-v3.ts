import { Failure } from '../../../lib/failure.ts';
import type { Upstream } from '../../../upstream/model.ts';

const refuse = async (): Promise<never> => {
  throw new Failure('upstreamUnavailable', { text: 'This bridge is not connected to V3' });
};

/**
 * For a bridge with only pass-through configured: an account that moved earlier cannot be served, and gets this answer.
 */
export const noV3: Upstream = { send: refuse, fetch: refuse };
