import type { Account, AccountEvent } from '../../features/accounts/account.ts';
import { consentEvents } from '../../features/consent/model.ts';
import { isOfConnected } from '../../features/cutover/parity/judging.ts';
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
 * The comparisons that say something about the account as it is connected now. Those of earlier releases do not name
 * their connection: before the move, one from before the last consent may concern another organisation.
 */
export async function ofPresent(
  runs: readonly Comparison[],
  account: Account,
  timeline: (id: string) => Promise<readonly AccountEvent[]>,
): Promise<readonly Comparison[]> {
  const present = bindingOf(account);
  if (present === undefined) return runs;
  const isUnclear = account.life.stage === 'consented' && runs.some(({ binding }) => binding === undefined);
  const consented = isUnclear
    ? (await timeline(account.id)).findLast(({ kind }) => kind === consentEvents.connected)
    : undefined;
  const since = isUnclear ? Math.max(account.stageSince, consented?.at ?? 0) : 0;
  return runs.filter(({ binding, at }) => (binding === undefined ? at >= since : isSame(binding, present)));
}

/** Whether a comparison is of the account's organisation: each approval has another grant, also for the same one. */
export function isOfOrganisation({ binding, at }: Comparison, account: Account): boolean {
  const organisationId = bindingOf(account)?.organisationId;
  if (organisationId === undefined) return true;
  const { stageSince, life } = account;
  const connected = { organisationId, stage: life.stage, stageSince };
  return isOfConnected({ organisationId: binding?.organisationId, at }, connected);
}
