import type { Check } from '../features/cutover/checks.ts';
import { isOverridableName } from '../features/cutover/override.ts';
import type { ReplayBridge } from './replay-bridge.ts';

/** The checks before the move of an account, one by one. */
export async function checksOf(bridge: ReplayBridge, id: string): Promise<readonly Check[]> {
  const preview = await bridge.api<{
    readonly accounts: readonly { readonly checks: readonly Check[] }[];
  }>('POST', '/actions/cutover/preview', { accounts: [id] });
  return preview.accounts[0]?.checks ?? [];
}

/** Moves the account. `failed`: checks that did not pass; they alone are overridden, and the returned text names them. */
export async function cutOver(
  bridge: Pick<ReplayBridge, 'api'>,
  id: string,
  failed: readonly Check[],
): Promise<string> {
  const names = failed.map(({ name }) => name);
  const override = {
    ...(names.includes('identifiers') && { acceptUnlearned: true }),
    ...(names.some(isOverridableName) && { despite: names.filter(isOverridableName) }),
  };
  const { accounts } = await bridge.api<{
    readonly accounts: readonly { readonly outcome: string; readonly words: string }[];
  }>('POST', '/actions/cutover', { accounts: [id], ...override });
  const [account] = accounts;
  if (account?.outcome !== 'done') throw new Error(account?.words ?? 'nothing was done');
  if (failed.length === 0) return account.words;
  return `${account.words} (despite ${names.join(' and ')})`;
}
