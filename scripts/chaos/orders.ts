import { readFileSync } from 'node:fs';
import { profileSchema, type Profile } from '../../src/upstream/profile.ts';
import { loadProfile } from '../../src/app/settings/profiles.ts';
import type { Failpoint } from './failpoints.ts';

/** What a worker is told, as JSON in its first argument. Secrets of a sandbox only. */
export interface Orders {
  readonly database: string;
  readonly keys: string;
  readonly sandbox: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly durations: Partial<Profile['durations']>;
  readonly holder: string;
  readonly seed: number;
  readonly spill: string;
  /** How probable it is that the process dies where it stands. */
  readonly deaths: Partial<Record<Failpoint, number>>;
  /** Its clock stands there until a turn moves it; without one it is the machine's. */
  readonly now?: number;
  /** A part of the protocol that is taken out: grants must be lost then. */
  readonly without?: 'sweeper';
  readonly work:
    /** Renews one grant, says `usable` when it has its token, and ends. */
    | { readonly renew: string }
    /** Says `ready`, sweeps, and with each turn calls for tokens of so many grants chosen at random, until it is ended. */
    | { readonly grants: readonly string[]; readonly callsPerTurn: number };
}

/** Told to every worker when the clock moves. */
export interface Turn {
  readonly now: number;
  /** Nothing dies by itself any more. */
  readonly isCalm: boolean;
}

/** What a worker answers when the calls of its turn have ended. */
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
