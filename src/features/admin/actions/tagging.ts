/**
 * Adding and removing tags as an action on many accounts. The change itself is made under the lock of each account, so
 * that two operators who tag the same accounts at once lose none of each other's tags.
 */
import type { GivenChange } from '../../accounts/account-change.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { tagsIn } from '../../accounts/details.ts';
import { UnusableAccount } from '../../accounts/unusable-account.ts';
import { AdminRefusal } from '../refusal.ts';
import { leftAlone, type ForecastOutcome, type ResultOutcome } from './action-results.ts';
import type { AdminAction } from './words.ts';

type Tagging = Extract<AdminAction, { readonly action: 'tag' | 'untag' }>;

/** Whether the account's tags would change. Throws `AdminRefusal` unusable. */
export async function forecastTags(
  accounts: Pick<Accounts, 'differing'>,
  action: Tagging,
  accountId: string,
): Promise<ForecastOutcome> {
  const fields = await usable(() => accounts.differing(accountId, changeOf(action)));
  return fields.length === 0
    ? { ...leftAlone('tagged'), checks: [] }
    : { outcome: 'will', words: wordsOf(action), caution: undefined, checks: [] };
}

/** Adds or removes the tags. Throws `AdminRefusal` unusable. */
export async function tagAccount(
  accounts: Pick<Accounts, 'set'>,
  action: Tagging,
  accountId: string,
  who: string,
): Promise<ResultOutcome> {
  const fields = await usable(() => accounts.set(accountId, changeOf(action), who));
  return fields.length === 0 ? leftAlone('tagged') : { outcome: 'done', words: wordsOf(action) };
}

function changeOf({ action, tags }: Tagging): GivenChange {
  if (tagsIn(tags).length === 0) throw new AdminRefusal('unusable', 'say which tags');
  return action === 'tag' ? { addTags: tags } : { removeTags: tags };
}

const wordsOf = ({ action, tags }: Tagging): string =>
  `${tagsIn(tags).join(', ')} ${action === 'tag' ? 'added' : 'removed'}`;

async function usable<Value>(deed: () => Promise<Value>): Promise<Value> {
  try {
    return await deed();
  } catch (error) {
    throw error instanceof UnusableAccount ? new AdminRefusal('unusable', error.message) : error;
  }
}
