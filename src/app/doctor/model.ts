/**
 * The words of `causeway doctor --production`. A check is a row of a table (`checks.ts`) with a function that looks at
 * one thing and returns a verdict; `examine.ts` runs them all. A check changes nothing and prints nothing, and a failure
 * of its own is a verdict, too.
 */
import type { Resolver } from 'node:dns/promises';
import type { Settings } from '../settings/model.ts';

/** `unknown`: it cannot be seen from this machine; that is no fault. */
export const states = ['ok', 'warning', 'failed', 'unknown'] as const;
/** How something that was examined stands. */
export type State = (typeof states)[number];

/** What a check found. */
export interface Verdict {
  readonly state: State;
  readonly why: string;
  /** What to do; empty if nothing. */
  readonly remedy: string;
}

/** A verdict, and what it is about. */
export interface Finding extends Verdict {
  readonly what: string;
}

/** What the checks look at, and with. */
export interface Situation {
  readonly settings: Settings;
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
  readonly resolver: Pick<Resolver, 'resolveTxt'>;
  /** Certificate of an authority to trust instead of the system's, as PEM. */
  readonly ca: string | undefined;
  /** With which the mail server signs, as the operator says. */
  readonly dkimSelector: string | undefined;
}

/** One row of the table, or several of the same name. */
export interface Check {
  readonly what: string;
  /** `signal` ends when the check's time is over. Whatever it throws is a failure. */
  readonly examine: (
    situation: Situation,
    signal: AbortSignal,
  ) => Promise<Verdict | readonly Verdict[]> | Verdict | readonly Verdict[];
}

/** Nothing needs to be done. */
export const ok = (why: string): Verdict => ({ state: 'ok', why, remedy: '' });
/** It works, and something about it should be better. */
export const warning = (why: string, remedy: string): Verdict => ({ state: 'warning', why, remedy });
/** It does not work, or is not safe. */
export const failed = (why: string, remedy: string): Verdict => ({ state: 'failed', why, remedy });
/** It cannot be seen from here. */
export const unknown = (why: string, remedy: string): Verdict => ({ state: 'unknown', why, remedy });
