/**
 * A rule of `causeway doctor --production` about access to console and API without the OpenID provider. A token that
 * never ends keeps working after its owner has left.
 */
import { tokenState, type ConsoleToken } from '../../features/admin/tokens/token.ts';
import { ok, warning, type Verdict } from './model.ts';

/** Expects named tokens that expire, and one for the day the OpenID provider is away. */
export function judgeTokens(
  all: readonly ConsoleToken[],
  now: number,
  hasOpenId: boolean,
): Verdict | readonly Verdict[] {
  const tokens = all.filter((token) => token.subject === undefined && tokenState(token, now) === 'good');
  const endless = tokens.filter(({ scope, expiresAt }) => scope !== 'read' && expiresAt === undefined);
  const found = [
    endless.length > 0
      ? warning(
          `${endless.map(({ name }) => name).join(', ')} may act and never ${endless.length === 1 ? 'expires' : 'expire'}`,
          'replace it with one that does: causeway tokens create NAME --scope operate --expires 90d',
        )
      : undefined,
    hasOpenId && !tokens.some(({ scope }) => scope === 'administer')
      ? warning(
          'no token would open the console while the OpenID provider is down',
          'causeway tokens create emergency --scope administer --expires 365d, and keep it in a safe',
        )
      : undefined,
  ].filter((verdict) => verdict !== undefined);
  return found.length > 0 ? found : ok(`${tokens.length} in use; those that may act expire`);
}
