import type { Account } from '../../accounts/account.ts';
import { NO_DETAILS, type AccountDetails } from '../../accounts/details.ts';
import type { Organisation } from '../../../upstream/organisation.ts';
import { consentEvents } from '../model.ts';
import type { ConsentParts } from '../parts.ts';
import { isNamedFor } from './match.ts';

/** Stages in which V1 serves an account, so that it can lose V1. */
const ON_V1 = ['legacy', 'awaiting-operator'] as const;

/**
 * Notes organisations that the customer of one account approved and that belong to others by id or name. V1 may refuse
 * an organisation's keys as soon as it is approved, whoever's link was used, and nothing else tells the account why.
 * Each entry names the other account by name and id: `forgetAccount` finds it by the id.
 */
export async function noteElsewhere(
  { repository, clock, log }: Pick<ConsentParts, 'repository' | 'clock' | 'log'>,
  account: Account,
  organisations: readonly Organisation[],
): Promise<void> {
  const { expected } = await repository.details(account.id);
  const foreign = organisations.filter((organisation) => !isNamedFor({ account, expected }, organisation));
  if (foreign.length === 0) return;
  const details = await repository.allDetails();
  for (const other of await repository.list(ON_V1)) {
    const approved = foreign.find((one) => other.id !== account.id && isTheirs(other, details, one));
    if (approved === undefined) continue;
    log.warn('consent.elsewhere', { account: account.id, other: other.id });
    const entry = { at: clock.now(), actor: 'customer' };
    await repository.note(other.id, {
      ...{ ...entry, kind: consentEvents.elsewhere },
      detail: `${approved.name} was approved with the link of ${named(account)}: if V1 refuses the keys of this account now, invite its customer`,
    });
    await repository.note(account.id, {
      ...{ ...entry, kind: consentEvents.foreign },
      detail: `${approved.name} was approved, by its name the organisation of ${named(other)}: V1 may refuse that account's keys now`,
    });
  }
}

const named = ({ name, id }: Account): string => `${name} (${id})`;

const isTheirs = (
  account: Account,
  details: ReadonlyMap<string, AccountDetails>,
  organisation: Organisation,
): boolean =>
  isNamedFor({ account, expected: (details.get(account.id) ?? NO_DETAILS).expected }, organisation);
