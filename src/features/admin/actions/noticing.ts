/** Notices to the programs of accounts, switched on and off as an action on many accounts. */
import type { Account, StageName } from '../../accounts/account.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { leftAlone, type ForecastOutcome, type ResultOutcome } from './action-results.ts';
import type { AdminAction } from './words.ts';

/** The two actions. */
export type Noticing = Extract<AdminAction, { readonly action: 'notices-on' | 'notices-off' }>;

interface NoticingParts<Use extends keyof Accounts> {
  readonly accounts: Pick<Accounts, Use>;
  /** Without it there is nothing to tell. */
  readonly knowsV1End: boolean;
}

/** Whether anything would change. */
export async function forecastNotices(
  { accounts, knowsV1End }: NoticingParts<'differing'>,
  { action }: Noticing,
  account: Account,
): Promise<ForecastOutcome> {
  const left = leftOf(action, account, await accounts.differing(account.id, changeOf(action)));
  return left === undefined
    ? { outcome: 'will', words: wordsOf(action, knowsV1End), caution: undefined, checks: [] }
    : { ...left, checks: [] };
}

/** Switches the notices. */
export async function switchNotices(
  { accounts, knowsV1End }: NoticingParts<'differing' | 'set'>,
  { action }: Noticing,
  account: Account,
  who: string,
): Promise<ResultOutcome> {
  const left = leftOf(action, account, await accounts.differing(account.id, changeOf(action)));
  if (left !== undefined) return left;
  await accounts.set(account.id, changeOf(action), who);
  return { outcome: 'done', words: wordsOf(action, knowsV1End) };
}

const changeOf = (action: Noticing['action']): { readonly notices: boolean } => ({
  notices: action === 'notices-on',
});

/** After its move an account has no replies of V1. */
const moved: ReadonlySet<string> = new Set<StageName>(['migrated', 'lost', 'closed']);

function leftOf(
  action: Noticing['action'],
  { life }: Account,
  fields: readonly unknown[],
): ReturnType<typeof leftAlone> | undefined {
  if (fields.length === 0) return leftAlone('noticed');
  return action === 'notices-on' && moved.has(life.stage)
    ? leftAlone('noticed', 'its programs do not use V1 any more')
    : undefined;
}

/** The same before and after: names the subject, not its state. */
function wordsOf(action: Noticing['action'], knowsV1End: boolean): string {
  if (action === 'notices-off') return 'replies from V1 do not tell its programs when V1 ends';
  const words = 'replies from V1 tell its programs when V1 ends';
  return knowsV1End ? words : `nothing is told until CAUSEWAY_V1_END is set; then ${words}`;
}
