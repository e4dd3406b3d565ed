import type { Handler } from './routes.ts';
import { ACKNOWLEDGE, type DeploymentDoubt } from '../../tokens/deployment/deployment.ts';

/** What `/health/live` and `/health/ready` report. */
export interface HealthParts {
  readonly stopping: () => boolean;
  /** Why no token is refreshed, as of the last look; undefined: no doubt. */
  readonly doubt?: (() => DeploymentDoubt | undefined) | undefined;
  readonly view: () => HealthView;
}

/** The bridge's health according to the latest checks. */
export interface HealthView {
  /** Whether any call can be served. */
  readonly serves: boolean;
  /** Faults: a code for programs, a text for people. */
  readonly degraded: Readonly<Record<string, string>>;
}

/**
 * Texts for the public, because anyone may ask. The words of drivers and upstreams, hosts and paths are only in the log
 * line `health.degraded`.
 */
const publicWords: Readonly<Record<string, string>> = {
  'no-upstream': 'no upstream is configured: no call can be served',
  'no-v3': 'accounts have moved and no V3 is configured: their calls are refused',
  database: 'the database is away',
  'store-locked': 'the database or a table of it is locked: writes wait or are refused',
  'store-read-only': 'the database can only be read: no write is sent to V3 or V2',
  'store-memory': 'the server of the database has no memory left: no write is sent to V3 or V2',
  'store-unwritable': 'the database cannot be written: no write is sent to V3 or V2',
  'disk-full': 'the disk is full: no write is sent to V3 or V2',
  'disk-low': 'the disk is nearly full',
  'spool-full': 'the disk of waiting documents is full: no long document is sent to V3 or V2',
  clock: 'the clock of this machine is off',
  authority: 'the authorisation server does not answer',
  budget: 'the instances do not share the rate limit',
  workers: 'a worker process is being replaced',
  consents: 'the tokens of some consents are not renewed',
  v1: 'V1 does not answer: nothing is sent there',
  v2: 'V2 does not answer: nothing is sent there',
  v3: 'V3 does not answer: nothing is sent there',
  'v3-practice': 'V3 of the practice product does not answer: nothing is sent there',
};

const forEverybody = (degraded: HealthView['degraded']): HealthView['degraded'] =>
  Object.fromEntries(
    Object.keys(degraded).map((code) => [code, publicWords[code] ?? 'degraded; the log says why']),
  );

/**
 * `live`: the process answers. `ready`: at least some calls can be served, as is the case while the database is away or
 * the deployment in doubt; the answer also lists what does not work. Neither asks the database: a load balancer would
 * take all instances out of service because of one slow table.
 */
export function health({ stopping, doubt, view }: HealthParts): {
  readonly live: Handler;
  readonly ready: Handler;
} {
  return {
    live: (_request, response) => {
      response.json({ status: 'ok' });
    },
    ready: (_request, response) => {
      const found = doubt?.();
      const deployment = found && { state: 'in doubt', why: found.why, command: ACKNOWLEDGE };
      const { serves, degraded } = view();
      const status = stopping() ? 'stopping' : serves ? 'ok' : 'unavailable';
      response.status(status === 'ok' ? 200 : 503).json({
        status,
        ...(deployment && { deployment }),
        ...(Object.keys(degraded).length > 0 && { degraded: forEverybody(degraded) }),
      });
    },
  };
}
