import type { Account } from '../../features/accounts/account.ts';
import type { ComparedBinding, Comparison } from '../../features/cutover/parity/model.ts';

/** The grant and the organisation that V3 answers for; undefined if the account has none. */
export const bindingOf = ({ life }: Account): ComparedBinding | undefined =>
  'binding' in life
    ? { grantId: life.binding.grantId, organisationId: life.binding.organisation.id }
    : undefined;

/** Whether both are the same connection. */
export const isSame = (one: ComparedBinding | undefined, other: ComparedBinding | undefined): boolean =>
  one?.grantId === other?.grantId && one?.organisationId === other?.organisationId;

/**
 * Whether a comparison says something about the account as it is connected now. Those of earlier releases do not name
 * their connection: before the move, one from an earlier stage may concern another organisation.
 */
export function isOf({ binding, at }: Comparison, account: Account): boolean {
  const present = bindingOf(account);
  if (present === undefined) return true;
  if (binding !== undefined) return isSame(binding, present);
  return at >= account.stageSince || account.life.stage !== 'consented';
}

/**
 * Whether the differences of a comparison are still the account's: each approval has another grant, also for the same
 * organisation. Of those that do not name their connection, the ones of the present stage count.
 */
export function isOfOrganisation({ binding, at }: Comparison, account: Account): boolean {
  const present = bindingOf(account);
  if (present === undefined) return true;
  if (binding !== undefined) return binding.organisationId === present.organisationId;
  return at >= account.stageSince || account.life.stage !== 'consented';
}
