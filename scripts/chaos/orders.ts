import { readFileSync } from 'node:fs';
import { profileSchema, type Profile } from '../../src/upstream/profile.ts';
import { loadProfile } from '../../src/app/settings/profiles.ts';
import type { Failpoint } from './failpoints.ts';

/** The orders of a worker, as JSON in its first argument. Secrets of a sandbox only. */
export interface Orders {
  readonly database: string;
  readonly keys: string;
  readonly sandbox: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly durations: Partial<Profile['durations']>;
  readonly holder: string;
  readonly seed: number;
  readonly spill: string;
  /** The probability that the process dies at each failpoint. */
  readonly deaths: Partial<Record<Failpoint, number>>;
  /** The time at which its clock stands until a turn moves it; without one it uses the machine's. */
  readonly now?: number;
  /** A part of the protocol left out: grants must then be lost. */
  readonly without?: 'sweeper';
  readonly work:
    /** Renews one grant, prints `usable` when it has its token, and ends. */
    | { readonly renew: string }
    /**
     * Prints `ready`, sweeps, and with each turn requests tokens of `callsPerTurn` grants chosen at random, until it is
     * ended.
     */
    | { readonly grants: readonly string[]; readonly callsPerTurn: number };
}

/** Sent to every worker when the clock moves. */
export interface Turn {
  readonly now: number;
  /** No process dies by itself any more. */
  readonly isCalm: boolean;
}

/** A worker's answer when the calls of its turn have ended. */
export interface Done {
  readonly calls: number;
  readonly served: number;
  readonly beforeStored: number;
}

/** The profile `spec` with other durations. */
export function profileWith(durations: Orders['durations']): Profile {
  const spec = loadProfile('spec', (path) => readFileSync(path, 'utf8'));
  if (!('durations' in spec)) throw new Error(spec.join(', '));
  return profileSchema.parse({ ...spec, durations: { ...spec.durations, ...durations } });
}
