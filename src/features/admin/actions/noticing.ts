/** Notices to the programs of accounts, switched on and off as an action on many accounts. */
import type { Accounts } from '../../accounts/accounts.ts';
import { leftAlone, type ForecastOutcome, type ResultOutcome } from './action-results.ts';
import type { AdminAction } from './words.ts';

/** The two actions. */
export type Noticing = Extract<AdminAction, { readonly action: 'notices-on' | 'notices-off' }>;

/** Whether anything would change. */
export async function forecastNotices(
  accounts: Pick<Accounts, 'differing'>,
  { action }: Noticing,
  accountId: string,
): Promise<ForecastOutcome> {
  const fields = await accounts.differing(accountId, { notices: action === 'notices-on' });
  return fields.length === 0
    ? { ...leftAlone('noticed'), checks: [] }
    : { outcome: 'will', words: wordsOf(action), caution: undefined, checks: [] };
}

/** Switches the notices. */
export async function switchNotices(
  accounts: Pick<Accounts, 'set'>,
  { action }: Noticing,
  accountId: string,
  who: string,
): Promise<ResultOutcome> {
  const fields = await accounts.set(accountId, { notices: action === 'notices-on' }, who);
  return fields.length === 0 ? leftAlone('noticed') : { outcome: 'done', words: wordsOf(action) };
}

/** The same before and after: names the subject, not its state. */
const wordsOf = (action: Noticing['action']): string =>
  action === 'notices-on'
    ? 'replies from V1 tell its programs when V1 ends'
    : 'replies from V1 do not tell its programs when V1 ends';
