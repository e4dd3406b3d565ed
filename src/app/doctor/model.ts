/**
 * The types of `causeway doctor --production`. A check is a row of a table (`checks.ts`) with a function that examines
 * one thing and returns a verdict; `examine.ts` runs them all. A check changes nothing and prints nothing, and a
 * failure of its own is a verdict, too.
 */
import type { Resolver } from 'node:dns/promises';
import type { Settings } from '../settings/model.ts';

/** `unknown`: it cannot be seen from this machine, which is not a fault. */
export const states = ['ok', 'warning', 'failed', 'unknown'] as const;
/** The state of an examined thing. */
export type State = (typeof states)[number];

/** The result of a check. */
export interface Verdict {
  readonly state: State;
  readonly why: string;
  /** What to do; empty if nothing. */
  readonly remedy: string;
}

/** A verdict and its subject. */
export interface Finding extends Verdict {
  readonly what: string;
}

/** What the checks need. */
export interface Situation {
  readonly settings: Settings;
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
  readonly resolver: Pick<Resolver, 'resolveTxt'>;
  /** Certificate of an authority to trust instead of the system's, as PEM. */
  readonly ca: string | undefined;
  /** The selector with which the mail server signs, given by the operator. */
  readonly dkimSelector: string | undefined;
}

/** One row of the table, or several with the same name. */
export interface Check {
  readonly what: string;
  /** `signal` is aborted when the check's time is over. Anything it throws counts as a failure. */
  readonly examine: (
    situation: Situation,
    signal: AbortSignal,
  ) => Promise<Verdict | readonly Verdict[]> | Verdict | readonly Verdict[];
}

/** Nothing needs to be done. */
export const ok = (why: string): Verdict => ({ state: 'ok', why, remedy: '' });
/** It works, but should be improved. */
export const warning = (why: string, remedy: string): Verdict => ({ state: 'warning', why, remedy });
/** It does not work, or is not safe. */
export const failed = (why: string, remedy: string): Verdict => ({ state: 'failed', why, remedy });
/** It cannot be seen from here. */
export const unknown = (why: string, remedy: string): Verdict => ({ state: 'unknown', why, remedy });
