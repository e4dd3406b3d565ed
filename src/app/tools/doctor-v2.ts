import type { Account } from '../../features/accounts/account.ts';
import { Failure } from '../../lib/failure.ts';
import { destinationOf, type Upstream } from '../../upstream/model.ts';
import { words } from './doctor.ts';
import { PATIENCE, type Probe } from './probe.ts';
import type { Services } from '../wiring/services.ts';

/**
 * Asks V2 for the signed-in user, with the consent of one account if there is one. The header that names the
 * organisation differs between platforms, and only a successful call shows which is right.
 */
export async function signedInProbes({ oauth, store }: Services): Promise<readonly Probe[]> {
  if (oauth?.v2Endpoint === undefined) return [];
  const consented = await store.accounts.list(['migrated', 'consented']);
  // The practice product has no V2.
  const account = consented.find(({ product }) => product === 'standard');
  return account === undefined ? [] : [await probe(oauth.v2Endpoint, account)];
}

async function probe(endpoint: Upstream, account: Account): Promise<Probe> {
  const what = `CAUSEWAY_V2_BASE_URL, as ${account.name}`;
  try {
    const status = await whoAmI(endpoint, account);
    const good = status >= 200 && status < 300;
    return { what, good, detail: good ? `answers (${status})` : strangeWords(status) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { what, good: false, detail: error.text };
  }
}

/** The status. Throws `Failure`. */
async function whoAmI(endpoint: Upstream, account: Account): Promise<number> {
  const { life } = account;
  if (!('binding' in life)) throw new Failure('consentNeeded');
  const gone = new AbortController();
  const answer = await endpoint.send(destinationOf(account, life.binding), {
    verb: 'GET',
    segments: ['me'],
    query: [],
    signal: AbortSignal.any([gone.signal, AbortSignal.timeout(PATIENCE)]),
  });
  gone.abort(); // the content of the answer does not matter
  return answer.status;
}

const strangeWords = (status: number): string =>
  status >= 400 && status <= 403
    ? `answers ${status}: it does not take the token or the organisation; look at organisationHeader of the profile`
    : words(status);
