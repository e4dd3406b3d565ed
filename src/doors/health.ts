import type { RequestHandler } from 'express';

export interface HealthParts {
  /** Rejects when the store cannot be used. */
  readonly probe: () => Promise<unknown>;
  readonly stopping: () => boolean;
}

/** `live`: the process answers. `ready`: it can serve calls. */
export function health({ probe, stopping }: HealthParts): {
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
      response.status(status === 'ok' ? 200 : 503).json({ status });
    },
  };
}
