import type { RequestHandler } from 'express';
import { ACKNOWLEDGE, type DeploymentDoubt } from '../domain/deployment.ts';

export interface HealthParts {
  /** Rejects when the store cannot be used. */
  readonly probe: () => Promise<unknown>;
  readonly stopping: () => boolean;
  /** Why no token is renewed; undefined: nothing is the matter. */
  readonly doubt?: (() => DeploymentDoubt | undefined) | undefined;
}

/**
 * `live`: the process answers. `ready`: it can serve calls; so it can, for a while, where the deployment is in doubt, and
 * calls that V1 answers for ever.
 */
export function health({ probe, stopping, doubt }: HealthParts): {
  readonly live: RequestHandler;
  readonly ready: RequestHandler;
} {
  return {
    live: (_request, response) => {
      response.json({ status: 'ok' });
    },
    ready: async (_request, response) => {
      const store = await probe().then(
        () => true,
        () => false,
      );
      const status = stopping() ? 'stopping' : store ? 'ok' : 'store unavailable';
      const found = doubt?.();
      const deployment = found && { state: 'in doubt', ...found, command: ACKNOWLEDGE };
      response.status(status === 'ok' ? 200 : 503).json({ status, ...(deployment && { deployment }) });
    },
  };
}
