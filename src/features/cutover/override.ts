import type { Check, CheckName } from './checks.ts';

/** The checks that an operator can override by name. */
export const overridableNames = [
  'readers',
  'v2',
  'api-key',
  'samples',
  'parity',
] as const satisfies readonly CheckName[];
/** A check that an operator can override by name. */
export type OverridableName = (typeof overridableNames)[number];

/** What the operator accepts for a move although its checks fail. */
export interface Override {
  /**
   * Every record without a known number gets a new one; the legacy program will take it for a new record. Overrides the
   * check `identifiers`.
   */
  readonly allotUnlearned: boolean;
  /** The checks to override; every other one still has to pass. */
  readonly despite?: readonly (OverridableName | 'identifiers')[] | undefined;
}

/** Whether it overrides nothing and asks for nothing. */
export const isPlain = ({ allotUnlearned, despite = [] }: Override): boolean =>
  !allotUnlearned && despite.length === 0;

/** The names of the checks that it overrides. */
export const overriddenBy = ({ allotUnlearned, despite = [] }: Override): ReadonlySet<CheckName> =>
  new Set([...despite, ...(allotUnlearned ? (['identifiers'] as const) : [])]);

/** The failed ones among the checks. */
export const failedIn = (checks: readonly Check[]): readonly Check[] =>
  checks.filter(({ result }) => result === 'failed');

/** Whether an operator can override the check if it fails. */
export const isOverridable = ({ name, isFinal }: Check): boolean =>
  isFinal !== true && (name === 'identifiers' || isOverridableName(name));

/** Whether it can be overridden by name. */
export const isOverridableName = (name: string): name is OverridableName =>
  overridableNames.some((one) => one === name);

/** Why a check of this name cannot be overridden by name. */
export const notOverridable = (name: string): string =>
  name === 'identifiers'
    ? `identifiers is overridden by accepting new numbers (--accept-unlearned). By name: ${overridableNames.join(', ')}`
    : `${JSON.stringify(name)} is no check that can be overridden. Those that can be: ${overridableNames.join(', ')}`;

/** Why the account cannot move in spite of the override; undefined: nothing prevents it. */
export function obstacleOf(checks: readonly Check[], override: Override): string | undefined {
  const names = overriddenBy(override);
  const fault = failedIn(checks).find((check) => !(names.has(check.name) && isOverridable(check)));
  if (fault === undefined) return undefined;
  return names.has(fault.name)
    ? `${fault.detail}; CAUSEWAY_PARITY is required, so nobody can override it`
    : fault.detail;
}

/** For timeline and audit log: what is requested, or how an account was moved, with everything that is overridden. */
export const withOverride = (words: string, { allotUnlearned, despite = [] }: Override): string =>
  [
    words,
    ...(despite.length === 0 ? [] : [`despite ${[...new Set(despite)].join(' and ')}`]),
    ...(allotUnlearned ? ['with new numbers for records whose V1 numbers are unknown'] : []),
  ].join(', ');
