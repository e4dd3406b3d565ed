import type { Account } from '../../accounts/account.ts';
import { isChoosable, type JudgedOrganisation } from '../model.ts';
import { bindingOf } from '../parts.ts';

/**
 * The account's organisation if no question is needed: the only one that was connected, or the one the account was
 * connected to before. With several new ones the customer chooses, whatever the certainty. One that is only likely does
 * not lead to a question either: whatever the customer says, the operator decides.
 */
export function theOne(
  account: Account,
  judged: readonly JudgedOrganisation[],
): JudgedOrganisation | undefined {
  const same = judged.filter(({ standing }) => standing === 'same');
  const bound = same.find(({ id }) => id === bindingOf(account)?.organisation.id);
  const [only] = judged;
  return (
    bound ??
    (judged.length === 1 && only?.standing === 'likely' ? only : judged.length === 1 ? same[0] : undefined)
  );
}

/**
 * The organisation as a connected account's customer may choose it: without proof, not at all. Whoever has a link could
 * otherwise end a connection that is in use, and the operator's refusal would not restore it.
 */
export const asReplacement = (account: Account, organisation: JudgedOrganisation): JudgedOrganisation =>
  bindingOf(account) !== undefined && isChoosable(organisation) && !organisation.proved
    ? { ...organisation, standing: 'other' }
    : organisation;
