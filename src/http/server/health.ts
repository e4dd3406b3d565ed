import type { RequestHandler } from 'express';
import { ACKNOWLEDGE, type DeploymentDoubt } from '../../tokens/deployment/deployment.ts';

export interface HealthParts {
  readonly stopping: () => boolean;
  /** Why no token is renewed; undefined: nothing is the matter. Rejects when the store cannot be used. */
  readonly doubt?: (() => Promise<DeploymentDoubt | undefined>) | undefined;
  readonly view: () => HealthView;
}

export interface HealthView {
  /** Whether any call can be served. */
  readonly serves: boolean;
  /** What does not work as it should: a code for machines, words for people. */
  readonly degraded: Readonly<Record<string, string>>;
}

/**
 * `live`: the process answers. `ready`: some calls at least can be served, as they can where the database is away for a
 * while, or the deployment in doubt; what does not work is told beside it.
 */
export function health({ stopping, doubt, view }: HealthParts): {
  readonly live: RequestHandler;
  readonly ready: RequestHandler;
} {
  return {
    live: (_request, response) => {
      response.json({ status: 'ok' });
    },
    ready: async (_request, response) => {
      const found = await doubt?.().catch(() => undefined);
      const deployment = found && { state: 'in doubt', ...found, command: ACKNOWLEDGE };
      const { serves, degraded } = view();
      const status = stopping() ? 'stopping' : serves ? 'ok' : 'unavailable';
      response.status(status === 'ok' ? 200 : 503).json({
        status,
        ...(deployment && { deployment }),
        ...(Object.keys(degraded).length > 0 && { degraded }),
      });
    },
  };
}
