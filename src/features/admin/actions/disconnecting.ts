import type { Account } from '../../accounts/account.ts';
import type { Disconnecting, Disconnection } from '../../consent/disconnecting.ts';
import { counted } from '../../../lib/text/counted.ts';
import { leftAlone, type ForecastOutcome, type ResultOutcome } from './action-results.ts';

/** Undefined if V3 is not configured: then nothing can be connected. */
type Ends = Pick<Disconnecting, 'look' | 'restsOnMore' | 'disconnect'> | undefined;

/** What ending the connection of an account would do. */
export async function forecastDisconnection(
  disconnecting: Ends,
  account: Account,
  caution: string | undefined,
): Promise<ForecastOutcome> {
  const found = await disconnecting?.look(account);
  if (found === undefined || !('binding' in account.life))
    return { ...leftAlone('notConnected'), checks: [] };
  const { name } = account.life.binding.organisation;
  const what =
    found.users > 1
      ? `; its consent also serves ${counted(found.users - 1, 'other account')}, which would stay connected`
      : (await disconnecting?.restsOnMore(found.grant)) === true
        ? ' here; nothing would be revoked at the service, because other connections depend on the same approval'
        : ': its tokens would be revoked at the service';
  return { outcome: 'will', words: `would be disconnected from ${name}${what}`, caution, checks: [] };
}

const results: Readonly<Record<Disconnection, ResultOutcome>> = {
  revoked: {
    outcome: 'done',
    words: 'disconnected: its tokens were revoked at the service; invite its customer to connect it again',
  },
  here: {
    outcome: 'done',
    words:
      'disconnected here; nothing was revoked at the service, because other connections depend on the same approval; invite its customer to connect it again',
  },
  later: {
    outcome: 'done',
    words:
      'disconnected here; the service has not accepted the revocation yet; it will be asked again for up to a week; invite its customer to connect it again',
  },
  unreadable: {
    outcome: 'done',
    words:
      'disconnected here; nothing was revoked at the service, because no encryption key opens its tokens; invite its customer to connect it again',
  },
  nothing: leftAlone('notConnected'),
};

/** Ends the connection of an account. */
export const disconnectAccount = async (
  disconnecting: Ends,
  { id }: Account,
  who: string,
): Promise<ResultOutcome> =>
  results[(await disconnecting?.disconnect(id, { actor: who, by: who, reason: 'withdrawn' })) ?? 'nothing'];
