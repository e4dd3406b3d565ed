import type { Forecast } from '../../../features/admin/actions/action-results.ts';
import type { AdminAction } from '../../../features/admin/actions/words.ts';
import { AdminRefusal } from '../../../features/admin/refusal.ts';
import type { Check } from '../../../features/cutover/checks.ts';
import {
  isOverridable,
  isOverridableName,
  notOverridable,
  type OverridableName,
} from '../../../features/cutover/override.ts';
import { checkWords } from '../../../features/status/code-words.ts';

/** Accounts with the same failed checks, all of which an operator can override. */
interface Overridable {
  readonly accounts: readonly Forecast[];
  /** The checks that are overridden by name. */
  readonly despite: readonly OverridableName[];
  /** Whether missing numbers are allotted. */
  readonly isNumbered: boolean;
  /** The text of the button. */
  readonly words: string;
}

/** Accounts that an action would change with the same failed checks overridden. */
interface Confirmable extends Overridable {
  /** What the button adds to the action, if there are several; otherwise empty. */
  readonly words: string;
}

/**
 * The accounts of a cut-over that would move if their failed checks were overridden. Each form overrides exactly the
 * checks that failed for its accounts, so that one that fails later still keeps them from moving.
 */
export function overridableIn(action: AdminAction, accounts: readonly Forecast[]): readonly Overridable[] {
  if (action.action !== 'cutover') return [];
  const groups = new Map<string, Forecast[]>();
  for (const one of accounts) {
    const failed = failedOf(one);
    if (one.outcome !== 'left' || failed.length === 0 || !failed.every(isOverridable)) continue;
    const key = failed.map(({ name }) => name).join(' ');
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return Array.from(groups, ([key, group]) => {
    const names = key.split(' ');
    const isNumbered = action.acceptUnlearned || names.includes('identifiers');
    const despite = names.filter(isOverridableName);
    return { accounts: group, despite, isNumbered, words: wordsOf(despite, isNumbered) };
  });
}

/**
 * The accounts that an action would change, one group for each form. A cut-over has a form for each set of failed checks
 * that it overrides: a check that has passed for an account so far still keeps it from moving if it fails later.
 */
export function confirmableIn(action: AdminAction, accounts: readonly Forecast[]): readonly Confirmable[] {
  const affected = accounts.filter(({ outcome }) => outcome === 'will');
  const groups = new Map<string, Forecast[]>();
  for (const one of affected) {
    const key = action.action === 'cutover' ? overriddenKey(one, action.acceptUnlearned) : '';
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return Array.from(groups, ([key, group]) => {
    const names = key.split(' ');
    const despite = names.filter(isOverridableName);
    const isNumbered = names.includes('identifiers');
    return {
      ...{ accounts: group, despite, isNumbered },
      words: groups.size === 1 ? '' : overridingWords(despite, isNumbered),
    };
  });
}

/** The checks that a form overrides. Throws `AdminRefusal` unusable. */
export function despiteIn(form: URLSearchParams): readonly OverridableName[] {
  return form.getAll('despite').map((name) => {
    if (!isOverridableName(name)) throw new AdminRefusal('unusable', notOverridable(name));
    return name;
  });
}

const failedOf = ({ checks }: Forecast): readonly Check[] =>
  checks.filter(({ result }) => result === 'failed');

/** An account without checks has moved already, and only gets numbers. */
const overriddenKey = (one: Forecast, acceptUnlearned: boolean): string =>
  one.checks.length === 0 && acceptUnlearned
    ? 'identifiers'
    : failedOf(one)
        .map(({ name }) => name)
        .join(' ');

function wordsOf(despite: readonly OverridableName[], isNumbered: boolean): string {
  const numbered = isNumbered ? ', allotting missing numbers' : '';
  return despite.length === 0
    ? `Check again${numbered}`
    : `Check again despite these failures: ${despite.map(checkWords).join(', ')}${numbered}`;
}

const overridingWords = (despite: readonly OverridableName[], isNumbered: boolean): string =>
  [
    ...(despite.length === 0 ? [] : [`, despite these failures: ${despite.map(checkWords).join(', ')}`]),
    ...(isNumbered ? [', allotting missing numbers'] : []),
  ].join('');
