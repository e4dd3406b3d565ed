import type { Forecast } from '../../../features/admin/actions/action-results.ts';
import type { AdminAction } from '../../../features/admin/actions/words.ts';
import { AdminRefusal } from '../../../features/admin/refusal.ts';
import type { Check } from '../../../features/cutover/checks.ts';
import {
  failedIn,
  isOverridable,
  isOverridableName,
  notOverridable,
  type OverridableName,
} from '../../../features/cutover/override.ts';
import { checkWords } from '../../../features/status/code-words.ts';

/** Accounts for which the same failed checks are overridden. */
interface Group {
  readonly accounts: readonly Forecast[];
  /** The checks that are overridden by name. */
  readonly despite: readonly OverridableName[];
  /** Whether missing numbers are allotted. */
  readonly isNumbered: boolean;
}

/** The form of a group. */
interface GroupForm extends Group {
  /** The text of its button, or what that adds to the action; empty: nothing. */
  readonly words: string;
}

/** What its button overrides. */
interface OverridableForm extends GroupForm {
  /** The names of the failed checks. */
  readonly checks: readonly string[];
  readonly failures: readonly Failure[];
}

/** A failed check, and the accounts for which it failed in the same words. */
interface Failure {
  readonly check: Check;
  readonly accounts: readonly Forecast[];
}

/**
 * The accounts of a cut-over that would move if their failed checks were overridden. Each form overrides exactly the
 * checks that failed for its accounts, so that one that fails later still keeps them from moving.
 */
export function overridableIn(
  action: AdminAction,
  accounts: readonly Forecast[],
): readonly OverridableForm[] {
  if (action.action !== 'cutover') return [];
  const offered = accounts.filter(({ outcome, checks }) => {
    const failed = failedIn(checks);
    return outcome === 'left' && failed.length > 0 && failed.every(isOverridable);
  });
  return groupsOf(offered, namesOfFailed).map((found) => {
    const group = { ...found, isNumbered: action.acceptUnlearned || found.isNumbered };
    const failures = failuresOf(found.accounts);
    const checks = [...new Set(failures.map(({ check }) => check.name))];
    return { ...group, checks, failures, words: `Check again${overridingWords(group, ' ')}` };
  });
}

/**
 * The accounts that an action would change, one group for each form. A cut-over has a form for each set of failed checks
 * that it overrides: a check that has passed for an account so far still keeps it from moving if it fails later.
 */
export function confirmableIn(action: AdminAction, accounts: readonly Forecast[]): readonly GroupForm[] {
  const affected = accounts.filter(({ outcome }) => outcome === 'will');
  const groups = groupsOf(affected, (one) => {
    if (action.action !== 'cutover') return [];
    // An account without checks has moved already, and only gets numbers.
    return one.checks.length === 0 && action.acceptUnlearned ? ['identifiers'] : namesOfFailed(one);
  });
  return groups.map((group) => ({
    ...group,
    words: groups.length === 1 ? '' : overridingWords(group, ', '),
  }));
}

/** The checks that a form overrides. Throws `AdminRefusal` unusable. */
export function despiteIn(form: URLSearchParams): readonly OverridableName[] {
  return form.getAll('despite').map((name) => {
    if (!isOverridableName(name)) throw new AdminRefusal('unusable', notOverridable(name));
    return name;
  });
}

const namesOfFailed = ({ checks }: Forecast): readonly string[] => failedIn(checks).map(({ name }) => name);

function failuresOf(accounts: readonly Forecast[]): readonly Failure[] {
  const all = accounts.flatMap((one) => failedIn(one.checks).map((check) => ({ one, check })));
  const groups = Map.groupBy(all, ({ check: { name, detail } }) => `${name} ${detail}`);
  return Array.from(groups.values()).flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ check: first.check, accounts: group.map(({ one }) => one) }];
  });
}

/** `overridden`: the names of the checks that are overridden for an account. */
function groupsOf(
  accounts: readonly Forecast[],
  overridden: (one: Forecast) => readonly string[],
): readonly Group[] {
  const groups = Map.groupBy(accounts, (one) => overridden(one).join(' '));
  return Array.from(groups, ([key, group]) => {
    const names = key.split(' ');
    const isNumbered = names.includes('identifiers');
    return { accounts: group, despite: names.filter(isOverridableName), isNumbered };
  });
}

const overridingWords = ({ despite, isNumbered }: Group, joint: ' ' | ', '): string =>
  [
    ...(despite.length === 0
      ? []
      : [`${joint}despite these failures: ${despite.map(checkWords).join(', ')}`]),
    ...(isNumbered ? [', allotting missing numbers'] : []),
  ].join('');
