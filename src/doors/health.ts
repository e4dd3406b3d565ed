import type { RequestHandler } from 'express';
import { ACKNOWLEDGE, type DeploymentDoubt } from '../domain/deployment.ts';

export interface HealthParts {
  /** Rejects when the store cannot be used. */
  readonly probe: () => Promise<unknown>;
  readonly stopping: () => boolean;
  /** Why no token is renewed; undefined: nothing is the matter. Rejects when the store cannot be used. */
  readonly doubt?: (() => Promise<DeploymentDoubt | undefined>) | undefined;
  /** What does not work as it should while calls are served, in words; undefined: all is well. */
  readonly degraded?: (() => Readonly<Record<string, string>> | undefined) | undefined;
}

/**
 * `live`: the process answers. `ready`: it can serve calls; so it can, for a while, where the deployment is in doubt, and
 * calls that V1 answers for ever.
 */
export function health({ probe, stopping, doubt, degraded }: HealthParts): {
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
      const found = await doubt?.().catch(() => undefined);
      const deployment = found && { state: 'in doubt', ...found, command: ACKNOWLEDGE };
      const less = degraded?.();
      response
        .status(status === 'ok' ? 200 : 503)
        .json({ status, ...(deployment && { deployment }), ...(less && { degraded: less }) });
    },
  };
}
